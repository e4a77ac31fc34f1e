// Which tiles that stand side by side make a set. Presentation only: whether it may be laid, the server says.

import { colourLetters, faceOf, type Faces, type Tile } from '../../ui/tiles/faces';

/** True for one number in different colours, or one colour in rising order; jokers stand for what is missing. */
function isSet(faces: Faces, tiles: readonly Tile[], shortest: number): boolean {
  const known = tiles.flatMap((tile, place) => {
    const face = faceOf(faces, tile);
    return face === null ? [] : [{ ...face, start: face.number - place }];
  });
  const [first] = known;
  if (first === undefined || known.length < 2 || tiles.length < shortest) return false;
  const colours = new Set(known.map((face) => face.colour));
  const group = known.every((face) => face.number === first.number) && colours.size === known.length;
  const run = colours.size === 1 && known.every((face) => face.start === first.start) && first.start >= 1;
  return (group && tiles.length <= colourLetters(faces).length) || run;
}

/** The sets among tiles that stand side by side: from the left, the longest first, no tile in two of them. */
export function completeSets(faces: Faces, row: readonly Tile[], shortest: number): readonly (readonly Tile[])[] {
  const found: (readonly Tile[])[] = [];
  let from = 0;
  while (from + shortest <= row.length) {
    let to = row.length;
    while (to - from >= shortest && !isSet(faces, row.slice(from, to), shortest)) to -= 1;
    if (to - from >= shortest) {
      found.push(row.slice(from, to));
      from = to;
    } else from += 1;
  }
  return found;
}
