import { describe, expect, it } from 'vitest';

import type { ReplayStep, ReportTurn, TurnAnalysis } from '../../api/generated/http';
import { beforeTurn, betterTable, coached, verdict } from '../compare';

const step = (number: number, seat: number | null, more: Partial<ReplayStep> = {}): ReplayStep => ({
  number,
  seat,
  kind: 'drew',
  text: '',
  parts: [],
  table: [],
  melds: [],
  racks: [],
  pool: 0,
  discards: [],
  changed: [],
  ...more,
});
const turn = (more: Partial<TurnAnalysis>): TurnAnalysis => ({
  step: 2,
  laid: 0,
  points: 0,
  best_laid: 0,
  best_points: 0,
  best_table: null,
  text: '',
  parts: [],
  take: null,
  discard: null,
  ...more,
});

describe('a turn', () => {
  it('was best, held back, or could have been better', () => {
    expect(verdict(turn({}))).toBe('best');
    expect(verdict(turn({ best_laid: 3, best_points: 9 }))).toBe('held');
    expect(verdict(turn({ laid: 3, points: 9, best_laid: 3, best_points: 12 }))).toBe('better');
  });

  it('is no missed play if a strong player would hold too', () => {
    const held = turn({ best_laid: 3, best_points: 9 });
    const told = (said: ReportTurn['verdict']): ReportTurn => ({ verdict: said }) as ReportTurn;
    expect(coached(held, undefined)).toBe('held');
    expect(coached(held, told('fine'))).toBe('held');
    expect(coached(held, told('strong'))).toBe('strong');
    expect(coached(held, told('mistake'))).toBe('mistake');
    expect(coached(turn({}), told('strong'))).toBe('best');
  });

  it('began after the last step of somebody else', () => {
    const steps = [step(0, null), step(1, 0), step(2, 1), step(3, 1), step(4, 0)];
    expect(beforeTurn(3, steps, 1)?.number).toBe(1);
    expect(beforeTurn(1, steps, 0)?.number).toBe(0);
  });
});

describe('the better table', () => {
  it('marks what would have come from the rack', () => {
    const steps = [step(0, null), step(1, 0, { table: [[1, 2, 3]] }), step(2, 1, { table: [[1, 2, 3]] })];
    const found = betterTable(turn({ best_laid: 1, best_table: [[1, 2, 3, 4]] }), steps, 1, false);
    expect(found.changed).toEqual([4]);
    expect(found.table).toEqual([[1, 2, 3, 4]]);
  });

  it('gives new melds to the player and leaves old ones to their owners', () => {
    const before = { melds: [{ tiles: [1, 2, 3], owner: 0, holders: [0, 0, 1] }] };
    const steps = [step(0, null), step(1, 0, before), step(2, 1, before)];
    const best = [
      [1, 2, 3, 4],
      [7, 8, 9],
    ];
    const found = betterTable(turn({ best_laid: 4, best_table: best }), steps, 1, true);
    expect(found.melds.map((meld) => meld.owner)).toEqual([0, 1]);
    expect(found.melds[0]?.holders).toEqual([0, 0, 1, 1]);
    expect(found.changed).toEqual([4, 7, 8, 9]);
  });

  it('gives a claimed joker to whoever claims it', () => {
    const before = { melds: [{ tiles: [1, 104, 3], owner: 0, holders: [0, 0, 0] }] };
    const steps = [step(0, null), step(1, 0, before), step(2, 1, before)];
    const best = [
      [1, 2, 3],
      [8, 104, 9],
    ];
    const found = betterTable(turn({ best_laid: 3, best_table: best }), steps, 1, true);
    expect(found.melds.map((meld) => meld.holders)).toEqual([
      [0, 1, 0],
      [1, 1, 1],
    ]);
  });
});
