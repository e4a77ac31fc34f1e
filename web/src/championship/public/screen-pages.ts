/** What a projector shows one after another: pages of as many lines as can be read from the back of the hall. */
import type { ChampionshipPage, StagePage, StandingsRow } from '../../api/generated/http';
import { sittingOf, stageOf } from '../format';

export interface SeatRow {
  number: number;
  name: string;
  country: string;
  /** Nothing for who sits out. */
  at: { table: number; seat: number } | null;
}

export interface TableRow {
  table: number;
  players: string[];
}

export type ScreenPage =
  | { kind: 'names'; rows: SeatRow[]; part: number; parts: number }
  | { kind: 'tables'; rows: TableRow[]; out: string[]; part: number; parts: number }
  | { kind: 'standings'; stage: StagePage; rows: StandingsRow[]; held: boolean; part: number; parts: number }
  | { kind: 'ranking'; rows: { place: number; number: number }[]; part: number; parts: number }
  | { kind: 'welcome' };

/** Two columns of this many lines. */
export const NAMES = 20;
export const TABLES = 6;
export const RANKS = 10;

function cut<Row>(rows: readonly Row[], most: number): Row[][] {
  // Pages of equal length: 21 names are 11 and 10, not 20 and 1.
  const count = Math.ceil(rows.length / most);
  const each = Math.ceil(rows.length / count);
  return Array.from({ length: count }, (_, index) => rows.slice(index * each, (index + 1) * each));
}

export function screenPages(championship: ChampionshipPage, wanted: readonly string[] = []): ScreenPage[] {
  const pages: ScreenPage[] = [];
  const shows = (kind: string): boolean => !wanted.length || wanted.includes(kind);
  if (championship.over) {
    for (const [part, rows] of cut(championship.ranking, RANKS * 2).entries()) {
      pages.push({ kind: 'ranking', rows, part: part + 1, parts: Math.ceil(championship.ranking.length / (RANKS * 2)) });
    }
    return pages.length ? pages : [{ kind: 'welcome' }];
  }
  const sitting = sittingOf(championship, championship.stage, championship.sitting);
  if (sitting && shows('seating') && !sitting.complete) {
    const name = (number: number): string => championship.people[number - 1]?.name ?? String(number);
    const row = (number: number, at: SeatRow['at']): SeatRow => ({
      number,
      name: name(number),
      country: championship.people[number - 1]?.country ?? '',
      at,
    });
    const seats = sitting.tables
      .flatMap((table) => table.players.map((number, seat) => row(number, { table: table.table, seat: seat + 1 })))
      .concat(sitting.sits_out.map((number) => row(number, null)))
      .toSorted((one, other) => one.name.localeCompare(other.name, championship.language));
    const byName = cut(seats, NAMES);
    byName.forEach((rows, part) => pages.push({ kind: 'names', rows, part: part + 1, parts: byName.length }));
    const tables = sitting.tables.map((table) => ({ table: table.table, players: table.players.map(name) }));
    const byTable = cut(tables, TABLES);
    byTable.forEach((rows, part) => pages.push({ kind: 'tables', rows, out: sitting.sits_out.map(name), part: part + 1, parts: byTable.length }));
  }
  if (shows('standings')) {
    const stage = standingsShown(championship);
    if (stage?.standings) {
      const held = championship.standings_mode === 'held' && stage.seated.some((one) => !one.complete);
      const ranked = cut(stage.standings.rows, RANKS);
      ranked.forEach((rows, part) =>
        pages.push({ kind: 'standings', stage, rows, held, part: part + 1, parts: ranked.length }),
      );
    }
  }
  return pages.length ? pages : [{ kind: 'welcome' }];
}

/** The latest standings in which anybody has played: those of a stage whose results are all held back say nothing. */
function standingsShown(championship: ChampionshipPage): StagePage | undefined {
  const current = championship.stages.indexOf(stageOf(championship, championship.stage) as StagePage);
  return championship.stages
    .slice(0, current + 1)
    .toReversed()
    .find((stage) => stage.standings?.rows.some((row) => row.games > 0));
}
