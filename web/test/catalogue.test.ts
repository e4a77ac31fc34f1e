/** Every physical tile of a room has a face, whichever options it chose. */
import { expect, test } from 'vitest';

import { withEveryJoker } from '../src/lib/catalogue.svelte';
import { isMyTurn } from '../src/lib/mine';
import type { BookCard } from '../src/lib/protocol';

const book = (choices: number[]): BookCard =>
  ({
    tiles: ['K1', 'R1', '*', '*'],
    options: choices.length ? [{ name: 'jokers', text: '', choices, ruling: 'R4' }] : [],
  }) as unknown as BookCard;

test('an option for more jokers has its tiles', () => {
  expect(withEveryJoker(book([2, 4])).tiles).toEqual(['K1', 'R1', '*', '*', '*', '*']);
});

test('a book without such an option is as it was', () => {
  expect(withEveryJoker(book([])).tiles).toEqual(['K1', 'R1', '*', '*']);
});

test('whose turn it is, by the name one has at the table', () => {
  expect(isMyTurn({ names: ['Bo', 'Ada'], waiting_for: 1 }, 'Ada')).toBe(true);
  expect(isMyTurn({ names: ['Bo', 'Ada 2'], waiting_for: 1 }, 'Ada')).toBe(true);
  expect(isMyTurn({ names: ['Bo', 'Ada'], waiting_for: 0 }, 'Ada')).toBe(false);
  expect(isMyTurn({ names: ['Bo', 'Ada'], waiting_for: null }, 'Ada')).toBe(false);
  expect(isMyTurn({ names: ['Bo'], waiting_for: 0 }, undefined)).toBe(false);
});
