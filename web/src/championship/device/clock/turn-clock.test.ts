/** The turn clock as pure steps. */
import { expect, test } from 'vitest';

import { addTime, begin, clockText, goOn, later, leftOf, moodOf, nextSeat, pause, resumed, takeBack, warnings } from './turn-clock';

const T = 1_000_000;

test('a turn runs out after its length', () => {
  const turn = begin(1, 0, 1, 40_000, T);
  expect(leftOf(turn, T)).toBe(40_000);
  expect(leftOf(turn, T + 39_999)).toBe(1);
  expect(leftOf(turn, T + 50_000)).toBe(0);
});

test('a pause keeps what is left', () => {
  const paused = pause(begin(1, 0, 1, 40_000, T), 'why', T + 15_000);
  expect(leftOf(paused, T + 600_000)).toBe(25_000);
  const again = goOn(paused, T + 600_000);
  expect(leftOf(again, T + 600_000 + 24_000)).toBe(1000);
  expect(again.paused).toBe('');
});

test('extra time is added to a running and to a standing clock, also after the end', () => {
  const turn = begin(1, 0, 1, 40_000, T);
  expect(leftOf(addTime(turn, 20_000, T + 10_000), T + 10_000)).toBe(50_000);
  expect(leftOf(addTime(pause(turn, 'x', T + 10_000), 20_000, T + 99_000), T + 100_000)).toBe(50_000);
  const late = addTime({ ...turn, expired: true }, 20_000, T + 60_000);
  expect([leftOf(late, T + 60_000), late.expired]).toEqual([20_000, false]);
});

test('a wrong tap is taken back with the time that was left', () => {
  const first = begin(1, 0, 1, 40_000, T);
  const second = begin(1, 1, 2, 40_000, T + 30_000, first);
  const back = takeBack(second, T + 33_000);
  expect([back.seat, back.turn, leftOf(back, T + 33_000)]).toEqual([0, 1, 10_000]);
  expect(takeBack(back, T + 34_000)).toBe(back);
  expect(begin(2, 0, 1, 40_000, T, second).before).toBeNull();
});

test('after a reload the server says what has passed, not the wall', () => {
  const turn = begin(1, 0, 1, 40_000, T);
  const kept = { own: T + 5000, wall: 0, server: 900_000, clock: 'a' };
  // The wall was put forward an hour meanwhile, and the new page counts from elsewhere.
  const now = { own: 77, wall: 3_600_000, server: 910_000, clock: 'a' };
  expect(leftOf(resumed(turn, kept, now), 77)).toBe(25_000);
  expect(leftOf(resumed(turn, kept, { ...now, clock: 'b', wall: 12_000 }), 77)).toBe(23_000);
  expect(leftOf(resumed(turn, kept, { ...now, server: null, wall: -50 }), 77)).toBe(35_000);
  expect(leftOf(later(turn, 30_000), T)).toBe(10_000);
  const paused = pause(turn, 'why', T);
  expect([later(paused, 9), resumed(paused, kept, now)]).toEqual([paused, paused]);
});

test('the order of play goes round and passes over empty seats', () => {
  expect([0, 1, 3].map((seat) => nextSeat(seat, [0, 1, 3]))).toEqual([1, 3, 0]);
  expect(nextSeat(2, [0, 1, 3])).toBe(3);
});

test('a slow device misses no warning', () => {
  expect(warnings(40_000, 10_001)).toEqual([]);
  expect(warnings(10_001, 10_000)).toEqual(['soon']);
  expect(warnings(12_000, 4000)).toEqual(['soon', 'hurry']);
  expect(warnings(12_000, 0)).toEqual(['soon', 'hurry', 'out']);
  expect(warnings(4000, 0)).toEqual(['out']);
});

test('colours and figures', () => {
  expect([11_000, 10_000, 5000, 0].map((left) => moodOf(left, 40_000))).toEqual(['calm', 'soon', 'hurry', 'out']);
  expect(moodOf(0, 0)).toBe('calm');
  expect([40_000, 39_001, 60_000, 125_000, 1, 0].map(clockText)).toEqual(['40', '40', '1:00', '2:05', '1', '0']);
});
