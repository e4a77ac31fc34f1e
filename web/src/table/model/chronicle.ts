// What happened in a game, move by move: who did it, in words, and the table before and after.

import type { GameEvent, RoomEvent } from '../../api/generated/live';
import type { Tile } from '../../ui/tiles/faces';
import { inPlace } from '../board/tile-order';
import { gameSentence, tell, type Hearer, type Tone } from './event-text';
import { movedTiles } from './lay-text';

/** A set as it lay; `owner` is somebody's under a book with melds. */
export interface Lying {
  readonly id: number;
  readonly tiles: readonly Tile[];
  readonly owner: number | null;
}

/** One move, or something that was nobody's. */
export interface Entry {
  readonly number: number;
  readonly seat: number | null;
  /** Sentences with marked tiles, in order. */
  readonly texts: readonly string[];
  readonly tone: Tone;
  readonly before: readonly Lying[];
  readonly after: readonly Lying[];
  /** What was laid, moved or discarded. */
  readonly changed: readonly Tile[];
  /** Whether the turn is over. */
  readonly done: boolean;
}

export interface Chronicle {
  readonly entries: readonly Entry[];
  readonly table: readonly Lying[];
  readonly melded: readonly boolean[];
}

export const NOTHING_YET: Chronicle = { entries: [], table: [], melded: [] };

/** Who is told; what lay there and who had opened follows from what was told before. */
export type Reader = Omit<Hearer, 'melded' | 'table'>;

/** The chronicle of a game from its events. */
export function fromHistory(events: readonly GameEvent[], reader: Reader): Chronicle {
  return events.reduce((chronicle, event) => withEvent(chronicle, event, reader), NOTHING_YET);
}

/** The chronicle with what an update tells. */
export function withEvents(chronicle: Chronicle, events: readonly RoomEvent[], reader: Reader): Chronicle {
  return events.reduce((now, event) => {
    if (event.kind === 'game_started') return fromHistory(event.events, reader);
    if (event.kind === 'game_played') return event.events.reduce((one, made) => withEvent(one, made, reader), now);
    return tell([event], { ...reader, melded: [], table: [] }).reduce((one, said) => added(one, { seat: null, texts: [said.text] }), now);
  }, chronicle);
}

function added(chronicle: Chronicle, some: Partial<Entry>): Chronicle {
  const { table, entries } = chronicle;
  const entry: Entry = {
    number: (entries.at(-1)?.number ?? 0) + 1,
    seat: null,
    texts: [],
    tone: 'plain',
    before: table,
    after: table,
    changed: [],
    done: true,
    ...some,
  };
  return { ...chronicle, entries: [...entries, entry], table: entry.after };
}

function withEvent(chronicle: Chronicle, event: GameEvent, reader: Reader): Chronicle {
  if (event.event === 'turn_began' || event.event === 'game_ended') {
    const closed = chronicle.entries.map((entry) => (entry.done ? entry : { ...entry, done: true }));
    const told = gameSentence(event, { ...reader, melded: [], table: [] });
    const now = { ...chronicle, entries: closed };
    return told === null ? now : added(now, { texts: [told.text] });
  }
  const start = event.event === 'dealt' ? { ...chronicle, table: [], melded: event.racks.map(() => false) } : chronicle;
  const said = gameSentence(event, { ...reader, melded: start.melded, table: start.table.map((set) => set.tiles) });
  if (said === null) return start;
  const after = tableAfter(start.table, event);
  const changed = changedBy(start.table, after, event);
  const lays = event.event === 'laid' || event.event === 'played';
  const melded = lays ? start.melded.map((one, seat) => one || seat === event.seat) : start.melded;
  const open = start.entries.findLastIndex((entry) => !entry.done && entry.seat === said.seat);
  if (open < 0) {
    const turn = said.seat !== null && event.event !== 'starter_chosen';
    return { ...added(start, { seat: turn ? said.seat : null, texts: [said.text], tone: said.tone, after, changed, done: !turn }), melded };
  }
  const entries = start.entries.map((entry, index) =>
    index === open
      ? { ...entry, texts: [...entry.texts, said.text], tone: said.tone === 'penalty' ? said.tone : entry.tone, after, changed: [...entry.changed, ...changed] }
      : entry,
  );
  return { entries, table: after, melded };
}

function tableAfter(before: readonly Lying[], event: GameEvent): readonly Lying[] {
  if (event.event === 'laid' || event.event === 'leftovers_ruled') {
    return inPlace(before, event.table).map((tiles, index) => ({ id: index, tiles, owner: null }));
  }
  if (event.event === 'played') return event.melds.map(({ tiles, owner }, id) => ({ id, tiles, owner }));
  return before;
}

function changedBy(before: readonly Lying[], after: readonly Lying[], event: GameEvent): readonly Tile[] {
  if (event.event === 'discarded') return [event.tile];
  if (event.event !== 'laid' && event.event !== 'played') return [];
  const moved = movedTiles(before.map((set) => set.tiles), after.map((set) => set.tiles));
  return [...new Set([...event.tiles, ...moved])];
}

/** True for a move that can be shown: it changed the sets on the table. */
export function showable(entry: Entry): boolean {
  return entry.seat !== null && entry.before !== entry.after;
}

/** Who laid or moved which tile since somebody's last turn; for a spectator, in the last move. */
export function changesSince(chronicle: Chronicle, me: number | null): ReadonlyMap<Tile, number> {
  const found = new Map<Tile, number>();
  for (const entry of chronicle.entries.toReversed()) {
    if (entry.seat === null || (entry.seat === me && !entry.done)) continue;
    if (entry.seat === me) break;
    for (const tile of entry.changed) if (!found.has(tile)) found.set(tile, entry.seat);
    if (me === null) break;
  }
  return found;
}

/** What was laid or moved last in a game, whoever did it: on the final table, the winning tiles. */
export function lastChanges(chronicle: Chronicle): ReadonlyMap<Tile, number> {
  const last = chronicle.entries.findLast((entry) => entry.seat !== null && entry.changed.length > 0);
  return new Map((last?.changed ?? []).map((tile) => [tile, last?.seat ?? 0]));
}
