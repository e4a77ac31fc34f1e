// How large the tiles on the table can be so that as much of it as possible is seen at once.

export interface BoardSpace {
  readonly width: number;
  readonly height: number;
  readonly smallest: number;
  readonly largest: number;
}

/** Around the tiles of a set, and between sets; in pixels. */
export const SET_PADDING = 6;
export const SET_GAP = 12;
export const TILE_GAP = 2;
export const TILE_HEIGHT = 1.4;

/** How wide and high a set of so many tiles is when it may not be wider than the table. */
function setSize(count: number, tile: number, width: number): readonly [number, number] {
  const across = Math.max(1, Math.floor((width - 2 * SET_PADDING + TILE_GAP) / (tile + TILE_GAP)));
  const columns = Math.min(count, across);
  const rows = Math.ceil(count / across);
  return [columns * (tile + TILE_GAP) - TILE_GAP + 2 * SET_PADDING, rows * tile * TILE_HEIGHT + 2 * SET_PADDING];
}

/** The height of sets laid row by row from left to right. */
export function heightOf(counts: readonly number[], tile: number, width: number): number {
  let [x, y, row] = [0, 0, 0];
  for (const count of counts) {
    const [wide, high] = setSize(count, tile, width);
    if (x > 0 && x + wide > width) [x, y, row] = [0, y + row + SET_GAP, 0];
    x += wide + SET_GAP;
    row = Math.max(row, high);
  }
  return y + row;
}

/** The largest tile with which all sets, and room for one more, are seen; the smallest allowed if none is. */
export function boardTile(counts: readonly number[], space: BoardSpace): number {
  const all = [...counts, 3];
  for (let tile = space.largest; tile > space.smallest; tile -= 1) {
    if (heightOf(all, tile, space.width) <= space.height) return tile;
  }
  return space.smallest;
}
