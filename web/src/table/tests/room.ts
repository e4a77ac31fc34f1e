// A room for the tests: two seats, the first one to play, a table with one run.

import type { Done, Judgement, RoomEvent, RoomView, Update } from '../../api/generated/live';
import type { Unsent } from '../../api/types';
import type { BookCard } from '../../api/generated/http';
import { TableModel } from '../model/table-model.svelte';
import type { Memory } from '../board/rack-order';
import type { Say } from '../model/event-text';
import { faces, named } from './box';

export function book(family: BookCard['family'] = 'rearranging'): BookCard {
  return {
    id: 'test',
    version: '1',
    label: 'Test',
    name: 'A book for tests',
    family,
    summary: '',
    least_players: 2,
    most_players: 4,
    opening_points: 30,
    opening_needs_run: false,
    clock_seconds: 0,
    match_games: 1,
    penalty_tiles: 3,
    shortest_set: 3,
    redeal_doubles: 3,
    strict_declare: false,
    values: {},
    colours: [
      { letter: 'K', name: 'black', ink: '#000' },
      { letter: 'R', name: 'red', ink: '#a00' },
      { letter: 'B', name: 'blue', ink: '#00a' },
      { letter: 'O', name: 'orange', ink: '#a60' },
    ],
    tiles: [...faces],
    options: [],
    levels: [],
    plays_as: {},
    house: false,
  };
}

export function view(change: Partial<RoomView> = {}, game: Partial<NonNullable<RoomView['game']>> = {}): RoomView {
  const seat = { kind: 'person' as const, level: null, present: true, stand_in: null, timeouts: 0, reserved: false, avatar: '', profile: '', infringements: 0 };
  return {
    room: 'abcd',
    stage: 'playing',
    settings: {
      book: 'test',
      options: {},
      seats: 2,
      games: 1,
      clock: { kind: 'off', amount: 0, extra: 0 },
      public: false,
      spectators: 'off',
      hints: true,
      stand_in_after: 2,
      house: null,
      stand_in: 'club',
      planning: true,
      bot_speed: 'normal',
      puzzles: false,
      book_version: '2',
      aids: { take_back: null, nothing_playable: null, tiles_seen: null, odds: null },
    },
    seats: [
      { ...seat, name: 'Ada' },
      { ...seat, name: 'Bo' },
    ],
    me: 0,
    host: true,
    rev: 5,
    game: {
      book: { id: 'test', version: '1' },
      players: ['Ada', 'Bo'],
      game: 1,
      commitment: 'c',
      stand_ins: [],
      me: 0,
      phase: 'turn',
      starter: 0,
      seat: 0,
      deals: 1,
      rack: named('R4 K9 R9 O9'),
      rack_sizes: [4, 14],
      pool_size: 50,
      table: [named('R1 R2 R3')],
      melds: [],
      discards: [],
      melded: [true, false],
      withdrawn: [false, false],
      turns: [1, 1],
      exhausted: false,
      queue: null,
      passes: 0,
      reshuffles: 0,
      drawn: [],
      result: null,
      racks: null,
      ...game,
    },
    match: { games: 1, played: 0, scores: [], totals: [0, 0], wins: [0, 0], winners: null },
    deadline: null,
    turn_began: null,
    starts_at: null,
    ready: [],
    redeal: false,
    extra_used: false,
    changed: [],
    draft: null,
    draft_melds: null,
    agreed_end: [],
    agreed_next: [],
    asked_stand_in: {},
    spectators: 0,
    chat: [],
    sheet: null,
    secret: null,
    contributions: null,
    record: null,
    notice: '',
    notice_clause: '',
    notice_ruling: '',
    commitment: '',
    championship: null,
    next_at: null,
    aids: [],
    taken_back: 0,
    visible_at: null,
    ended_because: '',
    ...change,
  };
}

export function memory(): Memory {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

export const legal: Judgement = { legal: true, marks: [true], unplaced: [], laid: 1, points: 0, needed: 0, faults: [], outcome: null };

/** Words are their keys, with what is filled in. */
export const say: Say = (key, values) => [key, ...Object.values(values ?? {})].join(' ').trim();

export interface Sent {
  readonly commands: Unsent[];
  answer: (command: Unsent) => Partial<Done>;
}

/** A table with a server that answers as told. */
export function table(at: RoomView = view(), family: BookCard['family'] = 'rearranging', place = memory()): { model: TableModel; sent: Sent } {
  const sent: Sent = { commands: [], answer: () => ({}) };
  const model = new TableModel({
    room: 'abcd',
    view: at,
    book: book(family),
    voice: {
      now: () => 0,
      send: async (command) => {
        sent.commands.push(command);
        return { type: 'done', id: '1', now: 0, ...sent.answer(command) };
      },
    },
    memory: place,
    say,
    language: () => 'en',
  });
  return { model, sent };
}

export function update(next: RoomView, events: RoomEvent[] = []): Update {
  return { type: 'update', room: 'abcd', since: 1, seq: 2, now: 0, events, view: next };
}
