/**
 * A device in the hall: what the laptop said last, what has been done here since, and the traffic between the two.
 *
 * Everything that is done goes into the outbox first and is shown at once; the network only decides when the laptop
 * hears of it. So nothing on the page ever has to wait for it.
 */
import { ChampionshipApi, newId } from '../../api/championships';
import type { Changes, Command, CommandRequest, Desk, Preview, Question, Role, Ruled } from '../../api/generated/http';
import { ApiError, UnreachableError } from '../../api/http';
import { ServerClock } from '../../api/steady-clock';
import { deviceId } from './storage/device-id';
import { lastPages, outboxStore } from './storage/indexed-db';
import { flush, type Entry } from './storage/outbox';

export interface Rights {
  role: Role;
  label: string;
  /** The one table that the key is for; null if it is for all. */
  table: number | null;
  may: string[];
}

interface ActOptions {
  reason?: string;
  by?: string;
  picture?: Blob;
}

/** What only a referee may decide: at a table's device it needs their PIN, once a referee has one. */
const SIGNED: Command['do'][] = ['sign_sheet', 'correct_result', 'penalise', 'settle_dispute', 'extra_time'];

/** A referee is asked for their PIN. It is sent at once and kept nowhere, so the laptop must be in reach. */
export interface PinQuestion {
  /** Who signs, if that is known already. */
  referee: string;
  /** Send it with a PIN; rejects if it is refused. */
  send: (referee: string, pin: string) => Promise<void>;
  cancel: () => void;
}

/** A dead network is noticed soon. */
const PATIENCE = 10_000;
const LONG_POLL = 20;
const SLOWEST = 8000;
/** Wait, but not longer than the network needs to come back. */
const rest = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      removeEventListener('online', wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    signal.addEventListener('abort', wake);
    addEventListener('online', wake);
  });

/** What a device shares, whether it is bound to a table or carried by a referee. */
export abstract class HallDevice {
  readonly code: string;
  readonly table: number | null;
  readonly api: ChampionshipApi;
  readonly device = deviceId();
  online = $state(true);
  /** When the laptop was heard last, by this device's clock. */
  heard = $state(0);
  rights: Rights | null = $state.raw(null);
  /** Why the laptop will not talk to us at all. */
  problem: unknown = $state.raw(null);
  waiting: Entry[] = $state.raw([]);
  refused: Entry[] = $state.raw([]);
  /** Why what waits is not taken although the laptop answers. */
  blocked = $state('');
  /** What to add to this device's time to have the laptop's. */
  skew = 0;
  protected version = 0;
  #flushing: Promise<void> | null = null;
  #poll: AbortController | null = null;

  constructor(code: string, key: string, table: number | null) {
    this.code = code;
    this.table = table;
    this.api = new ChampionshipApi(code, key, PATIENCE);
  }

  may(what: string): boolean {
    // Until the laptop has told, nothing is kept from anybody: it decides in any case.
    return this.rights?.may.includes(what) ?? true;
  }

  /** Referees whose PIN is needed here; none at a device of the referee's own. */
  get referees(): string[] {
    return [];
  }

  asking: PinQuestion | null = $state.raw(null);

  /** Do something: kept here, shown at once, sent as soon as the laptop can be reached. False if it was called off. */
  async perform(command: Command, options: ActOptions = {}): Promise<boolean> {
    if (this.referees.length && SIGNED.includes(command.do)) return this.#withPin(command, options);
    const { reason = '', by = '', picture } = options;
    const request: CommandRequest = {
      id: newId(),
      // The browser's storage takes plain values only.
      command: $state.snapshot(command) as Command,
      ...(this.version && { seen: this.version }),
      ...(reason && { reason }),
      ...(by && { by }),
      ...(this.table !== null && { device: this.device }),
    };
    await outboxStore.add({ event: this.code, table: this.table, request, at: Date.now(), ...(picture && { picture }) });
    await this.recount();
    void this.flush();
    return true;
  }

  /** Ask for a PIN until it is right, or the question is put away. */
  #withPin(command: Command, { reason = '' }: ActOptions): Promise<boolean> {
    return new Promise((resolve) => {
      const id = newId();
      const answer = (done: boolean): void => {
        this.asking = null;
        resolve(done);
      };
      this.asking = {
        referee: 'referee' in command ? (command.referee ?? '') : '',
        cancel: () => answer(false),
        send: async (referee, pin) => {
          await this.flush(); // what was entered before comes first
          if (this.waiting.length) throw new UnreachableError();
          const table = this.table !== null ? { device: this.device } : {};
          await this.api.perform(command, { id, by: referee, pin, ...table, ...(reason && { reason }), ...(this.version && { seen: this.version }) });
          await this.refresh().catch(() => undefined);
          answer(true);
        },
      };
    });
  }

  /** Send what waits; harmless at any time. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => (this.#flushing = null));
    return this.#flushing;
  }

  /** The laptop's clock, which turns are put right by, and whether it has been heard. */
  readonly clock = new ServerClock();
  timed = $state(false);
  /** How long this device's own clock has stood still, in milliseconds. */
  slept = $state(0);

  async #flush(): Promise<void> {
    try {
      const { blocked, done } = await flush(outboxStore, this.api, this.code, this.table);
      this.reached();
      this.blocked = blocked?.error?.message ?? '';
      if (done.length || blocked) await this.refresh();
    } catch (error) {
      this.failed(error);
    } finally {
      await this.recount();
    }
  }

  async recount(): Promise<void> {
    const all = await outboxStore.all(this.code, this.table);
    this.waiting = all.filter((entry) => !entry.answer);
    this.refused = all.filter((entry) => entry.answer);
  }

  /** A refused entry has been looked at by a person: it is let go. */
  async putAway(entry: Entry): Promise<void> {
    await outboxStore.remove(entry.seq);
    await this.recount();
  }

  preview(command: Command, reason = ''): Promise<Preview> {
    return this.api.preview(command, { reason, ...(this.table !== null && { device: this.device }) });
  }

  rule(question: Question): Promise<Ruled> {
    return this.api.ruling(question);
  }

  /** The time of something, as the laptop's clock has it; a little early, because it refuses what is yet to come. */
  happened(at = Date.now()): string {
    return new Date(at + this.skew - 1500).toISOString();
  }

  protected reached(): void {
    this.online = true;
    this.heard = Date.now();
  }

  protected failed(error: unknown): void {
    if (error instanceof ApiError) {
      this.reached();
      if (error.status === 401 || error.status === 403 || error.status === 404) this.problem = error;
    } else {
      this.online = false;
      // A poll that began before the network went would hang on: now the waiting for its return begins.
      this.#poll?.abort();
    }
  }

  /** Ask the laptop for everything again. */
  abstract refresh(): Promise<void>;

  protected takeRights({ role, label, table, may }: Desk): void {
    this.rights = { role, label, table, may };
    this.problem = null;
    void lastPages.put(`${this.code}/${this.table}/rights`, this.rights).catch(() => undefined);
  }

  /** Follow the laptop until told to stop. */
  async follow(signal: AbortSignal): Promise<void> {
    // What waits comes first: it says which of the things on the page are older than what was done here.
    await this.recount().catch(() => undefined);
    this.rights ??= await lastPages.get<Rights>(`${this.code}/${this.table}/rights`).catch(() => null);
    await this.recall().catch(() => undefined);
    let failures = 0;
    let asked = false;
    while (!signal.aborted) {
      try {
        if (!asked || !this.online) {
          await this.refresh();
          asked = true;
        }
        this.reached();
        await this.flush();
        const news = await this.#news(signal);
        this.skew = news.now - Date.now();
        this.slept += this.clock.hear(news.now, news.clock);
        this.timed = true;
        this.reached();
        if (news.changed) await this.refresh();
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        this.failed(error);
        failures += 1;
        await rest(Math.min(SLOWEST, 400 * 2 ** failures), signal);
      }
    }
  }

  async #news(signal: AbortSignal): Promise<Changes> {
    const poll = new AbortController();
    const stop = (): void => poll.abort();
    signal.addEventListener('abort', stop, { once: true });
    addEventListener('offline', stop, { once: true });
    this.#poll = poll;
    try {
      return await this.api.changes(this.version, LONG_POLL, poll.signal);
    } finally {
      signal.removeEventListener('abort', stop);
      removeEventListener('offline', stop);
      this.#poll = null;
    }
  }

  /** Recall what was seen last, for a start without the network. */
  protected abstract recall(): Promise<void>;
}
