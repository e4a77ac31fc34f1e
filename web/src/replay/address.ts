// Which step of a game is looked at, and with whose eyes; both stand in the page's address, so that it can be shared.

export interface ReplayPlace {
  /** Counted from 0, the deal. */
  readonly step: number;
  /** The seat whose eyes one looks with, counted from 0 as everywhere; null sees all racks. */
  readonly seat: number | null;
}

/** The place an address means: `?step=17&seat=2`. Strange values count as none. */
export function readPlace(query: string, steps: number, seats: number): ReplayPlace {
  const given = new URLSearchParams(query);
  const step = clamp(whole(given.get('step')) ?? 0, steps);
  return { step, seat: given.get('tab') === 'analysis' ? null : seatIn(given, seats) };
}

/** The seat whose turns an address wants analysed, `?tab=analysis&seat=0`; undefined if it asks for no analysis. */
export function readAnalysis(query: string, seats: number): number | null | undefined {
  const given = new URLSearchParams(query);
  return given.get('tab') === 'analysis' ? seatIn(given, seats) : undefined;
}

function seatIn(given: URLSearchParams, seats: number): number | null {
  const seat = whole(given.get('seat'));
  return seat !== null && seat < seats ? seat : null;
}

/** The part of the address that says a place; the beginning needs none. */
export function writePlace({ step, seat }: ReplayPlace): string {
  const parts = new URLSearchParams();
  if (step > 0) parts.set('step', String(step));
  if (seat !== null) parts.set('seat', String(seat));
  const text = parts.toString();
  return text === '' ? '' : `?${text}`;
}

/** A number of a step that exists. */
export function clamp(step: number, steps: number): number {
  return Math.max(0, Math.min(step, steps - 1));
}

function whole(text: string | null): number | null {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

export type ReplayIntent = 'next' | 'previous' | 'first' | 'last' | 'play';

const KEYS: Readonly<Record<string, ReplayIntent>> = {
  ArrowRight: 'next',
  ArrowLeft: 'previous',
  Home: 'first',
  End: 'last',
  ' ': 'play',
};

interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** What a key asks for, when the thing it was pressed on has no use for it itself. */
export function intentOf(pressed: Pressed, element: string): ReplayIntent | null {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return null;
  const wanted = KEYS[pressed.key] ?? null;
  if (['INPUT', 'SELECT', 'TEXTAREA'].includes(element)) return null;
  // The space bar presses a button and follows nothing else.
  if (wanted === 'play' && ['BUTTON', 'A', 'SUMMARY'].includes(element)) return null;
  return wanted;
}

/** The step an intent leads to. */
export function stepAfter(intent: ReplayIntent, step: number, steps: number): number {
  switch (intent) {
    case 'next':
      return clamp(step + 1, steps);
    case 'previous':
      return clamp(step - 1, steps);
    case 'first':
      return 0;
    case 'last':
      return steps - 1;
    case 'play':
      return step;
  }
}

/** How long a step is shown while the replay plays by itself, by speed. */
export const SPEEDS = [0.5, 1, 2, 4] as const;
export type Speed = (typeof SPEEDS)[number];

export function pause(speed: Speed): number {
  return Math.round(1500 / speed);
}
