// A table as one person sees it: it hears what happens, and says what the person does.
//
// It decides nothing about rules: every draft goes to the server, and the answer says what it amounts to.

import { Refusal } from '../../api/live';
import type { Drafted, Fault, HintLine, HintStep, PlayerAction, Presence, Reacted, RoomView, Update } from '../../api/generated/live';
import type { Unsent, Tile } from '../../api/types';
import { Desk } from './draft-model.svelte';
import { arranged, arrangedMelds, asMelds, asTable, begin, beginMelds, DraftError, type Draft } from '../draft/draft';
import { rebased } from '../draft/rebase';
import { changed, since } from '../draft/undo';
import type { Question, Setting } from './position-model.svelte';
import { follow, remember } from '../board/rack-order';
import { muted } from './muted';
import { keep, kept } from '../draft/saved-draft';
import { inPlace } from '../board/tile-order';
import { inWords, partsOf } from '../../ui/tiles/tile-message';
import { setName } from '../../ui/tiles/tile-names';
import { fromHistory, withEvents, type Entry, type Reader } from './chronicle';
import { faultWords } from './status-line';

const DRAFT_PAUSE = 60;

/** How long a move that is shown again lies as it was before, and then as it became. */
const SHOWN_BEFORE = 900;
const SHOWN_AFTER = 1_600;

/** How long a reaction is shown. */
const REACTION_SHOWN = 4_000;
const MOST_REACTIONS = 4;

export class TableModel extends Desk {
  /** Reactions that were sent just now. */
  reactions: readonly { readonly id: number; readonly name: string; readonly seat: number | null; readonly reaction: Reacted['reaction'] }[] = $state.raw([]);
  private reacts = 0;
  private timer: ReturnType<typeof setTimeout> | null = null;
  /** The last draft on its way to be judged. */
  private judging: Promise<void> = Promise.resolve();
  private showTimer: ReturnType<typeof setTimeout> | null = null;
  private asked = 0;
  /** A plan came into the turn and nothing was moved since: nobody else sees it yet. */
  private carried = false;

  constructor(setting: Setting) {
    super(setting);
    this.chronicle = fromHistory(setting.past ?? [], this.reader());
    this.arrive(setting.view, true, false);
  }

  // News from the server

  receive(update: Update): void {
    const before = this.view;
    const faults = this.judgement?.faults ?? [];
    // When play begins nothing has changed on the table: what lies there stays.
    const wasMine = before.starts_at === null && (this.drafting || (this.myTurn && !this.planning));
    const anew = before.rev !== update.view.rev || before.game?.game !== update.view.game?.game || before.me !== update.view.me;
    this.view = update.view;
    const told = this.chronicle.entries;
    const back = update.events.some((event) => event.kind === 'turn_taken_back');
    if ((update.snapshot || back) && update.history) this.chronicle = fromHistory(update.history, this.reader());
    else this.chronicle = withEvents(this.chronicle, update.events, this.reader());
    const news = update.snapshot || back ? [] : this.chronicle.entries.filter((entry) => !told.includes(entry));
    this.mover = news.findLast((one) => one.seat !== null)?.seat ?? null;
    if (anew) {
      this.stopShowing();
      const same = before.game?.commitment === update.view.game?.commitment && before.game?.deals === update.view.game?.deals;
      this.arrive(update.view, false, same && !wasMine && !back);
    } else if (update.snapshot && this.touched) this.sendSoon();
    const penalty = news.findLast((one) => one.tone === 'penalty' && one.seat === this.me);
    if (penalty !== undefined) this.penalise(penalty, faults);
    if (before.starts_at !== null && update.view.starts_at === null && !this.over) {
      const name = this.names[this.game?.seat ?? 0] ?? '';
      this.said = this.say(this.myTurn ? 'said.your_turn' : 'said.play_began', { name });
    }
    if (anew && this.myTurn && before.game?.seat !== this.me) {
      const last = this.lastMove === null ? '' : this.inWords(this.lastMove.texts.join(' '));
      this.said = [last, this.say('said.your_turn')].filter(Boolean).join(' ');
    }
    if (back) this.remark(this.say('take_back.done'));
  }

  drafted(drafted: Drafted): void {
    if (drafted.rev !== this.view.rev || drafted.seat === this.me) return;
    this.mover = drafted.seat;
    this.watch(drafted.table ?? null, drafted.melds ?? null);
  }

  presence(presence: Presence): void {
    const seats = this.view.seats.map((seat, index) => ({ ...seat, present: presence.present[index] ?? seat.present }));
    this.view = { ...this.view, seats, spectators: presence.spectators };
  }

  /** A reaction is shown for a moment, unless its sender is muted. */
  reacted({ name, seat = null, reaction }: Reacted): void {
    if (muted(this.memory).has(name)) return;
    const id = (this.reacts += 1);
    this.reactions = [...this.reactions, { id, name, seat, reaction }].slice(-MOST_REACTIONS);
    this.said = this.say('said.reaction', { name, reaction: this.say(`reaction.${reaction}`) });
    setTimeout(() => (this.reactions = this.reactions.filter((one) => one.id !== id)), REACTION_SHOWN);
  }

  private reader(): Reader {
    return {
      me: this.me,
      players: this.names,
      faces: this.book.tiles,
      colours: this.book.colours,
      language: this.language(),
      asDrawn: this.asDrawn,
      say: this.say,
    };
  }

  /** A text with marked tiles, for those who listen. */
  private inWords(text: string): string {
    return inWords(partsOf(text), (tiles) => setName(tiles, this.book.colours));
  }

  /** Another position: the draft begins anew, goes on where it was left before a reload, or a plan is carried over. */
  private arrive(view: RoomView, first: boolean, planned: boolean): void {
    const game = view.game;
    const plan = planned && this.touched ? this.draft : null;
    this.cancelDraft();
    this.asked += 1;
    this.judgement = null;
    this.watched = null;
    // Whoever thinks about resigning is not interrupted by others who play on.
    if (this.asking !== 'resign' || this.over) this.asking = null;
    this.hint = null;
    this.playable = null;
    this.odds = null;
    this.discard = null;
    this.carried = false;
    this.misfits = [];
    if (!first && this.note?.kind !== 'penalty') this.note = null;
    if (game === null) return;
    const rack = game.me === null ? [] : game.rack;
    this.order = follow(this.order, rack, `${game.game}.${game.deals}.${game.commitment}`, this.book.tiles);
    remember(this.memory, this.room, this.order);
    this.selected = this.selected.filter((tile) => rack.includes(tile));
    this.history = since(
      this.layingOff ? beginMelds(game.melds, rack, game.me ?? -1) : begin(game.table, rack, this.box, this.draft.sets),
    );
    this.moves += 1;
    if (!this.myTurn) this.watch(view.draft, view.draft_melds);
    if (plan !== null && this.mayDraft) this.carry(plan);
    else if (this.mayDraft) this.restore(view);
    if (this.discard !== null && !rack.includes(this.discard)) this.discard = null;
    void this.askPlayable();
  }

  /** A plan on the table as it is now: what fits stays, what does not is on the rack again and marked. */
  private carry(plan: Draft): void {
    const { draft, lost } = rebased(plan, this.draft, this.box);
    if (draft !== this.draft) this.history = changed(this.history, draft);
    this.misfits = lost;
    this.carried = this.drafting;
    if (lost.length > 0) this.remark(this.say('plan.lost', { tiles: this.tileNames(lost), count: lost.length }));
    this.keepDraft();
    if (this.touched) this.sendSoon();
  }

  private restore(view: RoomView): void {
    const saved = kept(this.memory, this.room, view.rev);
    const table = saved?.table ?? (this.drafting ? view.draft : null);
    const melds = saved?.melds ?? (this.drafting ? view.draft_melds : null);
    try {
      if (this.layingOff && melds !== null) this.history = changed(this.history, arrangedMelds(this.draft, melds as never));
      else if (!this.layingOff && table !== null) this.history = changed(this.history, arranged(this.draft, table, this.box));
      if (this.layingOff && this.drafting) this.discard = saved?.discard ?? null;
    } catch (error) {
      if (!(error instanceof DraftError)) throw error;
    }
    if (this.touched || this.discard !== null) this.sendSoon();
  }

  private watch(table: readonly Tile[][] | null, melds: readonly { tiles: Tile[]; owner: number }[] | null): void {
    const shownNow = this.sets;
    if (table !== null && !this.layingOff) this.watched = begin(inPlace(shownNow, table), [], this.box, shownNow).sets;
    else if (melds !== null && this.layingOff) {
      this.watched = melds.map((meld, index) => ({ id: index + 1, tiles: meld.tiles, owner: meld.owner, kind: null, fixed: true }));
    } else this.watched = null;
    this.moves += 1;
  }

  /** A penalty says what and why: the sentence, the rule that the server cites, and the faults of the turn. */
  private penalise(entry: Entry, faults: readonly Fault[]): void {
    const { notice_clause: clause, notice_ruling: ruling } = this.view;
    this.note = { kind: 'penalty', text: entry.texts.join(' '), faults, clause, ruling };
  }

  // Showing a move again

  /** Shows the table before a move and then after it; again, or anything else, ends it. */
  showMove(entry: Entry): void {
    const again = this.showing?.entry.number === entry.number;
    this.stopShowing();
    if (again || entry.seat === null) return;
    this.selected = [];
    this.show(entry, false);
    this.said = this.inWords(entry.texts.join(' '));
    this.showTimer = setTimeout(() => {
      this.show(entry, true);
      this.showTimer = setTimeout(() => this.stopShowing(), SHOWN_AFTER);
    }, SHOWN_BEFORE);
  }

  private show(entry: Entry, done: boolean): void {
    const lying = done ? entry.after : entry.before;
    const sets = this.layingOff
      ? lying.map((set, index) => ({ id: index + 1, tiles: set.tiles, owner: set.owner, kind: null, fixed: true }))
      : begin(lying.map((set) => set.tiles), [], this.box, this.draft.sets).sets;
    this.mover = entry.seat;
    this.showing = { entry, sets, done };
    this.moves += 1;
  }

  stopShowing(): void {
    if (this.showTimer !== null) clearTimeout(this.showTimer);
    this.showTimer = null;
    if (this.showing === null) return;
    this.showing = null;
    this.moves += 1;
  }

  // Talking to the server

  protected draftChanged(): void {
    this.carried = false;
    this.keepDraft();
    this.sendSoon();
  }

  private keepDraft(): void {
    const empty = !this.touched && this.discard === null;
    keep(
      this.memory,
      this.room,
      empty
        ? null
        : {
            rev: this.view.rev,
            table: this.layingOff ? null : asTable(this.draft),
            melds: this.layingOff ? asMelds(this.draft) : null,
            discard: this.discard,
          },
    );
  }

  private cancelDraft(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private sendSoon(): void {
    this.cancelDraft();
    this.timer = setTimeout(() => (this.judging = this.sendDraft()), DRAFT_PAUSE);
  }

  private async sendDraft(): Promise<void> {
    this.cancelDraft();
    if (!this.mayDraft) return;
    const number = (this.asked += 1);
    const { rev } = this.view;
    const empty = !this.touched && this.discard === null;
    const own = this.planning || this.carried;
    if (own && empty) return;
    const head = { do: own ? 'plan' : 'draft', room: this.room, rev } as const;
    const body = empty ? {} : this.layingOff ? { melds: asMelds(this.draft), discard: this.discard } : { table: asTable(this.draft) };
    try {
      const done = await this.voice.send({ ...head, ...body });
      if (number === this.asked && rev === this.view.rev) this.judgement = empty ? null : (done.judgement ?? null);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (number === this.asked && rev === this.view.rev && error.error.code !== 'stale') this.refuse(error);
    }
  }

  private refuse(refusal: Refusal): void {
    const { code, message, faults = [] } = refusal.error;
    const text = code === 'stale' ? this.say('stale') : faults.length > 0 ? this.say('refused') : this.say('refused.one', { message });
    this.note = { kind: 'refused', text, faults };
    this.said = [text, ...faults.map((fault) => faultWords(fault, this.book.colours))].join(' ');
  }

  /** Send a command; a refusal becomes a note. True if it was carried out. */
  async command(command: Unsent): Promise<boolean> {
    try {
      await this.voice.send(command);
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refuse(error);
      return false;
    }
  }

  private async act(action: PlayerAction): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.asking = null;
    this.note = null;
    // The action has the tiles with it; a draft that comes after it would be refused.
    this.cancelDraft();
    try {
      const { starting } = this;
      const done = await this.command({ do: 'act', room: this.room, rev: this.view.rev, action });
      // Nothing was played yet: the others are not ready.
      if (done && starting && this.starting && action.action !== 'request_redeal') this.remark(this.line.text);
      return done;
    } finally {
      this.busy = false;
    }
  }

  private seat(): number {
    return this.me ?? -1;
  }

  /** Draw, or take from the stock. With a draft on the table it asks first. */
  draw(sure = false): void {
    if (!this.myTurn) return this.tellWhyNot();
    if (this.layingOff) return this.take('stock');
    if ((this.game?.pool_size ?? 0) === 0) return this.pass(sure);
    if (this.touched && !sure) return this.ask('draw');
    if (sure) this.reset();
    void this.act({ action: 'draw', seat: this.seat() });
  }

  pass(sure = false): void {
    if (!this.myTurn) return this.tellWhyNot();
    if (this.layingOff || (this.game?.pool_size ?? 0) > 0) return;
    if (this.touched && !sure) return this.ask('pass');
    if (sure) this.reset();
    void this.act({ action: 'pass', seat: this.seat() });
  }

  take(source: 'stock' | 'discard'): void {
    if (!this.myTurn) return this.tellWhyNot();
    if (this.game?.phase !== 'take') return this.tellWhyNot();
    void this.act({ action: 'take', seat: this.seat(), source });
  }

  /** Declare the turn done. */
  finish(sure = false): void {
    if (this.mustSayReady && this.laid.length === 0) return this.sayReady();
    if (!this.myTurn) return this.tellWhyNot();
    if (this.layingOff) return this.finishPlay();
    if (this.laid.length === 0) return this.remark(this.say('line.nothing_laid'));
    const strict = (this.view.settings.options?.strict_declare ?? this.book.strict_declare) === true;
    if (strict && !sure) void this.declare();
    else this.lay();
  }

  private lay(): void {
    void this.act({ action: 'lay', seat: this.seat(), table: asTable(this.draft) });
  }

  /** Lay, or ask first if the table is not legal: as it lies now, not as it lay when it was last judged. */
  private async declare(): Promise<void> {
    const { rev } = this.view;
    if (this.timer !== null) this.judging = this.sendDraft();
    await this.judging;
    if (rev !== this.view.rev) return;
    if (this.judgement?.legal === false) this.ask('declare');
    else this.lay();
  }

  private finishPlay(): void {
    const phase = this.game?.phase;
    if (phase === 'take') return this.tellWhyNot();
    if (this.discard === null) {
      const only = this.selected.length === 1 ? this.selected[0] : undefined;
      if (only === undefined || !this.rack.includes(only)) return this.remark(this.say('draft.one_discard'));
      this.discard = only;
      this.selected = [];
    }
    const tile = this.discard as Tile;
    if (phase === 'opening_discard' || !this.touched) void this.act({ action: 'discard', seat: this.seat(), tile });
    else void this.act({ action: 'play', seat: this.seat(), melds: asMelds(this.draft), discard: tile });
  }

  ask(question: Question | null): void {
    this.asking = question;
  }

  answer(): void {
    const question = this.asking;
    this.asking = null;
    if (question === 'draw') this.draw(true);
    else if (question === 'pass') this.pass(true);
    else if (question === 'declare') this.finish(true);
    else if (question === 'take_back') void this.takeTurnBack();
    else if (question === 'resign') void this.command({ do: 'resign', room: this.room });
  }

  /** Ask for a new deal; the server finds the doubles on the rack. */
  showDoubles(): void {
    void this.act({ action: 'request_redeal', seat: this.seat(), tiles: [] });
  }

  /** Play may begin. Said too late, it makes no difference. */
  sayReady(): void {
    if (!this.mustSayReady) return;
    this.voice.send({ do: 'ready', room: this.room, rev: this.view.rev }).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      if (error.error.code !== 'stale') this.refuse(error);
    });
  }

  /** The starter's first touch of a tile says that they are ready. */
  override select(tile: Tile, on?: boolean): void {
    super.select(tile, on);
    if (this.myTurn) this.sayReady();
  }

  extraTime(): void {
    void this.command({ do: 'extra_time', room: this.room, rev: this.view.rev });
  }

  /** The next hint; the last one has every step of the play. */
  async askHint(wanted?: number): Promise<void> {
    if (!this.myTurn || !this.view.settings.hints) return;
    const { rev } = this.view;
    const last = this.hint;
    const step = wanted ?? (last === null ? 1 : Math.min(last.step + 1, last.steps));
    this.note = { kind: 'hint', text: this.say('hint.looking'), faults: [] };
    try {
      const done = await this.voice.send({ do: 'hint', room: this.room, rev, step });
      if (rev === this.view.rev && done.hint) this.showHint(done.hint);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refuse(error);
    }
  }

  /** Where the table tells it: whether there is anything to play. Without an answer the line says nothing of it. */
  private async askPlayable(): Promise<void> {
    if (!this.myTurn || this.game?.phase === 'opening_discard' || !this.allows('nothing_playable')) return;
    const { rev } = this.view;
    try {
      const done = await this.voice.send({ do: 'playable', room: this.room, rev });
      if (rev === this.view.rev) this.playable = done.playable ?? null;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

  /** The odds of opening and going out; true if they are there. */
  async askOdds(): Promise<boolean> {
    const { rev } = this.view;
    this.odds = 'asked';
    try {
      const done = await this.voice.send({ do: 'odds', room: this.room, rev });
      if (rev === this.view.rev) this.odds = done.odds ?? null;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (rev === this.view.rev) this.odds = null;
      this.refuse(error);
    }
    return this.odds !== null && this.odds !== 'asked';
  }

  /** With nothing to undo, it is the last turn that is taken back. */
  override undo(): void {
    if (this.history.past.length === 0 && this.mayTakeBack) this.ask('take_back');
    else super.undo();
  }

  /** Take the last turn back. If a bot has moved meanwhile, that is undone as well: it is the same turn of ours. */
  async takeTurnBack(rev = this.view.rev, again = true): Promise<void> {
    const turns = this.game?.turns[this.seat()];
    try {
      await this.voice.send({ do: 'take_back', room: this.room, rev });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const now = error.error.code === 'stale' ? (error.error.rev ?? null) : null;
      if (again && now !== null && this.game?.turns[this.seat()] === turns) await this.takeTurnBack(now, false);
      else this.refuse(error);
    }
  }

  private showHint(hint: HintStep): void {
    const { step, steps } = hint;
    this.hint = hint;
    const lines = (hint.lines ?? []).map((line) => inWords(line.parts, (tiles) => setName(tiles, this.book.colours)));
    this.note = { kind: 'hint', text: this.say('hint.step', { step, steps }), faults: [] };
    this.said = lines.join(' ');
  }

  /** A step of a hint, laid as a draft; the hint stays in sight. */
  showHintLine(line: HintLine): void {
    const { note } = this;
    const { table, melds, discard = null } = line;
    if (table) this.apply((draft) => arranged(draft, table, this.box), () => '');
    else if (melds && this.mayDraft) this.apply((draft) => arrangedMelds(draft, melds as never), () => '');
    if (discard !== null) this.chooseDiscard(discard);
    else if (this.discard !== null) this.chooseDiscard(null);
    this.note = note;
    this.said = this.say(line === this.hint?.lines?.at(-1) ? 'hint.laid' : 'hint.step_laid');
  }

  dispose(): void {
    if (this.showTimer !== null) clearTimeout(this.showTimer);
    this.cancelDraft();
  }
}
