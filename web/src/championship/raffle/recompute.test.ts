/** A raffle computed again in the browser comes out as Meldroom's own, with and without players kept apart. */
import { expect, test } from 'vitest';

import { fits, orders, redraw } from './recompute';
import { hex, hmac, sha256 } from './sha256';
import drawn from './drawn.json';

const text = (words: string): Uint8Array => new TextEncoder().encode(words);

test('SHA-256 and HMAC give what the standards print', () => {
  expect(hex(sha256(text('')))).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(hex(sha256(text('abc')))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(hex(sha256(text('a'.repeat(119))))).toBe('31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb');
  expect(hex(hmac(text('Jefe'), text('what do ya want for nothing?')))).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
});

test.each(drawn)('the draw of $draw.players players', ({ sittings, ...page }) => {
  const { draw } = page;
  expect(fits(draw.digest, draw.seed, draw.commitment)).toBe(true);
  expect(fits(draw.digest, `${draw.seed}x`, draw.commitment)).toBe(false);
  expect(redraw({ ...page, draw: { ...draw, apart_in: draw.apart_in as 'all' | 'first', replaced: [], met: draw.met ?? [], short: draw.short ?? [] } })).toEqual(sittings);
});

test('an order is the same for the same label, and another for another', () => {
  const order = orders('seed', ['digest']);
  const items = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  expect(order('a', items)).toEqual(order('a', items));
  expect(order('a', items)).not.toEqual(order('b', items));
  expect(order('a', items).toSorted()).toEqual(items);
});
