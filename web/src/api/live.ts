/**
 * The one WebSocket: commands with ids and promised answers, what happens in the rooms one has entered, and lists
 * that pages follow.
 *
 * A connection that breaks comes back by itself. Then every room is entered again with the last number seen, so
 * that the server sends exactly what was missed, and every command without an answer is sent again under the
 * SAME id, so that the server can answer a repeat without repeating it.
 */
import { writable, type Readable } from 'svelte/store';

import { VERSION, type Bye, type Done, type Drafted, type Message, type News, type Presence, type Reacted, type Topic, type Update, type WireError } from './generated/live';
import { steadyNow } from './steady-clock';
import type { Unsent } from './types';

/** `idle`: nobody has needed it yet; `lost`: broken, and trying again by itself. */
export type Connection = 'idle' | 'connecting' | 'open' | 'lost' | 'ended';

/** A command was refused; nothing has changed. `message` is a sentence for the player. */
export class Refusal extends Error {
  readonly error: WireError;

  constructor(error: WireError) {
    super(error.message);
    this.name = 'Refusal';
    this.error = error;
  }
}

/** What a room's page wants to hear. Updates come in order; `view` in each is the whole truth. */
export interface Listener {
  update(update: Update): void;
  drafted?(drafted: Drafted): void;
  presence?(presence: Presence): void;
  reacted?(reacted: Reacted): void;
}

/** What a page that follows a list wants to hear. */
export interface Follower {
  /** The list as it is now: at once, and whenever it has changed. */
  news(value: unknown): void;
  /** The server does not send it, for now. */
  refused?(error: Refusal): void;
}

/** The part of WebSocket that is used, so that a test can bring its own. */
export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  onerror: (() => void) | null;
  send(text: string): void;
  close(): void;
}

export interface LiveOptions {
  open: () => Socket;
  /** Done before each attempt: without a session the server would turn us away, unless we only look around. */
  prepare: (lookingAround: boolean) => Promise<unknown>;
  language: () => string;
}

interface Pending {
  id: string;
  command: Unsent;
  resolve: (done: Done) => void;
  reject: (error: Error) => void;
}

interface Entered {
  listeners: Set<Listener>;
  seq: number | null;
  last: Update | null;
}

interface Followed {
  topic: Topic;
  of: string;
  followers: Set<Follower>;
  last: { value: unknown } | null;
  /** Whether the server sends it on this connection. */
  sent: boolean;
}

/** Lists that need no session. */
const PUBLIC = new Set<Topic>(['lobby', 'championships', 'league']);

export const FIRST_DELAY = 250;
export const LONGEST_DELAY = 4_000;
export const HEARTBEAT = 15_000;
export const SILENCE = 8_000;

/** Refusals of `hello` that trying again cannot mend. */
const FINAL = new Set(['version', 'bad_version', 'unsupported_version']);

export class Live {
  readonly connection: Readable<Connection>;
  /** Why the server ended the connection, if it said so; null as soon as it is back. */
  readonly bye: Readable<Bye | null>;

  private readonly options: LiveOptions;
  private readonly connectionStore = writable<Connection>('idle');
  private readonly byeStore = writable<Bye | null>(null);
  private state: Connection = 'idle';
  private socket: Socket | null = null;
  private pending = new Map<string, Pending>();
  private rooms = new Map<string, Entered>();
  private topics = new Map<string, Followed>();
  private stranger = false;
  private delay = FIRST_DELAY;
  private attempt = 0;
  private retryTimer: ReturnType<typeof setTimeout> | null = null;
  private beatTimer: ReturnType<typeof setTimeout> | null = null;
  private offset = 0;
  private offsetKnown = false;
  private count = 0;
  private welcomes = 0;
  private readonly prefix = Math.random().toString(36).slice(2, 8);

  constructor(options: LiveOptions) {
    this.options = options;
    this.connection = { subscribe: this.connectionStore.subscribe };
    this.bye = { subscribe: this.byeStore.subscribe };
  }

  /** The server's time now, as well as it is known; deadlines are in it. */
  now(): number {
    return steadyNow() + this.offset;
  }

  /** Whether the server has ever welcomed us here. */
  get hasBeenOpen(): boolean {
    return this.welcomes > 0;
  }

  /** Send a command; the answer says that what it changed is durable. Rejects with Refusal. */
  send(command: Unsent): Promise<Done> {
    const id = `${this.prefix}-${(this.count += 1).toString(36)}`;
    return new Promise((resolve, reject) => {
      const pending: Pending = { id, command, resolve, reject };
      this.pending.set(id, pending);
      // Who has only looked around so far needs a session now.
      if (this.state === 'open' && this.stranger && !this.isLookingAround) this.restart();
      else if (this.state === 'open') this.transmit(pending);
      else this.wake();
    });
  }

  /**
   * Hear of a room from now on. The promise says whether one may be there; the answer ends the listening.
   * A listener that joins a room already entered gets the last update at once.
   */
  async enter(room: string, listener: Listener): Promise<() => void> {
    const known = this.rooms.get(room);
    if (known) {
      known.listeners.add(listener);
      if (known.last) listener.update(known.last);
      return () => this.stopListening(room, listener);
    }
    this.rooms.set(room, { listeners: new Set([listener]), seq: null, last: null });
    try {
      await this.send({ do: 'enter', room });
    } catch (error) {
      this.stopListening(room, listener, false);
      throw error;
    }
    return () => this.stopListening(room, listener);
  }

  /** Get a list now, and again whenever it has changed; the answer ends it. */
  follow(topic: Topic, of: string, follower: Follower): () => void {
    const key = `${topic} ${of}`;
    const known = this.topics.get(key);
    if (known) {
      known.followers.add(follower);
      if (known.last) follower.news(known.last.value);
    } else {
      const followed: Followed = { topic, of, followers: new Set([follower]), last: null, sent: false };
      this.topics.set(key, followed);
      this.askFor(followed);
    }
    return () => {
      const followed = this.topics.get(key);
      if (!followed?.followers.delete(follower) || followed.followers.size) return;
      this.topics.delete(key);
      if (this.state === 'open') this.send({ do: 'unfollow', topic, of }).catch(() => undefined);
    };
  }

  /** Whether a list is sent when it changes, so that nobody need ask for it. */
  sends(topic: Topic, of: string): boolean {
    return this.state === 'open' && (this.topics.get(`${topic} ${of}`)?.sent ?? false);
  }

  private askFor(followed: Followed): void {
    const { topic, of } = followed;
    this.send({ do: 'follow', topic, of }).then(
      () => (followed.sent = true),
      (error: unknown) => {
        if (error instanceof Refusal) followed.followers.forEach((follower) => follower.refused?.(error));
      },
    );
  }

  /** Whether nothing is wanted that needs a session. */
  private get isLookingAround(): boolean {
    const commands = [...this.pending.values()].map(({ command }) => command);
    const isPublic = (command: Unsent): boolean =>
      command.do === 'ping' || ((command.do === 'follow' || command.do === 'unfollow') && PUBLIC.has(command.topic));
    return !this.rooms.size && commands.every(isPublic) && [...this.topics.values()].every(({ topic }) => PUBLIC.has(topic));
  }

  /** Another language, or another player: begin afresh, with whole views instead of what was missed. */
  restart(): void {
    if (this.state === 'idle') return;
    for (const entered of this.rooms.values()) entered.seq = null;
    for (const followed of this.topics.values()) followed.last = null;
    this.drop();
    this.delay = FIRST_DELAY;
    this.connect();
  }

  /** Connect now, unless that is done or under way already. */
  private wake(): void {
    if (this.state === 'idle' || this.state === 'lost') this.connect();
  }

  /** The network or the page is back: do not wait for the next attempt. */
  wakeIfLost(): void {
    if (this.state !== 'lost') return;
    this.delay = FIRST_DELAY;
    this.connect();
  }

  /** End it for good; what has no answer is given up. */
  close(): void {
    this.drop();
    this.become('ended');
    for (const pending of this.pending.values()) {
      pending.reject(new Refusal({ code: 'closed', message: 'The connection was closed.' }));
    }
    this.pending.clear();
    this.rooms.clear();
    this.topics.clear();
  }

  private become(state: Connection): void {
    this.state = state;
    this.connectionStore.set(state);
  }

  private stopListening(room: string, listener: Listener, tell = true): void {
    const entered = this.rooms.get(room);
    if (!entered?.listeners.delete(listener) || entered.listeners.size) return;
    this.rooms.delete(room);
    // Nobody waits for this answer, and after a broken connection there is nothing left to leave.
    if (tell && this.state === 'open') this.send({ do: 'leave', room }).catch(() => undefined);
  }

  private connect(): void {
    if (this.retryTimer !== null) clearTimeout(this.retryTimer);
    this.retryTimer = null;
    this.become('connecting');
    const attempt = (this.attempt += 1);
    const lookingAround = this.isLookingAround;
    this.options.prepare(lookingAround).then(
      () => {
        if (attempt === this.attempt) this.openSocket(lookingAround);
      },
      () => {
        if (attempt === this.attempt) this.retry();
      },
    );
  }

  private openSocket(lookingAround: boolean): void {
    const socket = this.options.open();
    this.socket = socket;
    const current = (): boolean => this.socket === socket;
    socket.onopen = () => {
      if (!current()) return;
      const hello = { do: 'hello', id: 'hello', version: VERSION, language: this.options.language(), ...(lookingAround && { visitor: true }) };
      socket.send(JSON.stringify(hello));
      this.watch();
    };
    socket.onmessage = (event) => {
      if (current() && typeof event.data === 'string') this.receive(event.data);
    };
    socket.onclose = () => {
      if (current()) this.retry();
    };
    socket.onerror = () => {
      if (current()) socket.close();
    };
  }

  /** Let go of the socket without hearing from it again. */
  private drop(): void {
    this.attempt += 1;
    if (this.retryTimer !== null) clearTimeout(this.retryTimer);
    if (this.beatTimer !== null) clearTimeout(this.beatTimer);
    this.retryTimer = this.beatTimer = null;
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }

  private retry(): void {
    if (this.state === 'ended') return;
    this.drop();
    this.become('lost');
    const spread = 0.75 + Math.random() / 2;
    this.retryTimer = setTimeout(() => this.connect(), Math.min(this.delay * spread, LONGEST_DELAY));
    this.delay = Math.min(this.delay * 2, LONGEST_DELAY);
  }

  /** Ask for a sign of life after a while without any; without an answer the line is dead. */
  private watch(): void {
    if (this.beatTimer !== null) clearTimeout(this.beatTimer);
    this.beatTimer = setTimeout(() => {
      if (this.state === 'open') this.socket?.send(JSON.stringify({ do: 'ping', id: 'ping' }));
      this.beatTimer = setTimeout(() => this.retry(), SILENCE);
    }, HEARTBEAT);
  }

  private transmit(pending: Pending): void {
    let { command } = pending;
    if (command.do === 'enter') command = { ...command, since: this.rooms.get(command.room)?.seq ?? null };
    this.socket?.send(JSON.stringify({ ...command, id: pending.id }));
  }

  private receive(text: string): void {
    this.watch();
    const message = JSON.parse(text) as Message;
    switch (message.type) {
      case 'welcome':
        this.setClock(message.now, true);
        this.stranger = !message.player;
        this.welcomed();
        break;
      case 'done':
        this.setClock(message.now);
        this.settle(message.id, (pending) => pending.resolve(message));
        break;
      case 'refused':
        this.refused(message.id, message.error);
        break;
      case 'update':
        this.setClock(message.now);
        this.updated(message);
        break;
      case 'drafted':
        this.rooms.get(message.room)?.listeners.forEach((listener) => listener.drafted?.(message));
        break;
      case 'presence':
        this.rooms.get(message.room)?.listeners.forEach((listener) => listener.presence?.(message));
        break;
      case 'reacted':
        this.rooms.get(message.room)?.listeners.forEach((listener) => listener.reacted?.(message));
        break;
      case 'news':
        this.heard(message);
        break;
      case 'bye':
        this.byeStore.set(message);
        break;
      default:
        // A newer server may say more than this page knows.
        break;
    }
  }

  private setClock(now: number, afresh = false): void {
    const offset = now - steadyNow();
    // A message can only be late, so the largest difference seen is the best one.
    this.offset = afresh || !this.offsetKnown ? offset : Math.max(this.offset, offset);
    this.offsetKnown = true;
  }

  private welcomed(): void {
    this.delay = FIRST_DELAY;
    this.welcomes += 1;
    this.byeStore.set(null);
    this.become('open');
    if (this.stranger && !this.isLookingAround) return this.restart();
    for (const followed of this.topics.values()) followed.sent = false;
    const waiting = [...this.pending.values()];
    const asking = new Set(waiting.flatMap(({ command }) => (command.do === 'enter' ? [command.room] : [])));
    const following = new Set(waiting.flatMap(({ command }) => (command.do === 'follow' ? [`${command.topic} ${command.of ?? ''}`] : [])));
    for (const room of this.rooms.keys()) {
      if (!asking.has(room)) this.send({ do: 'enter', room }).catch(() => undefined);
    }
    // Rooms come first: what is sent again may be about them.
    for (const pending of waiting) if (pending.command.do === 'enter') this.transmit(pending);
    for (const pending of waiting) if (pending.command.do !== 'enter') this.transmit(pending);
    for (const [key, followed] of this.topics) if (!following.has(key)) this.askFor(followed);
  }

  private refused(id: string, error: WireError): void {
    if (id === 'hello') {
      if (FINAL.has(error.code)) {
        this.close();
        this.byeStore.set({ type: 'bye', code: error.code, message: error.message });
      } else {
        this.retry();
      }
      return;
    }
    this.settle(id, (pending) => pending.reject(new Refusal(error)));
  }

  private settle(id: string, how: (pending: Pending) => void): void {
    const pending = this.pending.get(id);
    if (!pending) return;
    this.pending.delete(id);
    how(pending);
  }

  private heard({ topic, of = '', value }: News): void {
    const followed = this.topics.get(`${topic} ${of}`);
    if (!followed) return;
    followed.last = { value };
    followed.followers.forEach((follower) => follower.news(value));
  }

  private updated(update: Update): void {
    const entered = this.rooms.get(update.room);
    if (!entered) return;
    // The answer to a second `enter` may cross with news: what is older than what we have tells nothing.
    if (entered.seq !== null && update.seq < entered.seq) return;
    entered.seq = update.seq;
    entered.last = update;
    entered.listeners.forEach((listener) => listener.update(update));
  }
}
