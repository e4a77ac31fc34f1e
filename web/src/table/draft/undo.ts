// Undo and redo of values, until the turn is declared.

export interface History<T> {
  readonly past: readonly T[];
  readonly now: T;
  readonly future: readonly T[];
}

/** A history that begins with a value. */
export function since<T>(now: T): History<T> {
  return { past: [], now, future: [] };
}

/** With another value as the present one; what was undone is forgotten. */
export function changed<T>(history: History<T>, now: T): History<T> {
  return now === history.now ? history : { past: [...history.past, history.now], now, future: [] };
}

/** One step back, or the same history if there is none. */
export function undone<T>(history: History<T>): History<T> {
  const last = history.past[history.past.length - 1];
  if (last === undefined) return history;
  return { past: history.past.slice(0, -1), now: last, future: [history.now, ...history.future] };
}

/** One step forward again, or the same history if there is none. */
export function redone<T>(history: History<T>): History<T> {
  const next = history.future[0];
  if (next === undefined) return history;
  return { past: [...history.past, history.now], now: next, future: history.future.slice(1) };
}
