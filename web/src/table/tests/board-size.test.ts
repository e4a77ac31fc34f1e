import { describe, expect, it } from 'vitest';
import { boardFit, boardTile, heightOf, meldColumns } from '../board/board-size';

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

  it('closes up on a phone before it scrolls, and scrolls before a finger misses a tile', () => {
    const eighteen = [5, 4, 3, 6, 3, 4, 4, 4, 4, 3, 4, 3, 4, 4, 4, 3, 3, 3];
    const space = { width: 344, height: 279, smallest: 27, largest: 44, padding: 3, gap: 9 };
    const usual = boardFit(eighteen, space, false);
    expect(heightOf([...eighteen, 3], usual.tile, space)).toBeGreaterThan(space.height);
    const fit = boardFit(eighteen, space, true);
    expect(fit.tile).toBeGreaterThanOrEqual(24);
    expect(heightOf([...eighteen, 3], fit.tile, { ...space, ...fit, width: 352 })).toBeLessThanOrEqual(287);
    expect(boardFit([...eighteen, ...eighteen], space, true)).toEqual({ tile: 27, padding: 1, gap: 3, closed: true });
    expect(boardFit([3, 3], space, true).closed).toBe(false);
  });

  it('puts the melds of players side by side where there is room', () => {
    expect([360, 700, 1248, 1888].map((width) => meldColumns(width, 2, width < 800))).toEqual([1, 2, 2, 2]);
    expect([360, 700, 1248, 1888].map((width) => meldColumns(width, 4, width < 800))).toEqual([1, 1, 2, 4]);
    expect(meldColumns(1248, 3, false)).toBe(3);
  });

  it('breaks a set that is wider than the table', () => {
    expect(heightOf([13], 30, phone)).toBeGreaterThan(heightOf([10], 30, phone));
  });
});
