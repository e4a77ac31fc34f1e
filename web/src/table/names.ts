// What a tile is called, in the words of its book: "red 7", « 7 rouge ».

import type { Colour, Language } from '../lib/protocol';
import { JOKER, parseFace } from './faces';

const JOKER_NAME: Record<Language, string> = { en: 'joker', fr: 'joker' };
const HIDDEN_NAME: Record<Language, string> = { en: 'face-down tile', fr: 'tuile cachée' };

/** The name of a face for people who hear it, or read it in a sentence. */
export function tileName(face: string, colours: readonly Colour[], language: Language): string {
  if (face === JOKER) return JOKER_NAME[language];
  const read = parseFace(face);
  if (read === null) return HIDDEN_NAME[language];
  const colour = colours.find((one) => one.letter === read.colour)?.name ?? read.colour;
  return language === 'fr' ? `${read.number} ${colour}` : `${colour} ${read.number}`;
}

/** Several tiles in a sentence: "red 7, blue 7, joker". */
export function tileNames(faces: readonly string[], colours: readonly Colour[], language: Language): string {
  return faces.map((face) => tileName(face, colours, language)).join(', ');
}

/** A score as people write it: +91, −14, 0. */
export function signed(score: number): string {
  return score > 0 ? `+${score}` : score < 0 ? `−${-score}` : '0';
}
