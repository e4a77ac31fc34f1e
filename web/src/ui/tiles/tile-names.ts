// What a tile is called, in the words of its book: "red 7", « 7 rouge ».

import type { Colour } from '../../api/generated/http';
import { t } from '../../locales/shell';
import { JOKER, parseFace } from './faces';

/** The name of a face for people who hear it, or read it in a sentence. */
export function tileName(face: string, colours: readonly Pick<Colour, 'letter' | 'name'>[]): string {
  if (face === JOKER) return t('tile.joker');
  const read = parseFace(face);
  if (read === null) return t('tile.hidden');
  const colour = colours.find((one) => one.letter === read.colour)?.name ?? read.colour;
  return t('tile.name', { colour, number: read.number });
}

/** Several tiles in a sentence: "red 7, blue 7, joker". */
export function tileNames(faces: readonly string[], colours: readonly Pick<Colour, 'letter' | 'name'>[]): string {
  return faces.map((face) => tileName(face, colours)).join(', ');
}

/** A set in a sentence, a run by its ends: "red 1 to 4", "black 9, red 9, orange 9". */
export function setName(faces: readonly string[], colours: readonly Pick<Colour, 'letter' | 'name'>[]): string {
  const read = faces.map(parseFace);
  const [first] = read;
  const run = faces.length >= 3 && read.every((face, place) => first && face?.colour === first.colour && face.number === first.number + place);
  if (!run || !first) return tileNames(faces, colours);
  const colour = colours.find((one) => one.letter === first.colour)?.name ?? first.colour;
  return t('tile.run', { colour, low: first.number, high: first.number + faces.length - 1 });
}
