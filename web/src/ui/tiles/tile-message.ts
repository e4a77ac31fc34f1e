// Sentences with tiles in them. The server sends them in parts; here they are put together, cut and put in words.

import type { TilePart } from '../../api/generated/live';

export type Part = string | TilePart;
export type Parts = readonly Part[];

const [FIRST, LAST] = ['\u0002', '\u0003'];
const MARKED = new RegExp(`${FIRST}([^${LAST}]*)${LAST}`, 'g');

/** Tiles as a value of a message: `partsOf(t('key', { tiles: marked(['R4', 'R5']) }))`. */
export function marked(faces: readonly string[]): string {
  return `${FIRST}${faces.join(' ')}${LAST}`;
}

/** The parts of a text whose tiles are marked. */
export function partsOf(text: string): Part[] {
  const found: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKED)) {
    if (match.index > end) found.push(text.slice(end, match.index));
    found.push({ tiles: (match[1] ?? '').split(' ').filter((face) => face !== '') });
    end = match.index + match[0].length;
  }
  if (end < text.length) found.push(text.slice(end));
  return found;
}

/** A sentence in words alone, for a live region; `name` says what tiles are called. */
export function inWords(parts: Parts, name: (tiles: readonly string[]) => string): string {
  return parts.map((part) => (typeof part === 'string' ? part : name(part.tiles))).join('');
}

/** The same with tiles that somebody may not know as question marks. */
export function hidden(parts: Parts): Part[] {
  return parts.map((part) => (typeof part === 'string' ? part : { tiles: part.tiles.map(() => '?') }));
}

interface TellingStep {
  readonly seat: number | null;
  readonly kind: string;
  readonly parts: Parts;
  readonly changed: readonly number[];
}

/** The sentence of a step with one player's eyes: what somebody else draws stays unknown. */
export function partsSeen(step: TellingStep, openDiscards: readonly number[], seat: number | null): Parts {
  if (seat === null || step.seat === null || step.seat === seat) return step.parts;
  const drawn = step.kind === 'drew' || step.kind === 'penalised' || step.kind === 'took';
  return drawn && !step.changed.some((tile) => openDiscards.includes(tile)) ? hidden(step.parts) : step.parts;
}
