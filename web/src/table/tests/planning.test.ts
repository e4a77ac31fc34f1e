import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { asTable, begin, beginMelds, toNewSet, toSet, type Draft } from '../draft/draft';
import { rebased } from '../draft/rebase';
import { box, named, text } from './box';
import { legal, table, update, view } from './room';

const [R4] = named('R4') as [number];
const [K9, R9, O9] = named('K9 R9 O9') as [number, number, number];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settle = async (): Promise<void> => void (await vi.advanceTimersByTimeAsync(100));

describe('a plan', () => {
  it('is made off turn, judged for oneself alone, and lies ready when the turn comes', async () => {
    const { model, sent } = table(view({}, { seat: 1 }));
    sent.answer = () => ({ judgement: legal });
    expect(model.newSet([K9, R9, O9])).toBe(true);
    await settle();
    expect(sent.commands).toEqual([{ do: 'plan', room: 'abcd', rev: 5, table: [named('R1 R2 R3'), [K9, R9, O9]] }]);
    expect(model.mayFinish).toBe(false);
    expect(model.line.text).toContain('line.plan');
    model.receive(update(view({ rev: 6 }, { seat: 0 })));
    await settle();
    expect(sent.commands.at(-1)).toMatchObject({ do: 'plan', rev: 6 });
    expect(text(asTable(model.draft))).toBe('R1 R2 R3 | K9 R9 O9');
    expect(model.mayFinish).toBe(true);
    model.putInto(model.draft.sets[0]?.id ?? 0, [R4], null);
    await settle();
    expect(sent.commands.at(-1)).toMatchObject({ do: 'draft', rev: 6 });
  });

  it('is not made where the table forbids it, nor at a championship', () => {
    const at = view({}, { seat: 1 });
    const off = table({ ...at, settings: { ...at.settings, planning: false } }).model;
    expect(off.newSet([K9])).toBe(false);
    const hall = table({ ...at, championship: { championship: 'open', stage: 'one', sitting: 1, number: 2 } }).model;
    expect(hall.newSet([K9])).toBe(false);
  });

  it('is one’s own picture of the table while somebody else arranges theirs', () => {
    const { model } = table(view({}, { seat: 1 }));
    model.newSet([K9, R9, O9]);
    model.drafted({ type: 'drafted', room: 'abcd', rev: 5, seat: 1, table: [named('R1 R2')] });
    expect(model.sets).toHaveLength(2);
    expect(model.line.text).toContain('line.waiting_draft');
    model.reset();
    expect(model.sets.map((set) => set.tiles)).toEqual([named('R1 R2')]);
  });

  it('ends with the turn that was played', async () => {
    const { model } = table(view({}, { seat: 0 }));
    model.newSet([K9, R9, O9]);
    model.receive(update(view({ rev: 6 }, { seat: 1 })));
    expect(model.touched).toBe(false);
  });

  it('marks what no longer fits', () => {
    const { model } = table(view({}, { seat: 1, table: [named('R1 R2 R3'), named('B1 B2 B3')] }));
    const ids = model.draft.sets.map((set) => set.id);
    model.putInto(ids[0] as number, [R4], null);
    model.putInto(ids[0] as number, named('B3'), null);
    model.receive(update(view({ rev: 6 }, { seat: 1, table: [named('R1 R2 R3'), named('B1 B2 B3 B4')] })));
    expect(model.misfits).toEqual([R4]);
    expect(model.rack).toContain(R4);
    expect(model.note?.text).toContain('plan.lost');
  });
});

describe('a plan on a table that changed underneath', () => {
  const rack = [R4, K9, R9, O9];
  const old = begin([named('R1 R2 R3'), named('B5 B6 B7')], rack, box);
  const after = (plan: Draft, ...sets: string[]): string => {
    const { draft, lost } = rebased(plan, begin(sets.map((set) => named(set)), rack, box, old.sets), box);
    return [text(asTable(draft)), text([lost])].filter(Boolean).join(' / lost ');
  };
  const id = (index: number): number => old.sets[index]?.id ?? 0;

  it('keeps sets of one’s own tiles, and what was done to sets that are as they were', () => {
    const plan = toSet(toNewSet(old, [K9, R9, O9], box), [R4], id(0), null, box);
    expect(after(plan, 'R1 R2 R3', 'B5 B6 B7 B8')).toBe('R1 R2 R3 R4 | B5 B6 B7 B8 | K9 R9 O9');
  });

  it('adds to what a set has become', () => {
    const plan = toSet(old, [R4], id(0), null, box);
    expect(after(plan, 'R1 R2 R3 K1', 'B5 B6 B7')).toMatch(/^R1 R2 R3 K1 R4/);
  });

  it('gives tiles back whose set was taken apart', () => {
    const plan = toSet(old, [R4], id(0), null, box);
    expect(after(plan, 'R1 B1 K1', 'R2 B2 K2', 'R3 B3 K3', 'B5 B6 B7')).toBe('R1 B1 K1 | R2 B2 K2 | R3 B3 K3 | B5 B6 B7 / lost R4');
  });

  it('adds to melds again that others have added to', () => {
    const meld = (tiles: string, owner: number) => ({ tiles: named(tiles), owner, reading: { kind: 'run' as const, low: 1 } });
    const before = beginMelds([meld('R1 R2 R3', 1)], rack, 0);
    const plan = toNewSet(toSet(before, [R4], 1, null, box), [K9, R9, O9], box);
    const fresh = beginMelds([meld('R1 R2 R3', 1), meld('B5 B6 B7', 1)], rack, 0);
    const { draft, lost } = rebased(plan, fresh, box);
    expect(text(asTable(draft))).toBe('R1 R2 R3 R4 | B5 B6 B7 | K9 R9 O9');
    expect(lost).toEqual([]);
  });
});
