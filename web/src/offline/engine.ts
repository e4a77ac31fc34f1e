/**
 * The page's end of the engine: starts the worker, sends it requests, and says how it is doing.
 *
 * Only one tab of a browser runs it, because it alone writes what the device keeps. Another tab waits until the first
 * one is closed, or takes over when its player says so.
 */
import { get, writable, type Readable } from 'svelte/store';

import type { Socket } from '../api/live';
import type { Transport } from '../api/transport';
import { keepPages } from './airplane-mode';
import { appBase } from './app-base';
import type { FailureCode, FromWorker, Stage, ToWorker } from './messages';
import { watchForUpdates } from './updates';
import workerAddress from './worker?worker&url';

export type EngineState =
  | { state: 'loading'; stage: Stage; done: number; total: number }
  | { state: 'ready'; version: string; seconds: number }
  /** Open in another tab; `takeOver()` plays here. */
  | { state: 'elsewhere' }
  /** `retry()` tries again. `preparing`: the server is still building the engine. */
  | { state: 'failed'; code: FailureCode; message: string };

/** What the engine needs of the browser, so that a test can bring its own. */
export interface Surroundings {
  base: URL;
  makeWorker(): Worker;
  locks: LockManager | undefined;
  /** Told once, when the engine first runs. */
  started(version: string): void;
  /** Told when a room was opened. */
  playing(): void;
}

interface Waiting {
  resolve(response: Response): void;
  reject(error: Error): void;
}

const STARTING: EngineState = { state: 'loading', stage: 'download', done: 0, total: 0 };
const MOST_RESTARTS = 3;
/** Statuses of answers that have no body. */
const EMPTY = new Set([204, 205, 304]);

export class Engine implements Transport {
  readonly state: Readable<EngineState>;
  private readonly around: Surroundings;
  private readonly store = writable<EngineState>(STARTING);
  private worker: Worker | null = null;
  private waiting = new Map<number, Waiting>();
  private unsent: ToWorker[] = [];
  private connected: WorkerSocket | null = null;
  private count = 0;
  private restarts = 0;
  private queued: AbortController | null = null;
  private begun = false;

  constructor(around: Surroundings) {
    this.around = around;
    this.state = { subscribe: this.store.subscribe };
  }

  /** Answers like the server's, by the engine. Waits while it is starting or plays in another tab. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    this.begin();
    const state = get(this.store);
    if (state.state === 'failed') throw new TypeError(state.message);
    const [place, query = ''] = path.split('?', 2);
    const body = init.body ? new Uint8Array(await new Response(init.body).arrayBuffer()) : null;
    const id = (this.count += 1);
    const method = init.method ?? 'GET';
    const answer = new Promise<Response>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      init.signal?.addEventListener('abort', () => this.settle(id)?.reject(new DOMException('aborted', 'AbortError')), { once: true });
    });
    this.post({ type: 'request', id, method, path: place, query, body });
    const response = await answer;
    if (method === 'POST' && place === '/rooms' && response.ok) this.around.playing();
    return response;
  }

  socket(): Socket {
    this.begin();
    const number = (this.count += 1);
    this.connected = new WorkerSocket(number, (message) => this.post(message));
    this.post({ type: 'open', connection: number });
    if (get(this.store).state === 'ready') this.connected.opened();
    return this.connected;
  }

  /** Start, unless that was done. */
  begin(): void {
    if (this.begun) return;
    this.begun = true;
    this.acquire(false);
  }

  /** Play here; the other tab is told. */
  takeOver(): void {
    this.acquire(true);
  }

  /** Call the start off; `retry()` goes on with what has arrived. */
  cancel(): void {
    if (get(this.store).state === 'loading') this.broke('cancelled', 'The download was called off.');
  }

  /** Try again after a failure. */
  retry(): void {
    if (get(this.store).state !== 'failed') return;
    this.restarts = 0;
    this.start();
  }

  /** Run as long as this tab holds the lock of the device. */
  private acquire(steal: boolean): void {
    const { locks, base } = this.around;
    if (!locks) return this.start();
    this.queued?.abort();
    const queued = (this.queued = new AbortController());
    const name = `meldroom ${base.pathname}`;
    const held = (): Promise<never> => {
      this.start();
      return new Promise(() => undefined);
    };
    if (!steal) {
      void locks.query().then(({ held: others }) => {
        if (this.worker === null && others?.some((lock) => lock.name === name)) this.store.set({ state: 'elsewhere' });
      });
    }
    locks.request(name, steal ? { steal: true } : { signal: queued.signal }, held).catch(() => {
      // Another tab has taken over, or this request gave way to a newer one.
      if (this.queued !== queued) return;
      this.stop();
      this.store.set({ state: 'elsewhere' });
      this.drop('The game is open in another tab.');
      this.acquire(false);
    });
  }

  private start(): void {
    this.stop();
    this.store.set(STARTING);
    const worker = this.around.makeWorker();
    this.worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (this.worker === worker) this.hear(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (this.worker === worker) this.broke('failed', event.message || 'The engine could not be loaded.');
    };
    worker.postMessage({ type: 'start', base: this.around.base.href } satisfies ToWorker);
    for (const message of this.unsent.splice(0)) worker.postMessage(message);
  }

  private stop(): void {
    this.worker?.terminate();
    this.worker = null;
  }

  private post(message: ToWorker): void {
    if (this.worker) this.worker.postMessage(message);
    else this.unsent.push(message);
  }

  private hear(message: FromWorker): void {
    switch (message.type) {
      case 'progress':
        this.store.set({ state: 'loading', stage: message.stage, done: message.done, total: message.total });
        break;
      case 'ready':
        this.store.set({ state: 'ready', version: message.version, seconds: message.seconds });
        this.connected?.opened();
        this.around.started(message.version);
        break;
      case 'failed':
        this.broke(message.code, message.message);
        break;
      case 'response': {
        const body = EMPTY.has(message.status) ? null : message.body;
        this.settle(message.id)?.resolve(new Response(body, { status: message.status, headers: message.headers }));
        break;
      }
      case 'frame':
        if (message.connection === this.connected?.number) this.connected.onmessage?.({ data: message.text });
        break;
    }
  }

  /** The worker is of no more use. One that has run is started again: what it had answered is kept. */
  private broke(code: FailureCode, message: string): void {
    const ran = get(this.store).state === 'ready';
    this.stop();
    this.drop(message);
    if (ran && (this.restarts += 1) <= MOST_RESTARTS) this.start();
    else this.store.set({ state: 'failed', code, message });
  }

  /** Whatever was asked of a worker that is gone has no answer; a live connection comes back by itself. */
  private drop(message: string): void {
    this.unsent = [];
    for (const id of [...this.waiting.keys()]) this.settle(id)?.reject(new TypeError(message));
    const lost = this.connected;
    this.connected = null;
    lost?.onclose?.();
  }

  private settle(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    return waiting;
  }
}

/** A live connection to the engine. */
class WorkerSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  onerror: (() => void) | null = null;
  readonly number: number;
  private readonly post: (message: ToWorker) => void;
  private isOpen = false;

  constructor(number: number, post: (message: ToWorker) => void) {
    this.number = number;
    this.post = post;
  }

  /** The engine runs; whoever listens must have had the time to say so. */
  opened(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    setTimeout(() => this.onopen?.());
  }

  send(text: string): void {
    // A bot may think for longer than a server may be silent; whether the worker lives, the browser tells.
    if (/"do":"ping"/.test(text)) {
      setTimeout(() => this.onmessage?.({ data: JSON.stringify({ type: 'done', id: 'ping', now: Date.now() }) }));
    } else {
      this.post({ type: 'frame', connection: this.number, text });
    }
  }

  close(): void {
    this.post({ type: 'close', connection: this.number });
  }
}

let asked = false;

/** The engine of this page. */
export const engine = new Engine({
  base: appBase,
  // The service worker answers for the folder of the app only, so the worker must come from there too.
  makeWorker: () => new Worker(new URL(`assets/${workerAddress.split('/').pop()}`, appBase), { type: 'module', name: 'meldroom' }),
  locks: navigator.locks as LockManager | undefined,
  started() {
    void keepPages(appBase);
    watchForUpdates();
  },
  playing() {
    if (asked) return;
    asked = true;
    // So that the browser does not throw the games away when it needs room.
    void navigator.storage?.persist?.();
  },
});

export const engineState = engine.state;
