import { describe, expect, it } from 'vitest';
import { intentOf, target, type Spot } from '../input/keyboard';

describe('keys', () => {
  it('have one meaning each, in capitals too', () => {
    expect(intentOf({ key: 'n' })).toEqual({ do: 'new_set' });
    expect(intentOf({ key: 'N', shiftKey: true })).toEqual({ do: 'new_set' });
    expect(intentOf({ key: ' ' })).toEqual({ do: 'select' });
    expect(intentOf({ key: 'Enter', ctrlKey: true })).toEqual({ do: 'done' });
    expect(intentOf({ key: 'Z', ctrlKey: true, shiftKey: true })).toEqual({ do: 'redo' });
    expect(intentOf({ key: 'ArrowLeft', shiftKey: true })).toEqual({ do: 'shift', step: -1 });
    expect(intentOf({ key: '+', shiftKey: true })).toEqual({ do: 'space', step: 1 });
    expect(intentOf({ key: '-' })).toEqual({ do: 'space', step: -1 });
  });

  it('leave the browser its own', () => {
    for (const key of [{ key: 'r', ctrlKey: true }, { key: 'Tab' }, { key: 'd', altKey: true }, { key: 'F5' }]) {
      expect(intentOf(key)).toBeNull();
    }
  });
});

describe('arrows', () => {
  const row = (zone: string, y: number, xs: number[]): Spot[] => xs.map((x) => ({ zone, x, y, height: 40 }));
  const spots = [...row('board', 0, [0, 30, 60]), ...row('board', 60, [0, 30]), ...row('rack', 200, [0, 30, 60])];

  it('go along a part of the table and stop at its ends', () => {
    expect(target(spots, 0, 'right')).toBe(1);
    expect(target(spots, 2, 'right')).toBe(3);
    expect(target(spots, 4, 'right')).toBe(4);
    expect(target(spots, 5, 'left')).toBe(5);
    expect(target(spots, 1, 'last')).toBe(4);
    expect(target(spots, 4, 'first')).toBe(0);
  });

  it('go up and down to the nearest place of the next row', () => {
    expect(target(spots, 7, 'up')).toBe(4);
    expect(target(spots, 3, 'up')).toBe(0);
    expect(target(spots, 2, 'down')).toBe(4);
    expect(target(spots, 4, 'down')).toBe(6);
    expect(target(spots, 0, 'up')).toBe(0);
  });
});
