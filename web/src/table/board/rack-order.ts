// A player's own order of the rack, and how large its tiles may be so that all of them are seen.

import { isOffline } from '../../base';
import { colourLetters, faceOf, type Faces, type Tile } from '../../ui/tiles/faces';

export type Sorting = 'runs' | 'groups' | 'own';

/** The order of all tiles held, those of a draft included. `fresh` are the ones that came last. */
export interface RackOrder {
  /** Which deal it belongs to: the next one begins afresh. */
  readonly deal: string;
  readonly tiles: readonly Tile[];
  readonly sorting: Sorting;
  readonly fresh: readonly Tile[];
  /** How many places stay free before a tile. */
  readonly gaps: Gaps;
}

type Gaps = Readonly<Record<Tile, number>>;

export const NO_ORDER: RackOrder = { deal: '', tiles: [], sorting: 'own', fresh: [], gaps: {} };

/**
 * The order for a rack as it is now: what stayed keeps its place, new tiles are marked and come at the end, or where
 * they belong while the rack is sorted.
 */
export function follow(order: RackOrder, rack: readonly Tile[], deal = order.deal, faces: Faces | null = null): RackOrder {
  const old = deal === order.deal ? order : { ...NO_ORDER, sorting: order.sorting };
  const held = new Set(rack);
  const kept = old.tiles.filter((tile) => held.has(tile));
  const seen = new Set(kept);
  const added = rack.filter((tile) => !seen.has(tile));
  const fresh = added.length === 0 ? old.fresh.filter((tile) => held.has(tile)) : kept.length === 0 ? [] : added;
  const now = { ...old, deal, tiles: [...kept, ...added], fresh, gaps: without(old, held) };
  return faces !== null && added.length > 0 && now.sorting !== 'own' ? sorted(now, faces, now.sorting) : now;
}

/** The gaps once only some tiles are left: what was free before one that has gone is free before the next one. */
function without(order: RackOrder, left: ReadonlySet<Tile>): Gaps {
  const gaps: Record<Tile, number> = {};
  let free = 0;
  for (const tile of order.tiles) {
    free = Math.max(free, order.gaps[tile] ?? 0);
    if (!left.has(tile)) continue;
    if (free > 0) gaps[tile] = free;
    free = 0;
  }
  return gaps;
}

/** In the order for runs (colour by colour) or for groups (number by number); jokers last. */
export function sorted(order: RackOrder, faces: Faces, sorting: Exclude<Sorting, 'own'>): RackOrder {
  const letters = colourLetters(faces);
  const key = (tile: Tile): readonly [number, number] => {
    const face = faceOf(faces, tile);
    if (face === null) return [1000, 0];
    const colour = letters.indexOf(face.colour);
    return sorting === 'runs' ? [colour, face.number] : [face.number, colour];
  };
  const tiles = [...order.tiles].sort((a, b) => {
    const [a1, a2] = key(a);
    const [b1, b2] = key(b);
    return a1 - b1 || a2 - b2 || a - b;
  });
  return { ...order, tiles, sorting, gaps: {} };
}

/** Those of the tiles that are on the rack now, in order. */
export function shown(order: RackOrder, rack: readonly Tile[]): readonly Tile[] {
  const held = new Set(rack);
  return order.tiles.filter((tile) => held.has(tile));
}

/** With some tiles put before another one, or at the end; from now on the order is the player's own. */
export function moved(order: RackOrder, tiles: readonly Tile[], before: Tile | null): RackOrder {
  const going = tiles.filter((tile) => order.tiles.includes(tile));
  let anchor = before;
  if (anchor !== null && going.includes(anchor)) {
    const after = order.tiles.slice(order.tiles.indexOf(anchor) + 1);
    anchor = after.find((tile) => !going.includes(tile)) ?? null;
  }
  const rest = order.tiles.filter((tile) => !going.includes(tile));
  const at = anchor === null ? rest.length : rest.indexOf(anchor);
  const place = at < 0 ? rest.length : at;
  const gaps: Record<Tile, number> = { ...without(order, new Set(rest)) };
  // Beside a tile with a free place before it, that is where they go.
  const [first, next] = [going[0], rest[place]];
  if (first !== undefined && next !== undefined && gaps[next] !== undefined) {
    gaps[first] = Math.max(0, gaps[next] - going.length);
    delete gaps[next];
  }
  return { ...order, tiles: [...rest.slice(0, place), ...going, ...rest.slice(place)], sorting: 'own', gaps };
}

/** The places of the tiles on the rack, counted from 0; where there are too few of them, the last gaps close. */
export function places(order: RackOrder, rack: readonly Tile[], capacity: number): readonly number[] {
  const gaps = without(order, new Set(rack));
  let spare = Math.max(0, capacity - rack.length);
  let place = -1;
  return shown(order, rack).map((tile) => {
    const free = Math.min(gaps[tile] ?? 0, spare);
    spare -= free;
    return (place += free + 1);
  });
}

/** With some tiles put on a free place of the rack; the others close up or stay, so that the gap is where it was made. */
export function movedTo(order: RackOrder, tiles: readonly Tile[], place: number, rack: readonly Tile[], capacity: number): RackOrder {
  const going = tiles.filter((tile) => order.tiles.includes(tile));
  const before = places(order, rack, capacity);
  const seen = shown(order, rack);
  const rest = seen.filter((tile) => !going.includes(tile));
  const next = seen.find((tile, index) => (before[index] as number) > place && !going.includes(tile)) ?? null;
  const after = moved(order, going, next);
  const closed = places({ ...order, gaps: without(order, new Set(rest)) }, rest, capacity);
  const at = next === null ? rest.length : rest.indexOf(next);
  const last = at === 0 ? -1 : (closed[at - 1] as number);
  const gaps: Record<Tile, number> = { ...after.gaps };
  gaps[going[0] as Tile] = Math.max(0, place - last - 1);
  if (next !== null) gaps[next] = Math.max(0, (before[seen.indexOf(next)] as number) - Math.max(place, last + 1) - going.length);
  return { ...after, gaps };
}

/** With a tile changed for its neighbour among the tiles on the rack. */
export function shifted(order: RackOrder, tile: Tile, rack: readonly Tile[], step: -1 | 1): RackOrder {
  const seen = shown(order, rack);
  const other = seen[seen.indexOf(tile) + step];
  if (other === undefined || !seen.includes(tile)) return order;
  const swapped = (one: Tile): Tile => (one === tile ? other : one === other ? tile : one);
  const gaps = Object.fromEntries(Object.entries(order.gaps).map(([one, free]) => [swapped(Number(one)), free]));
  return { ...order, tiles: order.tiles.map(swapped), sorting: 'own', gaps };
}

const MOST_FREE = 12;

/** With one free place more or less before a tile. */
export function spaced(order: RackOrder, tile: Tile, step: -1 | 1): RackOrder {
  const free = Math.min(MOST_FREE, Math.max(0, (order.gaps[tile] ?? 0) + step));
  return { ...order, sorting: 'own', gaps: { ...order.gaps, [tile]: free } };
}

/** Rows, columns and the width of a tile with which a whole rack is seen. */
export interface RackLayout {
  readonly rows: number;
  readonly columns: number;
  readonly width: number;
}

export const TILE_RATIO = 1.42;

export interface RackSpace {
  readonly width: number;
  readonly height: number;
  readonly gap: number;
  readonly largest: number;
  /** A row holds at least so many tiles, so that the rack keeps its shape while tiles come and go. */
  readonly fewest: number;
  /** The fewest rows. */
  readonly rows: number;
  /** Whether a row may hold more than that although fewer would do. */
  readonly fill: boolean;
  /** Whether the shape is that of exactly so many tiles, and not of some more. */
  readonly exact?: boolean;
}

/** Racks of nearly the same size have one shape. */
const SHAPES = [14, 16, 20, 24, 27, 30, 36, 42, 50, 60, 80, 106];

/** The layout with the largest tiles that fit a space; never wider than `largest`. */
export function layout(count: number, space: RackSpace): RackLayout {
  const room = space.exact ? count : (SHAPES.find((size) => size >= count) ?? count);
  let best: RackLayout = { rows: space.rows, columns: Math.max(1, room), width: 0 };
  for (let rows = space.rows; rows <= 8; rows++) {
    const columns = Math.max(space.fewest, Math.ceil(room / rows));
    const across = (space.width - (columns - 1) * space.gap) / columns;
    const down = (space.height - (rows - 1) * space.gap) / rows / TILE_RATIO;
    const width = Math.floor(Math.min(across, down, space.largest) * 10) / 10;
    if (width > best.width + 0.5) best = { rows, columns, width };
  }
  // Where the height decides, a row takes as many tiles as it can.
  const full = Math.floor((space.width + space.gap) / (best.width + space.gap));
  const columns = space.fill ? Math.max(best.columns, full) : best.columns;
  return { rows: Math.max(space.rows, Math.ceil(count / columns)), columns, width: best.width };
}

/** What remembers the order of a rack; a browser's localStorage is one. */
export interface Memory {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const PREFIX = isOffline ? 'meldroom.offline.rack.' : 'meldroom.rack.';
const SORTING = 'meldroom.sorting';

/** How this player sorts: in a new room the rack is sorted so from the deal on. */
function usualSorting(memory: Memory): Sorting {
  const kept = memory.getItem(SORTING);
  return kept === 'runs' || kept === 'groups' ? kept : 'own';
}

/** Keep how this player sorts, for the next games too. */
export function rememberSorting(memory: Memory, sorting: Sorting): void {
  try {
    memory.setItem(SORTING, sorting);
  } catch {
    // Then it lasts as long as the page.
  }
}

/** The order kept for a room, or none. What cannot be read counts as none. */
export function remembered(memory: Memory, room: string): RackOrder {
  try {
    const read: unknown = JSON.parse(memory.getItem(PREFIX + room) ?? 'null');
    if (typeof read !== 'object' || read === null || !('tiles' in read) || !Array.isArray(read.tiles)) {
      return { ...NO_ORDER, sorting: usualSorting(memory) };
    }
    const tiles = read.tiles.filter((tile): tile is Tile => Number.isInteger(tile));
    const sorting = 'sorting' in read && (read.sorting === 'runs' || read.sorting === 'groups') ? read.sorting : 'own';
    const fresh = 'fresh' in read && Array.isArray(read.fresh) ? read.fresh.filter((t): t is Tile => Number.isInteger(t)) : [];
    const deal = 'deal' in read && typeof read.deal === 'string' ? read.deal : '';
    const free = 'gaps' in read && typeof read.gaps === 'object' && read.gaps !== null ? Object.entries(read.gaps) : [];
    const gaps = Object.fromEntries(free.filter((one): one is [string, number] => Number.isInteger(one[1]) && Number(one[1]) > 0));
    return { deal, tiles, sorting, fresh, gaps };
  } catch {
    return NO_ORDER;
  }
}

/** Keep the order for a room. A full or forbidden memory is no reason to stop a game. */
export function remember(memory: Memory, room: string, order: RackOrder): void {
  try {
    memory.setItem(PREFIX + room, JSON.stringify(order));
  } catch {
    // The order then lasts as long as the page.
  }
}
