/** Lists that the server sends: asked for only where it does not, and still while somebody points at them. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { Following, PATIENCE, SELDOM } from '../src/api/following';
import type { Follower } from '../src/api/live';
import { Holding, inPlace } from '../src/ui/holding';

class FakeLive {
  follower: Follower | null = null;
  ended = 0;
  brings = false;

  follow(_topic: string, _of: string, follower: Follower): () => void {
    this.follower = follower;
    return () => (this.ended += 1);
  }
  sends(): boolean {
    return this.brings;
  }
}

let live: FakeLive;
let asked: ((value: number) => void)[];
let shown: (number | null)[];
let failures: unknown[];
let list: Following<number>;
let end: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { visibilityState: 'visible' });
  live = new FakeLive();
  asked = [];
  shown = [];
  failures = [];
  list = new Following(
    () => new Promise((resolve) => asked.push(resolve)),
    (value) => void shown.push(value),
    (error) => void failures.push(error),
  );
  end = list.start(live, 'lobby', '');
});

afterEach(() => {
  end();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('what the server sends is shown, and nobody asks', async () => {
  live.follower?.news(1);
  live.brings = true;
  await vi.advanceTimersByTimeAsync(PATIENCE + 5 * SELDOM);
  live.follower?.news(2);
  expect([shown, asked.length]).toEqual([[1, 2], 0]);
  end();
  expect(live.ended).toBe(1);
});

test('without the connection it is asked for, though seldom, and not on a hidden page', async () => {
  await vi.advanceTimersByTimeAsync(PATIENCE);
  expect(asked).toHaveLength(1);
  asked[0](7);
  await vi.advanceTimersByTimeAsync(SELDOM);
  expect([shown, asked.length]).toEqual([[7], 2]);
  vi.stubGlobal('document', { visibilityState: 'hidden' });
  await vi.advanceTimersByTimeAsync(SELDOM);
  vi.stubGlobal('document', { visibilityState: 'visible' });
  live.brings = true;
  await vi.advanceTimersByTimeAsync(2 * SELDOM);
  expect(asked).toHaveLength(2);
  live.brings = false; // the connection is lost
  await vi.advanceTimersByTimeAsync(SELDOM);
  expect(asked).toHaveLength(3);
});

test('an answer that comes after something newer was sent, or when nothing is wanted, tells nothing', async () => {
  void list.again();
  live.follower?.news(2);
  void list.again();
  list.forget();
  asked.forEach((answer) => answer(1));
  await vi.advanceTimersByTimeAsync(0);
  expect(shown).toEqual([2, null]);
});

test('what is refused is asked for over HTTP, and what that answers is told', async () => {
  const failing = new Following<number>(() => Promise.reject(new Error('gone')), (value) => void shown.push(value), (error) => void failures.push(error));
  const stop = failing.start(live, 'league', 'abcd');
  live.follower?.refused?.({} as never);
  await vi.advanceTimersByTimeAsync(0);
  stop();
  expect([shown, failures]).toEqual([[], [new Error('gone')]]);
});

test('a list holds still while it is pointed at, unless the change is one’s own', async () => {
  let pointedAt = true;
  const holding = new Holding<string>(() => pointedAt, (before, now) => `${before} ${now}`, (value) => (last = value));
  let last: string | null = null;
  holding.come('1');
  expect(last).toBe('1'); // there was nothing to point at
  holding.come('2');
  holding.come('3');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(last).toBe('1');
  pointedAt = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(last).toBe('1 3');
  pointedAt = true;
  holding.come('4');
  expect(last).toBe('1 3');
  holding.expect();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(last).toBe('1 3 4');
  holding.come('5');
  holding.stop();
  pointedAt = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(last).toBe('1 3 4');
});

test('what was there stays where it was, as it is now; what is new comes last; what is gone is gone', () => {
  const id = (item: string): string => item[0];
  expect(inPlace(['a1', 'b1', 'c1'], ['d2', 'c2', 'a2'], id)).toEqual(['a2', 'c2', 'd2']);
  expect(inPlace([], ['b', 'a'], id)).toEqual(['b', 'a']);
  expect(inPlace(['a'], [], id)).toEqual([]);
});
