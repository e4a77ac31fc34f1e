import { describe, expect, it } from 'vitest';
import { follow, layout, moved, NO_ORDER, remember, remembered, shifted, shown, sorted, TILE_RATIO, type Memory } from '../board/rack-order';
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
