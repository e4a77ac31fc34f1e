// The order in which tiles look right beside each other. Presentation only: whether a set is legal, the server says.

import { faceOf, highestNumber, isJoker, type Faces, type Tile } from '../../ui/tiles/faces';

/** The numbers of a row of one colour, a 1 counted above the highest where it lies beside it; null if it is no row. */
function rowNumbers(faces: Faces, tiles: readonly Tile[]): Map<Tile, number> | null {
  const numbered = tiles.filter((tile) => !isJoker(faces, tile));
  const read = numbered.map((tile) => faceOf(faces, tile));
  if (read.length === 0 || read.some((face) => face === null || face.colour !== read[0]?.colour)) return null;
  const top = highestNumber(faces);
  const plain = read.map((face) => face?.number ?? 0);
  for (const numbers of [plain, plain.map((number) => (number === 1 ? top + 1 : number))]) {
    const spread = Math.max(...numbers) - Math.min(...numbers) + 1;
    const distinct = new Set(numbers).size === numbers.length;
    if (distinct && spread <= tiles.length) return new Map(numbered.map((tile, i) => [tile, numbers[i] as number]));
  }
  return null;
}

/**
 * A row of one colour in rising order, its jokers in the gaps and what is left of them at the end where they were;
 * anything else stays exactly as it was laid.
 */
export function tidy(faces: Faces, tiles: readonly Tile[]): readonly Tile[] {
  const numbers = rowNumbers(faces, tiles);
  if (numbers === null || numbers.size < 2) return tiles;
  const jokers = tiles.filter((tile) => isJoker(faces, tile));
  const rising = [...numbers.keys()].sort((a, b) => (numbers.get(a) ?? 0) - (numbers.get(b) ?? 0));
  const low = numbers.get(rising[0] as Tile) as number;
  const high = numbers.get(rising[rising.length - 1] as Tile) as number;
  const gaps = high - low + 1 - rising.length;
  const firstNumbered = tiles.findIndex((tile) => numbers.has(tile));
  const spare = jokers.length - gaps;
  const ahead = jokers.filter((tile) => tiles.indexOf(tile) < firstNumbered).slice(0, spare);
  const before = Math.min(ahead.length, low - 1);
  const after = spare - before;
  const room = Math.max(0, highestNumber(faces) - high);
  const shifted = after > room ? Math.min(after - room, Math.max(0, low - 1 - before)) : 0;
  const front = ahead.slice(0, before);
  const others = jokers.filter((tile) => !front.includes(tile));
  front.push(...others.splice(others.length - shifted, shifted));
  const row: Tile[] = [...front];
  for (let number = low; number <= high; number++) {
    const tile = rising.find((one) => numbers.get(one) === number) ?? others.shift();
    if (tile !== undefined) row.push(tile);
  }
  return [...row, ...others];
}

/** Where in a set a tile goes when nobody says where: in its place of a row, else by colour, else at the end. */
export function placeFor(faces: Faces, set: readonly Tile[], tile: Tile): number {
  const face = faceOf(faces, tile);
  if (face === null || set.length === 0) return set.length;
  const numbers = rowNumbers(faces, set);
  if (numbers !== null && numbers.size > 0) {
    const [first, low] = [...numbers.entries()].reduce((a, b) => (a[1] <= b[1] ? a : b));
    const start = low - set.indexOf(first);
    const colour = faceOf(faces, first)?.colour;
    if (colour === face.colour && face.number < start) return 0;
    if (colour === face.colour && face.number < start + set.length) return face.number - start;
  }
  return set.length;
}

/** Cuts a row in two where a tile of it comes a second time: R3 R4 R5 R6 R7 and R5. Null if nothing can be cut so. */
export function cutAround(
  faces: Faces,
  set: readonly Tile[],
  tile: Tile,
  shortest: number,
): readonly [readonly Tile[], readonly Tile[]] | null {
  const face = faceOf(faces, tile);
  const numbers = rowNumbers(faces, set);
  if (face === null || numbers === null || numbers.size !== set.length) return null;
  const row = tidy(faces, set);
  const twin = row.findIndex((one) => faces[one] === faces[tile]);
  if (twin < 0) return null;
  const low = row.slice(0, twin + 1);
  const high = [tile, ...row.slice(twin + 1)];
  if (low.length >= shortest && high.length >= shortest) return [low, high];
  const lower = [...row.slice(0, twin), tile];
  const higher = row.slice(twin);
  return lower.length >= shortest && higher.length >= shortest ? [lower, higher] : null;
}

/** What number the joker at a place of a row stands for as it lies; null where that cannot be told from the row. */
export function standsFor(faces: Faces, set: readonly Tile[], index: number): number | null {
  const numbers = rowNumbers(faces, set);
  if (numbers === null || numbers.size < 2) return null;
  const [first, low] = [...numbers.entries()][0] as [Tile, number];
  const number = low - set.indexOf(first) + index;
  const top = highestNumber(faces);
  return number === top + 1 ? 1 : number >= 1 && number <= top ? number : null;
}

interface Shown {
  readonly id: number;
  readonly tiles: readonly Tile[];
}

/** For each set of a table the id of the old set that it comes from; null for a new one. */
export function ids(old: readonly Shown[], now: readonly (readonly Tile[])[]): (number | null)[] {
  const found: (number | null)[] = now.map(() => null);
  for (const { id, tiles } of old) {
    const held = new Set(tiles);
    let best = -1;
    let most = 0;
    now.forEach((set, index) => {
      const common = found[index] === null ? set.filter((tile) => held.has(tile)).length : 0;
      if (common > most) [best, most] = [index, common];
    });
    if (best >= 0) found[best] = id;
  }
  return found;
}

/**
 * The sets of a table in the places of the old sets that they come from, so that nothing jumps; new ones last. A
 * table whose old sets are in their order stays as it is. The room does the same for the table of the game.
 */
export function inPlace(old: readonly Shown[], now: readonly (readonly Tile[])[]): readonly (readonly Tile[])[] {
  const known = ids(old, now);
  const order = old.flatMap(({ id }) => (known.includes(id) ? [known.indexOf(id)] : []));
  if (order.every((place, index) => index === 0 || place > (order[index - 1] as number))) return now;
  const rest = now.flatMap((_, index) => (known[index] === null ? [index] : []));
  return [...order, ...rest].map((index) => now[index] ?? []);
}
