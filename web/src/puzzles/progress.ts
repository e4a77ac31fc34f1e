// Somebody's puzzles: ratings by book, what was tried and how it went, the best rows. A guest's are kept in the browser;
// an account's on the server, which takes over what the browser kept.

import type { HandOver, PlayerRating, PuzzleProgress } from '../api/generated/http';

/** One first try at a puzzle. */
export interface Tried {
  readonly id: string;
  readonly book: string;
  readonly solved: boolean;
  /** The rating after it. */
  readonly rating: number;
  readonly day: string;
  /** The puzzle of that day. */
  readonly daily?: boolean;
}

export interface Progress {
  readonly ratings: Readonly<Record<string, PlayerRating>>;
  readonly tried: readonly Tried[];
  readonly bestStreak: number;
  readonly bestRound: number;
}

interface Memory {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

const STORED_AS = 'meldroom.puzzles';
/** So many tries are kept; older ones are forgotten first. */
export const MOST_TRIED = 3000;

export const NOTHING: Progress = { ratings: {}, tried: [], bestStreak: 0, bestRound: 0 };

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isTried = (value: unknown): value is Tried =>
  isRecord(value) && typeof value.id === 'string' && typeof value.book === 'string' && typeof value.solved === 'boolean' && typeof value.day === 'string' && Number.isFinite(value.rating);
const isRating = (value: unknown): value is PlayerRating =>
  isRecord(value) && ['rating', 'deviation', 'volatility', 'attempts', 'day'].every((name) => Number.isFinite(value[name]));
const count = (value: unknown): number => (Number.isInteger(value) && (value as number) > 0 ? (value as number) : 0);

/** What is remembered; whatever cannot be read counts as nothing. */
export function remembered(memory: Memory): Progress {
  try {
    const read: unknown = JSON.parse(memory.getItem(STORED_AS) ?? 'null');
    if (!isRecord(read)) return NOTHING;
    const ratings = isRecord(read.ratings) ? Object.entries(read.ratings).filter((entry): entry is [string, PlayerRating] => isRating(entry[1])) : [];
    return {
      ratings: Object.fromEntries(ratings),
      tried: Array.isArray(read.tried) ? read.tried.filter(isTried).slice(-MOST_TRIED) : [],
      bestStreak: count(read.bestStreak),
      bestRound: count(read.bestRound),
    };
  } catch {
    return NOTHING;
  }
}

/** How the server keeps it. */
export function ofAccount(kept: PuzzleProgress): Progress {
  return { ratings: kept.ratings, tried: kept.tried, bestStreak: kept.best_streak, bestRound: kept.best_round };
}

/** So many tries go over at once. */
const AT_ONCE = 500;

/** What a guest's progress is handed over as, in pieces; none if there is nothing. */
export function handOvers(progress: Progress): HandOver[] {
  const tried = progress.tried.map(({ id, solved, day }) => ({ id, solved, day }));
  const pieces = Array.from({ length: Math.ceil(tried.length / AT_ONCE) }, (_, index) => tried.slice(AT_ONCE * index, AT_ONCE * (index + 1)));
  if (pieces.length === 0 && !progress.bestStreak && !progress.bestRound) return [];
  const [first = [], ...rest] = pieces;
  return [{ tried: first, best_streak: Math.min(50, progress.bestStreak), best_round: Math.min(40, progress.bestRound) }, ...rest.map((piece) => ({ tried: piece }))];
}

/** How many days in a row, up to today or yesterday, had their puzzle solved. */
export function daysInARow(tried: readonly Tried[], today: Date): number {
  const solved = new Set(tried.filter((each) => each.daily && each.solved).map((each) => each.day));
  const before = (days: number): string => dayOf(new Date(today.getFullYear(), today.getMonth(), today.getDate() - days));
  const start = solved.has(before(0)) ? 0 : 1;
  let count = 0;
  while (solved.has(before(start + count))) count += 1;
  return count;
}

export function remember(memory: Memory, progress: Progress): void {
  try {
    memory.setItem(STORED_AS, JSON.stringify(progress));
  } catch {
    // Without storage the progress lasts as long as the page.
  }
}

/** True if a puzzle was tried before: only the first try counts. */
export const wasTried = (progress: Progress, id: string): boolean => progress.tried.some((each) => each.id === id);

/** The progress after a try, which counts only if it is the first. */
export function afterTry(progress: Progress, tried: Tried, player: PlayerRating): Progress {
  if (wasTried(progress, tried.id)) return progress;
  return {
    ...progress,
    ratings: { ...progress.ratings, [tried.book]: player },
    tried: [...progress.tried, tried].slice(-MOST_TRIED),
  };
}

/** The rating that puzzles are chosen by: the book's, or the mean of all, or that of a newcomer. */
export function ratingFor(progress: Progress, book: string | null): number {
  const own = book === null ? undefined : progress.ratings[book];
  if (own) return own.rating;
  const all = Object.values(progress.ratings).map(({ rating }) => rating);
  return all.length > 0 ? all.reduce((sum, rating) => sum + rating, 0) / all.length : 1500;
}

/** A day as the calendar at hand has it: 2026-12-24. */
export function dayOf(date: Date): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Days since 1970 of the calendar at hand. */
export const dayNumber = (date: Date): number => Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000);

/** Points of a curve in a box of 100 by 100, from the first to the last. */
export function curve(ratings: readonly number[]): string {
  if (ratings.length < 2) return '';
  const low = Math.min(...ratings);
  const range = Math.max(...ratings) - low || 1;
  return ratings
    .map((rating, index) => `${((100 * index) / (ratings.length - 1)).toFixed(1)},${(100 - (100 * (rating - low)) / range).toFixed(1)}`)
    .join(' ');
}
