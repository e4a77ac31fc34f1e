import { describe, expect, it } from 'vitest';
import { boardTile, heightOf } from '../board/board-size';

describe('the size of tiles on the table', () => {
  const phone = { width: 340, height: 260, smallest: 28, largest: 44, padding: 4, gap: 10 };

  it('is as large as allowed while there is room', () => {
    expect(boardTile([], phone)).toBe(44);
    expect(boardTile([3, 3], phone)).toBe(44);
  });

  it('shrinks as the table fills, but stays readable', () => {
    const some = boardTile([3, 4, 3, 4, 5, 3], phone);
    expect(some).toBeLessThan(44);
    expect(heightOf([3, 4, 3, 4, 5, 3, 3], some, phone)).toBeLessThanOrEqual(phone.height);
    expect(boardTile(Array<number>(30).fill(4), phone)).toBe(28);
  });

  it('breaks a set that is wider than the table', () => {
    expect(heightOf([13], 30, phone)).toBeGreaterThan(heightOf([10], 30, phone));
  });
});
