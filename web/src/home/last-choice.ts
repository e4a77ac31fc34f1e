/** What somebody chose last on the landing page, so that the next game is one click away. */
import { DEFAULT_LEVEL } from '../api/catalogue.svelte';

export interface PlayChoice {
  book: string;
  opponents: number;
  level: string;
  clock: boolean;
}

const STORED_AS = 'meldroom.play';
const FIRST: PlayChoice = { book: 'wrc11', opponents: 1, level: DEFAULT_LEVEL, clock: false };

export function lastChoice(): PlayChoice {
  try {
    const stored = JSON.parse(localStorage.getItem(STORED_AS) ?? '{}') as Partial<PlayChoice>;
    return {
      book: typeof stored.book === 'string' ? stored.book : FIRST.book,
      opponents: [1, 2, 3].includes(stored.opponents ?? 0) ? (stored.opponents as number) : FIRST.opponents,
      level: typeof stored.level === 'string' ? stored.level : FIRST.level,
      clock: stored.clock === true,
    };
  } catch {
    return { ...FIRST };
  }
}

export function keepChoice(choice: PlayChoice): void {
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(choice));
  } catch {
    // It is only a convenience.
  }
}
