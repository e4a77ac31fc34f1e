/** What is being entered into the referee's tools; a reload loses none of it. */
import type { ChargeQuestion, LeftoversQuestion, PositionQuestion } from '../api/generated/http';
import type { Choice } from '../api/types';
import { unanswered, type LastDrawAnswer } from './tiles/last-draw';
import { emptyDraft, emptyRack, type CountDraft, type Step } from './count/draft';

interface Question {
  /** Whether it was asked as it stands: after a reload it is asked again. */
  asked: boolean;
}

export interface PositionDraft extends Question {
  /** A whole turn, not only a table. */
  turn: boolean;
  /** The table alone, … */
  table: string[][];
  /** … or how a turn began and ended. */
  before: string[][];
  rack: string[];
  after: string[][];
  /** Whether the player had opened before this turn. */
  melded: boolean;
  /** Rummy-O: places of the player's own melds before the turn, and the tile they discarded. */
  own: number[];
  discard: string;
  /** Which part of the turn is being entered. */
  part: 'before' | 'rack' | 'after';
}

export interface ChargeDraft extends Question, LastDrawAnswer {
  tiles: string[];
  hadTurn: boolean;
}

export interface LeftoversDraft extends Question {
  tiles: string[];
  pool: string;
}

export interface TableDraft {
  /** By seat; an empty name is "Player 2". */
  names: string[];
  count: CountDraft;
  step: Step;
}

export interface Drafts {
  book: string;
  options: Record<string, Choice>;
  position: PositionDraft;
  count: TableDraft;
  charge: ChargeDraft;
  leftovers: LeftoversDraft;
}

export const emptyPosition = (): PositionDraft => ({
  turn: false,
  table: [],
  before: [],
  rack: [],
  after: [],
  melded: true,
  own: [],
  discard: '',
  part: 'before',
  asked: false,
});
export const emptyCharge = (): ChargeDraft => ({ ...unanswered(), tiles: [], hadTurn: true, asked: false });
export const emptyLeftovers = (): LeftoversDraft => ({ tiles: [], pool: '', asked: false });
export const emptyTable = (players: number): TableDraft => ({
  names: Array.from({ length: players }, () => ''),
  count: emptyDraft(1, Array.from({ length: players }, () => ({ out: false }))),
  step: 'end',
});
export const emptyDrafts = (): Drafts => ({
  book: 'wrc11',
  options: {},
  position: emptyPosition(),
  count: emptyTable(4),
  charge: emptyCharge(),
  leftovers: emptyLeftovers(),
});

/** A table with more or fewer players; who stays keeps what was entered. */
export function withPlayers({ names, count, step }: TableDraft, players: number): TableDraft {
  const seats = Array.from({ length: players }, (_, seat) => seat);
  const end = typeof count.end === 'number' && count.end >= players ? null : count.end;
  return {
    names: seats.map((seat) => names[seat] ?? ''),
    count: { ...count, end, racks: seats.map((seat) => count.racks[seat] ?? emptyRack()) },
    step: end === null ? 'end' : step,
  };
}

/** A position as it is asked; what an option of another book left behind is left out. */
export function positionAsked(draft: PositionDraft, layingOff: boolean): Omit<PositionQuestion, 'rulebook' | 'options'> {
  if (!draft.turn) return { table: draft.table };
  const { before, rack, after, melded, own, discard } = draft;
  const rummyO = { own: own.filter((place) => place < before.length), discard: discard || null };
  return { table: after, turn: { table: before, rack, melded, ...(layingOff && rummyO) } };
}

export function chargeAsked({ tiles, drawn, hadTurn, lastDraw, couldOpen }: ChargeDraft): Omit<ChargeQuestion, 'rulebook' | 'options'> {
  if (!hadTurn) return { rack: tiles, had_turn: false };
  return { rack: tiles, drawn_last: drawn, had_turn: true, ...(lastDraw && { last_draw: lastDraw }), ...(lastDraw === 'unknown' && { could_open: couldOpen }) };
}

/** Without a number there are enough tiles in the pool for everything. */
export function leftoversAsked({ tiles, pool }: LeftoversDraft): Omit<LeftoversQuestion, 'rulebook' | 'options'> {
  return { leftovers: tiles, pool: /^\d+$/.test(pool.trim()) ? Number(pool) : null };
}

/** Whether a value has the shape of a pattern: what another version kept is not trusted. */
function fits(value: unknown, pattern: unknown): boolean {
  if (Array.isArray(pattern)) return Array.isArray(value) && value.every((one) => pattern.length === 0 || fits(one, pattern[0]));
  if (pattern === null || typeof pattern !== 'object') return typeof value === typeof pattern;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  return Object.entries(pattern).every(([key, one]) => fits((value as Record<string, unknown>)[key], one));
}

const TILES = [''];
const PATTERN = {
  book: '',
  options: {},
  position: { turn: true, table: [TILES], before: [TILES], rack: TILES, after: [TILES], melded: true, own: [0], discard: '', part: '', asked: true },
  count: { names: TILES, count: { racks: [{ tiles: TILES, melded: true, drawn: TILES, hadTurn: true, absent: true }], winnerTiles: TILES } },
  charge: { tiles: TILES, drawn: TILES, hadTurn: true, asked: true },
  leftovers: { tiles: TILES, pool: '', asked: true },
};

const NAME = 'meldroom.referee';

export function readDrafts(): Drafts {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(NAME) ?? 'null');
    if (fits(kept, PATTERN)) return kept as Drafts;
  } catch {
    // What cannot be read is not there.
  }
  return emptyDrafts();
}

export function keepDrafts(drafts: Drafts): void {
  try {
    localStorage.setItem(NAME, JSON.stringify(drafts));
  } catch {
    // Without storage it lasts as long as the page.
  }
}
