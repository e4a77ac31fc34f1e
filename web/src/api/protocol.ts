/** Every shape that travels, as the server's `wire` package has it. Times are milliseconds since 1970. */

export const VERSION = 2;

/** The code of a language. */
export type Language = string;
export type Stage = 'waiting' | 'playing' | 'over';
/** One physical piece; what is printed on it stands in `BookCard.tiles`. */
export type Tile = number;
/** The number of a face, which only `stated` jokers use. */
export type Face = number;
export type TileSets = Tile[][];
/** Stands for a tile that one may not see. */
export const HIDDEN: Tile = -1;

// What is agreed about a room.

export type Choice = string | number | boolean;
export type Spectators = 'off' | 'live' | 'delayed';

export interface TurnClock {
  kind: 'book' | 'off' | 'seconds' | 'hours';
  amount: number;
  extra: number;
}

export interface Settings {
  book: string;
  options: Record<string, Choice>;
  seats: number;
  games: number | null;
  clock: TurnClock;
  public: boolean;
  spectators: Spectators;
  hints: boolean;
  stand_in_after: number;
  stand_in: string;
}

export interface OpenRoom {
  settings: Partial<Settings> & { book: string };
  /** "me", "open" or a bot's level, seat by seat. */
  chairs: string[];
  begin?: boolean;
  word?: string;
}

// A game as one seat sees it.

export type Phase = 'created' | 'ready' | 'turn' | 'opening_discard' | 'take' | 'play' | 'over';

export interface BookRef {
  id: string;
  version: string;
  options?: Record<string, Choice>;
  house?: Record<string, unknown> | null;
}

export interface Reading {
  kind: 'group' | 'run';
  low: number;
  high: number;
  colour: number;
}

export interface Meld {
  tiles: Tile[];
  owner: number;
  holders: number[];
  reading: Reading;
}

export interface Result {
  end: 'out' | 'exhausted' | 'abandoned';
  scores: number[];
  winners: number[];
  going_out: 'open' | 'foot' | 'hand' | null;
}

export interface View {
  book: BookRef;
  players: string[];
  game: number;
  commitment: string;
  stand_ins: Tile[];
  me: number | null;
  phase: Phase;
  starter: number;
  seat: number;
  deals: number;
  rack: Tile[];
  rack_sizes: number[];
  pool_size: number;
  table: TileSets;
  melds: Meld[];
  discards: Tile[];
  melded: boolean[];
  withdrawn: boolean[];
  turns: number[];
  exhausted: boolean;
  queue: number[] | null;
  passes: number;
  reshuffles: number;
  drawn: Tile[];
  result: Result | null;
  racks: Tile[][] | null;
}

// What a player may do.

export interface MeldPlay {
  tiles: Tile[];
  owner: number;
  kind?: 'run' | 'group' | null;
}

/** Announced jokers by set; keys of JSON objects are text. */
export type Stated = Record<string, Face[]>;

export type PlayerAction =
  | { action: 'draw'; seat: number }
  | { action: 'lay'; seat: number; table: TileSets; stated?: Stated }
  | { action: 'pass'; seat: number }
  | { action: 'request_redeal'; seat: number; tiles: Tile[] }
  | { action: 'withdraw'; seat: number }
  | { action: 'take'; seat: number; source: 'stock' | 'discard' }
  | { action: 'play'; seat: number; melds: MeldPlay[]; discard: Tile | null }
  | { action: 'discard'; seat: number; tile: Tile };

export const PHRASES = [
  'hello',
  'good_luck',
  'nice',
  'thanks',
  'sorry',
  'one_moment',
  'well_played',
  'goodbye',
] as const;
export type Phrase = (typeof PHRASES)[number];

// Commands, without the id that `live` gives them.

export type Command =
  | { do: 'hello'; version: number; language?: Language; token?: string }
  | { do: 'ping' }
  | { do: 'enter'; room: string; since?: number | null }
  | { do: 'leave'; room: string }
  | { do: 'sit'; room: string; seat: number; word?: string }
  | { do: 'claim'; room: string; key: string; word?: string }
  | { do: 'stand_up'; room: string }
  | { do: 'seat_bot'; room: string; seat: number; level: string }
  | { do: 'clear_seat'; room: string; seat: number }
  | { do: 'begin'; room: string }
  | { do: 'act'; room: string; rev: number; action: PlayerAction }
  | {
      do: 'draft';
      room: string;
      rev: number;
      table?: TileSets | null;
      stated?: Stated;
      melds?: MeldPlay[] | null;
      discard?: Tile | null;
    }
  | { do: 'extra_time'; room: string; rev: number }
  | { do: 'hint'; room: string; rev: number; step: number }
  | { do: 'agree'; room: string; to: 'end' | 'next'; yes?: boolean }
  | { do: 'stand_in'; room: string; seat: number }
  | { do: 'reclaim'; room: string }
  | { do: 'say'; room: string; text?: string; phrase?: Phrase | null };

// What happened. Hidden tiles are -1; fields that have their default are left out.

export interface Move {
  tile: Tile;
  to: 'rack' | 'table' | 'pool_top' | 'pool_bottom' | 'discards';
  index: number;
}

export type GameEvent =
  | { event: 'game_created'; book: BookRef; players: string[]; game?: number; commitment?: string; stand_ins?: Tile[] }
  | { event: 'starter_chosen'; seat: number; rounds?: [number, Tile][][] }
  | { event: 'dealt'; number: number; racks: Tile[][]; pool: Tile[] }
  | { event: 'redeal_granted'; seat: number; tiles: Tile[] }
  | { event: 'turn_began'; seat: number }
  | { event: 'drew'; seat: number; tile: Tile }
  | { event: 'laid'; seat: number; table: TileSets; tiles: Tile[]; stated?: Stated }
  | { event: 'passed'; seat: number }
  | { event: 'timed_out'; seat: number; touched: boolean }
  | { event: 'penalised'; seat: number; cause: 'time' | 'declared' | 'leftovers'; tiles: Tile[]; codes?: string[] }
  | { event: 'leftovers_ruled'; seat: number; table: TileSets; leftovers: Tile[]; to: 'rack' | 'under_pool' }
  | { event: 'withdrew'; seat: number }
  | { event: 'corrected'; seat: number; reason: string; moves?: Move[]; melded?: Record<string, boolean> }
  | { event: 'pool_exhausted'; order?: number[] }
  | { event: 'took'; seat: number; source: 'stock' | 'discard'; tile: Tile }
  | { event: 'played'; seat: number; melds: Meld[]; tiles: Tile[]; outcome: string }
  | { event: 'discarded'; seat: number; tile: Tile }
  | { event: 'reshuffled'; number: number; stock: Tile[] }
  | {
      event: 'game_ended';
      end: Result['end'];
      scores: number[];
      winners: number[];
      going_out?: Result['going_out'];
      reason?: string;
    }
  | { event: 'shuffle_revealed'; secret: string; contributions?: string[] };

/** An event of the room as the server censored it for this receiver; kinds may be added at any time. */
export type RoomEvent = Record<string, unknown>;

// What the server says.

export interface Fault {
  code: string;
  clause: string;
  ruling: string;
  message: string;
  set?: number | null;
}

export type Outcome = 'DISCARD_ONLY' | 'OK' | 'ON_BOARD' | 'OPEN_RUMMY' | 'FOOT' | 'HAND';

export interface Judgement {
  legal: boolean;
  marks: boolean[];
  unplaced: Tile[];
  laid: number;
  points: number;
  needed: number;
  faults: Fault[];
  outcome: Outcome | null;
}

export interface HintStep {
  step: number;
  steps: number;
  text: string;
  table: TileSets | null;
}

export interface WireError {
  code: string;
  message: string;
  place?: string;
  faults?: Fault[];
  rev?: number | null;
  retry_ms?: number | null;
}

export interface SeatView {
  kind: 'open' | 'person' | 'bot';
  name: string;
  level: string | null;
  present: boolean;
  stand_in: string | null;
  timeouts: number;
  /** For the entrant of this name alone, also while it is open; he comes with `claim`. */
  reserved?: boolean;
}

export interface ChatLine {
  at: number;
  name: string;
  seat?: number | null;
  text?: string;
  phrase?: Phrase | null;
}

export interface SheetLine {
  score: number;
  why: string;
  clause: string;
  ruling: string;
  rack: Tile[];
}

export interface MatchView {
  games: number;
  played: number;
  scores: number[][];
  totals: number[];
  wins: number[];
  winners: number[] | null;
}

export interface RoomView {
  room: string;
  stage: Stage;
  settings: Settings;
  seats: SeatView[];
  me: number | null;
  host: boolean;
  rev: number;
  game: View | null;
  match: MatchView;
  deadline: number | null;
  turn_began: number | null;
  extra_used: boolean;
  changed: Tile[];
  draft: TileSets | null;
  draft_melds: MeldPlay[] | null;
  agreed_end: number[];
  agreed_next: number[];
  /** Of each seat (as text), who has asked that a bot stands in. */
  asked_stand_in: Record<string, number[]>;
  spectators: number;
  chat: ChatLine[];
  sheet: SheetLine[] | null;
  secret: string | null;
  contributions: string[] | null;
  record: string | null;
  notice: string;
  /** The seal of the next game's shuffle, before it is dealt. */
  commitment?: string;
  /** The table of a championship that is played here; nobody is its host. */
  championship?: ChampionshipTable | null;
  /** When its next game begins by itself. */
  next_at?: number | null;
}

/** The stage has an id; sittings and tables are counted from 1. */
export interface ChampionshipTable {
  championship: string;
  stage: string;
  sitting: number;
  number: number;
}

export interface Welcome {
  type: 'welcome';
  id: string;
  version: number;
  player: string;
  name: string;
  now: number;
}

export interface Done {
  type: 'done';
  id: string;
  now: number;
  rev?: number | null;
  judgement?: Judgement | null;
  hint?: HintStep | null;
}

export interface Refused {
  type: 'refused';
  id: string;
  error: WireError;
}

export interface Update {
  type: 'update';
  room: string;
  since: number;
  seq: number;
  now: number;
  events: RoomEvent[];
  view: RoomView;
  snapshot?: boolean;
}

export interface Drafted {
  type: 'drafted';
  room: string;
  rev: number;
  seat: number;
  table?: TileSets | null;
  melds?: MeldPlay[] | null;
}

export interface Presence {
  type: 'presence';
  room: string;
  present: boolean[];
  spectators: number;
}

export interface Bye {
  type: 'bye';
  code: string;
  message: string;
}

export type Message = Welcome | Done | Refused | Update | Drafted | Presence | Bye;

// The HTTP shapes.

export interface Me {
  id: string;
  name: string;
  guest: boolean;
  account: string | null;
  language: Language;
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

export interface RoomOpened {
  room: string;
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
  table: TileSets;
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
  best_table: TileSets | null;
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
