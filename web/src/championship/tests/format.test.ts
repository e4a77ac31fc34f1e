/** Numbers, names and typed text as a championship's pages read and write them. */
import { expect, test } from 'vitest';

import { keyIn, onlyHere, pathOf } from '../role-keys';
import { meant, scoreIn, tilesIn } from '../format';
import { clock, signed } from '../../ui/format';

test.each([
  [60, '+60'],
  [-10, '−10'],
  [0, '0'],
  [null, '–'],
])('%s is written %s', (score, written) => {
  expect(signed(score)).toBe(written);
});

test.each([
  ['+60', 60],
  [' -10 ', -10],
  ['−10', -10],
  ['', null],
  ['–', null],
  ['1O', undefined],
  ['1e3', undefined],
])('“%s” is read as %s', (typed, score) => {
  expect(scoreIn(typed)).toBe(score);
});

test('what is written can be read again', () => {
  for (const score of [-312, -1, 0, 7, 1200]) expect(scoreIn(signed(score))).toBe(score);
});

test('tiles are read in small letters and with commas', () => {
  expect(tilesIn('r10, k3  *')).toEqual(['R10', 'K3', '*']);
  expect(tilesIn('  ')).toEqual([]);
});

test('people are found by a part of the name without accents, by country, and by their exact number', () => {
  const one = { number: 12, name: 'Lucía Marín', country: 'ESP' };
  for (const typed of ['', 'lucia', 'MARIN', 'esp', '12']) expect(meant(one, typed)).toBe(true);
  for (const typed of ['ben', '1', '2']) expect(meant(one, typed)).toBe(false);
});

test('time left', () => {
  expect(clock(65_000)).toBe('1:05');
  expect(clock(1)).toBe('0:01');
  expect(clock(-5)).toBe('0:00');
  expect(clock(3_750_000)).toBe('1:02:30');
});

test('a key is found after the #, and a link leads to its role’s page', () => {
  expect(keyIn('#key=abc_-1')).toBe('abc_-1');
  expect(keyIn('#elsewhere')).toBe('');
  expect(pathOf('club22', 'director', null)).toBe('/championship/club22/desk');
  expect(pathOf('club22', 'referee', 7)).toBe('/championship/club22/table/7');
  expect(pathOf('club22', 'referee', null)).toBe('/championship/club22/referee');
  expect(pathOf('club22', 'display', null)).toBe('/championship/club22/screen');
});

test.each(['localhost', '127.0.0.1', '[::1]'])('%s means this computer', (host) => {
  expect(onlyHere(host)).toBe(true);
});
test.each(['192.168.1.5', 'meldroom.local', '1270.example'])('%s means one computer for all', (host) => {
  expect(onlyHere(host)).toBe(false);
});
