// What is said in text mode, in order: every move, every new decision, every answer, and the clock when time is short.

import { onMount, untrack } from 'svelte';

import { t as table } from '../locales/table';
import { t } from '../locales/text';
import { askedOf } from '../table/model/question';
import type { TableModel } from '../table/model/table-model.svelte';
import type { GameWords } from './game-words';

const LONGEST = 200;
const WARNINGS = [30, 10];
/** So few tiles on another rack are told. */
const FEW = 3;

const word = (verb: 'yes' | 'no'): string => t(`verb.${verb}`).split(' ')[0] ?? verb;

/** Made while a component is set up, and ends with it. */
export class Announcer {
  heard = $state.raw<readonly { readonly id: number; readonly text: string }[]>([]);
  /** Seconds left of the clock that runs; null without one. */
  left: number | null = $state(null);
  private count = 0;
  private told = { game: '', counts: new Map<number, number>(), fewest: new Map<number, number>() };
  private decided = '';
  private warned = Infinity;

  constructor(
    private readonly model: () => TableModel,
    private readonly words: () => GameWords,
  ) {
    $effect(() => {
      const { entries } = model().chronicle;
      untrack(() => this.tellMoves(entries));
    });
    $effect(() => {
      const { myTurn, starting, game, view } = model();
      const decision = myTurn || starting ? `${game?.commitment} ${view.rev}` : '';
      untrack(() => {
        if (decision !== '' && decision !== this.decided) this.say(words().line);
        this.decided = decision;
      });
    });
    $effect(() => {
      if (model().judgement !== null) untrack(() => this.say(words().line));
    });
    $effect(() => {
      const { said } = model();
      if (!said.endsWith(table('said.your_turn'))) untrack(() => this.say(said));
    });
    $effect(() => {
      const asked = askedOf(model());
      if (asked !== null) untrack(() => this.say(`${asked.text} ${word('yes')} / ${word('no')}`));
    });
    onMount(() => {
      this.lookAtClock();
      const timer = setInterval(() => this.lookAtClock(), 500);
      return () => clearInterval(timer);
    });
  }

  readonly say = (...texts: readonly string[]): void => {
    const spoken = texts.filter((text) => text.trim() !== '');
    if (spoken.length > 0) this.heard = [...this.heard, ...spoken.map((text) => ({ id: (this.count += 1), text }))].slice(-LONGEST);
  };

  /** Whoever comes to a game in progress hears the last move, not all of them. */
  private tellMoves(entries: TableModel['chronicle']['entries']): void {
    const playing = this.model().game?.commitment ?? '';
    const first = this.told.game === '';
    if (this.told.game !== playing) this.told = { game: playing, counts: new Map(), fewest: new Map() };
    const last = entries.at(-1);
    // Turns that were taken back are told anew.
    for (const number of this.told.counts.keys()) if (number > (last?.number ?? 0)) this.told.counts.delete(number);
    for (const entry of entries) {
      const news = entry.texts.slice(this.told.counts.get(entry.number) ?? 0);
      this.told.counts.set(entry.number, entry.texts.length);
      if (first && entry !== last) continue;
      this.say(...news.map((text) => this.words().text(text)));
      if (news.length > 0 && entry.seat !== this.model().me) this.say(...this.words().rebuilt(entry));
    }
    this.tellShortRacks();
  }

  /** Whoever is nearly out, each time they have fewer tiles than ever. */
  private tellShortRacks(): void {
    const { game, me, over } = this.model();
    game?.rack_sizes.forEach((held, seat) => {
      if (seat === me || over || held === 0 || held >= (this.told.fewest.get(seat) ?? FEW + 1)) return;
      this.told.fewest.set(seat, held);
      this.say(this.words().player(seat));
    });
  }

  private lookAtClock(): void {
    const { view, over, myTurn, starting, voice } = this.model();
    const end = view.starts_at ?? view.deadline;
    const left = end === null || over ? null : Math.max(0, Math.ceil((end - voice.now()) / 1000));
    this.left = left;
    if (left === null || !myTurn || starting || left > Math.max(...WARNINGS)) {
      this.warned = Infinity;
      return;
    }
    const due = WARNINGS.findLast((each) => left <= each && each < this.warned);
    if (due === undefined) return;
    this.warned = due;
    this.say(t('seconds', { count: left }));
  }
}
