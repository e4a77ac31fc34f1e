// A turn in the making: where every tile would lie. A draft is a value; each change gives another one.
//
// No tile is ever lost or doubled: those of the table stay on it, those of the rack are laid or not. Whether the
// result is legal is not asked here.

import { cutAround, ids, inPlace, placeFor, tidy } from '../board/tile-order';
import { isJoker, faceOf, highestNumber, type Faces, type Tile } from '../../ui/tiles/faces';

export type Kind = 'run' | 'group';

/** A set of a draft. `owner` and `kind` belong to the melds of a laying-off book; `fixed` ones lay there before. */
export interface DraftSet {
  readonly id: number;
  readonly tiles: readonly Tile[];
  readonly owner: number | null;
  readonly kind: Kind | null;
  readonly fixed: boolean;
}

/** How a meld that lies on the table is read; place `numbers + 1` is the 1 above the highest number. */
export interface Reading {
  readonly kind: Kind;
  readonly low: number;
}

export interface OldMeld {
  readonly tiles: readonly Tile[];
  readonly owner: number;
  readonly reading: Reading;
}

/** The table as it was (`before`) and as it shall be (`sets`), and the whole rack at the beginning of the turn. */
export interface Draft {
  readonly before: readonly DraftSet[];
  readonly sets: readonly DraftSet[];
  readonly held: readonly Tile[];
  readonly readings: ReadonlyMap<number, Reading>;
  readonly me: number;
  readonly nextId: number;
}

/** What a draft needs to know of the tile set to put tiles where they look right. */
export interface Box {
  readonly faces: Faces;
  readonly shortest: number;
}

export type DraftFault =
  | 'nothing_selected'
  | 'already_there'
  | 'stays_on_table'
  | 'nothing_to_take_back'
  | 'nothing_to_split'
  | 'meld_is_fixed'
  | 'unknown_tile';

/** A change that cannot be made; `key` names the sentence that says why. The draft is as it was. */
export class DraftError extends Error {
  constructor(readonly key: DraftFault) {
    super(key);
  }
}

/** An untouched draft of a table that may be rearranged; sets keep the ids they were `shown` with. */
export function begin(
  table: readonly (readonly Tile[])[],
  held: readonly Tile[],
  box: Box,
  shown: readonly DraftSet[] = [],
): Draft {
  let nextId = Math.max(0, ...shown.map((set) => set.id)) + 1;
  const known = ids(shown, table);
  const sets = table.map((tiles, index) => ({
    id: known[index] ?? nextId++,
    tiles: tidy(box.faces, tiles),
    owner: null,
    kind: null,
    fixed: false,
  }));
  return { before: sets, sets, held, readings: new Map(), me: -1, nextId };
}

/** An untouched draft of melds that are only added to; they keep their order, which a play must name. */
export function beginMelds(melds: readonly OldMeld[], held: readonly Tile[], me: number): Draft {
  const sets = melds.map((meld, index) => ({
    id: index + 1,
    tiles: meld.tiles,
    owner: meld.owner,
    kind: meld.reading.kind,
    fixed: true,
  }));
  const readings = new Map(melds.map((meld, index) => [index + 1, meld.reading]));
  return { before: sets, sets, held, readings, me, nextId: melds.length + 1 };
}

/** The set that holds a tile; null for the rack. */
export function setOf(draft: Draft, tile: Tile): DraftSet | null {
  return draft.sets.find((set) => set.tiles.includes(tile)) ?? null;
}

/** Tiles of the rack that lie on the table. */
export function laid(draft: Draft): readonly Tile[] {
  const held = new Set(draft.held);
  return draft.sets.flatMap((set) => set.tiles.filter((tile) => held.has(tile)));
}

/** Tiles still on the rack, in the order in which the rack was handed over. */
export function onRack(draft: Draft): readonly Tile[] {
  const gone = new Set(laid(draft));
  return draft.held.filter((tile) => !gone.has(tile));
}

/** True if anything lies otherwise than before, apart from the order of sets and of tiles in a set. */
export function touched(draft: Draft): boolean {
  return contents(draft.sets) !== contents(draft.before);
}

function contents(sets: readonly DraftSet[]): string {
  const texts = sets.filter((set) => set.tiles.length > 0).map((set) => [...set.tiles].sort((a, b) => a - b).join(' '));
  return texts.sort().join('|');
}

/** The table of a draft as the server wants it. */
export function asTable(draft: Draft): Tile[][] {
  return draft.sets.map((set) => [...set.tiles]);
}

export interface MeldPlay {
  readonly tiles: Tile[];
  readonly owner: number;
  readonly kind?: Kind;
}

/** The melds of a draft as the server wants them: old ones first and in their order, then the player's own. */
export function asMelds(draft: Draft): MeldPlay[] {
  return draft.sets.map((set) => {
    const play = { tiles: [...set.tiles], owner: set.owner ?? draft.me };
    return set.fixed || set.kind === null ? play : { ...play, kind: set.kind };
  });
}

/** With tiles put into a set: before the place `at`, or where they look right. Throws DraftError. */
export function toSet(draft: Draft, tiles: readonly Tile[], id: number, at: number | null, box: Box): Draft {
  const moving = known(draft, tiles);
  const target = draft.sets.find((set) => set.id === id);
  if (target === undefined) throw new DraftError('unknown_tile');
  if (moving.every((tile) => target.tiles.includes(tile)) && at === null) throw new DraftError('already_there');
  if (target.fixed) return added(draft, moving, target, at, box);
  const rest = target.tiles.filter((tile) => !moving.includes(tile));
  const only = moving.length === 1 ? (moving[0] as Tile) : null;
  const halves = only === null || rest.length < target.tiles.length ? null : cutAround(box.faces, rest, only, box.shortest);
  const lifted = lift(draft, moving, box);
  if (halves !== null) {
    const second = { ...target, id: lifted.nextId, tiles: halves[1] };
    const sets = lifted.sets.flatMap((set) => (set.id === id ? [{ ...set, tiles: halves[0] }, second] : [set]));
    return settled({ ...lifted, sets, nextId: lifted.nextId + 1 });
  }
  const gone = at === null ? 0 : target.tiles.slice(0, at).filter((tile) => moving.includes(tile)).length;
  const grown = at === null ? put(box, rest, moving) : insert(rest, moving, at - gone);
  return settled(replaced(lifted, id, { tiles: tidy(box.faces, grown), ...kindAfter(target) }));
}

/** With tiles as a set of their own at the end of the table. Throws DraftError. */
export function toNewSet(draft: Draft, tiles: readonly Tile[], box: Box): Draft {
  const moving = known(draft, tiles);
  if (moving.length === 0) throw new DraftError('nothing_selected');
  return settled(withOwn(lift(draft, moving, box), moving, box));
}

/** With laid tiles back on the rack; tiles that lay on the table stay there. Throws DraftError. */
export function toRack(draft: Draft, tiles: readonly Tile[], box: Box): Draft {
  const going = known(draft, tiles).filter((tile) => setOf(draft, tile) !== null);
  if (going.length === 0) throw new DraftError('nothing_to_take_back');
  if (going.some((tile) => !draft.held.includes(tile))) throw new DraftError('stays_on_table');
  return settled(lift(draft, going, box));
}

/** With a set cut before one of its tiles. Throws DraftError. */
export function split(draft: Draft, id: number, at: number): Draft {
  const set = draft.sets.find((one) => one.id === id);
  if (set === undefined || at <= 0 || at >= set.tiles.length) throw new DraftError('nothing_to_split');
  if (set.fixed) throw new DraftError('meld_is_fixed');
  const halves = [
    { ...set, tiles: set.tiles.slice(0, at) },
    { ...set, id: draft.nextId, tiles: set.tiles.slice(at) },
  ];
  const sets = draft.sets.flatMap((one) => (one.id === id ? halves : [one]));
  return { ...draft, sets, nextId: draft.nextId + 1 };
}

/** With one set added to another. Throws DraftError. */
export function join(draft: Draft, from: number, to: number, box: Box): Draft {
  const set = draft.sets.find((one) => one.id === from);
  if (set === undefined || from === to) throw new DraftError('already_there');
  return toSet(draft, set.tiles, to, null, box);
}

/** With a whole table, such as a hint's or one that was saved. Throws DraftError if its tiles cannot lie so. */
export function arranged(draft: Draft, table: readonly (readonly Tile[])[], box: Box): Draft {
  const tiles = table.flat();
  const old = draft.before.flatMap((set) => [...set.tiles]);
  const all = new Set([...old, ...draft.held]);
  const doubled = new Set(tiles).size < tiles.length;
  if (doubled || tiles.some((tile) => !all.has(tile)) || old.some((tile) => !tiles.includes(tile))) {
    throw new DraftError('unknown_tile');
  }
  const sets = table.filter((set) => set.length > 0);
  const made = begin(inPlace(draft.sets, sets), draft.held, box, draft.sets);
  return { ...draft, sets: made.sets, nextId: made.nextId };
}

/** With saved melds; old melds keep owner and place. Throws DraftError if the tiles cannot lie so. */
export function arrangedMelds(draft: Draft, melds: readonly MeldPlay[]): Draft {
  const tiles = melds.flatMap((meld) => meld.tiles);
  const old = draft.before.flatMap((set) => [...set.tiles]);
  const all = new Set([...old, ...draft.held]);
  const short = melds.length < draft.before.length;
  if (short || new Set(tiles).size < tiles.length || tiles.some((tile) => !all.has(tile))) {
    throw new DraftError('unknown_tile');
  }
  if (old.some((tile) => !tiles.includes(tile))) throw new DraftError('unknown_tile');
  const sets = melds.map((meld, index) => {
    const before = draft.before[index];
    if (before !== undefined) return { ...before, tiles: meld.tiles };
    return { id: index + 1, tiles: meld.tiles, owner: draft.me, kind: meld.kind ?? null, fixed: false };
  });
  return { ...draft, sets, nextId: melds.length + 1 };
}

/** With one of the player's own new melds meant as the other kind: one numbered tile and jokers can be both. */
export function meantAs(draft: Draft, id: number, kind: Kind | null): Draft {
  return replaced(draft, id, { kind });
}

// Steps

function known(draft: Draft, tiles: readonly Tile[]): Tile[] {
  const all = new Set([...draft.held, ...draft.sets.flatMap((set) => [...set.tiles])]);
  const wanted = [...new Set(tiles)];
  if (wanted.length === 0) throw new DraftError('nothing_selected');
  if (wanted.some((tile) => !all.has(tile))) throw new DraftError('unknown_tile');
  return wanted;
}

function replaced(draft: Draft, id: number, change: Partial<DraftSet>): Draft {
  return { ...draft, sets: draft.sets.map((set) => (set.id === id ? { ...set, ...change } : set)) };
}

/** Without some tiles. From an old meld only one's own tiles of this turn and jokers can be taken. */
function lift(draft: Draft, tiles: readonly Tile[], box: Box): Draft {
  const going = new Set(tiles);
  const held = new Set(draft.held);
  const sets = draft.sets.map((set) => {
    const kept = set.tiles.filter((tile) => !going.has(tile));
    if (kept.length === set.tiles.length) return set;
    const taken = set.tiles.filter((tile) => going.has(tile) && !held.has(tile));
    if (set.fixed && taken.some((tile) => !isJoker(box.faces, tile))) throw new DraftError('meld_is_fixed');
    return { ...set, tiles: kept, ...(set.fixed ? {} : kindAfter(set)) };
  });
  return { ...draft, sets };
}

/** Without sets that have no tiles left; an old meld that holds what it held lies as it lay. */
function settled(draft: Draft): Draft {
  const sets = draft.sets.filter((set) => set.fixed || set.tiles.length > 0);
  const old = new Map(draft.before.map((set) => [set.id, set]));
  const same = sets.map((set) => {
    const before = set.fixed ? old.get(set.id) : undefined;
    const back = before !== undefined && contents([before]) === contents([set]);
    return back ? before : set;
  });
  return { ...draft, sets: same };
}

/** How a meld of one's own was meant is asked again once its tiles change. */
function kindAfter(set: DraftSet): Partial<DraftSet> {
  return set.fixed ? {} : { kind: null };
}

function put(box: Box, set: readonly Tile[], tiles: readonly Tile[]): readonly Tile[] {
  let grown = set;
  for (const tile of tiles) grown = tidy(box.faces, insert(grown, [tile], placeFor(box.faces, grown, tile)));
  return grown;
}

function insert(set: readonly Tile[], tiles: readonly Tile[], at: number): readonly Tile[] {
  const place = Math.max(0, Math.min(at, set.length));
  return [...set.slice(0, place), ...tiles, ...set.slice(place)];
}

function withOwn(draft: Draft, tiles: readonly Tile[], box: Box): Draft {
  const owner = draft.me >= 0 ? draft.me : null;
  const set = { id: draft.nextId, tiles: tidy(box.faces, tiles), owner, kind: null, fixed: false };
  return { ...draft, sets: [...draft.sets, set], nextId: draft.nextId + 1 };
}

/** With tiles added to an old meld. A tile that a joker stands for takes its place and frees the joker. */
function added(draft: Draft, tiles: readonly Tile[], target: DraftSet, at: number | null, box: Box): Draft {
  let now = lift(draft, tiles, box);
  const freed: Tile[] = [];
  for (const tile of tiles) {
    const set = now.sets.find((one) => one.id === target.id) as DraftSet;
    const place = claimed(draft, set, tile, at, box);
    if (place !== null) {
      freed.push(set.tiles[place] as Tile);
      now = replaced(now, set.id, { tiles: set.tiles.map((one, index) => (index === place ? tile : one)) });
      continue;
    }
    const end = target.kind === 'run' ? endFor(draft, set, tile, at, box) : set.tiles.length;
    now = replaced(now, set.id, { tiles: insert(set.tiles, [tile], end) });
  }
  return settled(freed.length > 0 ? withOwn(now, freed, box) : now);
}

/** The place of the joker that a tile claims: the one whose number it is, or in a group the one it is put on. */
function claimed(draft: Draft, set: DraftSet, tile: Tile, at: number | null, box: Box): number | null {
  const face = faceOf(box.faces, tile);
  const old = draft.before.find((one) => one.id === set.id);
  const reading = draft.readings.get(set.id);
  if (face === null || old === undefined || reading === undefined) return null;
  const jokers = set.tiles.flatMap((one, place) => (isJoker(box.faces, one) && old.tiles.includes(one) ? [place] : []));
  if (reading.kind === 'group') {
    const colours = new Set(box.faces.flatMap((one) => (one === '*' ? [] : [one[0]]))).size;
    const onJoker = jokers.find((place) => place === at);
    return onJoker ?? (set.tiles.length >= colours ? (jokers[0] ?? null) : null);
  }
  const numbered = old.tiles.find((one) => !isJoker(box.faces, one));
  if (numbered === undefined || faceOf(box.faces, numbered)?.colour !== face.colour) return null;
  const top = highestNumber(box.faces);
  const place = jokers.find((one) => {
    const number = reading.low + old.tiles.indexOf(set.tiles[one] as Tile);
    return (number > top ? number - top : number) === face.number;
  });
  return place ?? null;
}

/** The end of a run where a tile goes: the low one for a smaller number, the high one for the rest. */
function endFor(draft: Draft, set: DraftSet, tile: Tile, at: number | null, box: Box): number {
  const face = faceOf(box.faces, tile);
  const reading = draft.readings.get(set.id);
  if (face === null || reading === undefined) return at === 0 ? 0 : set.tiles.length;
  const old = draft.before.find((one) => one.id === set.id);
  const added = old === undefined ? 0 : set.tiles.indexOf(old.tiles[0] as Tile);
  const low = reading.low - Math.max(0, added);
  return face.number === low - 1 || (face.number < low && !(face.number === 1 && low > 2)) ? 0 : set.tiles.length;
}
