// Which tiles lie open to a player, and which are still hidden: what their own view shows, and nothing else.

import { t } from '../../locales/table';
import { colourLetters, highestNumber, JOKER, parseFace } from '../../ui/tiles/faces';
import { tileName } from '../../ui/tiles/tile-names';
import type { Position } from '../model/position-model.svelte';

/** A face: how many of its tiles there are, and how many of them one has in sight. */
export interface Sight {
  readonly face: string;
  readonly copies: number;
  readonly seen: number;
}

/** The faces of a colour in order, or all jokers. */
export interface SightRow {
  /** The letter of the colour; empty for jokers. */
  readonly colour: string;
  readonly name: string;
  readonly faces: readonly Sight[];
}

type Seeing = Pick<Position, 'game' | 'book'>;

/** Every face of the box by colour, jokers last. */
export function sights({ game, book }: Seeing): readonly SightRow[] {
  const open = game === null ? [] : [...game.rack, ...game.discards, ...game.table.flat(), ...game.melds.flatMap((meld) => meld.tiles)];
  const count = (faces: readonly (string | undefined)[], face: string): number => faces.filter((one) => one === face).length;
  const seen = [...new Set(open)].map((tile) => book.tiles[tile]);
  const sight = (face: string): Sight => ({ face, copies: count(book.tiles, face), seen: count(seen, face) });
  const numbers = Array.from({ length: highestNumber(book.tiles) }, (_, index) => index + 1);
  const rows = colourLetters(book.tiles).map((colour) => ({
    colour,
    name: book.colours.find((one) => one.letter === colour)?.name ?? colour,
    faces: numbers.map((number) => sight(`${colour}${number}`)),
  }));
  const jokers = sight(JOKER);
  return jokers.copies === 0 ? rows : [...rows, { colour: '', name: t('seen.jokers'), faces: [jokers] }];
}

export function hiddenCount(rows: readonly SightRow[]): number {
  return rows.flatMap((row) => row.faces).reduce((sum, { copies, seen }) => sum + copies - seen, 0);
}

/** A row for those who hear it: "red, hidden: 1, 1, 4". */
export function rowInWords(row: SightRow): string {
  const left = row.faces.flatMap(({ face, copies, seen }) => Array.from({ length: copies - seen }, () => parseFace(face)?.number ?? tileName(face, [])));
  if (left.length === 0) return t('seen.row.none', { colour: row.name });
  return row.colour === '' ? t('seen.row.jokers', { count: left.length }) : t('seen.row', { colour: row.name, numbers: left.join(', ') });
}

/** Everything in words: how many tiles are hidden, and which. */
export function hiddenInWords(seeing: Seeing): string[] {
  const rows = sights(seeing);
  return [t('seen.hidden', { count: hiddenCount(rows) }), ...rows.map(rowInWords)];
}
