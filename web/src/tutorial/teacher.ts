// A table that teaches: it speaks the server's language to the table's model, asks the server to judge every turn,
// and knows one thing more, namely what the lesson wants.

import { Refusal } from '../api/live';
import type { Done, Fault, Judgement, Meld, MeldPlay, Outcome, RoomView, View } from '../api/generated/live';
import type { Unsent, Tile } from '../api/types';
import type { BookCard, CheckAnswer, CheckRequest, TurnStanding } from '../api/generated/http';
import type { Lesson } from './lessons';
import { holds, laidWith, TileBox } from './tiles';

export type Judge = (turn: CheckRequest) => Promise<CheckAnswer & { standing: TurnStanding }>;

/** What a lesson says when something else is done than it asked for. */
export type Aside = 'lay_first' | 'not_yet' | 'no_draw' | 'other_source';

export interface Pupil {
  /** The names of the learner and of the one opposite. */
  readonly names: readonly [string, string];
  /** The goal is reached; the table now lies so. */
  reached(view: RoomView): void;
  /** Nothing has changed; the lesson says what it would rather see. */
  aside(key: Aside): void;
  /** The server has refused a turn. */
  refused(faults: readonly Fault[]): void;
  hint(): string;
}

const ROOM = 'tutorial';
const POOL = 60;

/** How the melds of a lesson are read: all are written in order and without jokers. */
function readingOf(faces: readonly string[]): Meld['reading'] {
  const numbers = faces.map((face) => Number(face.slice(1)));
  const group = new Set(numbers).size === 1;
  return { kind: group ? 'group' : 'run', low: Math.min(...numbers), high: Math.max(...numbers), colour: group ? -1 : 0 };
}

export class Teacher {
  readonly lesson: Lesson;
  /** The table as it is now; a goal that is reached changes it. */
  view: RoomView;
  reached = false;

  private readonly book: BookCard;
  private readonly judge: Judge;
  private readonly pupil: Pupil;
  private readonly box: TileBox;

  constructor(lesson: Lesson, book: BookCard, judge: Judge, pupil: Pupil) {
    this.lesson = lesson;
    this.book = book;
    this.judge = judge;
    this.pupil = pupil;
    this.box = new TileBox(book.tiles);
    this.view = this.firstView();
  }

  now(): number {
    return Date.now();
  }

  /** What the table's model says to a server. */
  async send(command: Unsent): Promise<Done> {
    const done: Done = { type: 'done', id: '', now: this.now() };
    if (command.do === 'draft') {
      const sets = command.melds?.map((meld) => meld.tiles) ?? command.table ?? null;
      if (sets === null) return done;
      const answer = await this.judge(this.request(sets, command.melds ?? null, command.discard ?? null));
      return { ...done, judgement: this.judgement(answer, sets) };
    }
    if (command.do === 'hint') return { ...done, hint: this.hint(command.step) };
    if (command.do === 'act') await this.act(command.action);
    return done;
  }

  private async act(action: Extract<Unsent, { do: 'act' }>['action']): Promise<void> {
    const { goal } = this.lesson;
    switch (action.action) {
      case 'lay':
        return this.declare(action.table, null, null);
      case 'play':
        return this.declare(
          action.melds.map((meld) => meld.tiles),
          action.melds,
          action.discard,
        );
      case 'draw':
        if (goal.kind !== 'draw') return this.pupil.aside('no_draw');
        return this.succeed({ rack: [...this.game.rack, this.box.take(goal.tile)] });
      case 'take':
        if (goal.kind !== 'take') return this.pupil.aside('not_yet');
        if (goal.source !== action.source) return this.pupil.aside('other_source');
        return this.succeed({ rack: [...this.game.rack, ...this.game.discards.slice(-1)], discards: this.game.discards.slice(0, -1) });
      default:
        return this.pupil.aside('lay_first');
    }
  }

  /** A turn that is declared done: judged by the server, then measured against the goal. */
  private async declare(sets: Tile[][], melds: MeldPlay[] | null, discard: Tile | null): Promise<void> {
    const { goal } = this.lesson;
    const answer = await this.judge(this.request(sets, melds, discard));
    const faults = this.faults(answer);
    const laid = this.laid(sets);
    const faces = laid.map((tile) => this.face(tile));
    if (!answer.legal) {
      const expected = goal.kind === 'refused' && faults.some((fault) => fault.code === goal.code) && holds(faces, goal.tiles);
      if (expected) this.succeed({});
      else this.pupil.refused(faults);
      throw new Refusal({ code: 'illegal', message: faults[0]?.message ?? '', faults });
    }
    const enough =
      goal.kind === 'play'
        ? goal.outcomes.includes(answer.outcome as never)
        : (goal.kind === 'lay' || goal.kind === 'refused') && holds(faces, goal.tiles);
    if (!enough) return this.pupil.aside('not_yet');
    const gone = new Set([...laid, ...(discard === null ? [] : [discard])]);
    this.succeed(
      {
        table: melds === null ? sets : [],
        melds: melds === null ? [] : melds.map((meld) => this.meld(meld.tiles, meld.owner)),
        rack: this.game.rack.filter((tile) => !gone.has(tile)),
        discards: discard === null ? this.game.discards : [...this.game.discards, discard],
      },
      laid,
    );
  }

  /** The goal is reached: the table lies still, and everybody may look at it. */
  private succeed(change: Partial<View>, changed: readonly Tile[] = []): void {
    this.reached = true;
    // A turn that was refused on purpose stays the learner's, who goes on with it.
    const mine = this.lesson.goal.kind === 'refused' && Object.keys(change).length === 0;
    if (!mine) {
      const game: View = { ...this.game, ...change, seat: -1, melded: this.game.melded.map(() => true) };
      game.rack_sizes = [game.rack.length, ...this.game.rack_sizes.slice(1)];
      this.view = { ...this.view, game, rev: this.view.rev + 1, changed: [...changed] };
    }
    this.pupil.reached(this.view);
  }

  /** Two rungs: a sentence, then the play itself on the table. */
  private hint(step: number): NonNullable<Done['hint']> {
    const { solution } = this.lesson;
    const show = step >= 2 && solution !== null && this.lesson.goal.kind !== 'play';
    const table = show ? laidWith(solution, this.game.table, this.game.rack, this.book.tiles) : null;
    return { step, steps: 2, text: this.pupil.hint(), table, lines: [{ parts: [this.pupil.hint()], table }] };
  }

  // Between tiles and faces

  private get game(): View {
    return this.view.game as View;
  }

  private face(tile: Tile): string {
    return this.book.tiles[tile] ?? '';
  }

  private laid(sets: readonly Tile[][]): Tile[] {
    const mine = new Set(this.game.rack);
    return sets.flat().filter((tile) => mine.has(tile));
  }

  private meld(tiles: Tile[], owner: number): Meld {
    return { tiles, owner, holders: tiles.map(() => owner), reading: readingOf(tiles.map((tile) => this.face(tile))) };
  }

  private request(sets: readonly Tile[][], melds: readonly MeldPlay[] | null, discard: Tile | null): CheckRequest {
    const { lesson } = this;
    const faces = (tiles: readonly Tile[]): string[] => tiles.map((tile) => this.face(tile));
    const extra = {
      player: '0',
      owners_before: (lesson.owners ?? []).map(String),
      owners_after: (melds ?? []).map((meld) => String(meld.owner)),
      // Which tile is thrown is decided last; any that is left will do to judge the melds by.
      discard: this.face(discard ?? this.game.rack.find((tile) => !sets.flat().includes(tile)) ?? -1) || null,
    };
    return {
      rulebook: lesson.book,
      table_before: lesson.table.map((set) => [...set]),
      rack: faces(this.game.rack),
      table_after: sets.map(faces),
      has_melded: lesson.melded,
      ...(this.book.family === 'laying_off' ? { extra } : {}),
    };
  }

  private faults(answer: CheckAnswer): Fault[] {
    return answer.violations.map(({ code, clause, ruling, message }) => ({ code, clause, ruling, message }));
  }

  private judgement(answer: CheckAnswer & { standing: TurnStanding }, sets: readonly Tile[][]): Judgement {
    const { marks, points, needed } = answer.standing;
    return {
      legal: answer.legal,
      marks,
      unplaced: sets.flatMap((set, index) => (marks[index] === false ? set : [])),
      laid: this.laid(sets).length,
      points,
      needed,
      faults: this.faults(answer),
      outcome: answer.outcome as Outcome | null,
    };
  }

  private firstView(): RoomView {
    const { lesson, book } = this;
    const sets = lesson.table.map((faces) => this.box.takeAll(faces));
    const rack = this.box.takeAll(lesson.rack);
    const discards = this.box.takeAll(lesson.discards ?? []);
    const layingOff = book.family === 'laying_off';
    const others = lesson.others ?? [{ name: this.pupil.names[1], rack: Array<string>(9).fill('') }];
    const players = [this.pupil.names[0], ...others.map((other) => other.name)];
    const game: View = {
      book: { id: book.id, version: book.version },
      players,
      game: 1,
      commitment: lesson.id,
      stand_ins: [],
      me: 0,
      phase: lesson.goal.kind === 'take' ? 'take' : layingOff ? 'play' : 'turn',
      starter: 0,
      seat: 0,
      deals: 1,
      rack,
      rack_sizes: [rack.length, ...others.map((other) => other.rack.length)],
      pool_size: POOL,
      table: layingOff ? [] : sets,
      melds: layingOff ? sets.map((tiles, index) => this.meld(tiles, lesson.owners?.[index] ?? 0)) : [],
      discards,
      melded: players.map((_, seat) => seat > 0 || lesson.melded),
      withdrawn: players.map(() => false),
      turns: players.map(() => 1),
      exhausted: false,
      queue: null,
      passes: 0,
      reshuffles: 0,
      drawn: [],
      result: null,
      racks: null,
    };
    return room(game, book.id);
  }
}

/** The room around a game that one person plays without a server. */
export function room(game: View, book: string): RoomView {
  const none = { present: true, stand_in: null, timeouts: 0, reserved: false, avatar: '', profile: '', infringements: 0 };
  return {
    room: ROOM,
    stage: 'playing',
    settings: {
      book,
      options: {},
      seats: game.players.length,
      games: 1,
      clock: { kind: 'off', amount: 0, extra: 0 },
      public: false,
      spectators: 'off',
      hints: true,
      stand_in_after: 0,
      house: null,
      stand_in: 'club',
      planning: false,
      bot_speed: 'normal',
      puzzles: false,
      book_version: game.book.version,
      aids: { take_back: false, nothing_playable: false, tiles_seen: false, odds: false },
    },
    seats: game.players.map((name, seat) => ({ kind: seat === 0 ? 'person' : 'bot', name, level: seat === 0 ? null : 'beginner', ...none })),
    me: 0,
    host: true,
    rev: 1,
    game,
    match: { games: 1, played: 0, scores: [], totals: game.players.map(() => 0), wins: game.players.map(() => 0), winners: null },
    deadline: null,
    turn_began: null,
    starts_at: null,
    ready: [],
    redeal: false,
    extra_used: false,
    changed: [],
    draft: null,
    draft_melds: null,
    agreed_end: [],
    agreed_next: [],
    asked_stand_in: {},
    spectators: 0,
    chat: [],
    sheet: null,
    secret: null,
    contributions: null,
    record: null,
    notice: '',
    notice_clause: '',
    notice_ruling: '',
    commitment: '',
    championship: null,
    next_at: null,
    aids: [],
    taken_back: 0,
    visible_at: null,
    ended_because: '',
  };
}
