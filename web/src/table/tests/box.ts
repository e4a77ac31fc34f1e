// The tile set of the tests: four colours, 1 to 13, two copies, two jokers, as every published book has it.

import type { Box } from '../draft/draft';
import type { Faces, Tile } from '../../ui/tiles/faces';

const numbered = ['K', 'R', 'B', 'O'].flatMap((colour) =>
  Array.from({ length: 13 }, (_, index) => [`${colour}${index + 1}`, `${colour}${index + 1}`]).flat(),
);

export const faces: Faces = [...numbered, '*', '*'];
export const box: Box = { faces, shortest: 3 };

/** Physical tiles by their faces: the first copy of each, or the second. */
export function named(names: string, copy = 0): Tile[] {
  return names.split(' ').map((name) => faces.indexOf(name) + copy);
}

/** A table as text. */
export function text(table: readonly (readonly Tile[])[]): string {
  return table.map((set) => set.map((tile) => faces[tile]).join(' ')).join(' | ');
}
