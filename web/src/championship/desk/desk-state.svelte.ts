/** The desk while it is open: what the role sees, and commands that are answered in one line. */
import { getContext, setContext } from 'svelte';

import { ChampionshipApi, type CommandOptions, newId } from '../../api/championships';
import type { Command, CommandRequest, Conflict, Desk, Done, OutboxAnswer, Preview } from '../../api/generated/http';
import { ApiError } from '../../api/http';
import { problemText } from '../../ui/problem-text';
import { t } from '../../locales/championship';
import { followed, type Followed } from '../follow.svelte';
import { actAs, actingAs, keepKey, takeKey } from '../role-keys';
import { People } from '../format';

/** What the last command was answered with. */
export interface Answer {
  good: boolean;
  text: string;
  /** Both versions, where somebody else was there before. */
  conflict?: Conflict;
  command?: Command;
  /** For a command that perhaps was not received: the same again, with the same id. */
  again?: () => void;
}

/** The server takes no more commands in one request. */
const MOST_AT_ONCE = 400;

export class DeskState {
  readonly code: string;
  key = $state('');
  by = $state('');
  busy = $state(false);
  answer: Answer | null = $state.raw(null);
  readonly api: ChampionshipApi = $derived.by(() => new ChampionshipApi(this.code, this.key));
  readonly #followed: Followed<Desk>;

  constructor(code: string) {
    this.code = code;
    this.key = takeKey(code, 'desk');
    this.by = actingAs(code);
    this.#followed = followed(() => {
      const { api } = this;
      return this.key ? { api, ask: api.desk } : null;
    });
  }

  get desk(): Desk | null {
    return this.#followed.value;
  }

  /** The desk where it is certain to be there: inside the sections. */
  get now(): Desk {
    const { desk } = this;
    if (!desk) throw new Error('the desk is not loaded');
    return desk;
  }

  get error(): unknown {
    return this.#followed.error;
  }

  get lost(): boolean {
    return this.#followed.lost;
  }

  get skew(): number {
    return this.#followed.skew;
  }

  readonly people: People = $derived.by(() => new People(this.desk?.championship.people ?? []));

  may(what: string): boolean {
    return this.desk?.may.includes(what) ?? false;
  }

  refresh(): Promise<void> {
    return this.#followed.again();
  }

  use(secret: string): void {
    keepKey(this.code, 'desk', { secret });
    this.key = secret;
    this.answer = null;
  }

  nameMe(name: string): void {
    this.by = name;
    actAs(this.code, name);
  }

  say(text: string, good = true): void {
    this.answer = { good, text };
  }

  fail(failure: unknown, command?: Command): void {
    const conflict = failure instanceof ApiError ? failure.conflict : null;
    this.answer = { good: false, text: problemText(failure), ...(conflict && { conflict }), ...(command && { command }) };
  }

  #options(reason: string, id: string): CommandOptions {
    const version = this.desk?.championship.version;
    return {
      id,
      ...(version !== undefined && { seen: version }),
      ...(reason && { reason }),
      ...(this.by.trim() && { by: this.by.trim() }),
    };
  }

  /** Do one command and say what became of it; null if it was refused or the server was not reached. */
  async perform(command: Command, told = '', { reason = '', id = newId() } = {}): Promise<Done | null> {
    this.busy = true;
    this.answer = null;
    try {
      const done = await this.api.perform(command, this.#options(reason, id));
      await this.refresh();
      this.say(done.written ? told || t('said.done') : t('said.there', { author: done.author }));
      return done;
    } catch (failure) {
      this.fail(failure, command);
      if (failure instanceof ApiError) await this.refresh();
      else {
        // Perhaps only the answer was lost: the same id does it once at most.
        this.answer = {
          good: false,
          text: t('said.unsure'),
          again: () => void this.perform(command, told, { reason, id }),
        };
      }
      return null;
    } finally {
      this.busy = false;
    }
  }

  /** What a command would do; rejects as the server refuses. */
  preview(command: Command, reason = ''): Promise<Preview> {
    return this.api.preview(command, this.#options(reason, newId()));
  }

  /** Several commands in order, each answered on its own; what was refused comes back. */
  async performAll(commands: readonly Command[], told: (count: number) => string): Promise<OutboxAnswer[]> {
    this.busy = true;
    this.answer = null;
    const requests: CommandRequest[] = commands.map((command) => {
      // What was seen before the first of these commands says nothing about the later ones.
      const { seen: _, ...options } = this.#options('', newId());
      return { id: newId(), ...options, command };
    });
    try {
      const answers: OutboxAnswer[] = [];
      for (let at = 0; at < requests.length; at += MOST_AT_ONCE) {
        answers.push(...(await this.api.outbox(requests.slice(at, at + MOST_AT_ONCE))).answers);
      }
      await this.refresh();
      const refused = answers.filter((one) => one.status !== 200);
      const text = told(answers.length - refused.length);
      if (refused.length) {
        const why = [...new Set(refused.map((one) => one.error?.message ?? ''))].slice(0, 3).join(' · ');
        this.say(`${text} ${t('said.refused', { count: refused.length, why })}`, false);
      } else this.say(text);
      return refused;
    } catch (failure) {
      this.fail(failure);
      return [];
    } finally {
      this.busy = false;
    }
  }
}

const NAME = Symbol('desk');
export const shareDesk = (desk: DeskState): DeskState => setContext(NAME, desk);
export const theDesk = (): DeskState => getContext<DeskState>(NAME);
