// The one line under the table: what the player most needs to know now. Tiles in it are marked (`partsOf`).

import type { Fault, Judgement, View } from '../../api/generated/live';
import type { Colour } from '../../api/generated/http';
import { inWords, marked } from '../../ui/tiles/tile-message';
import { setName } from '../../ui/tiles/tile-names';
import type { Faces, Tile } from '../../ui/tiles/faces';
import type { Say } from './event-text';

/** More tiles than this are counted, not named. */
const MANY = 4;

export type Mood = 'act' | 'wait' | 'good' | 'bad';

export interface Line {
  readonly text: string;
  readonly mood: Mood;
}

/** What the line depends on. */
export interface Desk {
  readonly game: View;
  readonly family: 'rearranging' | 'laying_off';
  readonly me: number | null;
  readonly myTurn: boolean;
  /** Nobody plays before all are ready: whether one is, and who else is not. */
  readonly starting: boolean;
  readonly ready: boolean;
  readonly awaited: readonly string[];
  readonly stoodIn: boolean;
  readonly touched: boolean;
  readonly watchedDraft: boolean;
  readonly selected: readonly Tile[];
  readonly rackLeft: number;
  readonly discard: Tile | null;
  readonly judgement: Judgement | null;
  readonly needed: number;
  /** The desk is one's own before the turn. */
  readonly planning: boolean;
  /** Nothing can be played in this turn, as the server has found. */
  readonly nothing: boolean;
  readonly lastSaid: string;
  readonly names: readonly string[];
  readonly faces: Faces;
  readonly colours: readonly Colour[];
  readonly language: string;
  readonly say: Say;
}

/** The line for the desk as it is. */
export function statusLine(desk: Desk): Line {
  const { game, say } = desk;
  if (game.phase === 'over') return { text: say(desk.me === null ? 'line.spectator_over' : 'line.over'), mood: 'wait' };
  if (desk.stoodIn) return { text: say('line.stand_in'), mood: 'wait' };
  if (desk.starting && !desk.touched && desk.selected.length === 0) return start(desk);
  if (!desk.myTurn) return desk.planning && (desk.touched || desk.selected.length > 0) ? plan(desk) : waiting(desk);
  if (desk.family === 'laying_off') return layingOff(desk);
  if (desk.touched) return draft(desk);
  return { text: selection(desk) || afterLast(desk, yourTurn(desk)), mood: 'act' };
}

/** After the deal: who begins, and who is waited for. */
function start({ game, me, myTurn, ready, awaited, names, language, say }: Desk): Line {
  if (me === null) return { text: say('line.start_spectator'), mood: 'wait' };
  if (ready) {
    const list = new Intl.ListFormat(language, { type: 'conjunction' }).format(awaited);
    return { text: say('line.start_ready', { names: list }), mood: 'wait' };
  }
  if (myTurn) return { text: say('line.start_first'), mood: 'act' };
  return { text: say('line.start_other', { name: names[game.seat] ?? '' }), mood: 'act' };
}

function waiting(desk: Desk): Line {
  const name = desk.names[desk.game.seat] ?? '';
  const key = desk.me === null ? 'line.spectator' : desk.watchedDraft ? 'line.waiting_draft' : 'line.waiting';
  return { text: afterLast(desk, desk.say(key, { name })), mood: 'wait' };
}

function afterLast(desk: Desk, now: string): string {
  return desk.lastSaid === '' ? now : `${desk.lastSaid} ${now}`;
}

/** Tiles arranged before the turn: what they amount to, and whose turn it is. */
function plan(desk: Desk): Line {
  const name = desk.names[desk.game.seat] ?? '';
  const now = desk.say(desk.watchedDraft ? 'line.waiting_draft' : 'line.waiting', { name });
  const found = desk.judgement;
  const text = selection(desk) || (desk.touched && found !== null ? planned(desk, found) : '');
  return { text: [desk.say('line.plan', { text: text || desk.say('line.judging') }), now].join(' '), mood: 'wait' };
}

function planned(desk: Desk, found: Judgement): string {
  const open = found.faults.filter((fault) => fault.code !== 'NO_DISCARD');
  if (open.length > 0) return progress(desk, { ...found, faults: open }).join(' · ');
  return desk.say('line.plan_ready', { count: found.laid });
}

function named(desk: Desk, tiles: readonly Tile[]): string {
  return marked(tiles.map((tile) => desk.faces[tile] ?? ''));
}

function selection(desk: Desk): string {
  if (desk.selected.length === 0) return '';
  return desk.say('line.selected', { count: desk.selected.length, tiles: named(desk, desk.selected) });
}

function yourTurn({ game, needed, nothing, say }: Desk): string {
  if (nothing) return say(game.pool_size === 0 ? 'line.nothing_pass' : needed > 0 ? 'line.nothing_open' : 'line.nothing');
  if (game.pool_size > 0) return needed > 0 ? say('line.opening', { needed }) : say('line.turn');
  if (needed > 0) return say('line.opening_pass', { needed });
  return say(game.queue !== null ? 'line.last_turn' : 'line.turn_pass');
}

/** Points towards the opening, tiles not yet placed, and otherwise the first fault. */
function progress(desk: Desk, found: Judgement): string[] {
  const said: string[] = [];
  if (found.needed > 0 && found.points < found.needed) {
    said.push(desk.say('line.points', { points: found.points, needed: found.needed }));
  }
  if (found.unplaced.length > MANY) said.push(desk.say('line.unplaced_many', { count: found.unplaced.length }));
  else if (found.unplaced.length > 0) said.push(desk.say('line.unplaced', { tiles: named(desk, found.unplaced) }));
  if (said.length === 0 && found.laid === 0) said.push(desk.say('line.nothing_laid'));
  if (said.length === 0 && found.faults[0] !== undefined) said.push(faultWords(found.faults[0], desk.colours));
  return said;
}

function draft(desk: Desk): Line {
  const found = desk.judgement;
  if (found === null) return { text: selection(desk) || desk.say('line.judging'), mood: 'act' };
  if (!found.legal) return { text: progress(desk, found).join(' · '), mood: 'bad' };
  const reached = found.needed > 0 ? [desk.say('line.points', { points: found.points, needed: found.needed })] : [];
  if (desk.rackLeft === 0) return { text: [...reached, desk.say('line.ready_out')].join(' · '), mood: 'good' };
  return { text: [...reached, desk.say('line.ready', { count: found.laid })].join(' · '), mood: 'good' };
}

function layingOff(desk: Desk): Line {
  const { game, say } = desk;
  if (game.phase === 'take') {
    const last = game.discards[game.discards.length - 1];
    if (last === undefined) return { text: afterLast(desk, say('line.take_stock')), mood: 'act' };
    const tile = named(desk, [last]);
    return { text: afterLast(desk, say(desk.nothing ? 'line.nothing_take' : 'line.take', { tile })), mood: 'act' };
  }
  if (desk.discard !== null) return discarding(desk, desk.discard);
  if (game.phase === 'opening_discard') return { text: say('line.opening_discard'), mood: 'act' };
  if (!desk.touched) {
    const open = desk.needed > 0 ? say('line.play_off', { needed: desk.needed }) : say('line.play');
    const text = desk.nothing ? say('line.nothing_lay') : open;
    return { text: selection(desk) || text, mood: 'act' };
  }
  const found = desk.judgement;
  if (found === null) return { text: selection(desk) || say('line.judging'), mood: 'act' };
  const open = found.faults.filter((fault) => fault.code !== 'NO_DISCARD');
  if (open.length > 0) return { text: progress(desk, { ...found, faults: open }).join(' · '), mood: 'bad' };
  return { text: say('line.choose_discard', { count: found.laid }), mood: 'act' };
}

function discarding(desk: Desk, discard: Tile): Line {
  const { say, judgement } = desk;
  const tile = named(desk, [discard]);
  if (desk.game.phase === 'opening_discard' || judgement === null) return { text: say('line.discarding', { tile }), mood: 'good' };
  if (!judgement.legal) return { text: progress(desk, judgement).join(' · '), mood: 'bad' };
  if (judgement.outcome === 'OPEN_RUMMY' || judgement.outcome === 'FOOT' || judgement.outcome === 'HAND') {
    return { text: say('line.going_out', { tile, way: say(`way.${judgement.outcome}`) }), mood: 'good' };
  }
  if (judgement.outcome === 'ON_BOARD') return { text: say('line.going_on_board', { tile }), mood: 'good' };
  return { text: say('line.discarding', { tile }), mood: 'good' };
}

/** A fault in words, its tiles by their names. */
export function faultWords(fault: Fault, colours: readonly Colour[]): string {
  return fault.parts ? inWords(fault.parts, (tiles) => setName(tiles, colours)) : fault.message;
}
