/** The turn clock of a table: pure steps on a state that survives a reload. Times are milliseconds. */

export interface Turn {
  game: number;
  seat: number;
  /** Counted from 1 in each game. */
  turn: number;
  /** What this turn has in all, extra time included; 0 where the book has no clock. */
  length: number;
  /** When it runs out, while it runs. */
  endsAt: number | null;
  /** What is left, while it stands still. */
  left: number;
  /** Why it stands still; empty while it runs. */
  paused: string;
  /** The end has been told. */
  expired: boolean;
  /** The turn before, for a wrong tap. */
  before: Omit<Turn, 'before'> | null;
}

/** A player's turn begins. */
export function begin(game: number, seat: number, turn: number, length: number, now: number, last?: Turn): Turn {
  const before = last && last.game === game ? stripped(stopped(last, now)) : null;
  return { game, seat, turn, length, endsAt: now + length, left: length, paused: '', expired: false, before };
}

const stripped = ({ before: _, ...rest }: Turn): Omit<Turn, 'before'> => rest;
const stopped = (turn: Turn, now: number): Turn => ({ ...turn, left: leftOf(turn, now), endsAt: null });

/** What is left of a turn; never less than nothing. */
export function leftOf(turn: Turn, now: number): number {
  return Math.max(0, turn.endsAt === null ? turn.left : turn.endsAt - now);
}

export function pause(turn: Turn, why: string, now: number): Turn {
  return { ...stopped(turn, now), paused: why };
}

export function goOn(turn: Turn, now: number): Turn {
  return { ...turn, endsAt: now + turn.left, paused: '' };
}

export function addTime(turn: Turn, more: number, now: number): Turn {
  const left = leftOf(turn, now) + more;
  const running = turn.endsAt !== null;
  return { ...turn, length: turn.length + more, left, endsAt: running ? now + left : null, expired: false };
}

/** The turn before goes on where it was: somebody tapped by mistake. */
export function takeBack(turn: Turn, now: number): Turn {
  if (!turn.before) return turn;
  const again = { ...turn.before, before: null, paused: '' };
  return { ...again, endsAt: now + again.left };
}

/** The turn after time has passed that this device's clock did not see. */
export function later(turn: Turn, passed: number): Turn {
  return turn.endsAt === null ? turn : { ...turn, endsAt: turn.endsAt - passed };
}

/** When something was kept, by every clock there is: its own, the wall's, and the server's if it was known. */
export interface Moment {
  own: number;
  wall: number;
  server: number | null;
  clock: string;
}

/** What has passed since a moment: by the server's clock if it is still the same one, else by the wall's. */
export function passedSince(kept: Moment, now: Moment): number {
  const told = kept.server !== null && now.server !== null && kept.clock === now.clock;
  return Math.max(0, told ? now.server! - kept.server! : now.wall - kept.wall);
}

/** A turn from another page's time: what was left then, less what has passed. */
export function resumed(turn: Turn, kept: Moment, now: Moment): Turn {
  return turn.endsAt === null ? turn : { ...turn, endsAt: now.own + (turn.endsAt - kept.own) - passedSince(kept, now) };
}

/** The next seat that plays, clockwise. */
export function nextSeat(seat: number, playing: readonly number[]): number {
  return playing.find((one) => one > seat) ?? playing[0] ?? seat;
}

export type Mood = 'calm' | 'soon' | 'hurry' | 'out';

/** How urgent it is: at 10 and at 5 seconds the colour changes. */
export function moodOf(left: number, length: number): Mood {
  if (!length) return 'calm';
  if (left <= 0) return 'out';
  if (left <= 5000) return 'hurry';
  return left <= 10_000 ? 'soon' : 'calm';
}

/** Which warnings lie between two looks at the clock, so that a slow device misses none. */
export function warnings(before: number, after: number): Mood[] {
  const marks: [number, Mood][] = [
    [10_000, 'soon'],
    [5000, 'hurry'],
    [0, 'out'],
  ];
  return marks.filter(([mark]) => before > mark && after <= mark).map(([, mood]) => mood);
}

/** Minutes and seconds, the last begun second counted. */
export function clockText(left: number): string {
  const seconds = Math.ceil(left / 1000);
  return seconds < 60 ? String(seconds) : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
