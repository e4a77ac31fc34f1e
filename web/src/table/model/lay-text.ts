// What a play did to the table: sets of its own, tiles added to a set, sets taken apart.

import type { Faces, Tile } from '../../ui/tiles/faces';
import { tidy } from '../board/tile-order';
import { marked } from '../../ui/tiles/tile-message';

/** More tiles of a set than this are shown by the first and the last. */
const LONG = 5;

type Sets = readonly (readonly Tile[])[];

export interface LayText {
  /** New sets of tiles from the rack alone. */
  readonly fresh: Sets;
  /** Tiles from the rack, and the set they joined as it was before. */
  readonly added: readonly { readonly own: readonly Tile[]; readonly to: readonly Tile[] }[];
  /** How many sets of the old table were taken apart or joined. */
  readonly rearranged: number;
}

/** Compares the table before and after a play of some tiles. */
export function describeLay(before: Sets, after: Sets, played: readonly Tile[]): LayText {
  const own = new Set(played);
  const old = new Map(before.map((set) => [key(set), set]));
  const fresh: (readonly Tile[])[] = [];
  const added: { own: readonly Tile[]; to: readonly Tile[] }[] = [];
  for (const set of after) {
    const rest = set.filter((tile) => !own.has(tile));
    const base = old.get(key(rest));
    if (rest.length === 0 && set.length > 0) fresh.push(set);
    else if (base !== undefined) {
      old.delete(key(rest));
      if (rest.length < set.length) added.push({ own: set.filter((tile) => own.has(tile)), to: base });
    }
  }
  return { fresh, added, rearranged: old.size };
}

/** The places of sets that were put together from the old table: neither left alone, nor new, nor only added to. */
export function rebuilt(before: Sets, after: Sets): number[] {
  const lay = new Set(before.flat());
  const old = new Set(before.map(key));
  return after.flatMap((set, place) => {
    const rest = set.filter((tile) => lay.has(tile));
    return rest.length === 0 || old.has(key(rest)) ? [] : [place];
  });
}

function key(set: readonly Tile[]): string {
  return [...set].sort((a, b) => a - b).join(' ');
}

/** A set in a sentence, as tiles; a long one by its ends. */
export function setText(set: readonly Tile[], faces: Faces): string {
  const shown = tidy(faces, set).map((tile) => faces[tile] ?? '');
  if (shown.length <= LONG) return marked(shown);
  return `${marked([shown[0] ?? ''])} … ${marked([shown[shown.length - 1] ?? ''])}`;
}

/** Tiles of the old table that lie elsewhere now: of each old set the largest part counts as unmoved. */
export function movedTiles(before: Sets, after: Sets): Tile[] {
  const place = new Map(after.flatMap((set, index) => set.map((tile) => [tile, index] as const)));
  return before.flatMap((set) => {
    const parts = new Map<number, Tile[]>();
    for (const tile of set) {
      const at = place.get(tile);
      if (at !== undefined) parts.set(at, [...(parts.get(at) ?? []), tile]);
    }
    return [...parts.values()].sort((a, b) => b.length - a.length).slice(1).flat();
  });
}
