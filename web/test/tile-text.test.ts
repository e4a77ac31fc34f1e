import { expect, it } from 'vitest';

import { pieces } from '../src/ui/tiles/tile-text';

const faces = new Set(['R7', 'B10', 'K1', '*']);
const tilesOf = (text: string) => pieces(text, faces).flatMap((piece) => piece.face ?? []);

it('finds the tiles of a sentence and keeps every word', () => {
  const text = 'Ada lays R7 B10 * (4 left).';
  expect(tilesOf(text)).toEqual(['R7', 'B10', '*']);
  expect(pieces(text, faces).map((piece) => piece.text).join('')).toBe(text);
});

it('finds tiles before a stop and in brackets, and no others', () => {
  expect(tilesOf('Bo draws K1.')).toEqual(['K1']);
  expect(tilesOf('[R7 B10] stays; X1 watches, R99 too.')).toEqual(['R7', 'B10']);
  expect(tilesOf('')).toEqual([]);
});
