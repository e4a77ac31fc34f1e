// The lessons in order: where one begins, what is to be done, and one way to do it. The words are elsewhere.

import type { Outcome } from '../api/generated/live';
import list from './lessons.json';

export type Goal =
  | { readonly kind: 'lay'; readonly tiles: readonly string[] }
  | { readonly kind: 'refused'; readonly code: string; readonly tiles: readonly string[] }
  | { readonly kind: 'draw'; readonly tile: string }
  | { readonly kind: 'take'; readonly source: 'stock' | 'discard' }
  | { readonly kind: 'play'; readonly outcomes: readonly Outcome[] };

export const LESSON_IDS = [
  'group',
  'run',
  'refused',
  'opening',
  'draw',
  'add',
  'split',
  'rearrange',
  'joker',
  'out',
  'take',
  'board',
  'layoff',
] as const;
export type LessonId = (typeof LESSON_IDS)[number];
export type Chapter = 'first' | 'rummyo';

/** What the others hold when the game ends. */
export interface Other {
  readonly name: string;
  readonly rack: readonly string[];
  readonly score: number;
}

export interface Lesson {
  readonly id: LessonId;
  readonly chapter: Chapter;
  readonly book: string;
  readonly table: readonly (readonly string[])[];
  /** Rummy-O: before whom each meld lies; 0 is the learner. */
  readonly owners?: readonly number[];
  readonly rack: readonly string[];
  readonly melded: boolean;
  readonly discards?: readonly string[];
  readonly goal: Goal;
  readonly solution: readonly (readonly string[])[] | null;
  readonly discard?: string;
  readonly others?: readonly Other[];
  readonly score?: number;
}

export const LESSONS = list as unknown as readonly Lesson[];

/** The lessons of a chapter. */
export const chapter = (name: Chapter): readonly Lesson[] => LESSONS.filter((lesson) => lesson.chapter === name);

const STORED_AS = 'meldroom.tutorial';

interface Memory {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** The lessons somebody has finished in this browser; whatever cannot be read counts as none. */
export function finishedLessons(memory: Memory): ReadonlySet<LessonId> {
  try {
    const read: unknown = JSON.parse(memory.getItem(STORED_AS) ?? '[]');
    return new Set(Array.isArray(read) ? LESSON_IDS.filter((id) => read.includes(id)) : []);
  } catch {
    return new Set();
  }
}

export function rememberFinished(memory: Memory, finished: ReadonlySet<LessonId>): void {
  try {
    memory.setItem(STORED_AS, JSON.stringify([...finished]));
  } catch {
    // Without storage the progress lasts as long as the page.
  }
}
