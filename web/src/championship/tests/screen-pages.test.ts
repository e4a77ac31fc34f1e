/** A projector's pages: nobody is left out, none is too long, and what is held back is said to be. */
import { expect, test } from 'vitest';

import type { ChampionshipPage, StagePage } from '../../api/generated/http';
import { NAMES, RANKS, screenPages, TABLES } from '../public/screen-pages';

const name = { en: 'Round', fr: 'Ronde' };

function championship(players: number, { complete = false, played = true, over = false } = {}): ChampionshipPage {
  const numbers = Array.from({ length: players }, (_, index) => index + 1);
  const tables = Array.from({ length: Math.ceil(players / 4) }, (_, index) => ({
    table: index + 1,
    players: numbers.slice(index * 4, index * 4 + 4),
    signed: complete,
    games: [],
    room: '',
    void: [],
  }));
  const rows = numbers.map((number) => ({
    place: number,
    number,
    wins: 0,
    points: 0,
    score: 0,
    games: played ? 4 : 0,
    decided_by: 'score' as const,
    out: false,
    due: null,
    placed: true,
    best: null,
    worst: null, deducted: {},
  }));
  const stage: StagePage = {
    id: 'round1',
    name,
    sittings: 1,
    games: 4,
    seating: 'raffle',
    takes: null,
    cut: 'ranking',
    carry: 'none',
    criteria: ['wins', 'score'],
    closed: over,
    goes_on: [],
    draw: null,
    duplicate: null,
    ended: null,
    deals: null,
    seated: [{ sitting: 1, how: 'raffle', complete, tables, sits_out: [] }],
    standings: { rows, level: [], final: complete },
  };
  return {
    code: 'club22',
    version: 1,
    name: 'Club',
    edition: 1,
    date: '2026-11-15',
    format: 'club',
    format_name: name,
    about: name,
    book: 'wrc11',
    book_name: { en: 'WRC 11', fr: 'WRC 11' },
    book_version: '2',
    language: 'en',
    standings_mode: 'held',
    stage: 'round1',
    sitting: 1,
    over,
    now: { phase: over ? 'over' : 'playing', stage: 'round1', sitting: 1, next: null, tables: [], people: [], stale: [] },
    notice: '',
    countdown: null,
    schedule: [],
    people: numbers.map((number) => ({
      number,
      name: `Player ${number}`,
      country: '',
      team: '',
      status: 'present',
      replaced_by: null,
      no_country: false,
      admitted: [],
    })),
    stages: [stage],
    prizes: [],
    teams: null,
    days: [],
    lot: '',
    drawn_lots: [],
    ranking: over ? numbers.map((number) => ({ place: number, number })) : [],
  };
}

test.each([8, 21, 33, 128])('%i players: everybody has a seat on the screen, by name and by table', (players) => {
  const pages = screenPages(championship(players));
  const seats = pages.flatMap((page) => (page.kind === 'names' ? page.rows : []));
  expect(new Set(seats.map((row) => row.number)).size).toBe(players);
  const tables = pages.flatMap((page) => (page.kind === 'tables' ? page.rows : []));
  expect(tables.flatMap((row) => row.players)).toHaveLength(players);
  for (const page of pages) {
    const most = { names: NAMES, tables: TABLES, standings: RANKS, ranking: 2 * RANKS, welcome: 0 }[page.kind];
    if ('rows' in page) expect(page.rows.length).toBeLessThanOrEqual(most);
  }
});

test('who sits out is on the screen, among the names and under the tables', () => {
  const five = championship(5);
  const sitting = five.stages[0]!.seated[0]!;
  Object.assign(sitting, { tables: sitting.tables.slice(0, 1), sits_out: [5] });
  const pages = screenPages(five);
  const names = pages.flatMap((page) => (page.kind === 'names' ? page.rows : []));
  expect(names.filter((row) => !row.at).map((row) => row.name)).toEqual(['Player 5']);
  expect(pages.flatMap((page) => (page.kind === 'tables' ? page.out : []))).toEqual(['Player 5']);
});

test('standings of a sitting that is not signed are said to be held back', () => {
  const held = screenPages(championship(8)).filter((page) => page.kind === 'standings');
  expect(held.map((page) => page.held)).toEqual([true]);
  const free = screenPages(championship(8, { complete: true })).filter((page) => page.kind === 'standings');
  expect(free.map((page) => page.held)).toEqual([false]);
});

test('standings in which nobody has played are not shown, nor seats of a sitting that is over', () => {
  expect(screenPages(championship(8, { played: false })).map((page) => page.kind)).toEqual(['names', 'tables']);
  expect(screenPages(championship(8, { complete: true })).map((page) => page.kind)).toEqual(['standings']);
});

test('when the championship is over its ranking stays, and before anything there is a word of welcome', () => {
  expect(screenPages(championship(33, { over: true })).map((page) => page.kind)).toEqual(['ranking', 'ranking']);
  expect(screenPages({ ...championship(8), stages: [] }).map((page) => page.kind)).toEqual(['welcome']);
});
