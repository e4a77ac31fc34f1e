/** What tiles are called in the words of their book. */
import { bookCard } from '../../api/catalogue.svelte';
import { t } from '../../locales/referee';
import { tileName as nameOfFace } from '../../ui/tiles/tile-names';
import { pieces } from '../../ui/tiles/tile-text';

const COLOURS = { K: 'colour.K', R: 'colour.R', B: 'colour.B', O: 'colour.O' } as const;

/** A tile read aloud, also without the catalogue. */
export function tileName(tile: string, book?: string): string {
  const colours = bookCard(book ?? '')?.colours ?? Object.entries(COLOURS).map(([letter, key]) => ({ letter, name: t(key) }));
  return nameOfFace(tile, colours);
}

/** Some tiles in words: "red 7, blue 7, joker". */
export const namesOf = (tiles: readonly string[], book?: string): string => tiles.map((tile) => tileName(tile, book)).join(', ');

/** A sentence with its tiles in words: "K7 is missing" is "black 7 is missing". */
export function inWords(text: string, book: { id: string; tiles: readonly string[] }): string {
  const found = pieces(text, new Set(book.tiles));
  return found
    .map(({ text: part, face }, place) => {
      if (face !== null) return tileName(face, book.id);
      // Between two tiles a space is not enough once each is two words.
      return part === ' ' && place > 0 && found[place + 1]?.face ? ', ' : part;
    })
    .join('');
}
