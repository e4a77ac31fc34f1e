// Dragging with mouse, pen and finger: what is held, where it is, and over which place. Knows no rules.

import type { Tile } from '../../ui/tiles/faces';

/** A place of the rack on which no tile stands, and how many places there are. */
export interface FreePlace {
  readonly place: number;
  readonly of: number;
}

export type DropPlace =
  | { readonly zone: 'rack'; readonly before: Tile | null; readonly free: FreePlace | null }
  | { readonly zone: 'set'; readonly id: number; readonly at: number; readonly on: number | null }
  | { readonly zone: 'new' }
  | { readonly zone: 'discard' };

const START = 6;
const SWIPE_TIME = 160;
const EDGE = 44;
const SET_REACH = 9;

/** So many tiles are seen in the hand; the others are counted. */
export const MOST_HELD = 6;

interface Pressed {
  readonly tile: Tile;
  readonly x: number;
  readonly y: number;
  readonly at: number;
  readonly pointer: number;
  readonly touch: boolean;
  readonly scroller: HTMLElement | null;
}

export interface DragEnds {
  /** Which tiles go along when this one is dragged; none if it may not be. */
  lift(tile: Tile): readonly Tile[];
  drop(tiles: readonly Tile[], place: DropPlace | null): void;
}

export class Drag {
  tiles: readonly Tile[] = $state.raw([]);
  x = $state(0);
  y = $state(0);
  width = $state(0);
  touch = $state(false);
  over: DropPlace | null = $state.raw(null);

  /** Where the tiles were let go last, until their movement from there has been shown. */
  released: Map<string, DOMRect> = new Map();

  private pressed: Pressed | null = null;
  private scrolling: HTMLElement | null = null;
  private frame = 0;
  private ended = 0;
  private readonly ends: DragEnds;

  constructor(ends: DragEnds) {
    this.ends = ends;
  }

  get active(): boolean {
    return this.tiles.length > 0;
  }

  /** True for the click that the browser makes out of the end of a drag. */
  swallowsClick(): boolean {
    return performance.now() - this.ended < 60;
  }

  down(event: PointerEvent): void {
    // A second finger means pinching: whatever the first one holds goes back.
    if (!event.isPrimary) return this.cancel();
    const element = (event.target as Element | null)?.closest<HTMLElement>('[data-tile]');
    if (event.button !== 0 || this.pressed !== null || element === null || element === undefined) return;
    const board = element.closest<HTMLElement>('[data-scrolls]');
    this.pressed = {
      tile: Number(element.dataset.tile),
      x: event.clientX,
      y: event.clientY,
      at: performance.now(),
      pointer: event.pointerId,
      touch: event.pointerType === 'touch',
      scroller: board !== null && board.scrollHeight > board.clientHeight + 4 ? board : null,
    };
    this.width = element.getBoundingClientRect().width;
  }

  move(event: PointerEvent): void {
    const pressed = this.pressed;
    if (pressed === null || event.pointerId !== pressed.pointer) return;
    if (this.scrolling !== null) {
      this.scrolling.scrollTop -= event.clientY - this.y;
      this.y = event.clientY;
      return;
    }
    if (!this.active && !this.begins(event, pressed)) return;
    if (this.scrolling !== null) return;
    this.x = event.clientX;
    this.y = event.clientY;
    this.over = placeAt(this.x, this.y);
    this.frame ||= requestAnimationFrame(() => this.scrollAtEdges());
  }

  /** A finger that sweeps quickly up or down over a full table scrolls it; anything else lifts the tile. */
  private begins(event: PointerEvent, pressed: Pressed): boolean {
    const [dx, dy] = [event.clientX - pressed.x, event.clientY - pressed.y];
    if (Math.hypot(dx, dy) < START) return false;
    const swept = pressed.touch && pressed.scroller !== null && performance.now() - pressed.at < SWIPE_TIME;
    const tiles = this.ends.lift(pressed.tile);
    if ((swept || tiles.length === 0) && pressed.scroller !== null && Math.abs(dy) > 1.5 * Math.abs(dx)) {
      this.scrolling = pressed.scroller;
      this.y = event.clientY;
      return true;
    }
    if (tiles.length === 0) {
      this.pressed = null;
      return false;
    }
    this.touch = pressed.touch;
    this.tiles = tiles;
    return true;
  }

  up(event: PointerEvent): void {
    if (this.pressed === null || event.pointerId !== this.pressed.pointer) return;
    const { tiles, over } = this;
    this.released = this.held();
    if (this.active || this.scrolling !== null) this.ended = performance.now();
    this.letGo();
    if (tiles.length > 0) this.ends.drop(tiles, over);
  }

  /** The width of a tile in the hand. */
  get ghost(): number {
    return Math.max(this.width, 34) * 1.08;
  }

  private held(): Map<string, DOMRect> {
    const [wide, high] = [this.ghost, this.ghost * 1.34];
    const left = this.x - (Math.min(this.tiles.length, MOST_HELD) * wide) / 2;
    const top = this.y - high * (this.touch ? 0.82 : 0.5);
    return new Map(this.tiles.map((tile, index) => [String(tile), new DOMRect(left + Math.min(index, MOST_HELD) * wide, top, wide, high)]));
  }

  cancel(): void {
    if (this.active) this.ended = performance.now();
    this.letGo();
  }

  private letGo(): void {
    if (this.frame !== 0) cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.pressed = null;
    this.scrolling = null;
    this.tiles = [];
    this.over = null;
  }

  private scrollAtEdges(): void {
    this.frame = 0;
    if (!this.active) return;
    const board = document.querySelector<HTMLElement>('[data-scrolls]');
    const edge = board?.getBoundingClientRect();
    if (board === null || edge === undefined || board.scrollHeight <= board.clientHeight) return;
    const up = EDGE - (this.y - edge.top);
    const down = EDGE - (edge.bottom - this.y);
    if (this.y < edge.top - EDGE || this.y > edge.bottom + EDGE || (up <= 0 && down <= 0)) return;
    board.scrollTop += up > 0 ? -up / 4 : down / 4;
    this.over = placeAt(this.x, this.y);
    this.frame = requestAnimationFrame(() => this.scrollAtEdges());
  }
}

/** The place under a point of the screen. */
export function placeAt(x: number, y: number): DropPlace | null {
  const under = document.elementFromPoint(x, y);
  if (under === null) return null;
  if (under.closest('[data-zone="discard"]') !== null) return { zone: 'discard' };
  if (under.closest('[data-zone="new"]') !== null) return { zone: 'new' };
  const rack = under.closest<HTMLElement>('[data-zone="rack"]');
  if (rack !== null) return { zone: 'rack', before: rackPlace(rack, x, y), free: freePlace(rack, x, y) };
  const board = under.closest<HTMLElement>('[data-zone="board"]');
  if (board === null) return null;
  const set = under.closest<HTMLElement>('[data-set-id]') ?? nearSet(board, x, y);
  if (set === null) return { zone: 'new' };
  return { zone: 'set', id: Number(set.dataset.setId), ...setPlace(set, x, y) };
}

function nearSet(board: HTMLElement, x: number, y: number): HTMLElement | null {
  for (const set of board.querySelectorAll<HTMLElement>('[data-set-id]')) {
    const { left, right, top, bottom } = set.getBoundingClientRect();
    if (x > left - SET_REACH && x < right + SET_REACH && y > top - SET_REACH && y < bottom + SET_REACH) return set;
  }
  return null;
}

/** Tiles and where they lie, not counting that they make room for the one that is held. */
function boxes(root: HTMLElement): { tile: Tile; box: DOMRect }[] {
  return [...root.querySelectorAll<HTMLElement>('[data-tile]')].map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const aside = element.closest('li');
    const pushed = aside === null ? 0 : new DOMMatrixReadOnly(getComputedStyle(aside).transform).m41;
    return { tile: Number(element.dataset.tile), box: new DOMRect(x - pushed, y, width, height) };
  });
}

/** Before which of some tiles in rows a point lies, counted from 0. */
function indexAt(all: readonly { box: DOMRect }[], x: number, y: number): number {
  const tops = [...new Set(all.map(({ box }) => Math.round(box.top)))].sort((a, b) => a - b);
  const row = tops.findLast((top) => y >= top - 2) ?? tops[0];
  const found = all.findIndex(({ box }) => Math.round(box.top) === row && x < box.left + box.width / 2);
  return found >= 0 ? found : all.findLastIndex(({ box }) => Math.round(box.top) === row) + 1;
}

/** Before which tile of the set, and on which one. */
function setPlace(set: HTMLElement, x: number, y: number): { at: number; on: number | null } {
  const all = boxes(set);
  const on = all.findIndex(({ box }) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom);
  return { at: indexAt(all, x, y), on: on < 0 ? null : on };
}

function rackPlace(rack: HTMLElement, x: number, y: number): Tile | null {
  const all = boxes(rack);
  return all[indexAt(all, x, y)]?.tile ?? null;
}

/** The free place of the rack under a point; null over a tile, and beside the rack. */
function freePlace(rack: HTMLElement, x: number, y: number): FreePlace | null {
  const cells = rack.querySelector<HTMLElement>('[data-columns]');
  const [columns, rows] = [Number(cells?.dataset.columns), Number(cells?.dataset.rows)];
  const [any] = boxes(rack);
  if (cells === null || any === undefined || !(columns > 0)) return null;
  const style = getComputedStyle(cells);
  const gap = parseFloat(style.columnGap);
  const inner = cells.getBoundingClientRect();
  const [wide, high] = [any.box.width + gap, parseFloat(style.gridAutoRows) + gap];
  const left = inner.left + (inner.width - columns * wide + gap) / 2;
  const column = Math.floor((x - left + gap / 2) / wide);
  const row = Math.floor((y - inner.top - parseFloat(style.paddingTop)) / high);
  if (column < 0 || column >= columns || row < 0 || row >= rows) return null;
  const place = row * columns + column;
  return cells.querySelector(`[data-place="${place}"]`) === null ? { place, of: columns * rows } : null;
}
