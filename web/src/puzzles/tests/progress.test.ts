import { describe, expect, it } from 'vitest';

import { afterTry, curve, dayOf, NOTHING, ratingFor, remember, remembered, wasTried, type Tried } from '../progress';

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

it('draws a curve from the lowest to the highest', () => {
  expect(curve([1500])).toBe('');
  expect(curve([1500, 1600, 1550])).toBe('0.0,100.0 50.0,0.0 100.0,50.0');
});
