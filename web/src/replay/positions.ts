// Positions as text: one to begin with for each book, and where a mistake in one stands.

const REARRANGING = 'table R3 R4 R5 R6 | K9 R9 O9 | B5 B6 B7 / racks R7 B9 K8 O8 B8 K1, ?x9 / pool 60 / turn 1 / melded 1 2';

/** A position worth solving, for each book. */
export const EXAMPLES: Readonly<Record<string, string>> = {
  wrc9: REARRANGING,
  wrc11: REARRANGING,
  nzrc2024: REARRANGING,
  tml: REARRANGING,
  rummyo:
    'melds 1: R10 R11 R12 | 2: K9 R9 O9 / racks R13 B9 K4 K5 K6 O2, ?x7 / pool 48 / turn 1 play / melded 1 2 / discards B3',
};

/** A text without its first part, the book, which has a field of its own; options stay with it. */
export function withoutBook(text: string): string {
  return text.replace(/^\s*[a-z0-9_-]+@[^\s/]+\s*\/\s*/i, '');
}

export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The word of a text that an error's place means: "column 12". */
export function tokenAt(text: string, place: string): Token | null {
  const column = /^column (\d{1,6})$/.exec(place);
  if (column === null) return null;
  const start = Number(column[1]) - 1;
  const word = /^[^\s,|/]+/.exec(text.slice(start));
  return word === null ? null : { text: word[0], start, end: start + word[0].length };
}
