/** What to show of a list that changes by itself: see `holding.ts`. */
import { untrack } from 'svelte';

import { Holding, isPointedAt } from './holding';

export interface Steady<Value> {
  readonly value: Value | null;
  /** What comes next is one's own doing: show it at once. */
  expect(): void;
}

/** The latest, but not while it is pointed at in its place; call it while a component is being made. */
export function steady<Value>(
  latest: () => Value | null,
  place: () => HTMLElement | undefined,
  merge: (before: Value, now: Value) => Value = (_, now) => now,
): Steady<Value> {
  let shown: Value | null = $state.raw(null);
  const holding = new Holding<Value>(
    () => isPointedAt(place()),
    merge,
    (value) => (shown = value),
  );

  $effect(() => {
    const next = latest();
    untrack(() => holding.come(next));
    return () => holding.stop();
  });

  return {
    get value() {
      return shown;
    },
    expect: () => holding.expect(),
  };
}
