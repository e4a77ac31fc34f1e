import { expect, it } from 'vitest';

import { contrast, legible } from '../src/ui/tiles/small-inks';

it('knows how far apart two colours are', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#777777', '#777777')).toBeCloseTo(1);
});

it('darkens what is too pale on ivory, and nothing else', () => {
  expect(legible('#1746a2')).toBe('#1746a2');
  for (const pale of ['#ad5600', '#7fae00', '#ffffff']) {
    expect(contrast(legible(pale), '#fbf6e9')).toBeGreaterThan(4.5);
  }
});
