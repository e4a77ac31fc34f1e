/** The clock that no time sync moves. */
import { expect, test, vi } from 'vitest';

import { ServerClock, steadyNow } from './steady-clock';

test('a time sync does not move it', () => {
  const before = steadyNow();
  const wall = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
  expect(Math.abs(steadyNow() - before)).toBeLessThan(60_000);
  wall.mockRestore();
});

test('the server tells how long the device slept, and late answers do not count', () => {
  const clock = new ServerClock();
  expect([clock.now(5), clock.hear(10_000, 'a', 1000)]).toEqual([null, 0]);
  expect([clock.hear(10_900, 'a', 2000), clock.now(2000)]).toEqual([0, 11_000]);
  expect(clock.hear(71_000, 'a', 2000)).toBe(60_000);
  expect([clock.hear(5000, 'b', 3000), clock.now(3000)]).toEqual([0, 5000]);
});
