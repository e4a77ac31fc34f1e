/** What is heard of a room, and what is not. */
import { expect, test } from 'vitest';

import type { GameEvent, RoomView, Update } from '../api/generated/live';
import { soundOfSecond, soundsOf, turnBegins } from './sounds-of';

/** A room as far as sounds look at it: whose turn it is, and who one is. */
function room(seat: number, { me = 0, stage = 'playing', game = 1, standIn = null as string | null } = {}): RoomView {
  const seats = [{ stand_in: standIn }, {}];
  return { stage, me, seats, game: { seat, game } } as unknown as RoomView;
}

function update(view: RoomView, events: object[], snapshot = false): Update {
  return { view, snapshot, events: [{ kind: 'game_played', events: events as GameEvent[] }] } as unknown as Update;
}

const names = (...heard: Parameters<typeof soundsOf>): string[] => soundsOf(...heard).map(({ sound, tiles }) => `${sound} ${tiles}`);

test('what the others do is heard, then that it is my turn', () => {
  expect(names(room(1), update(room(0), [{ event: 'drew', seat: 1 }]), false)).toEqual(['draw 1', 'turn 0']);
  expect(names(room(1), update(room(0), [{ event: 'laid', seat: 1, tiles: [3, 4, 5] }]), false)).toEqual(['lay 3', 'turn 0']);
  expect(names(room(1), update(room(0), [{ event: 'passed', seat: 1 }]), false)).toEqual(['turn 0']);
});

test('what I do is heard without a chime', () => {
  expect(names(room(0), update(room(1), [{ event: 'drew', seat: 0 }]), false)).toEqual(['draw 1']);
});

test('a turn of Rummy-O is one sound', () => {
  const events = [{ event: 'took' }, { event: 'played', tiles: [1, 2, 3] }, { event: 'discarded' }];
  expect(names(room(1), update(room(0), events), false)).toEqual(['lay 3', 'turn 0']);
  expect(names(room(1), update(room(1), [{ event: 'took' }]), false)).toEqual(['draw 1']);
  expect(names(room(1), update(room(0), [{ event: 'played', tiles: [] }, { event: 'discarded' }]), false)).toEqual(['lay 1', 'turn 0']);
});

test('the end is one sound, and another for the winner', () => {
  const events = [{ event: 'laid', seat: 1, tiles: [1] }, { event: 'game_ended', winners: [1] }];
  const over = room(1, { stage: 'over' });
  expect(names(room(1), update(over, events), false)).toEqual(['end 0']);
  expect(names(room(1), update(room(1, { stage: 'over', me: 1 }), events), false)).toEqual(['win 0']);
});

test('who wants it calm hears no tiles', () => {
  expect(names(room(1), update(room(0), [{ event: 'laid', seat: 1, tiles: [3] }]), true)).toEqual(['turn 0']);
});

test('catching up is silent', () => {
  expect(names(room(1), update(room(0), [{ event: 'drew' }], true), false)).toEqual([]);
  expect(names(null, update(room(0), [{ event: 'drew' }]), false)).toEqual([]);
});

test('a turn begins once, not for watchers, and not while a bot stands in', () => {
  expect(turnBegins(room(1), room(0))).toBe(true);
  expect(turnBegins(room(0), room(0))).toBe(false);
  expect(turnBegins(room(0, { game: 1 }), room(0, { game: 2 }))).toBe(true);
  expect(turnBegins(null, room(0))).toBe(false);
  expect(turnBegins(room(1, { me: null as never }), room(0, { me: null as never }))).toBe(false);
  expect(turnBegins(room(1), room(0, { standIn: 'club' }))).toBe(false);
  expect(turnBegins(room(1), room(0, { stage: 'over' }))).toBe(false);
});

test('the last ten seconds tick, the last three higher; calmly twice', () => {
  expect([11, 10, 4, 3, 1, 0].map((second) => soundOfSecond(second, false))).toEqual([null, 'tick', 'tick', 'last', 'last', null]);
  expect([10, 9, 3, 2].map((second) => soundOfSecond(second, true))).toEqual(['tick', null, 'last', null]);
});
