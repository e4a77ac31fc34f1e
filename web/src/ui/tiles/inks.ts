/** Which ink each colour of a tile set has, and which shape stands beside it for those who see colours differently. */
import type { BookCard, Colour } from '../../api/generated/http';
import { settings, type TileTheme } from '../settings.svelte';

type Inks = Record<string, string>;

/** Themes that overrule the book's own inks; each is dark enough for ivory. */
const OVERRULED: Partial<Record<TileTheme, Inks>> = {
  classic: { K: '#1d1d1f', R: '#b3261e', B: '#1746a2', O: '#a85400' },
  mahjong: { K: '#3469cc', R: '#c42a6e', B: '#0a2a7a', O: '#5a7800' },
  distinct: { K: '#111111', R: '#b0005e', B: '#0059b3', O: '#8a5a00' },
};

const WITHOUT_A_BOOK: Inks = { K: '#1d1d1f', R: '#b3261e', B: '#1746a2', O: '#a85400' };

/** The inks of a book under the visitor's tile theme, as custom properties `--ink-K: …` for a style attribute. */
export function inkStyle(book?: Pick<BookCard, 'colours'> | null, theme: TileTheme = settings.tiles): string {
  const own: Inks = book ? Object.fromEntries(book.colours.map((colour: Colour) => [colour.letter, colour.ink])) : {};
  const inks = { ...WITHOUT_A_BOOK, ...own, ...OVERRULED[theme] };
  return Object.entries(inks)
    .map(([letter, ink]) => `--ink-${letter}: ${ink}`)
    .join('; ');
}

/** A shape a colour, drawn in a box of 16: disc, diamond, triangle, square; others share a ring. */
export const SHAPES: Record<string, string> = {
  K: 'M8 1.6a6.4 6.4 0 1 0 0 12.8a6.4 6.4 0 1 0 0-12.8z',
  R: 'M8 .6l6.2 7.4L8 15.4 1.8 8z',
  B: 'M8 1.4l7 12.8H1z',
  O: 'M2.2 2.2h11.6v11.6H2.2z',
};
export const RING = 'M8 1.6a6.4 6.4 0 1 0 0 12.8a6.4 6.4 0 1 0 0-12.8zM8 4.8a3.2 3.2 0 1 1 0 6.4a3.2 3.2 0 1 1 0-6.4z';
/** The joker: a star with five points. */
export const STAR = 'M8 .4l2.3 5 5.3.6-4 3.7 1.1 5.4L8 12.4l-4.7 2.7 1.1-5.4-4-3.7 5.3-.6z';

/** What a face says: "R10" is { letter: 'R', number: '10' }; the joker has no letter. */
export function readFace(face: string): { letter: string; number: string } {
  return face === '*' ? { letter: '', number: '' } : { letter: face.slice(0, 1), number: face.slice(1) };
}
