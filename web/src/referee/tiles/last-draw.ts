/** What is known of the last turn of somebody who never opened (R65). */
import type { Rack } from '../../api/generated/http';

export interface LastDrawAnswer {
  drawn: string[];
  /** Where no tile is named; empty until it is answered. */
  lastDraw: '' | 'nothing' | 'unknown';
  /** What the referee decides where it is not known, and why. */
  couldOpen: boolean | null;
  why: string;
}

export const unanswered = (): LastDrawAnswer => ({ drawn: [], lastDraw: '', couldOpen: null, why: '' });

export function isAnswered({ drawn, lastDraw, couldOpen, why }: LastDrawAnswer, reasoned = false): boolean {
  if (drawn.length || lastDraw === 'nothing') return true;
  return lastDraw === 'unknown' && couldOpen !== null && (!reasoned || why.trim() !== '');
}

/** As it is sent with a rack. */
export function answerOf({ drawn, lastDraw, couldOpen, why }: LastDrawAnswer): Pick<Rack, 'drawn_in_last_turn' | 'last_draw' | 'could_open' | 'why'> {
  if (drawn.length) return { drawn_in_last_turn: drawn };
  if (lastDraw !== 'unknown') return lastDraw ? { last_draw: lastDraw } : {};
  return { last_draw: lastDraw, ...(couldOpen !== null && { could_open: couldOpen }), ...(why.trim() && { why: why.trim() }) };
}

/** As it was written down. */
export const answerIn = (rack: Rack): LastDrawAnswer => ({
  drawn: rack.drawn_in_last_turn ?? [],
  lastDraw: rack.last_draw ?? '',
  couldOpen: rack.could_open ?? null,
  why: rack.why ?? '',
});
