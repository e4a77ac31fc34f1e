// What somebody types in text mode: a verb, tiles in notation, numbers of sets. Words come from the locale, tiles go to the server.

export const VERBS = [
  'lay',
  'add',
  'move',
  'back',
  'split',
  'table',
  'discard',
  'take',
  'draw',
  'pass',
  'done',
  'undo',
  'redo',
  'reset',
  'hint',
  'odds',
  'seen',
  'takeback',
  'show',
  'rack',
  'sets',
  'players',
  'why',
  'run',
  'group',
  'redeal',
  'ready',
  'resign',
  'yes',
  'no',
  'help',
] as const;

const HELP = ['help.lay', 'help.add', 'help.move', 'help.back', 'help.split', 'help.table', 'help.take', 'help.discard', 'help.draw', 'help.done', 'help.undo', 'help.look', 'help.aids', 'help.meant', 'help.other'] as const;
/** What only one family of books has. */
const REARRANGING: readonly string[] = ['help.move', 'help.table', 'help.draw'];
const LAYING_OFF: readonly string[] = ['help.take', 'help.discard', 'help.meant'];

/** What is explained, in this order; of one family of books, or of both. */
export function helpFor(family: 'rearranging' | 'laying_off' | null): readonly (typeof HELP)[number][] {
  const foreign = family === 'rearranging' ? LAYING_OFF : family === 'laying_off' ? REARRANGING : [];
  return HELP.filter((key) => !foreign.includes(key));
}

export type Verb = (typeof VERBS)[number];
export type Pile = 'stock' | 'discard';

export interface Typed {
  readonly verb: Verb | null;
  /** The tiles as they were typed, in notation: "R4 R5 | K9". */
  readonly notation: string;
  /** Numbers of sets, in order. */
  readonly numbers: readonly number[];
  readonly pile: Pile | null;
}

export interface Vocabulary {
  readonly verbs: ReadonlyMap<string, Verb>;
  /** Words that mean nothing here: "to", "set". */
  readonly fillers: ReadonlySet<string>;
  readonly piles: ReadonlyMap<string, Pile>;
}

/** The words of a language: `words` gives those of a verb, a pile or the fillers, separated by spaces. */
export function vocabulary(words: (key: `verb.${Verb}` | `pile.${Pile}` | 'fillers') => string): Vocabulary {
  const each = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);
  const verbs = VERBS.flatMap((verb) => each(words(`verb.${verb}`)).map((word) => [word, verb] as const));
  const piles = (['stock', 'discard'] as const).flatMap((pile) => each(words(`pile.${pile}`)).map((word) => [word, pile] as const));
  return { verbs: new Map(verbs), fillers: new Set(each(words('fillers'))), piles: new Map(piles) };
}

const TILE = /^([a-z]\d{1,2}|\*)'?$/;

/** A line in its pieces. Tiles alone are laid as new sets; anything else without a verb is not understood. */
export function read(line: string, { verbs, fillers, piles }: Vocabulary): Typed {
  const tokens = line.trim().toLowerCase().replaceAll('|', ' | ').split(/[\s,]+/).filter(Boolean);
  const first = tokens[0] ?? '';
  // "take back" is one verb: in the list of words it has a hyphen.
  const two = verbs.get(`${first}-${tokens[1] ?? ''}`);
  const named = two ?? verbs.get(first) ?? null;
  const verb = named ?? (TILE.test(first) ? 'lay' : null);
  const rest = named === null ? tokens : tokens.slice(two === undefined ? 1 : 2);
  let pile: Pile | null = null;
  const numbers: number[] = [];
  const notation: string[] = [];
  for (const token of rest) {
    if (/^\d+$/.test(token)) numbers.push(Number(token));
    else if (verb === 'take' && piles.has(token)) pile = piles.get(token) ?? null;
    else if (!fillers.has(token)) notation.push(token);
  }
  return { verb, notation: notation.join(' '), numbers, pile };
}

interface Places {
  readonly faces: readonly string[];
  readonly rack: readonly number[];
  readonly sets: readonly { readonly tiles: readonly number[] }[];
}

/**
 * The tiles that faces mean: of the first place that has one, each tile once. Null if one is nowhere; `missing` names it.
 * Places are 'rack', or the number of a set from 0.
 */
export function resolve(wanted: readonly string[], table: Places, order: readonly ('rack' | number)[]): { tiles: number[] } | { missing: string } {
  const used = new Set<number>();
  for (const face of wanted) {
    const found = order
      .flatMap((place) => (place === 'rack' ? table.rack : (table.sets[place]?.tiles ?? [])))
      .find((tile) => table.faces[tile] === face && !used.has(tile));
    if (found === undefined) return { missing: face };
    used.add(found);
  }
  return { tiles: [...used] };
}

/** A whole table of faces as tiles: what lies on the table stays there, the rack gives the rest. */
export function resolveTable(wanted: readonly (readonly string[])[], table: Places): { sets: number[][] } | { missing: string } {
  const left = new Set(table.sets.flatMap((set) => [...set.tiles]));
  const supply = new Set(table.rack);
  const sets: (number[] | null)[] = wanted.map((faces) => {
    const same = table.sets.find((set) => set.tiles.every((tile) => left.has(tile)) && sortedFaces(set.tiles, table) === [...faces].sort().join(' '));
    same?.tiles.forEach((tile) => left.delete(tile));
    return same ? [...same.tiles] : null;
  });
  for (const [place, faces] of wanted.entries()) {
    if (sets[place]) continue;
    const made: number[] = [];
    for (const face of faces) {
      const tile = [...left, ...supply].find((one) => table.faces[one] === face);
      if (tile === undefined) return { missing: face };
      left.delete(tile);
      supply.delete(tile);
      made.push(tile);
    }
    sets[place] = made;
  }
  const [forgotten] = left;
  if (forgotten !== undefined) return { missing: table.faces[forgotten] ?? '' };
  return { sets: sets as number[][] };
}

function sortedFaces(tiles: readonly number[], table: Places): string {
  return tiles
    .map((tile) => table.faces[tile] ?? '')
    .sort()
    .join(' ');
}
