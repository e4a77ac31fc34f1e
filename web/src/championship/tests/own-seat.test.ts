import { beforeEach, expect, test, vi } from 'vitest';

import type { RoomView } from '../../api/generated/live';
import { claimOf, isMine, tablePath } from '../public/own-seat';

const view = (more: Partial<RoomView>): RoomView =>
  ({ room: 'abcdefghjk', me: null, championship: { championship: 'k3f9qz', stage: 'evening', sitting: 1, number: 2 }, ...more }) as RoomView;

function at(hash: string): void {
  vi.stubGlobal('location', { hash, pathname: '/', search: '' });
  vi.stubGlobal('history', { state: null, replaceState: () => vi.stubGlobal('location', { hash: '', pathname: '/', search: '' }) });
}

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', { getItem: (name: string) => kept.get(name) ?? null, setItem: (name: string, value: string) => kept.set(name, value) });
  at('');
});

test('the key of a personal link goes on to the table', () => {
  expect(isMine('k3f9qz', 3)).toBe(false);
  expect(tablePath('k3f9qz', 3, 'abcdefghjk')).toBe('/r/abcdefghjk');
  at('#key=secret');
  expect(isMine('k3f9qz', 3)).toBe(true);
  expect(location.hash).toBe('');
  expect(tablePath('k3f9qz', 3, 'abcdefghjk')).toBe('/r/abcdefghjk#key=secret');
  expect(tablePath('k3f9qz', 4, 'abcdefghjk')).toBe('/r/abcdefghjk');
});

test('the chair is claimed with the key in the address, and with the kept one after a reload', () => {
  expect(claimOf(view({}), 'w')).toBe(null);
  at('#key=secret');
  const claim = { do: 'claim', room: 'abcdefghjk', key: 'secret', word: 'w' };
  expect(claimOf(view({}), 'w')).toEqual(claim);
  expect(claimOf(view({}), 'w')).toEqual(claim);
  expect(claimOf(view({ me: 2 }), 'w')).toBe(null);
  expect(claimOf(view({ championship: null }), 'w')).toBe(null);
});
