import { afterEach, describe, expect, it } from 'vitest';
import type { GameEvent, RoomEvent } from '../../api/generated/live';
import { settings } from '../../ui/settings.svelte';
import { t } from '../../locales/table';
import { statusLine, type Desk } from '../model/status-line';
import { tell, type Say } from '../model/event-text';
import { rebuilt, setText } from '../model/lay-text';
import { marked } from '../../ui/tiles/tile-message';
import { faces, named } from './box';
import { book, legal, view } from './room';

const EVENTS: GameEvent[] = [
  { event: 'starter_chosen', seat: 0, rounds: [[[0, 3], [1, 5]]] },
  { event: 'starter_chosen', seat: 1 },
  { event: 'dealt', number: 1, racks: [[1], [-1]], pool: [-1] },
  { event: 'redeal_granted', seat: 0, tiles: [0, 1] },
  { event: 'drew', seat: 0, tile: 1 },
  { event: 'drew', seat: 1, tile: -1 },
  { event: 'laid', seat: 0, table: [], tiles: [1, 2] },
  { event: 'laid', seat: 1, table: [], tiles: [1, 2] },
  { event: 'played', seat: 1, melds: [], tiles: [1], outcome: 'ON_BOARD' },
  { event: 'played', seat: 0, melds: [], tiles: [1], outcome: 'HAND' },
  { event: 'passed', seat: 0 },
  { event: 'timed_out', seat: 1, touched: false },
  { event: 'penalised', seat: 0, cause: 'time', tiles: [1, 2, 3] },
  { event: 'penalised', seat: 1, cause: 'declared', tiles: [-1] },
  { event: 'penalised', seat: 1, cause: 'leftovers', tiles: [] },
  { event: 'withdrew', seat: 1 },
  { event: 'resigned', seat: 1 },
  { event: 'corrected', seat: 0, reason: 'a tile lay under the table' },
  { event: 'pool_exhausted', order: [0, 1] },
  { event: 'pool_exhausted' },
  { event: 'took', seat: 0, source: 'stock', tile: 4 },
  { event: 'took', seat: 1, source: 'discard', tile: 4 },
  { event: 'discarded', seat: 0, tile: 4 },
  { event: 'reshuffled', number: 1, stock: [-1, -1] },
  { event: 'game_ended', end: 'out', scores: [1, -1], winners: [0] },
];

const stamp = { at: 0, seq: 0 };
const ROOM_EVENTS: RoomEvent[] = [
  { kind: 'game_played', events: EVENTS, by: 'player', ...stamp },
  ...[0, 1].flatMap((seat): RoomEvent[] => [
    { kind: 'stood_in', seat, level: 'club', ...stamp },
    { kind: 'reclaimed', seat, ...stamp },
    { kind: 'extra_time_taken', seat, deadline: 0, ...stamp },
    { kind: 'agreed', seat, to: 'end', yes: true, ...stamp },
  ]),
  { kind: 'clock_restored', deadline: 0, ...stamp },
];

const say = t as Say;
const language = settings.language;
afterEach(() => void (settings.language = language));

describe.each(['en', 'fr'] as const)('every sentence of the table, in %s', (spoken) => {
  it('says of an infringement that it counts as a draw where it does (R68)', () => {
    settings.language = spoken;
    const hearer = { me: 0, players: ['Ada', 'Bo'], melded: [true, true], table: [], faces, colours: book().colours, language: spoken, say };
    const events: RoomEvent[] = [{ kind: 'game_played', events: [{ event: 'penalised', seat: 0, cause: 'time', tiles: [1] }], by: 'clock', ...stamp }];
    const [printed, fair] = [false, true].map((asDrawn) => tell(events, { ...hearer, asDrawn })[0]?.text ?? '');
    expect(printed).toMatch(/penalty|pénalité/);
    expect(fair).toMatch(/counts as a draw|compte comme une pioche/);
  });

  it('tells all that can happen, without a gap in it', () => {
    settings.language = spoken;
    const hearer = { me: 0, players: ['Ada', 'Bo'], melded: [false, true], table: [], faces, colours: book().colours, language: spoken, asDrawn: false, say };
    const told = tell(ROOM_EVENTS, hearer);
    expect(told).toHaveLength(EVENTS.length + 9);
    for (const { text } of told) expect(text).toMatch(/^[^{}]*[.!]$/u);
    expect(told.filter((one) => one.tone === 'penalty')).toHaveLength(3);
  });

  it('has a line for every state', () => {
    settings.language = spoken;
    const game = view().game as NonNullable<ReturnType<typeof view>['game']>;
    const base: Desk = {
      game,
      family: 'rearranging',
      me: 0,
      myTurn: true,
      starting: false,
      ready: true,
      awaited: [],
      stoodIn: false,
      touched: false,
      watchedDraft: false,
      selected: [],
      rackLeft: 3,
      discard: null,
      judgement: null,
      needed: 0,
      planning: false,
      nothing: false,
      lastSaid: '',
      names: ['Ada', 'Bo'],
      faces,
      colours: book().colours,
      language: spoken,
      say,
    };
    const fault = { code: 'SET_INVALID', clause: '', ruling: '', message: 'no.' };
    const illegal = { ...legal, legal: false, unplaced: named('R4'), faults: [fault], needed: 30, points: 24 };
    const rummy = { ...base, family: 'laying_off' as const };
    const play = { ...game, phase: 'play' as const };
    const desks: Desk[] = [
      base,
      { ...base, needed: 30 },
      { ...base, game: { ...game, pool_size: 0 } },
      { ...base, game: { ...game, pool_size: 0, queue: [0] } },
      { ...base, needed: 30, game: { ...game, pool_size: 0 } },
      { ...base, nothing: true },
      { ...base, nothing: true, needed: 30 },
      { ...base, nothing: true, game: { ...game, pool_size: 0 } },
      { ...rummy, nothing: true, game: { ...game, phase: 'take', discards: named('K9') } },
      { ...rummy, nothing: true, game: play },
      { ...base, selected: named('R4') },
      { ...base, selected: named('R4 K9') },
      { ...base, touched: true },
      { ...base, touched: true, judgement: legal },
      { ...base, touched: true, judgement: { ...legal, needed: 30, points: 31 } },
      { ...base, touched: true, judgement: legal, rackLeft: 0 },
      { ...base, touched: true, judgement: illegal },
      { ...base, touched: true, judgement: { ...illegal, unplaced: named('R1 R2 R3 R4 R5') } },
      { ...base, touched: true, judgement: { ...illegal, needed: 0, unplaced: [], laid: 0 } },
      { ...base, myTurn: false },
      { ...base, myTurn: false, watchedDraft: true, lastSaid: 'X.' },
      { ...base, myTurn: false, me: null },
      { ...base, stoodIn: true },
      { ...base, game: { ...game, phase: 'over' } },
      { ...rummy, game: { ...game, phase: 'take' } },
      { ...rummy, game: { ...game, phase: 'take', discards: named('R4') } },
      { ...rummy, game: { ...game, phase: 'opening_discard' } },
      { ...rummy, game: play },
      { ...rummy, game: play, needed: 50 },
      { ...rummy, game: play, touched: true, judgement: { ...legal, faults: [{ ...fault, code: 'NO_DISCARD' }] } },
      { ...rummy, game: play, touched: true, judgement: illegal },
      ...(['OK', 'ON_BOARD', 'OPEN_RUMMY', 'FOOT', 'HAND'] as const).map((outcome) => ({
        ...rummy,
        game: play,
        touched: true,
        discard: named('R4')[0] as number,
        judgement: { ...legal, outcome },
      })),
    ];
    for (const desk of desks) expect(statusLine(desk).text).toMatch(/^[^{}]+$/u);
    expect(new Set(desks.map((desk) => statusLine(desk).text)).size).toBeGreaterThan(26);
  });
});

describe('sets of a move', () => {
  it('are named in their order, however they were laid', () => {
    const row = ['B3', 'B4', 'B5', 'B2', 'B6'].map((face) => faces.indexOf(face));
    expect(setText(row, faces)).toBe(marked(['B2', 'B3', 'B4', 'B5', 'B6']));
  });

  it('are rebuilt if they come from others, not if they are new or longer', () => {
    expect(rebuilt([[1, 2, 3, 4], [5, 6, 7]], [[1, 2, 3], [5, 6, 7, 8], [4, 9, 10], [11, 12, 13]])).toEqual([0, 2]);
  });
});
