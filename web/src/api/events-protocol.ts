/**
 * Every shape of the events API (/api/v1/championships), as src/meldroom/server/events writes them; docs/events.md tells the story.
 *
 * Seats are counted from 0; stages have ids; sittings, tables, games and people's numbers are counted from 1. A key travels
 * in the header X-Championship-Key, and in links only after a #. What is optional in an answer is left out where it is empty.
 */
import type { Spectators, WireError } from './generated/live';
import type { Choice } from './types';

export const KEY_HEADER = 'X-Championship-Key';

export type Role = 'organiser' | 'director' | 'referee' | 'scorer' | 'check_in' | 'display' | 'public';
export type StandingsMode = 'held' | 'live';
export type Status = 'entered' | 'present' | 'declined' | 'no_show' | 'withdrawn' | 'replaced';
export type DecidedBy = '' | 'wins' | 'points' | 'score' | 'best_games' | 'deciding_game' | 'lot' | 'shared';
export type Criterion = 'wins' | 'points' | 'score' | 'best_games';
export type CallAbout = 'ruling' | 'count' | 'dispute' | 'time' | 'equipment' | 'health' | 'other';
export type InPublic = 'full' | 'initials' | 'hidden';
export type ApartIn = 'first' | 'all';
export type Ending = 'out' | 'exhausted';
export type GoingOut = 'open' | 'foot' | 'hand';
export type How = 'standings' | 'change' | 'hand';
export type PaperSize = 'a4' | 'us-letter';
/** Files with the key in the header: /papers/{kind}.pdf, /papers/{kind}.zip, and all.zip. */
export type PaperKind =
  | 'sheets'
  | 'blank_sheets'
  | 'wall_by_name'
  | 'wall_by_table'
  | 'table_cards'
  | 'badges'
  | 'standings'
  | 'cross_table'
  | 'penalties'
  | 'disputes'
  | 'certificates';
export type PenaltyKind =
  | 'time_out'
  | 'illegal_table'
  | 'illegal_opening'
  | 'wrong_turn'
  | 'tiles_shown'
  | 'racks_touched'
  | 'talking'
  | 'late'
  | 'own_equipment'
  | 'unsporting'
  | 'other';
/** A tile as text: R10, K1, or * for a joker. */
export type TileText = string;
/** A text in both languages. */
export type Text = Readonly<Record<string, string>>;
/** A time as the server writes it, in UTC. */
export type Moment = string;

// ---- the list of events

export interface NewEvent {
  name: string;
  /** The organiser's name. */
  by: string;
  edition?: number;
  date: string;
  format?: string;
  format_toml?: string;
  language?: string;
  standings?: StandingsMode;
  listed?: boolean;
}

export interface EventOpened {
  code: string;
  /** The organiser's key, which is never shown again. */
  key: string;
  key_id: string;
}

export interface EventCard {
  code: string;
  name: string;
  edition: number;
  date: string;
  format_name: Text;
  language: string;
}

/** POST /adopt: an exported event that goes on here. */
export interface AdoptedEvent {
  by: string;
  reason: string;
  /** What /export gives. */
  document: Record<string, unknown>;
  language?: string;
  standings?: StandingsMode;
  listed?: boolean;
}

// ---- an event as its reader may see it

export interface PersonLine {
  number: number;
  name: string;
  country: string;
  team: string;
  status: Status;
  replaced_by: number | null;
}

/** Scores and winners by seat from 0; an empty seat has no score. */
export interface GameLine {
  game: number;
  scores: (number | null)[];
  winners: number[];
  end: Ending;
}

export interface TableLine {
  table: number;
  /** By number, in seat order. */
  players: number[];
  signed: boolean;
  games: GameLine[];
  /** Where it is played online, at /r/ROOM; empty if it is not. */
  room: string;
}

export interface SittingPage {
  sitting: number;
  how: How | 'raffle';
  /** Whether every table has signed. */
  complete: boolean;
  tables: TableLine[];
}

export interface DrawCard {
  commitment: string;
  digest: string;
  players: number;
  apart: number[][];
  apart_in: ApartIn;
  words: string[];
  seed: string | null;
}

export interface StandingsRow {
  place: number;
  number: number;
  wins: number;
  points: number;
  score: number;
  games: number;
  decided_by: DecidedBy;
  out: boolean;
  /** Places that can still be reached; null on the desk, which asks /bounds/{stage} for them. */
  best: number | null;
  worst: number | null;
}

export interface StandingsPage {
  rows: StandingsRow[];
  level: number[][];
  final: boolean;
}

export interface StagePage {
  id: string;
  name: Text;
  sittings: number;
  games: number;
  seating: 'raffle' | 'planned' | 'standings';
  takes: number | null;
  cut: 'ranking' | 'table_winners';
  carry: 'none' | 'all' | 'half_score';
  criteria: Criterion[];
  closed: boolean;
  goes_on: number[];
  draw: DrawCard | null;
  seated: SittingPage[];
  standings: StandingsPage | null;
}

export interface RankLine {
  place: number;
  number: number;
}

export interface Countdown {
  title: string;
  ends_at: Moment;
}

export interface SittingTime {
  stage: string;
  sitting: number;
  starts_at: Moment;
}

export interface EventPage {
  code: string;
  /** Give it to /changes?since= to wait for the next. */
  version: number;
  name: string;
  edition: number;
  date: string;
  format: string;
  format_name: Text;
  about: Text;
  book: string;
  language: string;
  standings_mode: StandingsMode;
  /** The stage being played, and its sitting; the last ones when the event is over. */
  stage: string;
  sitting: number;
  over: boolean;
  notice: string;
  countdown: Countdown | null;
  /** Sittings whose time is planned, in the order of time. */
  schedule: SittingTime[];
  people: PersonLine[];
  stages: StagePage[];
  /** Of the whole event, when it is over. */
  ranking: RankLine[];
}

export interface Appointment {
  stage: string;
  stage_name: Text;
  sitting: number;
  starts_at: Moment | null;
  table: number;
  seat: number;
  players: number[];
  starts: number[];
  games: GameLine[];
  signed: boolean;
  /** Where it is played online, at /r/ROOM; empty if it is not. */
  room: string;
}

export interface PersonPage {
  code: string;
  championship: string;
  version: number;
  person: PersonLine;
  /** Everybody whom he meets, by number. */
  names: Record<string, string>;
  appointments: Appointment[];
  standing: StandingsRow | null;
  standing_in: string;
}

export interface DrawPage {
  stage: string;
  draw: DrawCard;
  /** The entrants' numbers in the order of the list that was published. */
  numbers: number[];
  /** The tables of each sitting, by the numbers that were drawn, from 0. */
  plan: number[][][];
}

export interface Bounds {
  best: number;
  worst: number;
}

export interface Changes {
  version: number;
  changed: boolean;
  /** The server's time in milliseconds since 1970. */
  now: number;
}

/** GET /sheets/{the code printed on a sheet}. */
export interface SheetPlace {
  stage: string;
  sitting: number;
  table: number;
}

/** POST /qr.svg: the path may hold a key after its #. GET /qr.svg?path= is for links without one. */
export interface LinkPath {
  path: string;
}

// ---- results

export interface Rack {
  tiles?: TileText[];
  melded?: boolean;
  drawn_in_last_turn?: TileText[];
  had_turn?: boolean;
}

export interface GameResult {
  scores: (number | null)[];
  winners: number[];
  end?: Ending;
  racks?: (Rack | null)[];
  going_out?: GoingOut | null;
  winner_tiles?: TileText[];
}

export interface Touch {
  number: number;
  version: number;
  time: Moment;
  author: string;
  role: Role;
  key: string;
}

// ---- tables and the hall

export interface SeatLine {
  seat: number;
  number: number;
  name: string;
  country: string;
  out: boolean;
}

export interface SheetGame {
  game: number;
  starter: number;
  result: GameResult | null;
  entered: Touch | null;
}

export interface SignedSheet {
  referee: string;
  refused: number[];
  time: Moment | null;
  author: string;
}

export interface Binding {
  table: number;
  device: string;
  label: string;
  since: Moment;
  by: string;
  took_over_from: string;
}

export interface Call {
  number: number;
  table: number;
  about: CallAbout;
  text: string;
  time: Moment;
  by: string;
  answered: Moment | null;
  answered_by: string;
}

export interface TableClock {
  table: number;
  /** Why it stands still; empty while it runs. */
  paused: string;
  paused_at: Moment | null;
}

export interface Recorded {
  number: number;
  time: Moment;
  by: string;
  position: { do: 'record_position' } & RecordPosition;
}

export interface Photo {
  number: number;
  table: number;
  /** Send the picture itself to POST /photos first; GET /photos/{photo} shows it. */
  photo: string;
  game: number | null;
  text: string;
  time: Moment;
  by: string;
}

export interface PhotoKept {
  photo: string;
}

export interface GivenPenalty {
  penalty: Penalise;
  cancelled_by: string;
  cancelled_why: string;
}

export interface PenaltyLine {
  number: number;
  given: GivenPenalty;
}

export interface Sheet {
  stage: string;
  sitting: number;
  table: number;
  seats: SeatLine[];
  games: SheetGame[];
  /** Whether every game has its result. */
  complete: boolean;
  signed: SignedSheet | null;
  device: Binding | null;
  clock: TableClock;
  extra_seconds: number;
  expiries: ({ do: 'note_expiry' } & NoteExpiry)[];
  /** Not answered yet. */
  calls: Call[];
  penalties: PenaltyLine[];
  /** Where the table is played online, at /r/ROOM; empty if it is not. */
  room: string;
}

export interface BookForTable {
  id: string;
  version: string;
  options: Record<string, Choice>;
  label: string;
  name: Text;
  turn_seconds: number;
  penalty_tiles: number;
  leftovers: 'rack' | 'under_pool' | 'none';
  opening_points: number;
  opening_needs_run: boolean;
  unmelded: number;
  unmelded_able: number;
  charge_test: 'own_turns' | 'final_rack';
  joker_value: number;
  winner: 'opponents' | 'own_tiles';
  exhausted: 'deduct_smallest' | 'differences' | 'all_minus';
  redeal_doubles: number;
  /** Names of the faces, the joker last, with what each costs on a rack, and how many are in the box. */
  tiles: TileText[];
  values: number[];
  limits: number[];
  box: number;
}

export interface TablePage {
  code: string;
  version: number;
  championship: string;
  stage: string;
  stage_name: Text;
  sitting: number;
  table: number;
  book: BookForTable;
  sheet: Sheet | null;
  binding: Binding | null;
  positions: Recorded[];
  photos: Photo[];
  next_sheet: Sheet | null;
  /** Where this sitting is played online, at /r/ROOM; empty if it is not. */
  room: string;
}

/** Two versions of one thing that the director has to decide between. */
export interface Meeting {
  number: number;
  time: Moment;
  by: string;
  clash: { do: 'clash' } & Clash;
  settled: string;
  settled_by: string;
}

/** Whose sheet it is. */
export interface SheetAddress {
  stage: string;
  sitting: number;
  table: number;
}

/** A game played online that waits for the director's ruling: he enters a result, or has it begun again. */
export interface Stopped {
  number: number;
  time: Moment;
  game: { do: 'game_stopped' } & GameStopped;
}

export interface GameStopped extends SheetAddress {
  game: number;
  why: 'abandoned' | 'withdrawn' | 'refused';
  /** The game's own page is /g/RECORD. */
  record: string;
  /** Seats from 0 of those who left. */
  withdrawn?: number[];
  /** What the rules would give. */
  scores?: number[];
  winners?: number[];
  note?: string;
}

/** GET /links, POST /links/{number}/renew: whoever has the key plays as this entrant. */
export interface PersonalLink {
  number: number;
  name: string;
  key: string;
  /** /championship/CODE/p/NUMBER#key=… */
  path: string;
}

/** What could not be written because something else was there. */
export interface Clash {
  why: string;
  act: Act;
  theirs: Version;
  table?: number | null;
}

/** One side of a conflict: which of these it has depends on what it is about. */
export interface Version {
  result?: GameResult;
  number?: number;
  version?: number;
  author?: string;
  time?: Moment;
  signed?: boolean | { referee: string; refused: number[] } | null;
  referee?: string;
  refused?: number[];
  games?: ({ game: number } & Version)[];
  label?: string;
  device?: string;
  since?: Moment;
  by?: string;
  answered_by?: string;
  settled_by?: string;
  paused?: string;
}

/** Beside `error` in a 409: what was asked for, and what is there. */
export interface Conflict {
  mine: Version;
  theirs: Version;
}

/** The body of a refusal. */
export interface EventProblem {
  error: WireError;
  conflict?: Conflict;
  /** Where a list of entrants has bad lines. */
  lines?: BadLine[];
}

// ---- the desk

export interface NextStep {
  do: string;
  text: string;
  /** Whether the reader's role may do it. */
  may: boolean;
  stage: string;
  sitting: number;
  tables: number[];
  numbers: number[];
  call: number;
  clash: number;
  how: string;
  game: number;
}

export interface Verdict {
  condition: 'citizen' | 'not_twice_running' | 'minimum_age';
  /** Null if the list does not say what is needed to know. */
  met: boolean | null;
  clause: string;
}

export interface PersonData {
  number: number;
  name: string;
  born: string | null;
  citizenships: string[];
  editions: number[] | null;
  place: number | null;
  verdicts: Verdict[];
  nominated: boolean;
  in_public: InPublic;
}

export interface LogLine {
  number: number;
  time: Moment;
  author: string;
  role: Role;
  do: string;
  reason: string;
}

export interface KeyCard {
  id: string;
  role: Role;
  label: string;
  table: number | null;
  created: Moment;
  by: string;
  revoked: Moment | null;
}

export interface HallEntry {
  number: number;
  after: number;
  time: Moment;
  author: string;
  role: Role;
  key: string;
  id: string;
  digest: string;
  act: HallAct;
}

export interface Desk {
  role: Role;
  label: string;
  table: number | null;
  may: string[];
  next: NextStep[];
  championship: EventPage;
  /** The tables of the sitting being played. */
  sheets: Sheet[];
  devices: Binding[];
  calls: Call[];
  clashes: Meeting[];
  /** Games played online that wait for the director's ruling. */
  stopped: Stopped[];
  penalties: PenaltyLine[];
  disputes: Dispute[];
  data: PersonData[];
  keys: KeyCard[];
  log: LogLine[];
  hall: HallEntry[];
}

/** A line of the log as it lies on the disk. */
export interface LogEntry {
  number: number;
  time: Moment;
  author: string;
  role: Role;
  action: { do: string } & Record<string, unknown>;
  reason: string;
  previous: string;
  /** Only in a line that was rewritten to erase somebody. */
  original?: string;
}

export interface NewKey {
  role: Role;
  label: string;
  table?: number | null;
}

export interface KeyMade {
  card: KeyCard;
  /** Shown this once. */
  key: string;
}

// ---- acts

export interface Entrant {
  name: string;
  country?: string;
  citizenships?: string[];
  born?: string | null;
  editions?: number[] | null;
  place?: number | null;
  team?: string;
}

/** A game as it was played: scores by seat, or racks by seat, which are counted by the book. */
export interface Played extends SheetAddress {
  game: number;
  scores?: (number | null)[];
  winners?: number[];
  racks?: (Rack | null)[];
  /** With racks: who went out; null or left out when the pool was exhausted. */
  winner?: number | null;
  going_out?: GoingOut | null;
  winner_tiles?: TileText[];
}

export interface Penalty {
  number: number;
  kind: string;
  tiles?: number;
  leftovers?: number;
  stage?: string | null;
  sitting?: number | null;
  table?: number | null;
  game?: number | null;
  turn?: number | null;
  note?: string;
  referee?: string;
  at?: Moment | null;
}

export interface Penalise extends Penalty {
  do: 'penalise';
}

export interface Ruling {
  question: string;
  ruling: string;
  /** Clauses (#7), rulings (R29), fields or codes of the book. */
  cites?: string[];
  parties?: number[];
  evidence?: string[];
  stage?: string | null;
  sitting?: number | null;
  table?: number | null;
  game?: number | null;
  referee?: string;
  chief?: string;
  at?: Moment | null;
}

export interface Settle extends Ruling {
  do: 'settle_dispute';
}

/** A dispute as the log has it. */
export interface Dispute {
  do: 'settle_dispute';
  question: string;
  ruling: string;
  clauses?: string[];
  rulings?: string[];
  parties?: number[];
  evidence?: string[];
  stage?: string | null;
  sitting?: number | null;
  table?: number | null;
  game?: number | null;
  referee?: string;
  chief?: string;
  at?: Moment | null;
}

export interface Announce {
  stage?: string;
  /** Without one the server makes it, keeps it, and shows it in the answer. */
  seed?: string;
  apart_by?: '' | 'country' | 'team';
  apart?: number[][];
  apart_in?: ApartIn;
}

export interface RecordPosition extends SheetAddress {
  game: number;
  sets: TileText[][];
  rack?: TileText[];
  seat?: number | null;
  turn?: number | null;
}

export interface NoteExpiry extends SheetAddress {
  game: number;
  seat: number;
  turn?: number | null;
}

export type LogAct =
  | { do: 'import_entrants'; csv?: string; entrants?: Entrant[] }
  | { do: 'add_entrant'; entrant: Entrant }
  | { do: 'amend_entrant'; number: number; entrant: Entrant }
  | { do: 'check_in'; number: number; override?: boolean }
  | { do: 'decline'; number: number }
  | { do: 'no_show'; number: number }
  | { do: 'withdraw'; number: number }
  | { do: 'substitute'; number: number; by: Entrant }
  | ({ do: 'announce_draw' } & Announce)
  | { do: 'add_word'; stage: string; word: string; who?: string }
  | { do: 'reveal'; stage?: string; seed?: string }
  | { do: 'seat_sitting'; how?: How; stage?: string; sitting?: number; tables?: number[][] }
  | ({ do: 'enter_result' } & Played)
  | ({ do: 'correct_result' } & Played)
  | ({ do: 'sign_sheet'; referee?: string; refused?: number[] } & SheetAddress)
  | { do: 'decide_tie'; stage: string; order: number[]; how?: 'game' | 'lot' }
  | { do: 'close_stage'; stage?: string }
  | ({ do: 'penalise' } & Penalty)
  | { do: 'cancel_penalty'; penalty: number }
  | ({ do: 'settle_dispute' } & Ruling)
  | { do: 'erase_entrant'; number: number };

/** What stands in the hall's file; `opened`, `clash` and `game_stopped` the server writes by itself. */
export type HallAct =
  | { do: 'opened'; language?: string; standings?: StandingsMode; listed?: boolean }
  | { do: 'set_options'; language?: string | null; standings?: StandingsMode | null; listed?: boolean | null; spectators?: Spectators | null; stand_in_after?: number | null }
  | { do: 'bind_table'; table: number; device: string; label?: string; take_over?: boolean }
  | { do: 'release_table'; table: number }
  | { do: 'call_referee'; table: number; about?: CallAbout; text?: string }
  | { do: 'answer_call'; call: number; text?: string }
  | { do: 'pause_clock'; table: number; why: string }
  | { do: 'resume_clock'; table: number }
  | ({ do: 'extra_time'; seconds: number; why: string } & SheetAddress)
  | ({ do: 'note_expiry' } & NoteExpiry)
  | ({ do: 'record_position' } & RecordPosition)
  | { do: 'note_photo'; table: number; photo: string; game?: number | null; text?: string }
  | { do: 'set_countdown'; title?: string; ends_at?: Moment | null }
  | { do: 'plan_sitting'; stage: string; sitting: number; starts_at?: Moment | null }
  | { do: 'set_notice'; text?: string }
  | { do: 'show_name'; number: number; how: InPublic }
  | { do: 'open_rooms'; stage: string; sitting: number; tables?: number[]; rooms?: Record<number, string> }
  | { do: 'begin_game'; stage: string; sitting: number; table: number; game?: number }
  | ({ do: 'game_stopped' } & GameStopped)
  | ({ do: 'clash' } & Clash)
  | { do: 'settle_clash'; clash: number; text: string };

export type AskedHallAct = Exclude<HallAct, { do: 'opened' | 'clash' | 'game_stopped' }>;
export type Act = LogAct | AskedHallAct;

export interface ActRequest {
  /** The same id again is answered as the first time and never done twice. */
  id: string;
  act: Act;
  /** The version that the page showed when this was decided. */
  seen?: number | null;
  preview?: boolean;
  reason?: string;
  /** Who acts, where several people share a key. */
  by?: string;
  /** Needed from a table's device. */
  device?: string;
}

export interface Outbox {
  acts: ActRequest[];
}

/** An act as it was written down, with everything computed. */
export type Written = { do: string } & Record<string, unknown>;

export interface Done {
  answer: 'done';
  id: string;
  version: number;
  time: Moment;
  author: string;
  log: number | null;
  hall: number | null;
  action: Written;
  /** False if exactly this was there already. */
  written: boolean;
  /** After an announcement: the seed, for the director to keep. */
  seed: string;
}

export interface Melds {
  sets: TileText[][];
  points: number;
  opens: boolean;
}

export interface CountedSeat {
  seat: number;
  tiles: number;
  jokers: number;
  count: number;
  score: number;
  won: boolean;
  charge: number;
  why: string;
  clause: string;
  ruling: string;
  at_end: Melds | null;
  at_last_turn: Melds | null;
}

export interface CountedSheet {
  lines: CountedSeat[];
  notes: string[];
  check: string;
}

export interface PlaceChange {
  stage: string;
  number: number;
  before: number;
  after: number;
}

export interface CutChange {
  stage: string;
  number: number;
  goes_on: boolean;
  stands: boolean;
}

export interface SeatingChange {
  stage: string;
  sitting: number;
  played: boolean;
}

export interface Consequences {
  places: PlaceChange[];
  cuts: CutChange[];
  /** Stages whose cut is tied then. */
  ties: string[];
  seatings: SeatingChange[];
  /** Stages that need the director's approval again. */
  reopened: string[];
  /** Sittings whose seating falls. */
  dropped: [string, number][];
}

export interface Preview {
  answer: 'preview';
  id: string;
  version: number;
  action: Written;
  consequences: Consequences | null;
  told: string[];
  count: CountedSheet | null;
}

export interface BadLine {
  line: number;
  code: string;
  message: string;
}

export interface OutboxAnswer {
  id: string;
  /** As a single request would have been answered. */
  status: number;
  done: Done | Preview | null;
  error: WireError | null;
  conflict: Conflict | null;
  lines: BadLine[] | null;
}

export interface OutboxAnswers {
  version: number;
  answers: OutboxAnswer[];
}

export interface Bind {
  id: string;
  device: string;
  label?: string;
  take_over?: boolean;
  by?: string;
}

// ---- piles of paper sheets

export type TypedGame = Played;

export interface Pile {
  first: TypedGame[];
  second: TypedGame[];
}

export interface PileLine {
  stage: string;
  sitting: number;
  table: number;
  game: number;
  outcome: 'agreed' | 'entered' | 'differs' | 'missing' | 'impossible' | 'conflict';
  first: GameResult | null;
  second: GameResult | null;
  there: GameResult | null;
  faults: { code: string; message: string }[];
  /** For what agreed: the command that enters it. */
  command: ({ do: 'enter_result' } & Played) | null;
}

export interface PileAnswer {
  version: number;
  agreed: number;
  to_look_at: number;
  lines: PileLine[];
}

// ---- the referee's questions

export type Question =
  | { ask: 'position'; sets: TileText[][] }
  | { ask: 'penalty'; kind: PenaltyKind; pool: number; leftovers?: number }
  | { ask: 'charge'; rack: TileText[]; drawn_last?: TileText[]; had_turn?: boolean }
  | { ask: 'redeal'; rack: TileText[] }
  | { ask: 'leftovers'; leftovers: TileText[]; pool: number };

export interface Fault {
  code: string;
  message: string;
  clause: string;
  ruling: string;
  /** The set's place, from 0. */
  set: number | null;
}

export interface Ruled {
  ask: Question['ask'];
  text: string;
  clause: string;
  ruling: string;
  granted: boolean | null;
  faults: Fault[];
  draws: number;
  to_rack: number;
  pool_after: number | null;
  restore: boolean;
  points: number;
  at_end: Melds | null;
  at_last_turn: Melds | null;
}
