/** The referee's tools: what is asked, what is kept over a reload, and what is copied. */
import { beforeEach, expect, test, vi } from 'vitest';

import type { BookForTable, CountedSheet } from '../api/generated/http';
import { settings } from '../ui/settings.svelte';
import { emptyRack, endOf, type CountDraft } from './count/draft';
import {
  emptyCharge,
  chargeAsked,
  emptyDrafts,
  emptyPosition,
  emptyTable,
  keepDrafts,
  leftoversAsked,
  positionAsked,
  readDrafts,
  withPlayers,
} from './drafts';
import { chargeReport, countReport, leftoversReport, positionReport } from './reports';
import { inWords } from './tiles/names';
import { placesOf, stillAmong } from './tiles/racks';

const book = {
  id: 'wrc11',
  label: 'WRC 11',
  name: { en: 'WRC 11 rules', fr: 'Règles WRC 11' },
  tiles: ['K1', 'K9', 'R7', 'R9', 'B9', '*'],
} as unknown as BookForTable;

const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  settings.language = 'en';
  vi.stubGlobal('localStorage', { getItem: (name: string) => kept.get(name) ?? null, setItem: (name: string, value: string) => kept.set(name, value) });
});

test('a table is asked alone, a turn with how it began', () => {
  const draft = { ...emptyPosition(), table: [['K1']], before: [['R7']], rack: ['R9'], after: [['R7', 'R9']], own: [0, 3], discard: 'B9' };
  expect(positionAsked(draft, false)).toEqual({ table: [['K1']] });
  const turn = { table: [['R7']], rack: ['R9'], melded: true };
  expect(positionAsked({ ...draft, turn: true }, false)).toEqual({ table: [['R7', 'R9']], turn });
  // Rummy-O: a meld that is no longer there is nobody's own.
  expect(positionAsked({ ...draft, turn: true }, true)).toEqual({ table: [['R7', 'R9']], turn: { ...turn, own: [0], discard: 'B9' } });
});

test('without a turn nothing was drawn in it, and without a number the pool holds enough', () => {
  expect(chargeAsked({ ...emptyCharge(), tiles: ['R9'], drawn: ['R9'], hadTurn: false })).toEqual({ rack: ['R9'], had_turn: false });
  expect(chargeAsked({ ...emptyCharge(), tiles: ['R9'], lastDraw: 'unknown', couldOpen: true })).toEqual({ rack: ['R9'], drawn_last: [], had_turn: true, last_draw: 'unknown', could_open: true });
  expect(leftoversAsked({ tiles: ['R9'], pool: '', asked: false })).toEqual({ leftovers: ['R9'], pool: null });
  expect(leftoversAsked({ tiles: ['R9'], pool: ' 2 ', asked: false })).toEqual({ leftovers: ['R9'], pool: 2 });
  expect(leftoversAsked({ tiles: ['R9'], pool: 'many', asked: false })).toEqual({ leftovers: ['R9'], pool: null });
});

test('who stays at the table keeps their rack', () => {
  const four = emptyTable(4);
  four.count.racks[1].tiles = ['R9'];
  four.count.end = 3;
  const two = withPlayers(four, 2);
  expect(two.count.racks.map(({ tiles }) => tiles)).toEqual([[], ['R9']]);
  expect(two.count.end).toBeNull();
  expect(withPlayers(two, 3).names).toHaveLength(3);
});

test('the end of a game is asked with what the book counts', () => {
  const draft: CountDraft = { ...emptyTable(2).count, end: 0, goingOut: 'foot', winnerTiles: ['R9'] };
  draft.racks[1] = { ...emptyRack(), tiles: ['K9'], melded: false, drawn: ['K9'] };
  const racks = [{}, { tiles: ['K9'], melded: false, drawn_in_last_turn: ['K9'] }];
  expect(endOf(draft, { winner: 'opponents' })).toEqual({ racks, winner: 0 });
  expect(endOf(draft, { winner: 'own_tiles' })).toEqual({ racks, winner: 0, going_out: 'foot', winner_tiles: ['R9'] });
  expect(endOf({ ...draft, end: 'pool' }, { winner: 'own_tiles' }).winner).toBeNull();
});

test('what was entered survives a reload; what another version kept does not', () => {
  const drafts = { ...emptyDrafts(), book: 'tml', options: { jokers: 4 } };
  drafts.position = { ...drafts.position, table: [['R7', '*']] };
  drafts.count.count.end = 'pool';
  keepDrafts(drafts);
  expect(readDrafts()).toEqual(drafts);
  kept.set('meldroom.referee', JSON.stringify({ ...drafts, position: { table: 'R7' } }));
  expect(readDrafts()).toEqual(emptyDrafts());
  kept.set('meldroom.referee', '{');
  expect(readDrafts()).toEqual(emptyDrafts());
});

test('tiles that were drawn are found on the rack, each once', () => {
  expect(placesOf(['K9', 'K9', 'R9'], ['K9', 'R9'])).toEqual([0, 2]);
  expect(stillAmong(['K9', 'R9'], ['K9', 'K9', 'B9', 'R9'])).toEqual(['K9', 'R9']);
});

test('a sentence says its tiles in words', () => {
  expect(inWords('K1 K9: never (R7).', book)).toBe('black 1, black 9: never (red 7).');
  settings.language = 'fr';
  expect(inWords('R7 : jamais', book)).toBe('7 rouge : jamais');
});

test('a position is copied with its sets, its faults and where they stand', () => {
  const draft = { ...emptyPosition(), table: [['K9', 'R9', '*'], ['K1', 'K9']] };
  const fault = { code: 'SET_INVALID', message: 'K1 K9: too short.', parts: [{ tiles: ['K1', 'K9'] }, ': too short.'], clause: 'WRC 11 #6', ruling: 'R2', set: 1 };
  const text = positionReport(book, draft, { legal: false, text: 'This table isn’t valid.', faults: [fault] });
  expect(text.split('\n')).toEqual([
    'Check · WRC 11 rules',
    'Table:',
    '  1. black 9, red 9, joker',
    '  2. black 1, black 9',
    'This table isn’t valid.',
    '- Set 2: black 1, black 9: too short. (WRC 11 #6, R2)',
  ]);
});

test('a turn is copied with everything that it was judged by', () => {
  const draft = { ...emptyPosition(), turn: true, rack: ['K9'], after: [['K9']], melded: false };
  const text = positionReport(book, draft, { legal: true, text: 'Valid.', faults: [] });
  expect(text.split('\n').slice(1)).toEqual(['Table before: none', 'Rack: black 9', 'Table after:', '  1. black 9', 'Had not opened yet', 'Valid.']);
});

test('a charge is copied with the openings that decide it', () => {
  const found = {
    points: 100,
    text: 'never opened',
    clause: 'WRC 11 #12',
    ruling: 'R43',
    at_end: { sets: [['K9', 'R9', 'B9']], points: 27, opens: false },
    at_last_turn: { sets: [], points: 0, opens: false },
  };
  const text = chargeReport(book, { ...emptyCharge(), tiles: ['K9', 'R9', 'B9'], drawn: ['B9'], asked: true }, found);
  expect(text).toContain('Drawn on the last turn: blue 9');
  expect(text).toContain('Charge: 100\nnever opened (WRC 11 #12, R43)');
  expect(text).toContain('black 9, red 9, blue 9 (27 points)');
  expect(text).toContain('no set at all');
});

test('a count is copied with a reason for every number, in the language of whoever copies', () => {
  settings.language = 'fr';
  const draft: CountDraft = { ...emptyTable(2).count, end: 0 };
  draft.racks[1].tiles = ['R7'];
  const line = { jokers: 0, charge: 0, why: '', clause: 'WRC 11 #1', ruling: '', at_end: null, at_last_turn: null };
  const found: CountedSheet = {
    lines: [
      { ...line, seat: 0, tiles: 0, count: 0, score: 7, won: true, reason: 'Gagne' },
      { ...line, seat: 1, tiles: 1, count: 7, score: -7, won: false, reason: '7 points' },
    ],
    notes: [],
    check: 'Contrôle.',
  };
  const text = countReport(book, draft, (seat) => ['Ada', 'Bo'][seat], found);
  expect(text.replaceAll('\u202f', ' ').replaceAll('\u00a0', ' ').split('\n')).toEqual([
    'Décompte · Règles WRC 11',
    'Ada a tout posé',
    'Ada : +7',
    '  Gagne (WRC 11 #1)',
    'Bo : −7',
    '  Chevalet : 7 rouge',
    '  7 points (WRC 11 #1)',
    'Contrôle.',
  ]);
});

test('leftovers are copied with the ruling', () => {
  const found = { text: 'K9 go to the rack', clause: 'WRC 11 #7', ruling: 'R29' };
  expect(leftoversReport(book, { tiles: ['K9'], pool: '', asked: true }, found)).toBe(
    'Tiles nobody can put back · WRC 11 rules\nblack 9\nblack 9 go to the rack (WRC 11 #7, R29)',
  );
});
