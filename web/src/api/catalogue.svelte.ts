/** The books and the levels of bots, asked once for each language and kept. */
import { api } from './http';
import type { BookCard, Catalogue, LevelCard } from './generated/http';
import { settings } from '../ui/settings.svelte';

const asked = new Map<string, Promise<Catalogue>>();

/** What is there to play; `value` is null until it came, and stays in the old language until the new one came. */
export const catalogue: { value: Catalogue | null } = $state({ value: null });

/** Ask for the catalogue in the visitor's language, if that was not done before. Rejects if it did not come. */
export function ensureCatalogue(): Promise<Catalogue> {
  const { language } = settings;
  let answer = asked.get(language);
  if (!answer) {
    answer = api.catalogue(language).catch((error: unknown) => {
      asked.delete(language);
      throw error;
    });
    asked.set(language, answer);
  }
  return answer.then((value) => {
    if (settings.language === language) catalogue.value = value;
    return value;
  });
}

/** The books have changed: ask again. */
export function forgetCatalogue(): Promise<Catalogue> {
  asked.clear();
  return ensureCatalogue();
}

export function bookCard(id: string): BookCard | undefined {
  return catalogue.value?.books.find((book) => book.id === id);
}

/** The levels that differ in a book, as far as they can play here; all of them until the book is known. */
export function levelsOf(book: BookCard | undefined): readonly LevelCard[] {
  const all = catalogue.value?.levels ?? [];
  return book === undefined ? all : all.filter((level) => book.levels.includes(level.id));
}

/** The level that a list of this book has for another one that plays alike. */
export function listedAs(level: string, book: BookCard | undefined): string {
  return book?.plays_as[level] ?? level;
}

/** How a level thinks in a book. */
export function thinks(level: LevelCard, book: BookCard | undefined): string {
  return book?.family === 'laying_off' ? level.thinks_laying_off : level.thinks;
}

/** What to expect of a level, as a heading: "Plays openly". */
export function expectation(level: LevelCard): string {
  return level.label.charAt(0).toUpperCase() + level.label.slice(1);
}

/** The opponent of somebody who has not chosen one; the same as `DEFAULT_LEVEL` of `meldroom.bots`. */
export const DEFAULT_LEVEL = 'regular';

export function levelCard(id: string): LevelCard | undefined {
  return catalogue.value?.levels.find((level) => level.id === id);
}
