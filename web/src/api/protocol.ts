/** The shapes of HTTP. Times are milliseconds since 1970. */
import type { Outcome, Settings, Spectators, Stage } from './generated/live';
import type { Choice, Tile } from './types';

export interface OpenRoom {
  settings: Partial<Settings> & { book: string };
  /** "me", "open" or a bot's level, seat by seat. */
  chairs: string[];
  begin?: boolean;
  word?: string;
}

export interface Me {
  id: string;
  name: string;
  guest: boolean;
  account: string | null;
  language: string;
}

export interface Credentials {
  account: string;
  password: string;
}

export interface TokenCard {
  id: string;
  label: string;
  created_at: number;
  used_at?: number | null;
  secret?: string | null;
}

export interface Colour {
  letter: string;
  name: string;
  ink: string;
}

export interface OptionCard {
  name: string;
  text: string;
  choices: Choice[];
  ruling: string;
}

export interface BookCard {
  id: string;
  version: string;
  label: string;
  name: string;
  family: 'rearranging' | 'laying_off';
  summary: string;
  least_players: number;
  most_players: number;
  opening_points: number;
  clock_seconds: number;
  match_games: number;
  penalty_tiles: number;
  shortest_set: number;
  redeal_doubles: number;
  strict_declare: boolean;
  values: Record<string, number>;
  colours: Colour[];
  /** Each physical tile's face: "R7", "*". */
  tiles: string[];
  options: OptionCard[];
}

export interface LevelCard {
  id: string;
  name: string;
  thinks: string;
}

export interface Catalogue {
  books: BookCard[];
  levels: LevelCard[];
}

export interface RoomOpened {
  room: string;
}

export interface RoomCard {
  room: string;
  host: string;
  stage: Stage;
  public: boolean;
  book: string;
  seats: number;
  names: string[];
  /** One's own id at one's own seat; empty for everybody else. */
  players: string[];
  opened_at: number;
  changed_at: number;
  waiting_for: number | null;
  clock: string;
  spectators: Spectators;
}

export interface GameCard {
  id: string;
  room: string;
  game: number;
  book: string;
  players: string[];
  scores: number[];
  winners: number[];
  ended_at: number;
}

export interface MyRooms {
  running: RoomCard[];
  finished: GameCard[];
}

export interface Lobby {
  open: RoomCard[];
  watch: RoomCard[];
}

export interface MeldView {
  tiles: Tile[];
  owner: number;
  holders: number[];
}

export interface ReplayStep {
  number: number;
  seat: number | null;
  kind: string;
  text: string;
  table: Tile[][];
  melds: MeldView[];
  racks: Tile[][];
  pool: number;
  discards: Tile[];
  changed: Tile[];
}

export interface GamePage {
  card: GameCard;
  my_seat: number | null;
  steps: ReplayStep[];
}

export interface CheckLine {
  ok: boolean;
  text: string;
  /** It could not be checked. */
  open?: boolean;
}

export interface Verification {
  ok: boolean;
  lines: CheckLine[];
}

export interface TurnAnalysis {
  step: number;
  laid: number;
  points: number;
  best_laid: number;
  best_points: number;
  best_table: Tile[][] | null;
  text: string;
}

export interface Analysis {
  seat: number;
  turns: TurnAnalysis[];
}

// A page of rules, as blocks; `where` cites clauses and rulings.

export type Block =
  | { kind: 'heading'; text: string; level: number }
  | { kind: 'paragraph'; text: string }
  | { kind: 'facts'; rows: [label: string, value: string, where: string][]; heads: string[] }
  | { kind: 'items'; rows: [term: string, text: string, where: string][] }
  | {
      kind: 'comparison';
      rows: [label: string, first: [value: string, where: string], second: [value: string, where: string]][];
      heads: string[];
    }
  | { kind: 'table'; rows: string[][]; heads: string[] };

export interface BlockPage {
  title: string;
  blocks: Block[];
}

// The shape of `meldroom check`.

export interface CheckRequest {
  id?: string | number;
  rulebook: string;
  table_before: string[][];
  rack: string[];
  table_after: string[][];
  has_melded: boolean;
  options?: Record<string, Choice>;
  extra?: Record<string, unknown>;
}

export interface CheckAnswer {
  id?: string | number | null;
  legal: boolean;
  outcome: Outcome | null;
  violations: { code: string; clause: string; ruling: string; message: string }[];
}
