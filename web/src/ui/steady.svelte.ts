/** Lists that change by themselves, and hold still while somebody points at one of their links or buttons. */
import { untrack } from 'svelte';

const LOOK_AGAIN = 250;

export interface Steady<Value> {
  readonly value: Value | null;
  /** What comes next is one's own doing: show it at once. */
  expect(): void;
}

/** Whether a mouse is on a link or a button in a place, or the keyboard has moved to one. */
function isPointedAt(place: HTMLElement | undefined): boolean {
  // On a touch screen whatever was tapped last counts as under the pointer.
  const states = matchMedia('(hover: hover)').matches ? ':hover, :focus-visible' : ':focus-visible';
  return Boolean(place?.querySelector(`:is(a, button):is(${states})`));
}

/**
 * What to show of something that changes: the latest, but not while it is pointed at in its place. `merge` may keep
 * things where they were. Call it while a component is being made.
 */
export function steady<Value>(
  latest: () => Value | null,
  place: () => HTMLElement | undefined,
  merge: (before: Value, now: Value) => Value = (_, now) => now,
): Steady<Value> {
  let shown: Value | null = $state.raw(null);
  let expected = false;

  $effect(() => {
    const next = latest();
    return untrack(() => {
      const show = (): void => {
        expected = false;
        shown = shown === null || next === null ? next : merge(shown, next);
      };
      const mayShow = (): boolean => expected || shown === null || !isPointedAt(place());
      if (mayShow()) {
        show();
        return undefined;
      }
      const timer = setInterval(() => {
        if (!mayShow()) return;
        clearInterval(timer);
        show();
      }, LOOK_AGAIN);
      return () => clearInterval(timer);
    });
  });

  return {
    get value() {
      return shown;
    },
    expect() {
      expected = true;
    },
  };
}

/** Things that were there before stay in their order; new ones come last. */
export function inPlace<Item>(before: readonly Item[], now: readonly Item[], id: (item: Item) => string): Item[] {
  const found = new Map(now.map((item) => [id(item), item]));
  const old = before.flatMap((item) => found.get(id(item)) ?? []);
  const known = new Set(old.map(id));
  return [...old, ...now.filter((item) => !known.has(id(item)))];
}
