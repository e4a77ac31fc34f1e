import { expect, it } from 'vitest';

import { EXAMPLES, tokenAt, withoutBook } from '../positions';

it('finds the word that an error means', () => {
  const text = 'table R1 R99 | K9';
  expect(tokenAt(text, 'column 10')).toEqual({ text: 'R99', start: 9, end: 12 });
  expect(tokenAt(text, 'text')).toBeNull();
  expect(tokenAt(text, 'column 99')).toBeNull();
});

it('takes the book off a text, and leaves one with options as it is', () => {
  expect(withoutBook('wrc11@1 / table R1 R2 R3 / racks -')).toBe('table R1 R2 R3 / racks -');
  expect(withoutBook('table R1')).toBe('table R1');
  expect(withoutBook('wrc11@1 jokers=3 / table R1')).toBe('wrc11@1 jokers=3 / table R1');
});

it('has an example for every book', () => {
  expect(Object.keys(EXAMPLES).sort()).toEqual(['nzrc2024', 'rummyo', 'tml', 'wrc11', 'wrc9']);
});
