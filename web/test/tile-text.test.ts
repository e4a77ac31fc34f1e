import { expect, it } from 'vitest';

import { pieces, textSeen } from '../src/ui/tiles/tile-text';

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

it('does not tell one player what another draws', () => {
  const drew = { seat: 0, kind: 'drew', text: 'Ada draws R7.', changed: [5] };
  expect(textSeen(drew, [], 1, faces)).toBe('Ada draws ?.');
  expect(textSeen(drew, [], 0, faces)).toBe(drew.text);
  expect(textSeen(drew, [], null, faces)).toBe(drew.text);
  expect(textSeen({ ...drew, kind: 'laid' }, [], 1, faces)).toBe(drew.text);
});

it('tells everybody which discard was taken', () => {
  const took = { seat: 0, kind: 'took', text: 'Ada takes the discard R7.', changed: [5] };
  expect(textSeen(took, [3, 5], 1, faces)).toBe(took.text);
  expect(textSeen(took, [3], 1, faces)).toBe('Ada takes the discard ?.');
});
