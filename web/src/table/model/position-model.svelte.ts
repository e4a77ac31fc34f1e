// The game as the server says it is, and what follows from it for the person who looks at it.

import type { Aid, Done, Fault, GameEvent, HintStep, Judgement, Odds, RoomView } from '../../api/generated/live';
import type { Unsent, Tile } from '../../api/types';
import type { BookCard } from '../../api/generated/http';
import { begin, laid, onRack, setOf, touched, type Box, type Draft, type DraftSet } from '../draft/draft';
import { isJoker } from '../../ui/tiles/faces';
import { since, type History } from '../draft/undo';
import { tileName, tileNames } from '../../ui/tiles/tile-names';
import { rings, type Ring } from '../board/rings';
import { remembered, shown, type Memory, type RackOrder } from '../board/rack-order';
import { statusLine, type Line } from './status-line';
import { changesSince, lastChanges, NOTHING_YET, showable, type Chronicle, type Entry } from './chronicle';
import type { Say } from './event-text';

/** The server as a table needs it. */
export interface Voice {
  send(command: Unsent): Promise<Done>;
  now(): number;
}

/** What is asked in the line before it is done. */
export type Question = 'draw' | 'pass' | 'declare' | 'resign' | 'take_back';

/** Something that stays in sight until it is read: a refusal, a penalty, a hint. */
export interface Note {
  readonly kind: 'refused' | 'penalty' | 'hint' | 'plain';
  readonly text: string;
  readonly faults: readonly Fault[];
  readonly clause?: string;
  readonly ruling?: string;
}

export interface Setting {
  readonly room: string;
  readonly view: RoomView;
  /** What happened in the game before this view. */
  readonly past?: readonly GameEvent[];
  readonly book: BookCard;
  readonly voice: Voice;
  readonly memory: Memory;
  readonly say: Say;
  readonly language: () => string;
}

export class Position {
  readonly room: string;
  readonly voice: Voice;
  protected readonly memory: Memory;
  protected readonly say: Say;
  protected readonly language: () => string;

  view: RoomView = $state.raw() as RoomView;
  book: BookCard = $state.raw() as BookCard;
  history: History<Draft> = $state.raw() as History<Draft>;
  order: RackOrder = $state.raw() as RackOrder;
  selected: readonly Tile[] = $state.raw([]);
  /** The tile that is to be thrown away, where a book has discards. */
  discard: Tile | null = $state.raw(null);
  judgement: Judgement | null = $state.raw(null);
  /** What the player to move has on the table, as everybody else sees it. */
  watched: readonly DraftSet[] | null = $state.raw(null);
  asking: Question | null = $state.raw(null);
  note: Note | null = $state.raw(null);
  hint: HintStep | null = $state.raw(null);
  /** Whether anything can be played in this turn; null if the table does not tell, or not yet. */
  playable: boolean | null = $state.raw(null);
  odds: Odds | 'asked' | null = $state.raw(null);
  /** What happened in this game, move by move. */
  chronicle: Chronicle = $state.raw(NOTHING_YET);
  /** A move that is being shown again, and the table at that moment. */
  showing: { readonly entry: Entry; readonly sets: readonly DraftSet[]; readonly done: boolean } | null = $state.raw(null);
  /** Tiles of the rack that no longer fit where they were planned. */
  misfits: readonly Tile[] = $state.raw([]);
  private spoken = $state.raw({ text: '' });
  /** An action is on its way; the next one waits for its answer. */
  busy = $state(false);
  /** Counts everything that can move a tile, so that the movement can be shown. */
  moves = $state(0);
  /** Whose doing the last movement was: tiles nobody has seen before come from there. */
  mover: number | null = null;

  constructor(setting: Setting) {
    this.room = setting.room;
    this.voice = setting.voice;
    this.memory = setting.memory;
    this.say = setting.say;
    this.language = setting.language;
    this.book = setting.book;
    this.view = setting.view;
    this.order = remembered(setting.memory, setting.room);
    this.history = since(begin([], [], this.box));
  }

  /** For those who listen: what was just done. Said again, it is news again. */
  get said(): string {
    return this.spoken.text;
  }
  set said(text: string) {
    this.spoken = { text };
  }
  get game() {
    return this.view.game;
  }
  get me(): number | null {
    return this.view.me;
  }
  get box(): Box {
    return { faces: this.book.tiles, shortest: this.book.shortest_set };
  }
  get layingOff(): boolean {
    return this.book.family === 'laying_off';
  }
  get over(): boolean {
    return this.view.stage === 'over' || this.game?.phase === 'over';
  }
  get stoodIn(): boolean {
    return this.me !== null && (this.view.seats[this.me]?.stand_in ?? null) !== null;
  }
  /** True for somebody who has left a game that the others play on. */
  get hasLeft(): boolean {
    return this.me !== null && !this.over && this.game?.withdrawn[this.me] === true;
  }
  /** The only player that is left besides oneself; null if there are more. */
  get lastRival(): number | null {
    const rivals = (this.game?.withdrawn ?? []).flatMap((out, seat) => (out || seat === this.me ? [] : [seat]));
    return rivals.length === 1 && !this.view.championship ? (rivals[0] ?? null) : null;
  }
  get myTurn(): boolean {
    return this.view.stage === 'playing' && this.game !== null && !this.over && this.me !== null && this.game.seat === this.me && !this.stoodIn;
  }
  /** True in the start phase after a deal: nobody plays before all are ready or its time is up (R69). */
  get starting(): boolean {
    return this.view.starts_at !== null && !this.over;
  }
  /** True for somebody whom the others still wait for. */
  get mustSayReady(): boolean {
    return this.starting && this.me !== null && !this.stoodIn && !this.view.ready.includes(this.me);
  }
  /** The others who are not ready yet. */
  get awaited(): readonly string[] {
    return this.starting ? this.names.filter((_, seat) => seat !== this.me && !this.view.ready.includes(seat)) : [];
  }
  /** True while tiles may be laid and moved on the table: in one's turn, or for one's own eyes before it. */
  get mayDraft(): boolean {
    return this.drafting || this.planning;
  }
  /** True in one's own turn while what is arranged can be played. */
  get drafting(): boolean {
    return this.myTurn && (this.game?.phase === 'turn' || this.game?.phase === 'play');
  }
  /** True while tiles may be arranged that nobody else sees. */
  get planning(): boolean {
    const { settings, championship, stage } = this.view;
    const playing = stage === 'playing' && this.game !== null && !this.over && this.me !== null && this.game.me !== null;
    return playing && settings.planning && !championship && !this.stoodIn && !this.hasLeft && !this.drafting && this.game?.phase !== 'opening_discard';
  }
  get draft(): Draft {
    return this.history.now;
  }
  get touched(): boolean {
    return touched(this.draft);
  }
  get laid(): readonly Tile[] {
    return laid(this.draft);
  }
  /** Tiles that came to the table in this turn, whoever lays them. */
  get laying(): ReadonlySet<Tile> {
    if (this.showing !== null) return new Set();
    if (this.ownTable) return new Set(this.laid);
    const before = new Set(this.draft.before.flatMap((set) => [...set.tiles]));
    return new Set((this.watched ?? []).flatMap((set) => set.tiles.filter((tile) => !before.has(tile))));
  }
  /** True if what lies on the table is one's own draft or plan, or nobody's. */
  get ownTable(): boolean {
    return this.watched === null || this.touched;
  }
  /** What to look at, and whose doing it was: everything since one's own last turn. */
  get highlighted(): ReadonlyMap<Tile, number> {
    const { showing } = this;
    if (showing !== null) return new Map(showing.done ? showing.entry.changed.map((tile) => [tile, showing.entry.seat ?? 0]) : []);
    if (this.over) return lastChanges(this.chronicle);
    if (this.touched || this.watched !== null) return new Map();
    return changesSince(this.chronicle, this.me);
  }
  /** The last move of somebody else, on one's own turn. */
  get lastMove(): Entry | null {
    const last = this.chronicle.entries.findLast((entry) => entry.seat !== null);
    return last === undefined || last.seat === this.me ? null : last;
  }
  /** The last move that changed the table, to be shown again. */
  get lastShowable(): Entry | null {
    return this.chronicle.entries.findLast((entry) => showable(entry) && entry.seat !== this.me) ?? null;
  }
  /** The rack as it is shown: own order, without what is laid and without the chosen discard. */
  get rack(): readonly Tile[] {
    return shown(this.order, onRack(this.draft)).filter((tile) => tile !== this.discard);
  }
  get sets(): readonly DraftSet[] {
    if (this.showing !== null) return this.showing.sets;
    return this.ownTable ? this.draft.sets : (this.watched ?? []);
  }
  /** The one chosen tile before which its set can be split; null if there is none. */
  get splitPoint(): Tile | null {
    const [only, another] = this.selected;
    const set = only === undefined || another !== undefined ? null : setOf(this.draft, only);
    return set !== null && !set.fixed && set.tiles.indexOf(only as Tile) > 0 ? (only as Tile) : null;
  }
  /** Points still asked of a first meld; 0 for a player who has opened. */
  get needed(): number {
    return this.me !== null && this.game?.melded[this.me] === false ? this.book.opening_points : 0;
  }
  get marks(): readonly boolean[] | null {
    return this.showing === null && this.touched ? (this.judgement?.marks ?? null) : null;
  }
  get rings(): readonly Ring[] {
    return rings(this.names, this.me);
  }
  get names(): readonly string[] {
    return this.view.seats.map((seat, index) => seat.name || (this.game?.players[index] ?? ''));
  }
  /** What a set or tile is called aloud. */
  tileName(tile: Tile): string {
    return tileName(this.book.tiles[tile] ?? '', this.book.colours);
  }
  tileNames(tiles: readonly Tile[]): string {
    return tileNames(tiles.map((tile) => this.book.tiles[tile] ?? ''), this.book.colours);
  }
  get mayFinish(): boolean {
    if (!this.myTurn || this.busy) return false;
    if (!this.layingOff) return this.laid.length > 0;
    return this.discard !== null && (this.game?.phase === 'play' || this.game?.phase === 'opening_discard');
  }
  /** Pairs of equal tiles on the rack, where showing them would bring a new deal. */
  get doubles(): number {
    const game = this.game;
    if (game === null || this.me === null || this.over || this.stoodIn || !this.view.redeal) return 0;
    const count = pairs(game.rack.map((tile) => this.book.tiles[tile] ?? ''));
    return count >= this.book.redeal_doubles ? count : 0;
  }
  allows(aid: Aid): boolean {
    return this.view.aids.includes(aid);
  }
  /** True if one's last turn can be taken back, or in it what was taken. */
  get mayTakeBack(): boolean {
    const { game, me } = this;
    if (game === null || me === null || this.over || this.stoodIn || this.hasLeft || !this.allows('take_back')) return false;
    return (game.turns[me] ?? 0) > 0 || (this.myTurn && game.phase === 'play');
  }
  /** True if there is nothing to do in this turn but to draw, pass or discard. */
  get nothingPlayable(): boolean {
    return this.playable === false && this.myTurn && !this.touched && this.selected.length === 0 && this.discard === null;
  }

  /** What was done last; a penalty that stands beside the line already is not told twice. */
  private get lastSaid(): string {
    const last = this.myTurn ? this.lastMove : this.chronicle.entries.at(-1);
    if (this.note?.kind === 'penalty' && last?.tone === 'penalty') return '';
    return last?.texts.join(' ') ?? (this.myTurn ? '' : this.view.notice);
  }
  get line(): Line {
    const game = this.game;
    if (game === null) return { text: '', mood: 'wait' };
    return statusLine({
      game,
      family: this.book.family,
      me: this.me,
      myTurn: this.myTurn,
      starting: this.starting,
      ready: !this.mustSayReady,
      awaited: this.awaited,
      stoodIn: this.stoodIn,
      touched: this.touched,
      watchedDraft: this.watched !== null,
      selected: this.selected,
      rackLeft: this.rack.length,
      discard: this.discard,
      judgement: this.judgement,
      needed: this.needed,
      planning: this.planning,
      nothing: this.nothingPlayable,
      lastSaid: this.lastSaid,
      names: this.names,
      faces: this.book.tiles,
      colours: this.book.colours,
      language: this.language(),
      say: this.say,
    });
  }

  /** Whether an illegal or unfinished table counts as a draw here (R68). */
  get asDrawn(): boolean {
    const own = this.book.options.find((one) => one.name === 'conduct')?.choices[0];
    return (this.view.settings.options?.conduct ?? own) === 'competition';
  }

  /** True for a meld of one's own of this turn that can be read as a run and as a group. */
  ambiguous(set: DraftSet): boolean {
    const jokers = set.tiles.filter((tile) => isJoker(this.book.tiles, tile)).length;
    return this.layingOff && !set.fixed && jokers >= 2 && set.tiles.length - jokers === 1;
  }
}

function pairs(faces: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const face of faces.filter((one) => one !== '*')) counts.set(face, (counts.get(face) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum + Math.floor(count / 2), 0);
}
