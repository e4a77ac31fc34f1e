/** Every address has its page, and what is no address has the page that says so. */
import { expect, test } from 'vitest';

import { addressOf, to } from '../src/base';
import { OFFLINE_ROUTES, resolve, ROUTES } from '../src/router.svelte';

test('every route resolves to its own page', () => {
  for (const [pattern, page] of ROUTES) {
    const path = pattern.replace(/:\w+/g, 'x1');
    expect([path, resolve(path).page]).toEqual([path, page]);
  }
});

test.each([
  ['/r/k3f9qz', 'Room', { room: 'k3f9qz' }],
  ['/r/k3f9qz/', 'Room', { room: 'k3f9qz' }],
  ['/rules/wrc11', 'Rules', { book: 'wrc11' }],
  ['/rules/wrc9/against/wrc11', 'Rules', { book: 'wrc9', other: 'wrc11' }],
  ['/rules/rulings/R20', 'Rules', { ruling: 'R20' }],
  ['/g/abc/12', 'Replay', { game: 'abc', step: '12' }],
  ['/r/caf%C3%A9', 'Room', { room: 'café' }],
])('%s', (path, page, params) => {
  expect(resolve(path)).toEqual({ page, params });
});

test.each(['/nowhere', '/r', '/r/a/b/c', '/rules/wrc9/against', '/r/%E0%A4%A'])('%s leads nowhere', (path) => {
  expect(resolve(path)).toEqual({ page: 'NotFound', params: {} });
});

const BASE = new URL('https://club.example/games/meldroom/');

test.each([
  ['/', '/games/meldroom/'],
  ['/new?book=tml', '/games/meldroom/new/?book=tml'],
  ['/r/abc', '/games/meldroom/r/?at=abc'],
  ['/rules/wrc9/against/wrc11', '/games/meldroom/rules/?at=wrc9/against/wrc11'],
  ['/rules/wrc11#clause-9', '/games/meldroom/rules/?at=wrc11#clause-9'],
  ['/g/x1?step=3&seat=0', '/games/meldroom/g/?at=x1&step=3&seat=0'],
  ['/r/caf%C3%A9%2Fb', '/games/meldroom/r/?at=caf%25C3%25A9%252Fb'],
  ['/position?book=tml&text=a%26b%3Dc', '/games/meldroom/position/?book=tml&text=a%26b%3Dc'],
])('offline %s is a file of a folder, and read back the same', (path, address) => {
  expect(to(path, BASE)).toBe(address);
  const read = addressOf(new URL(address, BASE), BASE);
  expect(read && read.path + read.query + read.hash).toBe(path);
});

test('a page offline is found with and without its slash and index.html', () => {
  for (const way of ['new', 'new/', 'new/index.html']) {
    expect(addressOf(new URL(way, BASE), BASE)?.path).toBe('/new');
  }
  expect(addressOf(new URL('index.html', BASE), BASE)?.path).toBe('/');
  expect(addressOf(new URL('https://club.example/games/meldroom'), BASE)?.path).toBe('/');
});

test('neither app takes the addresses of the other, nor those of the interface', () => {
  expect(addressOf(new URL('https://club.example/rules'), BASE)).toBeNull();
  expect(addressOf(new URL('https://club.example/games/meldrooms/'), BASE)).toBeNull();
  for (const path of ['/offline', '/offline/new/', '/api/v1/me']) expect(addressOf(new URL(path, BASE), null)).toBeNull();
  expect(addressOf(new URL('/r/abc?x=1', BASE), null)).toEqual({ path: '/r/abc', query: '?x=1', hash: '' });
  expect(to('/r/abc', null)).toBe('/r/abc');
});

test('the offline app has what can be played alone, and no lobby', () => {
  expect(resolve('/rules/wrc11', OFFLINE_ROUTES)).toEqual({ page: 'Rules', params: { book: 'wrc11' } });
  for (const path of ['/lobby', '/account', '/championships', '/learn']) {
    expect(resolve(path, OFFLINE_ROUTES).page).toBe('NotFound');
  }
});
