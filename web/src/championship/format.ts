/** How a championship's numbers, names and times are written. */
import type { ChampionshipPage, GameLine, GameResult, PersonLine, SittingPage, StagePage } from '../api/generated/http';
import { signed } from '../ui/format';

/** What a penalty can take off. */
export type Deducted = 'score' | 'points' | 'wins';

export const scoresOf = (result: GameResult | GameLine): string => result.scores.map(signed).join('  ');

/** People by their number. */
export class People {
  readonly #people: readonly PersonLine[];

  constructor(people: readonly PersonLine[]) {
    this.#people = people;
  }

  of(number: number): PersonLine | undefined {
    return this.#people[number - 1];
  }

  /** Who has left keeps the seat, which stays empty. */
  left(number: number): boolean {
    return ['withdrawn', 'no_show', 'disqualified', 'declined'].includes(this.of(number)?.status ?? '');
  }

  name(number: number): string {
    return this.of(number)?.name ?? String(number);
  }

  names(numbers: readonly number[]): string {
    return numbers.map((number) => this.name(number)).join(', ');
  }
}

export const stageOf = (championship: ChampionshipPage, id: string): StagePage | undefined =>
  championship.stages.find((stage) => stage.id === id);

export function sittingOf(championship: ChampionshipPage, stage: string, sitting: number): SittingPage | undefined {
  return stageOf(championship, stage)?.seated.find((one) => one.sitting === sitting);
}

/** When a sitting is planned to begin. */
export const plannedAt = (championship: ChampionshipPage, stage: string, sitting: number): string | undefined =>
  championship.schedule.find((one) => one.stage === stage && one.sitting === sitting)?.starts_at;

export interface SeatedAt {
  stage: StagePage;
  sitting: SittingPage;
}

/** All sittings that have seats, in the order of play. */
export const sittings = (championship: ChampionshipPage): SeatedAt[] =>
  championship.stages.flatMap((stage) => stage.seated.map((sitting) => ({ stage, sitting })));

/** One name for a sitting in lists: the stage alone where it has only one. */
export const sittingKey = (stage: string, sitting: number): string => `${stage}/${sitting}`;

/** A name without accents and capitals, as one types it into a search field. */
export const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase();

/** Whether a person is meant by what was typed: a part of the name, the country, or the number. */
export function meant(person: { number: number; name: string; country: string; team?: string }, typed: string): boolean {
  const wanted = plain(typed.trim());
  if (!wanted) return true;
  if (/^\d+$/.test(wanted)) return String(person.number) === wanted;
  return [person.name, person.country, person.team ?? ''].some((text) => plain(text).includes(wanted));
}

/** A list of tiles as people type it: spaces or commas, small letters too. */
export const tilesIn = (text: string): string[] =>
  text
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter(Boolean);

/** A typed score: a number with its sign; null for an empty seat; undefined if it is none. */
export function scoreIn(text: string): number | null | undefined {
  const bare = text.trim().replace('−', '-').replace(/^\+/, '');
  if (bare === '' || bare === '–' || bare === '-') return null;
  return /^-?\d{1,5}$/.test(bare) ? Number(bare) : undefined;
}
