/** The page's end of the engine: requests find their answers, one tab runs it, and a worker that dies is replaced. */
import { get } from 'svelte/store';
import { beforeEach, expect, test, vi } from 'vitest';

vi.hoisted(() => {
  // The module makes the page's own engine when it is loaded.
  vi.stubGlobal('location', new URL('http://here/offline/'));
  vi.stubGlobal('document', { querySelector: () => null });
});
vi.mock('../../src/offline/worker?worker&url', () => ({ default: '/assets/worker-1.js' }));

import { Engine, type EngineState } from '../../src/offline/engine';
import type { FromWorker, ToWorker } from '../../src/offline/messages';

class FakeWorker {
  onmessage: ((event: { data: FromWorker }) => void) | null = null;
  onerror: ((event: { message: string; preventDefault(): void }) => void) | null = null;
  heard: ToWorker[] = [];
  ended = false;

  postMessage(message: ToWorker): void {
    this.heard.push(message);
  }
  terminate(): void {
    this.ended = true;
  }
  say(message: FromWorker): void {
    this.onmessage?.({ data: message });
  }
  ready(): void {
    this.say({ type: 'ready', seconds: 1, version: 'v1' });
  }
  die(message = 'out of memory'): void {
    this.onerror?.({ message, preventDefault: () => undefined });
  }
  of<Type extends ToWorker['type']>(type: Type): (ToWorker & { type: Type })[] {
    return this.heard.filter((message): message is ToWorker & { type: Type } => message.type === type);
  }
  answer(id: number, body: string, status = 200): void {
    this.say({ type: 'response', id, status, headers: { 'Content-Type': 'application/json' }, body: new TextEncoder().encode(body) });
  }
}

/** Locks of one browser, shared by its tabs. */
class FakeLocks {
  private queue: { held: () => Promise<unknown>; reject: (error: Error) => void }[] = [];

  query(): Promise<{ held: { name: string }[] }> {
    return Promise.resolve({ held: this.queue.length ? [{ name: 'meldroom /offline/' }] : [] });
  }
  request(_name: string, options: { steal?: boolean; signal?: AbortSignal }, held: () => Promise<unknown>): Promise<unknown> {
    return new Promise((_resolve, reject) => {
      const waiting = { held, reject };
      options.signal?.addEventListener('abort', () => {
        if (this.queue.indexOf(waiting) > 0) this.queue = this.queue.filter((one) => one !== waiting);
        reject(new Error('AbortError'));
      });
      if (options.steal) this.queue.shift()?.reject(new Error('AbortError'));
      if (options.steal) this.queue.unshift(waiting);
      else this.queue.push(waiting);
      if (this.queue[0] === waiting) void held();
    });
  }
  /** The tab that holds the lock is closed. */
  close(): void {
    this.queue.shift();
    void this.queue[0]?.held();
  }
}

let workers: FakeWorker[];
let locks: FakeLocks;
let played: number;
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  await new Promise((resolve) => setTimeout(resolve));
};
const worker = (): FakeWorker => workers[workers.length - 1];

function tab(): Engine {
  return new Engine({
    base: new URL('http://here/offline/'),
    makeWorker: () => {
      const made = new FakeWorker();
      workers.push(made);
      return made as unknown as Worker;
    },
    locks: locks as unknown as LockManager,
    started: () => undefined,
    playing: () => (played += 1),
  });
}

const stateOf = (engine: Engine): EngineState['state'] => get(engine.state).state;

beforeEach(() => {
  workers = [];
  locks = new FakeLocks();
  played = 0;
});

test('nothing is started before somebody asks', () => {
  tab();
  expect(workers).toHaveLength(0);
});

test('a request waits for the engine and gets its answer', async () => {
  const engine = tab();
  const asked = engine.fetch('/catalogue?language=fr&x=a%3Fb', { method: 'POST', body: '{"a":1}' });
  await settled();
  expect(worker().of('start')[0].base).toBe('http://here/offline/');
  const [request] = worker().of('request');
  expect(request).toMatchObject({ method: 'POST', path: '/catalogue', query: 'language=fr&x=a%3Fb' });
  expect(new TextDecoder().decode(request.body ?? new Uint8Array())).toBe('{"a":1}');
  worker().ready();
  worker().answer(request.id, '{"ok":true}', 201);
  const response = await asked;
  expect(response.status).toBe(201);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual({ ok: true });
});

test('answers without a body, and answers in another order', async () => {
  const engine = tab();
  const [one, other] = [engine.fetch('/one'), engine.fetch('/other', { method: 'DELETE' })];
  await settled();
  worker().ready();
  const [first, second] = worker().of('request');
  worker().say({ type: 'response', id: second.id, status: 204, headers: {}, body: new Uint8Array() });
  worker().answer(first.id, '1');
  expect((await other).status).toBe(204);
  expect(await (await one).text()).toBe('1');
});

test('a request can be given up', async () => {
  const engine = tab();
  const control = new AbortController();
  const asked = engine.fetch('/analysis', { signal: control.signal });
  await settled();
  control.abort();
  await expect(asked).rejects.toThrow('aborted');
});

test('opening a room tells that somebody plays; another request does not', async () => {
  const engine = tab();
  for (const [path, method] of [['/rooms', 'POST'], ['/rooms/mine', 'GET'], ['/rooms', 'POST']] as const) {
    const asked = engine.fetch(path, { method });
    await settled();
    worker().ready();
    worker().answer(worker().of('request').at(-1)?.id ?? 0, '{}', path === '/rooms' && workers.length ? 201 : 200);
    await asked;
  }
  expect(played).toBe(2);
});

test('progress and failure are told, and a failure can be tried again', async () => {
  const engine = tab();
  const asked = engine.fetch('/me');
  await settled();
  worker().say({ type: 'progress', stage: 'download', done: 5, total: 10 });
  expect(get(engine.state)).toEqual({ state: 'loading', stage: 'download', done: 5, total: 10 });
  worker().say({ type: 'failed', code: 'preparing', message: 'not yet' });
  expect(get(engine.state)).toEqual({ state: 'failed', code: 'preparing', message: 'not yet' });
  await expect(asked).rejects.toThrow('not yet');
  await expect(engine.fetch('/me')).rejects.toThrow('not yet');
  engine.retry();
  expect(workers).toHaveLength(2);
  worker().ready();
  expect(stateOf(engine)).toBe('ready');
});

test('frames go both ways, and only those of the connection in use', async () => {
  const engine = tab();
  const heard: unknown[] = [];
  let opened = 0;
  const old = engine.socket();
  const socket = engine.socket();
  socket.onopen = () => (opened += 1);
  socket.onmessage = ({ data }) => heard.push(data);
  worker().ready();
  await settled();
  expect(opened).toBe(1);
  socket.send('{"do":"hello"}');
  const [first, second] = worker().of('open');
  expect(worker().of('frame')).toEqual([{ type: 'frame', connection: second.connection, text: '{"do":"hello"}' }]);
  worker().say({ type: 'frame', connection: first.connection, text: 'late' });
  worker().say({ type: 'frame', connection: second.connection, text: 'news' });
  expect(heard).toEqual(['news']);
  old.close();
  expect(worker().of('close')).toEqual([{ type: 'close', connection: first.connection }]);
});

test('a sign of life needs no answer of an engine that is thinking', async () => {
  const engine = tab();
  const socket = engine.socket();
  const heard: unknown[] = [];
  socket.onmessage = ({ data }) => heard.push(JSON.parse(String(data)));
  worker().ready();
  socket.send(JSON.stringify({ do: 'ping', id: 'ping' }));
  await settled();
  expect(heard).toMatchObject([{ type: 'done', id: 'ping' }]);
  expect(worker().of('frame')).toHaveLength(0);
});

test('a worker that dies is replaced, and whoever waits hears of it', async () => {
  const engine = tab();
  let closed = 0;
  engine.socket().onclose = () => (closed += 1);
  worker().ready();
  const asked = engine.fetch('/me');
  await settled();
  worker().die();
  await expect(asked).rejects.toThrow('out of memory');
  expect(closed).toBe(1);
  expect(workers).toHaveLength(2);
  expect(workers[0].ended).toBe(true);
  expect(stateOf(engine)).toBe('loading');
});

test('one that dies again and again is not', async () => {
  const engine = tab();
  engine.begin();
  for (let time = 0; time < 10 && stateOf(engine) !== 'failed'; time += 1) {
    worker().ready();
    worker().die();
  }
  expect(stateOf(engine)).toBe('failed');
  expect(workers).toHaveLength(4);
});

test('a second tab waits, and plays when the first is closed', async () => {
  const [first, second] = [tab(), tab()];
  first.begin();
  const asked = second.fetch('/me');
  await settled();
  expect(stateOf(second)).toBe('elsewhere');
  expect(workers).toHaveLength(1);
  locks.close();
  await settled();
  expect(workers).toHaveLength(2);
  worker().ready();
  worker().answer(worker().of('request')[0].id, '"me"');
  expect(await (await asked).json()).toBe('me');
});

test('a second tab can take over; the first stops at once and says so', async () => {
  const [first, second] = [tab(), tab()];
  first.begin();
  worker().ready();
  const [mine] = workers;
  const lost = expect(first.fetch('/me')).rejects.toThrow('another tab');
  second.begin();
  await settled();
  second.takeOver();
  await settled();
  expect(mine.ended).toBe(true);
  expect(stateOf(first)).toBe('elsewhere');
  await lost;
  worker().ready();
  expect(stateOf(second)).toBe('ready');
  // And back again.
  first.takeOver();
  await settled();
  worker().ready();
  expect([stateOf(first), stateOf(second)]).toEqual(['ready', 'elsewhere']);
});
