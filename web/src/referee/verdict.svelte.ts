/** A question of the referee's and its verdict, which stands as long as nothing of the question changes. */
import { tick, untrack } from 'svelte';

import { settings } from '../ui/settings.svelte';
import { Task } from '../ui/task.svelte';

interface Question {
  asked: boolean;
}

/** To be made while a component is: what was asked before a reload, in another language or of another book, is asked again. */
export class Verdict<Draft extends Question, Ruled> {
  readonly task = new Task();
  /** Where the verdict is shown. */
  element: HTMLElement | undefined = $state();
  private found = $state.raw<Ruled | null>(null);
  private readonly draft: () => Draft;
  private readonly change: (draft: Draft) => void;
  private readonly rule: (draft: Draft) => Promise<Ruled>;

  constructor(draft: () => Draft, change: (draft: Draft) => void, rule: (draft: Draft) => Promise<Ruled>) {
    this.draft = draft;
    this.change = change;
    this.rule = rule;
    $effect(() => {
      if (settings.language) untrack(() => this.draft().asked && void this.ask(true));
    });
  }

  /** The verdict on the question as it stands; null before it was asked. */
  get shown(): Ruled | null {
    return this.draft().asked ? this.found : null;
  }

  async ask(again = false): Promise<void> {
    const now = this.draft();
    await this.task.run(async () => {
      const answer = await this.rule(now);
      if (this.draft() !== now) return;
      this.found = answer;
      this.change({ ...now, asked: true });
    });
    await tick();
    if (this.shown && !again) this.element?.scrollIntoView({ block: 'nearest' });
  }
}
