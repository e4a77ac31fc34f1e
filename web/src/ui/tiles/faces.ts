// What is printed on a tile, read from its text ("R7", "*"). Knows no rules.

export type Tile = number;

/** The text of a tile's face, by physical tile; `BookCard.tiles` is such a list. */
export type Faces = readonly string[];

export interface Face {
  readonly colour: string;
  readonly number: number;
}

export const JOKER = '*';
export const HIDDEN = -1;

/** Colour letter and number of a face; null for the joker and for a tile nobody may see. */
export function parseFace(face: string | undefined): Face | null {
  const found = /^([A-Z])(\d{1,2})$/.exec(face ?? '');
  return found === null ? null : { colour: found[1] as string, number: Number(found[2]) };
}

/** The face of a tile, or null for a joker. */
export function faceOf(faces: Faces, tile: Tile): Face | null {
  return parseFace(faces[tile]);
}

/** True if the tile is a joker. */
export function isJoker(faces: Faces, tile: Tile): boolean {
  return faces[tile] === JOKER;
}

/** The highest number in a tile set. */
export function highestNumber(faces: Faces): number {
  return faces.reduce((highest, face) => Math.max(highest, parseFace(face)?.number ?? 0), 0);
}

/** The colour letters of a tile set in its own order. */
export function colourLetters(faces: Faces): readonly string[] {
  return [...new Set(faces.map((face) => parseFace(face)?.colour).filter((one) => one !== undefined))];
}
