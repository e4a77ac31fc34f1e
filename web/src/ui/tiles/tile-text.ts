// The server's sentences cut into words and tiles, so that a tile in a sentence looks like one.

export interface Piece {
  readonly text: string;
  /** The face if this is a tile. */
  readonly face: string | null;
}

const TILE = /(?<=^|[\s([])([A-Z]\d{1,2}|\*)(?=$|[\s.,;:)\]])/g;

/** The pieces of a sentence in order. Only faces that the book has are tiles: a player may be called "X1". */
export function pieces(text: string, faces: ReadonlySet<string>): Piece[] {
  const found: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(TILE)) {
    const face = match[1] as string;
    if (!faces.has(face)) continue;
    if (match.index > end) found.push({ text: text.slice(end, match.index), face: null });
    found.push({ text: face, face });
    end = match.index + face.length;
  }
  if (end < text.length) found.push({ text: text.slice(end), face: null });
  return found;
}
