// How large the tiles on the table can be so that as much of it as possible is seen at once.

/** The room a table has, and which of its shapes that asks for. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  /** A phone held upright. */
  readonly narrow: boolean;
  /** A phone that lies on its side. */
  readonly low: boolean;
}

const NARROW = 528;
const LOW = 480;

/** The frame of so many pixels; the styles ask for the same widths and heights (33rem and 30rem). */
export function frameOf(width: number, height: number): Frame {
  return { width, height, narrow: width <= NARROW, low: height <= LOW && width >= LOW };
}

export function between(least: number, value: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

export interface BoardSpace {
  readonly width: number;
  readonly height: number;
  readonly smallest: number;
  readonly largest: number;
  /** Around the tiles of a set, and between sets; in pixels. */
  readonly padding: number;
  readonly gap: number;
}

export const TILE_GAP = 2;
export const TILE_HEIGHT = 1.4;
const BORDER = 1;
const STEP = 2;

/** How the sets of a table lie in a frame: close together where there is little room. */
export function spacing({ narrow, low }: Frame): Pick<BoardSpace, 'padding' | 'gap'> {
  return narrow || low ? { padding: 3, gap: 9 } : { padding: 6, gap: 12 };
}

/** How wide and high a set of so many tiles is when it may not be wider than the table. */
function setSize(count: number, tile: number, space: BoardSpace): readonly [number, number] {
  const around = 2 * (space.padding + BORDER);
  const across = Math.max(1, Math.floor((space.width - around + TILE_GAP) / (tile + TILE_GAP)));
  const columns = Math.min(count, across);
  const rows = Math.ceil(count / across);
  return [columns * (tile + TILE_GAP) - TILE_GAP + around, rows * (tile * TILE_HEIGHT + TILE_GAP) - TILE_GAP + around];
}

/** The height of sets laid row by row from left to right. */
export function heightOf(counts: readonly number[], tile: number, space: BoardSpace): number {
  let [x, y, row] = [0, 0, 0];
  for (const count of counts) {
    const [wide, high] = setSize(count, tile, space);
    if (x > 0 && x + wide > space.width) [x, y, row] = [0, y + row + space.gap, 0];
    x += wide + space.gap;
    row = Math.max(row, high);
  }
  return y + row;
}

/** Between the places before two players that lie side by side. */
export const COLUMN_GAP = 24;

/** How many players' melds lie side by side: four are never three and one, and on a phone it is all or none. */
export function meldColumns(width: number, players: number, small: boolean): number {
  const fit = Math.floor((width + COLUMN_GAP) / ((small ? 310 : 400) + COLUMN_GAP));
  const columns = between(1, fit, players);
  if (small) return columns === players ? columns : 1;
  return players === 4 && columns === 3 ? 2 : columns;
}

/** The largest tile with which all sets, and room for one more, are seen; the smallest allowed if none is. */
export function boardTile(counts: readonly number[], space: BoardSpace): number {
  const all = [...counts, 3];
  for (let tile = space.largest; tile > space.smallest; tile -= STEP) {
    if (heightOf(all, tile, space) <= space.height) return tile;
  }
  return space.smallest;
}

/** A finger still finds such a tile; smaller ones nobody is given. */
const CLOSE = { smallest: 24, padding: 1, gap: 3 };
/** What the edges of the table give away on either side when it closes up. */
export const CLOSE_EDGE = 4;

export interface BoardFit {
  readonly tile: number;
  readonly padding: number;
  readonly gap: number;
  /** The sets lie closer together, and closer to the edge. */
  readonly closed: boolean;
}

/** The size of tiles, and how close they lie: on a phone a full table closes up before it scrolls. */
export function boardFit(counts: readonly number[], space: BoardSpace, mayClose: boolean): BoardFit {
  const { padding, gap } = space;
  const tile = boardTile(counts, space);
  const all = [...counts, 3];
  if (!mayClose || heightOf(all, tile, space) <= space.height) return { tile, padding, gap, closed: false };
  const more = 2 * CLOSE_EDGE;
  const close = { ...space, ...CLOSE, width: space.width + more, height: space.height + more };
  const smaller = Array.from({ length: tile - CLOSE.smallest + 1 }, (_, less) => tile - less);
  const fits = smaller.find((size) => heightOf(all, size, close) <= close.height);
  return { tile: fits ?? tile, padding: CLOSE.padding, gap: CLOSE.gap, closed: true };
}
