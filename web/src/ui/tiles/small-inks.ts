// Inks for small tiles: what is a pleasant colour on a large tile can be too pale to read on a small one.

import { inkStyle } from './inks';
import type { BookCard } from '../../api/generated/http';

const IVORY = '#fbf6e9';
/** A little more than the 4.5 that small text needs. */
const NEEDED = 4.6;

function channels(hex: string): [number, number, number] {
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as [number, number, number];
}

function luminance(hex: string): number {
  const [r, g, b] = channels(hex).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast of two colours, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** The same colour, as much darker as it takes to be read on ivory. */
export function legible(ink: string): string {
  let colour = ink;
  for (let part = 0.96; contrast(colour, IVORY) < NEEDED && part > 0; part -= 0.04) {
    const scaled = channels(ink).map((value) => Math.round(value * part));
    colour = `#${scaled.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
  }
  return colour;
}

/** The inks of a book for small tiles, as custom properties for a style attribute. */
export function smallInks(book: Pick<BookCard, 'colours'>): string {
  return inkStyle(book).replace(/#[0-9a-f]{6}\b/gi, legible);
}
