import { describe, expect, it } from 'vitest';
import { completeSets } from '../board/complete-sets';
import { follow, layout, moved, movedTo, NO_ORDER, places, remember, remembered, rememberSorting, shifted, shown, sorted, spaced, TILE_RATIO, type Memory } from '../board/rack-order';
import { faces, named, text } from './box';

function memory(): Memory & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

describe('the order of a rack', () => {
  const dealt = follow(NO_ORDER, named('R5 K2 * B5'));

  it('keeps its own order from turn to turn; new tiles come last and are marked', () => {
    expect(dealt.fresh).toEqual([]);
    const own = moved(dealt, named('B5'), named('R5')[0] as number);
    const later = follow(own, named('K2 R5 B5 * O1'));
    expect(text([later.tiles])).toBe('B5 R5 K2 * O1');
    expect(later.fresh).toEqual(named('O1'));
  });

  it('sorts for runs and for groups, jokers last', () => {
    expect(text([sorted(dealt, faces, 'runs').tiles])).toBe('K2 R5 B5 *');
    expect(text([sorted(follow(dealt, named('R5 K2 * B5 K9 R2')), faces, 'groups').tiles])).toBe('K2 R2 R5 B5 K9 *');
  });

  it('moves several tiles, also when one of them is the place', () => {
    expect(text([moved(dealt, named('R5 K2'), null).tiles])).toBe('* B5 R5 K2');
    expect(text([moved(dealt, named('R5 K2'), named('K2')[0] as number).tiles])).toBe('R5 K2 * B5');
  });

  it('changes neighbours among those that are seen', () => {
    const rack = named('R5 * B5');
    const after = shifted(dealt, named('*')[0] as number, rack, -1);
    expect(text([shown(after, rack)])).toBe('* R5 B5');
    expect(shifted(dealt, named('R5')[0] as number, rack, -1)).toBe(dealt);
  });

  it('has free places before a tile as somebody at the keyboard asks for them', () => {
    const [tile] = named('*') as [number];
    const once = spaced(dealt, tile, 1);
    expect([once.gaps[tile], once.sorting]).toEqual([1, 'own']);
    expect(spaced(once, tile, 1).gaps[tile]).toBe(2);
    expect(spaced(spaced(once, tile, -1), tile, -1).gaps[tile]).toBe(0);
  });

  it('survives a reload for its room, and nothing unreadable breaks it', () => {
    const kept = memory();
    remember(kept, 'abcd', dealt);
    expect(remembered(kept, 'abcd')).toEqual(dealt);
    expect(remembered(kept, 'other')).toEqual(NO_ORDER);
    kept.kept.set('meldroom.rack.abcd', '{"tiles": "x"');
    expect(remembered(kept, 'abcd')).toEqual(NO_ORDER);
  });
});

describe('the size of a rack', () => {
  it('shows 14 to 30 tiles of a phone entirely', () => {
    for (let count = 14; count <= 30; count++) {
      const space = { width: 336, height: 150, gap: 3, largest: 44, fewest: 7, fill: true, rows: 2 };
      const { rows, columns, width } = layout(count, space);
      expect(rows * columns).toBeGreaterThanOrEqual(count);
      expect(columns * width + (columns - 1) * space.gap).toBeLessThanOrEqual(space.width);
      expect(rows * width * TILE_RATIO + (rows - 1) * space.gap).toBeLessThanOrEqual(space.height);
      expect(width).toBeGreaterThanOrEqual(28);
    }
  });

  it('keeps its shape while a tile comes or goes', () => {
    const space = { width: 1200, height: 160, gap: 3, largest: 54, fewest: 12, fill: false, rows: 2 };
    expect(layout(9, space)).toEqual(layout(14, space));
    expect(layout(17, space)).toEqual(layout(20, space));
    expect(layout(14, space).rows).toBe(2);
  });
});

describe('gaps on a rack', () => {
  const rack = named('R5 K2 * B5');
  const dealt = follow(NO_ORDER, rack);
  const at = (order: typeof dealt, held = rack, capacity = 10): string =>
    places(order, held, capacity)
      .map((place, index) => `${text([[shown(order, held)[index] as number]])}@${place}`)
      .join(' ');

  it('are made where a tile is put, and the others close up', () => {
    const apart = movedTo(dealt, named('K2'), 6, rack, 10);
    expect(at(apart)).toBe('R5@0 *@1 B5@2 K2@6');
    expect(apart.sorting).toBe('own');
    expect(at(movedTo(apart, named('R5'), 4, rack, 10))).toBe('*@0 B5@1 R5@4 K2@6');
  });

  it('go to the next tile when one is played, and are filled from their right', () => {
    const apart = movedTo(dealt, named('* B5'), 5, rack, 10);
    expect(at(apart)).toBe('R5@0 K2@1 *@5 B5@6');
    expect(at(apart, named('R5 K2 B5'))).toBe('R5@0 K2@1 B5@5');
    expect(at(moved(apart, named('R5'), named('*')[0] as number))).toBe('K2@0 R5@3 *@4 B5@5');
  });

  it('close where there is no room, and when the rack is sorted', () => {
    const apart = movedTo(dealt, named('B5'), 9, rack, 10);
    expect(at(apart, rack, 4)).toBe('R5@0 K2@1 *@2 B5@3');
    expect(at(sorted(apart, faces, 'runs'))).toBe('K2@0 R5@1 B5@2 *@3');
  });

  it('are kept through a reload', () => {
    const kept = memory();
    const apart = movedTo(dealt, named('B5'), 9, rack, 10);
    remember(kept, 'abc', apart);
    expect(remembered(kept, 'abc')).toEqual(apart);
  });
});

describe('automatic sorting', () => {
  it('puts a new tile where it belongs until the player moves one', () => {
    const runs = sorted(follow(NO_ORDER, named('R5 K2 * B5')), faces, 'runs');
    const drawn = follow(runs, named('R5 K2 * B5 K9'), runs.deal, faces);
    expect(text([drawn.tiles])).toBe('K2 K9 R5 B5 *');
    expect(drawn.fresh).toEqual(named('K9'));
    const own = moved(drawn, named('K2'), null);
    expect(text([follow(own, named('R5 K2 * B5 K9 K1'), own.deal, faces).tiles])).toBe('K9 R5 B5 * K2 K1');
  });

  it('is remembered for the next room', () => {
    const kept = memory();
    rememberSorting(kept, 'groups');
    const first = follow(remembered(kept, 'new'), named('K9 R5 K2 B5'), 'deal', faces);
    expect(text([first.tiles])).toBe('K2 R5 B5 K9');
  });
});

describe('sets that stand side by side on the rack', () => {
  const found = (row: string): string => text(completeSets(faces, named(row), 3));

  it('are runs and groups, with jokers for what is missing', () => {
    expect(found('R5 R6 R7 K1 K2 B9')).toBe('R5 R6 R7');
    expect(found('B3 R7 B7 O7 K7')).toBe('R7 B7 O7 K7');
    expect(found('R5 * R7')).toBe('R5 * R7');
  });

  it('are no tiles with a wrong order, a colour twice, or too few', () => {
    for (const row of ['R7 R6 R5', 'R5 R6', 'R5 R6 R8', '* R5 K2']) expect(found(row)).toBe('');
    expect(completeSets(faces, [...named('R7 B7'), ...named('R7', 1)], 3)).toEqual([]);
  });
});
