import { describe, expect, it } from 'vitest';

import { afterTry, curve, dayNumber, dayOf, daysInARow, handOvers, NOTHING, ofAccount, ratingFor, remember, remembered, wasTried, type Tried } from '../progress';

const PLAYER = { rating: 1580, deviation: 250, volatility: 0.06, attempts: 1, day: 3 };
const tried = (id: string, solved = true): Tried => ({ id, book: 'wrc11', solved, rating: 1580, day: '2026-11-16' });

class Notebook {
  lines = new Map<string, string>();
  getItem = (key: string): string | null => this.lines.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.lines.set(key, value);
}

describe('the progress of a guest', () => {
  it('survives in the browser', () => {
    const memory = new Notebook();
    const progress = { ...afterTry(NOTHING, tried('a'), PLAYER), bestStreak: 4 };
    remember(memory, progress);
    expect(remembered(memory)).toEqual(progress);
  });

  it.each(['', 'null', '[]', '{"tried": 3}', '{"tried": [{}], "ratings": {"wrc11": {"rating": "high"}}, "bestStreak": -2}', '{'])(
    'is nothing where %j is kept',
    (text) => {
      const memory = new Notebook();
      memory.setItem('meldroom.puzzles', text);
      expect(remembered(memory)).toEqual(NOTHING);
    },
  );

  it('counts only the first try at a puzzle', () => {
    const once = afterTry(NOTHING, tried('a', false), PLAYER);
    expect(wasTried(once, 'a')).toBe(true);
    expect(afterTry(once, tried('a'), { ...PLAYER, rating: 2000 })).toBe(once);
    expect(ratingFor(once, 'wrc11')).toBe(1580);
    expect(ratingFor(once, 'tml')).toBe(1580);
    expect(ratingFor(NOTHING, null)).toBe(1500);
  });
});

it('names the day of the calendar at hand', () => {
  expect(dayOf(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05');
});

it('counts days of the calendar at hand', () => {
  expect(dayNumber(new Date(1970, 0, 2, 0, 1))).toBe(1);
  expect(dayNumber(new Date(1970, 0, 2, 23, 59))).toBe(1);
});

it('counts the days in a row whose puzzle was solved, up to today or yesterday', () => {
  const today = new Date(2026, 2, 2, 9);
  const on = (day: string, solved = true, daily = true): Tried => ({ ...tried(day, solved), day, daily });
  expect(daysInARow([], today)).toBe(0);
  expect(daysInARow([on('2026-02-28'), on('2026-03-01'), on('2026-03-02')], today)).toBe(3);
  expect(daysInARow([on('2026-02-28'), on('2026-03-01')], today)).toBe(2);
  expect(daysInARow([on('2026-02-28'), on('2026-03-01', false), on('2026-03-02')], today)).toBe(1);
  expect(daysInARow([on('2026-03-02', true, false)], today)).toBe(0);
});

describe('what a guest hands over', () => {
  it('is nothing where nothing was done', () => {
    expect(handOvers(NOTHING)).toEqual([]);
  });

  it('goes in pieces, without ratings', () => {
    const many = Array.from({ length: 1001 }, (_, index) => tried(String(index)));
    const pieces = handOvers({ ...NOTHING, tried: many, bestStreak: 4 });
    expect(pieces.map((piece) => piece.tried?.length)).toEqual([500, 500, 1]);
    expect(pieces[0]?.best_streak).toBe(4);
    expect(pieces[0]?.tried?.[0]).toEqual({ id: '0', solved: true, day: '2026-11-16' });
  });

  it('comes back as the account has it', () => {
    const kept = { ratings: { wrc11: PLAYER }, tried: [{ ...tried('a'), daily: true }], best_streak: 4, best_round: 2 };
    expect(ofAccount(kept)).toEqual({ ratings: kept.ratings, tried: kept.tried, bestStreak: 4, bestRound: 2 });
  });
});

it('draws a curve from the lowest to the highest', () => {
  expect(curve([1500])).toBe('');
  expect(curve([1500, 1600, 1550])).toBe('0.0,100.0 50.0,0.0 100.0,50.0');
});
