// What happened, in one sentence each, as the person at the table is told of it. Tiles in it are marked (`partsOf`).

import type { GameEvent, RoomEvent } from '../../api/generated/live';
import type { Colour } from '../../api/generated/http';
import type { Values } from '../../ui/messages.svelte';
import { HIDDEN, type Faces, type Tile } from '../../ui/tiles/faces';
import { marked } from '../../ui/tiles/tile-message';
import { describeLay, setText } from './lay-text';

export type Say = (key: string, values?: Values) => string;

/** Who is told, and in whose words. */
export interface Hearer {
  readonly me: number | null;
  readonly players: readonly string[];
  /** Who had opened before these events. */
  readonly melded: readonly boolean[];
  /** The sets that lay on the table before them. */
  readonly table: readonly (readonly Tile[])[];
  readonly faces: Faces;
  readonly colours: readonly Colour[];
  readonly language: string;
  /** Whether an illegal or unfinished table counts as a draw (R68). */
  readonly asDrawn: boolean;
  readonly say: Say;
}

export type Tone = 'plain' | 'penalty';

export interface Sentence {
  readonly text: string;
  readonly tone: Tone;
  /** Whose doing it was; null for nobody's. */
  readonly seat: number | null;
  /** The codes of the faults behind a penalty. */
  readonly codes: readonly string[];
}

/** Sentences about the events of an update, oldest first. */
export function tell(events: readonly RoomEvent[], hearer: Hearer): Sentence[] {
  return events.flatMap((event) => roomSentences(event, hearer));
}

function roomSentences(event: RoomEvent, hearer: Hearer): Sentence[] {
  switch (event.kind) {
    case 'game_started':
    case 'game_played':
      return event.events.flatMap((one) => {
        const found = gameSentence(one, hearer);
        return found === null ? [] : [found];
      });
    case 'stood_in':
      return [plain(did('log.stood_in', event.seat, hearer), event.seat)];
    case 'reclaimed':
      return [plain(did('log.reclaimed', event.seat, hearer), event.seat)];
    case 'extra_time_taken':
      return [plain(did('log.extra', event.seat, hearer), event.seat)];
    case 'clock_restored':
      return [plain(hearer.say('log.clock_restored'), null)];
    case 'agreed':
      return event.to === 'end' && event.yes !== false ? [plain(did('log.agreed_end', event.seat, hearer), event.seat)] : [];
    default:
      return [];
  }
}

function plain(text: string, seat: number | null): Sentence {
  return { text, tone: 'plain', seat, codes: [] };
}

function named(tiles: readonly Tile[], hearer: Hearer): string {
  const seen = tiles.filter((tile) => tile !== HIDDEN).map((tile) => hearer.faces[tile] ?? '');
  return seen.length === 0 ? '' : marked(seen);
}

function did(key: string, seat: number | null, hearer: Hearer, tiles: readonly Tile[] = [], more: Values = {}): string {
  const who = seat !== null && seat === hearer.me ? 'mine' : 'other';
  const name = seat === null ? '' : (hearer.players[seat] ?? '');
  return hearer.say(`${key}.${who}`, { name, tiles: named(tiles, hearer), count: tiles.length, ...more });
}

export function gameSentence(event: GameEvent, hearer: Hearer): Sentence | null {
  const { say } = hearer;
  switch (event.event) {
    case 'starter_chosen':
      return plain(starter(event.seat, event.rounds?.at(-1) ?? [], hearer), event.seat);
    case 'dealt':
      return plain(dealt(event.racks, event.pool, hearer), null);
    case 'redeal_granted':
      return plain(did('log.redeal', event.seat, hearer, event.tiles), event.seat);
    case 'drew':
      return plain(did('log.drew', event.seat, hearer, [event.tile]), event.seat);
    case 'laid':
      return plain(laid(event.seat, event.tiles, event.table, hearer), event.seat);
    case 'played': {
      const outcome = ['ON_BOARD', 'OPEN_RUMMY', 'FOOT', 'HAND'].includes(event.outcome);
      const melds = event.melds.map((meld) => meld.tiles);
      const said = event.tiles.length > 0 ? laid(event.seat, event.tiles, melds, hearer) : did('log.laid', event.seat, hearer);
      return plain(outcome ? `${said} ${say(`log.outcome.${event.outcome}`)}` : said, event.seat);
    }
    case 'passed':
      return plain(did('log.passed', event.seat, hearer), event.seat);
    case 'timed_out':
      return plain(did('log.timed_out', event.seat, hearer), event.seat);
    case 'penalised': {
      const cause = say(`log.cause.${event.cause}`);
      const drawn = hearer.asDrawn && event.cause !== 'leftovers' ? 'log.as_drawn' : 'log.penalised';
      const key = event.tiles.length > 0 ? drawn : 'log.restored';
      const text = did(key, event.seat, hearer, event.tiles, { cause });
      return { text, tone: 'penalty', seat: event.seat, codes: event.codes ?? [] };
    }
    case 'withdrew':
      return plain(did('log.withdrew', event.seat, hearer), event.seat);
    case 'resigned':
      return plain(did('log.resigned', event.seat, hearer), event.seat);
    case 'corrected':
      return plain(say('log.corrected', { reason: event.reason }), event.seat);
    case 'pool_exhausted': {
      const names = (event.order ?? []).map((seat) => nameOf(seat, hearer)).join(', ');
      return plain(names === '' ? say('log.pool_empty') : say('log.last_turns', { names }), null);
    }
    case 'took':
      return plain(did(`log.took_${event.source}`, event.seat, hearer, [event.tile]), event.seat);
    case 'discarded':
      return plain(did('log.discarded', event.seat, hearer, [event.tile]), event.seat);
    case 'reshuffled':
      return plain(say('log.reshuffled', { count: event.stock.length }), null);
    case 'game_ended':
      return plain(say('log.ended'), null);
    default:
      return null;
  }
}

function nameOf(seat: number, hearer: Hearer): string {
  return seat === hearer.me ? hearer.say('seat.you') : (hearer.players[seat] ?? '');
}

function starter(seat: number, round: readonly (readonly [number, Tile])[], hearer: Hearer): string {
  const begins = did('log.begins', seat, hearer);
  if (round.length === 0) return begins;
  const turned = round
    .map(([who, tile]) => `${nameOf(who, hearer)} ${marked([hearer.faces[tile] ?? ''])}`)
    .join(', ');
  return `${hearer.say('log.turned', { turned })} ${begins}`;
}

function dealt(racks: readonly (readonly Tile[])[], pool: readonly Tile[], hearer: Hearer): string {
  if (hearer.me === null) return hearer.say('log.dealt_watched');
  return hearer.say('log.dealt', { count: racks[hearer.me]?.length ?? 0, pool: pool.length });
}

/** A play by what it did: new sets, tiles added to which set, or how much was rearranged. */
function laid(seat: number, tiles: readonly Tile[], after: readonly (readonly Tile[])[], hearer: Hearer): string {
  const { say, faces } = hearer;
  if (hearer.melded[seat] === false && faces.length > 0) {
    const own = after.filter((set) => set.length > 0 && set.every((tile) => tiles.includes(tile)));
    const sets = own.map((set) => setText(set, faces)).join(', ');
    return did('log.opened', seat, hearer, tiles, sets === '' ? {} : { tiles: sets });
  }
  const { fresh, added, rearranged } = describeLay(hearer.table, after, tiles);
  if (rearranged > 0 || fresh.length + added.length === 0) {
    const key = rearranged > 0 ? 'log.rearranged' : 'log.laid';
    return did(key, seat, hearer, tiles, { count: rearranged });
  }
  const sets = fresh.map((set) => setText(set, faces)).join(', ');
  const items = added.map(({ own, to }) => say('log.to', { tiles: named(own, hearer), set: setText(to, faces) })).join(', ');
  if (items === '') return did('log.laid', seat, hearer, tiles, { tiles: sets });
  if (sets === '') return did('log.added', seat, hearer, tiles, { items });
  return did('log.laid_added', seat, hearer, tiles, { sets, items });
}
