/** Lists that change by themselves, and hold still while somebody points at one of their links or buttons. */

const LOOK_AGAIN = 250;

/** Whether a mouse is on a link or a button in a place, or the keyboard has moved to one. */
export function isPointedAt(place: HTMLElement | undefined): boolean {
  // On a touch screen whatever was tapped last counts as under the pointer.
  const states = matchMedia('(hover: hover)').matches ? ':hover, :focus-visible' : ':focus-visible';
  return Boolean(place?.querySelector(`:is(a, button):is(${states})`));
}

/** Shows the latest of something, but not while it is `held`. `merge` may keep things where they were. */
export class Holding<Value> {
  private shown: Value | null = null;
  private expected = false;
  private timer: ReturnType<typeof setInterval> | null = null;

  constructor(
    private readonly held: () => boolean,
    private readonly merge: (before: Value, now: Value) => Value,
    private readonly show: (value: Value | null) => void,
  ) {}

  /** There is a later one. */
  come(next: Value | null): void {
    this.stop();
    if (this.showIfFree(next)) return;
    this.timer = setInterval(() => {
      if (this.showIfFree(next)) this.stop();
    }, LOOK_AGAIN);
  }

  /** What comes next is one's own doing: show it at once. */
  expect(): void {
    this.expected = true;
  }

  /** Wait no longer. */
  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  private showIfFree(next: Value | null): boolean {
    if (!this.expected && this.shown !== null && this.held()) return false;
    this.expected = false;
    this.shown = this.shown === null || next === null ? next : this.merge(this.shown, next);
    this.show(this.shown);
    return true;
  }
}

/** Things that were there before stay in their order; new ones come last. */
export function inPlace<Item>(before: readonly Item[], now: readonly Item[], id: (item: Item) => string): Item[] {
  const found = new Map(now.map((item) => [id(item), item]));
  const old = before.flatMap((item) => found.get(id(item)) ?? []);
  const known = new Set(old.map(id));
  return [...old, ...now.filter((item) => !known.has(id(item)))];
}
