// Faces as they are written in a lesson, as the physical tiles of a book's box, and back.

import type { Tile } from '../api/types';

/** Hands out the tiles of a box, each once. */
export class TileBox {
  private readonly used = new Set<Tile>();
  private readonly faces: readonly string[];

  constructor(faces: readonly string[]) {
    this.faces = faces;
  }

  /** A tile with this face that was not handed out before. Throws if there is none: the lesson is then wrong. */
  take(face: string): Tile {
    const tile = this.faces.findIndex((one, index) => one === face && !this.used.has(index));
    if (tile < 0) throw new Error(`no tile ${face} left`);
    this.used.add(tile);
    return tile;
  }

  takeAll(faces: readonly string[]): Tile[] {
    return faces.map((face) => this.take(face));
  }
}

/** True if the tiles hold at least these faces. */
export function holds(tiles: readonly string[], wanted: readonly string[]): boolean {
  const left = [...tiles];
  return wanted.every((face) => {
    const at = left.indexOf(face);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** A table of faces laid with given tiles: equal sets keep theirs, then table tiles, then the rack's. */
export function laidWith(wanted: readonly (readonly string[])[], table: readonly Tile[][], rack: readonly Tile[], faces: readonly string[]): Tile[][] {
  const supply = [...table.flat(), ...rack];
  return wanted.map((set) =>
    set.map((face) => {
      const at = supply.findIndex((tile) => faces[tile] === face);
      if (at < 0) throw new Error(`no tile ${face} for the solution`);
      return supply.splice(at, 1)[0] as Tile;
    }),
  );
}
