/** The live connection: answers find their questions, and a broken line mends itself without doing anything twice. */
import { get } from 'svelte/store';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { FIRST_DELAY, HEARTBEAT, Live, LONGEST_DELAY, Refusal, SILENCE, type Follower, type Listener, type Socket } from '../src/api/live';
import { VERSION, type Update } from '../src/api/generated/live';

type Frame = Record<string, unknown> & { do: string; id: string };

class FakeSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  onerror: (() => void) | null = null;
  sent: Frame[] = [];
  closed = false;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Frame);
  }
  close(): void {
    this.closed = true;
  }
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  welcome(now = Date.now()): void {
    this.onopen?.();
    this.say({ type: 'welcome', id: 'hello', version: VERSION, player: 'p', name: 'Ada', now });
  }
  done(id: string, more: object = {}): void {
    this.say({ type: 'done', id, now: Date.now(), ...more });
  }
  breaks(): void {
    this.onclose?.();
  }
  of(what: string): Frame[] {
    return this.sent.filter((frame) => frame.do === what);
  }
}

let sockets: FakeSocket[];
let live: Live;
const socket = (): FakeSocket => sockets[sockets.length - 1];
const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  live = new Live({
    open: () => {
      const made = new FakeSocket();
      sockets.push(made);
      return made;
    },
    prepare: () => Promise.resolve(),
    language: () => 'fr',
  });
});

afterEach(() => vi.useRealTimers());

function update(seq: number, more: Partial<Update> = {}): Update {
  return { type: 'update', room: 'abcd', since: seq - 1, seq, now: Date.now(), events: [], view: {} as Update['view'], ...more };
}

function listener(): Listener & { seen: number[] } {
  const seen: number[] = [];
  return { seen, update: (news) => void seen.push(news.seq) };
}

async function connected(): Promise<void> {
  await settled();
  socket().welcome();
  await settled();
}

test('nothing is opened before somebody needs it', () => {
  expect(get(live.connection)).toBe('idle');
  expect(sockets).toHaveLength(0);
});

test('hello comes first, in the visitor’s language; then what waited; then its answer', async () => {
  const answer = live.send({ do: 'hint', room: 'abcd', rev: 3, step: 1 });
  await settled();
  expect(get(live.connection)).toBe('connecting');
  socket().onopen?.();
  expect(socket().sent).toEqual([{ do: 'hello', id: 'hello', version: VERSION, language: 'fr' }]);
  socket().welcome();
  expect(get(live.connection)).toBe('open');
  const [hint] = socket().of('hint');
  socket().done(hint.id, { rev: 3 });
  await expect(answer).resolves.toMatchObject({ rev: 3 });
});

test('answers may come in any order', async () => {
  const first = live.send({ do: 'reclaim', room: 'abcd' });
  const second = live.send({ do: 'begin', room: 'abcd' });
  await connected();
  socket().done(socket().of('begin')[0].id, { rev: 2 });
  socket().done(socket().of('reclaim')[0].id, { rev: 1 });
  expect([(await first).rev, (await second).rev]).toEqual([1, 2]);
});

test('a refusal carries the whole error', async () => {
  const answer = live.send({ do: 'begin', room: 'abcd' });
  const failed = answer.catch((error: unknown) => error);
  await connected();
  socket().say({ type: 'refused', id: socket().of('begin')[0].id, error: { code: 'stale', message: 'Too late.', rev: 9 } });
  const error = (await failed) as Refusal;
  expect(error).toBeInstanceOf(Refusal);
  expect(error.error).toEqual({ code: 'stale', message: 'Too late.', rev: 9 });
});

test('after a break, a command without an answer is sent again under the same id, and answered once', async () => {
  const answer = live.send({ do: 'act', room: 'abcd', rev: 4, action: { action: 'draw', seat: 0 } });
  await connected();
  const before = socket().of('act')[0];
  socket().breaks();
  expect(get(live.connection)).toBe('lost');
  await vi.advanceTimersByTimeAsync(FIRST_DELAY * 1.25);
  await connected();
  expect(sockets).toHaveLength(2);
  expect(socket().of('act')).toEqual([before]);
  socket().done(before.id);
  await answer;
  socket().breaks();
  await vi.advanceTimersByTimeAsync(FIRST_DELAY * 1.25);
  await connected();
  expect(socket().of('act')).toEqual([]);
});

test('after a break, a room is entered again with the last number seen, before anything else', async () => {
  const heard = listener();
  const entering = live.enter('abcd', heard);
  await connected();
  expect(socket().of('enter')[0]).toMatchObject({ room: 'abcd', since: null });
  socket().say(update(7, { snapshot: true }));
  socket().done(socket().of('enter')[0].id);
  await entering;
  socket().say(update(8));
  void live.send({ do: 'draft', room: 'abcd', rev: 8 });
  socket().breaks();
  await vi.advanceTimersByTimeAsync(FIRST_DELAY * 1.25);
  await connected();
  expect(socket().sent.map((frame) => frame.do)).toEqual(['hello', 'enter', 'draft']);
  expect(socket().of('enter')[0]).toMatchObject({ room: 'abcd', since: 8 });
  socket().say(update(10, { since: 8 }));
  expect(heard.seen).toEqual([7, 8, 10]);
});

test('what is older than what one has is not shown', async () => {
  const heard = listener();
  void live.enter('abcd', heard);
  await connected();
  for (const seq of [3, 5, 4, 5]) socket().say(update(seq));
  expect(heard.seen).toEqual([3, 5, 5]);
});

test('attempts grow rarer up to a limit, and the network’s return does not wait for the next', async () => {
  void live.send({ do: 'ping' });
  const waits: number[] = [];
  for (let attempt = 0; attempt < 7; attempt += 1) {
    await settled();
    const made = sockets.length;
    socket().breaks();
    let waited = 0;
    while (sockets.length === made) {
      await vi.advanceTimersByTimeAsync(25);
      waited += 25;
    }
    waits.push(waited);
  }
  expect(waits[0]).toBeLessThanOrEqual(FIRST_DELAY * 1.25 + 25);
  expect(Math.max(...waits)).toBeLessThanOrEqual(LONGEST_DELAY + 25);
  expect(waits[6]).toBeGreaterThan(waits[0]);
  const made = sockets.length;
  socket().breaks();
  live.wakeIfLost();
  await settled();
  expect(sockets).toHaveLength(made + 1);
});

test('a session that cannot be had is asked for again', async () => {
  let asked = 0;
  const opened: FakeSocket[] = [];
  const stubborn = new Live({
    open: () => {
      const made = new FakeSocket();
      opened.push(made);
      return made;
    },
    prepare: () => ((asked += 1) < 3 ? Promise.reject(new Error('away')) : Promise.resolve()),
    language: () => 'en',
  });
  void stubborn.send({ do: 'ping' });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toBe(3);
  expect(opened).toHaveLength(1);
});

test('silence is asked about, and a dead line is given up', async () => {
  void live.enter('abcd', listener());
  await connected();
  await vi.advanceTimersByTimeAsync(HEARTBEAT);
  expect(socket().of('ping')).toHaveLength(1);
  socket().done('ping');
  await vi.advanceTimersByTimeAsync(HEARTBEAT);
  expect(socket().of('ping')).toHaveLength(2);
  const dead = socket();
  await vi.advanceTimersByTimeAsync(SILENCE);
  expect(dead.closed).toBe(true);
  expect(get(live.connection)).toBe('lost');
});

test('a socket that was given up says nothing more', async () => {
  const heard = listener();
  void live.enter('abcd', heard);
  await connected();
  const old = socket();
  old.breaks();
  old.say(update(3));
  expect(heard.seen).toEqual([]);
});

test('the server’s clock is followed, by the least delayed message', async () => {
  void live.enter('abcd', listener());
  await settled();
  socket().welcome(Date.now() + 60_000);
  expect(live.now() - Date.now()).toBe(60_000);
  socket().say(update(1, { now: Date.now() + 59_000 }));
  expect(live.now() - Date.now()).toBe(60_000);
  socket().say(update(2, { now: Date.now() + 60_100 }));
  expect(live.now() - Date.now()).toBe(60_100);
});

test('another language begins afresh, with whole views', async () => {
  const entering = live.enter('abcd', listener());
  await connected();
  socket().say(update(7));
  socket().done(socket().of('enter')[0].id);
  await entering;
  live.restart();
  await connected();
  expect(socket().of('enter')[0]).toMatchObject({ since: null });
});

test('leaving: the last listener leaves the room, and a break does not bring it back', async () => {
  const one = live.enter('abcd', listener());
  await connected();
  socket().say(update(7));
  socket().done(socket().of('enter')[0].id);
  const second = listener();
  const leaveTwo = await live.enter('abcd', second);
  expect(second.seen).toEqual([7]);
  leaveTwo();
  expect(socket().of('leave')).toEqual([]);
  (await one)();
  expect(socket().of('leave')).toHaveLength(1);
  socket().done(socket().of('leave')[0].id);
  await settled();
  socket().breaks();
  await vi.advanceTimersByTimeAsync(FIRST_DELAY * 1.25);
  await connected();
  expect(socket().sent.map((frame) => frame.do)).toEqual(['hello']);
});

test('a room one may not enter is not entered again', async () => {
  const failed = live.enter('none', listener()).catch((error: unknown) => error);
  await connected();
  socket().say({ type: 'refused', id: socket().of('enter')[0].id, error: { code: 'no_such_room', message: 'No.' } });
  expect(await failed).toBeInstanceOf(Refusal);
  socket().breaks();
  await vi.advanceTimersByTimeAsync(FIRST_DELAY * 1.25);
  await connected();
  expect(socket().of('enter')).toEqual([]);
});

test('why the server hung up is told until it is back', async () => {
  void live.enter('abcd', listener());
  await connected();
  socket().say({ type: 'bye', code: 'shutting_down', message: 'Back in a moment.' });
  socket().breaks();
  expect(get(live.bye)?.code).toBe('shutting_down');
  await vi.advanceTimersByTimeAsync(FIRST_DELAY * 1.25);
  await connected();
  expect(get(live.bye)).toBeNull();
});

function follower(): Follower & { seen: unknown[]; refusals: string[] } {
  const seen: unknown[] = [];
  const refusals: string[] = [];
  return { seen, refusals, news: (value) => void seen.push(value), refused: ({ error }) => void refusals.push(error.code) };
}

const news = (topic: string, value: unknown, of?: string): object => ({ type: 'news', topic, value, ...(of && { of }) });

test('a list is followed once for all who want it, and again after a break', async () => {
  const one = follower();
  const two = follower();
  const end = live.follow('games', '', one);
  await connected();
  expect(socket().of('follow')).toMatchObject([{ topic: 'games', of: '' }]);
  socket().say(news('games', 1));
  expect(live.sends('games', '')).toBe(false);
  socket().done(socket().of('follow')[0].id);
  await settled();
  expect(live.sends('games', '')).toBe(true);
  const endTwo = live.follow('games', '', two);
  expect(socket().of('follow')).toHaveLength(1);
  expect(two.seen).toEqual([1]);
  socket().breaks();
  expect(live.sends('games', '')).toBe(false);
  await vi.advanceTimersByTimeAsync(FIRST_DELAY * 1.25);
  await connected();
  expect(socket().of('follow')).toHaveLength(1);
  socket().say(news('games', 2));
  socket().say(news('friends', 'nobody asked'));
  socket().say(news('games', 'another one', 'x'));
  expect([one.seen, two.seen]).toEqual([[1, 2], [1, 2]]);
  end();
  expect(socket().of('unfollow')).toEqual([]);
  endTwo();
  expect(socket().of('unfollow')).toMatchObject([{ topic: 'games', of: '' }]);
  socket().done(socket().of('follow')[0].id);
  socket().done(socket().of('unfollow')[0].id);
  socket().say(news('games', 3));
  expect(one.seen).toEqual([1, 2]);
  socket().breaks();
  await vi.advanceTimersByTimeAsync(FIRST_DELAY * 1.25);
  await connected();
  expect(socket().of('follow')).toEqual([]);
});

test('a list that was asked for when the line broke is asked for once', async () => {
  live.follow('league', 'abcd', follower());
  await connected();
  const before = socket().of('follow');
  socket().breaks();
  await vi.advanceTimersByTimeAsync(FIRST_DELAY * 1.25);
  await connected();
  expect(socket().of('follow')).toEqual(before);
});

test('a list that is refused says so, and is tried again on the next connection', async () => {
  const heard = follower();
  live.follow('lobby', '', heard);
  await connected();
  socket().say({ type: 'refused', id: socket().of('follow')[0].id, error: { code: 'storage', message: 'No.' } });
  await settled();
  expect(heard.refusals).toEqual(['storage']);
  expect(live.sends('lobby', '')).toBe(false);
  socket().breaks();
  await vi.advanceTimersByTimeAsync(FIRST_DELAY * 1.25);
  await connected();
  expect(socket().of('follow')).toHaveLength(1);
});

test('who looks around is a visitor until something needs a session', async () => {
  const heard = follower();
  live.follow('lobby', '', heard);
  await settled();
  const first = socket();
  first.onopen?.();
  expect(first.sent).toEqual([{ do: 'hello', id: 'hello', version: VERSION, language: 'fr', visitor: true }]);
  first.say({ type: 'welcome', id: 'hello', version: VERSION, player: '', name: '', now: Date.now() });
  first.done(first.of('follow')[0].id);
  await settled();
  live.follow('championships', '', follower());
  expect(first.of('follow')).toHaveLength(2);
  first.done(first.of('follow')[1].id);
  await settled();
  void live.enter('abcd', listener());
  await settled();
  expect(first.closed).toBe(true);
  expect(sockets).toHaveLength(2);
  socket().onopen?.();
  expect(socket().sent[0]).not.toHaveProperty('visitor');
  socket().welcome();
  expect(socket().of('enter')).toHaveLength(1);
  expect(socket().of('follow').map((frame) => frame.topic)).toEqual(['lobby', 'championships']);
});
