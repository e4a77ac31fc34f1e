import { describe, expect, it } from 'vitest';
import {
  arranged,
  arrangedMelds,
  asMelds,
  asTable,
  begin,
  beginMelds,
  DraftError,
  join,
  laid,
  onRack,
  split,
  toNewSet,
  toRack,
  toSet,
  touched,
  type Draft,
} from '../draft/draft';
import { box, named, text } from './box';

const [R1, R2, R3, R4, R5, R6, R7] = named('R1 R2 R3 R4 R5 R6 R7');
const [R5b] = named('R5', 1);
const [K9, R9, O9, B9] = named('K9 R9 O9 B9');
const joker = named('*')[0] as number;

function tiles(draft: Draft): number[] {
  return [...asTable(draft).flat(), ...onRack(draft)].sort((a, b) => a - b);
}

function key(change: () => unknown): string {
  try {
    change();
  } catch (error) {
    if (error instanceof DraftError) return error.key;
  }
  return '';
}

describe('a draft of a table that may be rearranged', () => {
  const start = begin([named('R1 R2 R3')], named('R4 K9 R9 O9'), box);

  it('puts a rack tile where it belongs in a row', () => {
    const after = toSet(start, [R4 as number], 1, null, box);
    expect(text(asTable(after))).toBe('R1 R2 R3 R4');
    expect(laid(after)).toEqual([R4]);
    expect(touched(after)).toBe(true);
    expect(touched(start)).toBe(false);
  });

  it('inserts with push at the place that was shown', () => {
    const groups = begin([named('K9 R9')], named('O9'), box);
    expect(text(asTable(toSet(groups, [O9 as number], 1, 1, box)))).toBe('K9 O9 R9');
  });

  it('makes a new set of several tiles at once and loses none', () => {
    const after = toNewSet(start, named('K9 R9 O9'), box);
    expect(text(asTable(after))).toBe('R1 R2 R3 | K9 R9 O9');
    expect(tiles(after)).toEqual(tiles(start));
  });

  it('takes back only tiles of this turn', () => {
    const after = toNewSet(start, named('K9 R9 O9'), box);
    expect(laid(toRack(after, [R9 as number], box))).toEqual([K9, O9]);
    expect(key(() => toRack(after, [R1 as number], box))).toBe('stays_on_table');
    expect(key(() => toRack(after, [R4 as number], box))).toBe('nothing_to_take_back');
  });

  it('forgets a set that has become empty, and keeps the ids of the others', () => {
    const two = toNewSet(start, named('K9 R9 O9'), box);
    const moved = toSet(two, named('R1 R2 R3'), two.sets[1]?.id ?? 0, null, box);
    expect(moved.sets.map((set) => set.id)).toEqual([two.sets[1]?.id]);
  });

  it('splits a run where a tile of it is dropped a second time', () => {
    const run = begin([named('R3 R4 R5 R6 R7')], [R5b as number], box);
    expect(text(asTable(toSet(run, [R5b as number], 1, 3, box)))).toBe('R3 R4 R5 | R5 R6 R7');
  });

  it('splits by a command, and joins again', () => {
    const run = begin([named('R3 R4 R5 R6')], [], box);
    const halves = split(run, 1, 2);
    expect(text(asTable(halves))).toBe('R3 R4 | R5 R6');
    expect(text(asTable(join(halves, 1, halves.sets[1]?.id ?? 0, box)))).toBe('R3 R4 R5 R6');
    expect(key(() => split(run, 1, 0))).toBe('nothing_to_split');
    expect(key(() => join(halves, 1, 1, box))).toBe('already_there');
  });

  it('moves a tile within its own set', () => {
    const group = begin([named('K9 R9 O9')], [], box);
    expect(text(asTable(toSet(group, [O9 as number], 1, 0, box)))).toBe('O9 K9 R9');
    expect(text(asTable(toSet(group, [K9 as number], 1, 3, box)))).toBe('R9 O9 K9');
  });

  it('keeps sets in their places when the table is written down in another order', () => {
    const first = begin([named('R1 R2 R3'), named('K9 R9 O9')], [], box);
    const again = arranged({ ...first, held: [B9 as number] }, [named('K9 R9 O9 B9'), named('R1 R2 R3')], box);
    expect(text(asTable(again))).toBe('R1 R2 R3 | K9 R9 O9 B9');
    expect(again.sets.map((set) => set.id)).toEqual([1, 2]);
    expect(B9).toBeGreaterThan(0);
  });

  it('takes over a whole table, but not one with other tiles', () => {
    const hinted = arranged(start, [named('R1 R2 R3 R4'), named('K9 R9 O9')], box);
    expect(laid(hinted)).toHaveLength(4);
    expect(key(() => arranged(start, [named('K9 R9 O9')], box))).toBe('unknown_tile');
    expect(key(() => arranged(start, [named('R1 R2 R3 R7')], box))).toBe('unknown_tile');
    expect(key(() => toNewSet(start, [R7 as number], box))).toBe('unknown_tile');
    expect(key(() => toNewSet(start, [], box))).toBe('nothing_selected');
  });
});

describe('a draft of melds that are only added to', () => {
  const run = { tiles: [R3 as number, joker, R5 as number], owner: 1, reading: { kind: 'run' as const, low: 3 } };
  const start = beginMelds([run], [R1, R2, R4, R6, K9].map(Number), 0);

  it('lengthens a run at the end where the number belongs', () => {
    const after = toSet(toSet(start, [R6 as number], 1, null, box), [R2 as number], 1, null, box);
    expect(text(asTable(after))).toBe('R2 R3 * R5 R6');
    expect(text(asTable(toSet(after, [R1 as number], 1, null, box)))).toBe('R1 R2 R3 * R5 R6');
    expect(asMelds(after)).toEqual([{ tiles: [R2, R3, joker, R5, R6], owner: 1 }]);
  });

  it('claims a joker with the tile it stands for; the joker lies free as a meld of the claimant', () => {
    const after = toSet(start, [R4 as number], 1, null, box);
    expect(text(asTable(after))).toBe('R3 R4 R5 | *');
    expect(asMelds(after)[1]).toEqual({ tiles: [joker], owner: 0 });
  });

  it('leaves the tiles of old melds where they are', () => {
    expect(key(() => toNewSet(start, [R3 as number], box))).toBe('meld_is_fixed');
    expect(key(() => split(start, 1, 1))).toBe('meld_is_fixed');
  });

  it('lies exactly as before when everything is taken back', () => {
    const after = toRack(toSet(start, [R6 as number], 1, null, box), [R6 as number], box);
    expect(touched(after)).toBe(false);
    expect(after.sets).toEqual(start.sets);
  });

  it('claims the joker of a group when the tile is put on it, and must when the group is full', () => {
    const group = { tiles: [K9 as number, joker, O9 as number], owner: 0, reading: { kind: 'group' as const, low: 9 } };
    const mine = beginMelds([group], [R9 as number, B9 as number], 0);
    expect(text(asTable(toSet(mine, [R9 as number], 1, null, box)))).toBe('K9 * O9 R9');
    expect(text(asTable(toSet(mine, [R9 as number], 1, 1, box)))).toBe('K9 R9 O9 | *');
    const full = toSet(mine, [R9 as number], 1, null, box);
    expect(text(asTable(toSet(full, [B9 as number], 1, null, box)))).toBe('K9 B9 O9 R9 | *');
  });

  it('restores what was saved, and refuses what does not fit', () => {
    const after = toSet(start, [R6 as number], 1, null, box);
    expect(arrangedMelds(start, asMelds(after)).sets).toEqual(after.sets);
    expect(key(() => arrangedMelds(start, []))).toBe('unknown_tile');
  });
});
