// What the keys of the table mean, and where the arrows lead. Knows neither tiles nor rules.

export type Direction = 'left' | 'right' | 'up' | 'down' | 'first' | 'last';

export type Intent =
  | { readonly do: 'go'; readonly to: Direction }
  | { readonly do: 'shift' | 'space'; readonly step: -1 | 1 }
  | {
      readonly do:
        | 'select'
        | 'select_set'
        | 'put'
        | 'new_set'
        | 'take_back'
        | 'split'
        | 'undo'
        | 'redo'
        | 'reset'
        | 'draw'
        | 'take_discard'
        | 'discard'
        | 'pass'
        | 'done'
        | 'hint'
        | 'sort_runs'
        | 'sort_groups'
        | 'keys'
        | 'cancel';
    };

export interface Key {
  readonly key: string;
  readonly ctrlKey?: boolean;
  readonly metaKey?: boolean;
  readonly altKey?: boolean;
  readonly shiftKey?: boolean;
}

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'first',
  End: 'last',
};

const LETTERS = {
  ' ': 'select',
  a: 'select_set',
  Enter: 'put',
  n: 'new_set',
  Backspace: 'take_back',
  Delete: 'take_back',
  b: 'split',
  u: 'undo',
  r: 'redo',
  x: 'reset',
  d: 'draw',
  t: 'take_discard',
  f: 'discard',
  p: 'pass',
  h: 'hint',
  s: 'sort_runs',
  g: 'sort_groups',
  '?': 'keys',
  Escape: 'cancel',
} as const;

/** What a key asks for; null if it is none of the table's, so that the browser keeps its own. */
export function intentOf(key: Key): Intent | null {
  const command = key.ctrlKey === true || key.metaKey === true;
  if (key.altKey === true) return null;
  if (command) {
    if (key.key === 'Enter') return { do: 'done' };
    if (key.key.toLowerCase() === 'z') return { do: key.shiftKey === true ? 'redo' : 'undo' };
    return key.key.toLowerCase() === 'y' ? { do: 'redo' } : null;
  }
  const to = ARROWS[key.key];
  if (to !== undefined) {
    if (key.shiftKey === true && (to === 'left' || to === 'right')) return { do: 'shift', step: to === 'left' ? -1 : 1 };
    return { do: 'go', to };
  }
  if (key.key === '+' || key.key === '=') return { do: 'space', step: 1 };
  if (key.key === '-') return { do: 'space', step: -1 };
  const name = key.key.length === 1 ? key.key.toLowerCase() : key.key;
  return name in LETTERS ? { do: LETTERS[name as keyof typeof LETTERS] } : null;
}

/** A place that can have the focus: which part of the table it belongs to, and where it is on the screen. */
export interface Spot {
  readonly zone: string;
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

/** The place an arrow leads to: along its own part of the table sideways, to the nearest row up and down. */
export function target(spots: readonly Spot[], from: number, direction: Direction): number {
  const here = spots[from];
  if (here === undefined) return from;
  const own = spots.flatMap((spot, index) => (spot.zone === here.zone ? [index] : []));
  const place = own.indexOf(from);
  switch (direction) {
    case 'left':
      return own[place - 1] ?? from;
    case 'right':
      return own[place + 1] ?? from;
    case 'first':
      return own[0] ?? from;
    case 'last':
      return own[own.length - 1] ?? from;
    case 'up':
    case 'down':
      return nearestRow(spots, from, here, direction === 'up' ? -1 : 1);
  }
}

function nearestRow(spots: readonly Spot[], from: number, here: Spot, sign: -1 | 1): number {
  const away = (spot: Spot): number => (spot.y - here.y) * sign;
  const beyond = spots.map(away).filter((distance) => distance > here.height / 2);
  const row = Math.min(...beyond);
  let best = from;
  let least = Infinity;
  spots.forEach((spot, index) => {
    const off = Math.abs(spot.x - here.x);
    if (Math.abs(away(spot) - row) <= here.height / 2 && away(spot) > here.height / 2 && off < least) {
      [best, least] = [index, off];
    }
  });
  return best;
}
