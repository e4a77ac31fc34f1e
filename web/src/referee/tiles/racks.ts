/** Tiles entered one by one: never more of a kind than the box holds. */
import type { BookForTable } from '../../api/generated/http';

export interface TileRow {
  letter: string;
  tiles: string[];
}

/** The keypad's rows: a colour each, in the book's order; the joker stands apart. */
export function rowsOf(book: Pick<BookForTable, 'tiles'>): TileRow[] {
  const rows: TileRow[] = [];
  for (const tile of book.tiles) {
    if (tile === '*') continue;
    const row = rows.find((one) => one.letter === tile[0]);
    if (row) row.tiles.push(tile);
    else rows.push({ letter: tile[0], tiles: [tile] });
  }
  return rows;
}

export const hasJoker = (book: Pick<BookForTable, 'tiles'>): boolean => book.tiles.includes('*');

export function countOf(tiles: readonly string[], tile: string): number {
  return tiles.filter((one) => one === tile).length;
}

/** How many of a tile can still be entered, with everything that lies anywhere already. */
export function leftOf(book: Pick<BookForTable, 'tiles' | 'limits'>, entered: readonly string[], tile: string): number {
  return (book.limits[book.tiles.indexOf(tile)] ?? 0) - countOf(entered, tile);
}

/** Tiles by colour and number, as a referee lays them out to count; jokers last. */
export function sorted(book: Pick<BookForTable, 'tiles'>, tiles: readonly string[]): string[] {
  return [...tiles].sort((one, other) => book.tiles.indexOf(one) - book.tiles.indexOf(other));
}

/** One tile less, the last of its kind. */
export function without(tiles: readonly string[], tile: string): string[] {
  const place = tiles.lastIndexOf(tile);
  return place < 0 ? [...tiles] : [...tiles.slice(0, place), ...tiles.slice(place + 1)];
}

export function sumOf(book: Pick<BookForTable, 'tiles' | 'values'>, tiles: readonly string[]): number {
  return tiles.reduce((sum, tile) => sum + (book.values[book.tiles.indexOf(tile)] ?? 0), 0);
}

/** Doubles among shown tiles; jokers make none. */
export function doublesOf(tiles: readonly string[]): string[] {
  return [...new Set(tiles)].filter((tile) => tile !== '*' && countOf(tiles, tile) >= 2);
}

export interface ReadTable {
  sets: string[][];
  /** Words that are no tiles of this box. */
  unknown: string[];
}

/** A table typed as text: tiles between spaces, sets between bars or lines. Letters may be small. */
export function readTable(book: Pick<BookForTable, 'tiles'>, text: string): ReadTable {
  const unknown: string[] = [];
  const sets = text
    .split(/[|\n/;]+/)
    .map((set) =>
      set
        .split(/[\s,]+/)
        .filter(Boolean)
        .flatMap((word) => {
          const tile = /^(j|joker|\*)$/i.test(word) ? '*' : word.toUpperCase();
          if (book.tiles.includes(tile)) return [tile];
          unknown.push(word);
          return [];
        }),
    )
    .filter((set) => set.length > 0);
  return { sets, unknown };
}

export const tableText = (sets: readonly (readonly string[])[]): string => sets.map((set) => set.join(' ')).join(' | ');

/** Where some of the tiles stand among all of them, each place once. */
export function placesOf(tiles: readonly string[], some: readonly string[]): number[] {
  const left = [...some];
  return tiles.flatMap((tile, place) => {
    const found = left.indexOf(tile);
    if (found < 0) return [];
    left.splice(found, 1);
    return [place];
  });
}

/** Those of some tiles that are still among the others: what was drawn must be on the rack. */
export function stillAmong(tiles: readonly string[], some: readonly string[]): string[] {
  return some.filter((tile, place) => countOf(tiles, tile) > countOf(some.slice(0, place), tile));
}
