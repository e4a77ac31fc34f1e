import { describe, expect, it } from 'vitest';

import { intentOf, pause, readAnalysis, readPlace, stepAfter, writePlace } from '../address';

const press = (key: string, more = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...more });

describe('the place in the address', () => {
  it('survives the way there and back', () => {
    for (const place of [
      { step: 0, seat: null },
      { step: 17, seat: 1 },
      { step: 17, seat: null },
      { step: 0, seat: 3 },
    ]) {
      expect(readPlace(writePlace(place), 40, 4)).toEqual(place);
    }
    expect(writePlace({ step: 17, seat: 1 })).toBe('?step=17&seat=1');
    expect(writePlace({ step: 0, seat: null })).toBe('');
  });

  it('takes strange values for none and large ones for the last', () => {
    expect(readPlace('?step=x&seat=9', 40, 4)).toEqual({ step: 0, seat: null });
    expect(readPlace('?step=999&seat=4', 40, 4)).toEqual({ step: 39, seat: null });
    expect(readPlace('?step=-3', 40, 4)).toEqual({ step: 0, seat: null });
  });
});

describe('a link to the analysis', () => {
  it('names the player whose turns are meant, not the eyes', () => {
    expect(readAnalysis('?tab=analysis&seat=2', 4)).toBe(2);
    expect(readAnalysis('?tab=analysis', 4)).toBeNull();
    expect(readAnalysis('?step=3&seat=2', 4)).toBeUndefined();
    expect(readPlace('?tab=analysis&seat=2', 40, 4).seat).toBeNull();
  });
});

describe('keys', () => {
  it('step through the game', () => {
    expect(intentOf(press('ArrowRight'), 'BODY')).toBe('next');
    expect(intentOf(press('Home'), 'BUTTON')).toBe('first');
    expect(intentOf(press(' '), 'BODY')).toBe('play');
  });

  it('are left to what they were pressed on', () => {
    expect(intentOf(press(' '), 'BUTTON')).toBeNull();
    expect(intentOf(press('ArrowLeft'), 'INPUT')).toBeNull();
    expect(intentOf(press('ArrowLeft', { altKey: true }), 'BODY')).toBeNull();
    expect(intentOf(press('q'), 'BODY')).toBeNull();
  });

  it('stop at both ends', () => {
    expect(stepAfter('next', 9, 10)).toBe(9);
    expect(stepAfter('previous', 0, 10)).toBe(0);
    expect(stepAfter('last', 0, 10)).toBe(9);
    expect(stepAfter('first', 5, 10)).toBe(0);
    expect(stepAfter('play', 5, 10)).toBe(5);
  });
});

it('plays faster at a higher speed', () => {
  expect(pause(4)).toBeLessThan(pause(1));
});
