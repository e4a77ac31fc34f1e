// Carries out what was typed: a verb with tiles in notation and numbers of sets.

import { api, ApiError } from '../api/http';
import { t as table } from '../locales/table';
import { t } from '../locales/text';
import { oddsLines } from '../table/aids/odds-text';
import { hiddenInWords } from '../table/aids/tiles-seen';
import type { DraftSet } from '../table/draft/draft';
import { doInTurn, isTurnAction } from '../table/input/turn-actions';
import { faultWords } from '../table/model/status-line';
import type { TableModel } from '../table/model/table-model.svelte';
import { settings } from '../ui/settings.svelte';
import { helpFor, read, resolve, resolveTable, vocabulary, type Typed } from './commands';
import type { GameWords } from './game-words';

/** However many there are, the server gives the last. */
const LAST_HINT = 4;

type Example = 'help.lay' | 'help.add' | 'help.split' | 'help.discard' | 'help.take';
type Order = readonly ('rack' | number)[];

const example = (key: Example): string => t(key).split(/\s*:/)[0] ?? '';

export class TypedTurn {
  constructor(
    private readonly model: TableModel,
    private readonly words: GameWords,
    private readonly say: (...texts: readonly string[]) => void,
    private readonly showHelp: () => void,
  ) {}

  async perform(line: string): Promise<void> {
    const { model, words } = this;
    const typed = read(line, vocabulary((key) => t(key)));
    if (typed.verb !== null && isTurnAction(typed.verb)) return doInTurn(model, typed.verb);
    if (!model.layingOff && (typed.verb === 'take' || typed.verb === 'discard')) return this.say(t('no_piles'));
    switch (typed.verb) {
      case null:
        return this.say(t('unknown', { line }));
      case 'lay':
        return this.eachSet(typed, (wanted) => this.place(wanted, ['rack', ...this.every()], (tiles) => model.newSet(tiles)));
      case 'add':
        return this.intoSet(typed, ['rack', ...this.every()]);
      case 'move':
        return this.intoSet(typed, typed.numbers.length > 1 ? [(typed.numbers[0] ?? 0) - 1] : [...this.every(), 'rack']);
      case 'back':
        return this.eachSet(typed, (wanted) => this.place(wanted, this.every(), (tiles) => model.takeBack(tiles)));
      case 'split':
        return this.splitSet(typed);
      case 'table':
        return this.arrange(typed);
      case 'discard':
        return this.eachSet(typed, (wanted) => this.place(wanted.slice(0, 1), ['rack'], ([tile]) => model.chooseDiscard(tile ?? null)), 'help.discard');
      case 'take':
        if (typed.pile === null) return this.say(t('needs.pile', { example: example('help.take') }));
        return model.take(typed.pile);
      case 'run':
      case 'group': {
        const set = this.numbered(typed.numbers.at(-1), 'help.split');
        if (set !== null) model.meant(set.id, typed.verb);
        return;
      }
      case 'redeal':
        return model.showDoubles();
      case 'ready':
        return model.sayReady();
      case 'show':
        return this.show();
      case 'rack':
        return this.say(words.rack);
      case 'sets': {
        const sets = model.sets.length > 0 ? model.sets.map((set, index) => words.set(set, index)) : [t('table.empty')];
        return this.say(...sets, ...(model.layingOff ? [words.discard] : []));
      }
      case 'players':
        return this.say(...model.names.map((_, seat) => words.player(seat)), words.pool);
      case 'why': {
        const faults = model.judgement?.faults ?? [];
        return this.say(...(faults.length > 0 ? faults.map((fault) => faultWords(fault, model.book.colours)) : [t('no_why')]));
      }
      case 'odds':
        return this.tellOdds();
      case 'seen':
        return this.say(...(model.allows('tiles_seen') ? hiddenInWords(model) : [t('no_seen')]));
      case 'takeback':
        return model.mayTakeBack ? model.ask('take_back') : this.say(t('no_take_back'));
      case 'resign':
        return model.ask('resign');
      case 'yes':
        return model.answer();
      case 'no':
        return model.ask(null);
      case 'help':
        this.showHelp();
        return this.say(t('help.tiles'), ...helpFor(model.book.family).map((key) => t(key)));
    }
  }

  private every(): number[] {
    return this.model.draft.sets.map((_, index) => index);
  }

  /** The tiles that were typed, set by set, read by the server's own parser. */
  private async typedSets(typed: Typed, key: Example): Promise<string[][] | null> {
    if (typed.notation === '') {
      this.say(t('needs.tiles', { example: example(key) }));
      return null;
    }
    try {
      return (await api.notation(typed.notation, this.model.book.id, settings.language)).sets;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.say(error.message);
      return null;
    }
  }

  private async eachSet(typed: Typed, use: (wanted: readonly string[]) => void, key: Example = 'help.lay'): Promise<void> {
    for (const wanted of (await this.typedSets(typed, key)) ?? []) use(wanted);
  }

  private place(wanted: readonly string[], order: Order, use: (tiles: readonly number[]) => void): void {
    const { model } = this;
    const found = resolve(wanted, { faces: model.book.tiles, rack: model.rack, sets: model.draft.sets }, order);
    if ('missing' in found) this.miss(found.missing);
    else use(found.tiles);
  }

  private miss(face: string): void {
    this.say(t('missing', { tile: this.words.name([face]) }));
  }

  private numbered(number: number | undefined, key: Example): DraftSet | null {
    const { sets } = this.model.draft;
    const set = number === undefined ? undefined : sets[number - 1];
    if (number === undefined) this.say(t('needs.set', { example: example(key) }));
    else if (set === undefined) this.say(t('no_set', { number, count: sets.length }));
    return set ?? null;
  }

  private async intoSet(typed: Typed, order: Order): Promise<void> {
    const sets = await this.typedSets(typed, 'help.add');
    const set = sets === null ? null : this.numbered(typed.numbers.at(-1), 'help.add');
    if (sets === null || set === null) return;
    const own = this.model.draft.sets.indexOf(set);
    this.place(sets.flat(), order.filter((each) => each !== own), (tiles) => this.model.putInto(set.id, tiles, null));
  }

  private async splitSet(typed: Typed): Promise<void> {
    const sets = await this.typedSets(typed, 'help.split');
    const set = sets === null ? null : this.numbered(typed.numbers[0], 'help.split');
    if (sets === null || set === null) return;
    const wanted = sets.flat()[0] ?? '';
    const tile = set.tiles.findLast((one) => this.model.book.tiles[one] === wanted);
    if (tile === undefined) this.miss(wanted);
    else this.model.splitBefore(tile);
  }

  private async arrange(typed: Typed): Promise<void> {
    const { model } = this;
    const sets = await this.typedSets(typed, 'help.lay');
    if (sets === null) return;
    const found = resolveTable(sets, { faces: model.book.tiles, rack: [...model.rack, ...model.laid], sets: model.draft.before });
    if ('missing' in found) this.miss(found.missing);
    else model.arrange(found.sets);
  }

  /** The best move as a draft; where nothing can be laid, the last hint says what to do. */
  private async show(): Promise<void> {
    const { model } = this;
    await model.askHint(LAST_HINT);
    const last = model.hint?.lines?.at(-1);
    if (last && (last.table ?? last.melds)) model.showHintLine(last);
  }

  private async tellOdds(): Promise<void> {
    const { model, words } = this;
    if (!model.allows('odds')) return this.say(t('no_odds'));
    if (!model.myTurn) return this.say(table('aids.odds.turn'));
    if (!(await model.askOdds())) return;
    const names = (faces: readonly string[]): string => faces.map((face) => words.name([face])).join(', ');
    this.say(...oddsLines(model).map(({ label, text, faces }) => [`${label}: ${text}`, ...(faces.length > 0 ? [names(faces)] : [])].join('. ')), table('odds.note'));
  }
}
