/** Every address has its page, and what is no address has the page that says so. */
import { expect, test } from 'vitest';

import { resolve, ROUTES } from '../src/router.svelte';

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
