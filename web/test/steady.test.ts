/** Lists that change by themselves keep their order. */
import { expect, test } from 'vitest';

import { inPlace } from '../src/ui/steady.svelte';

const id = (item: string): string => item[0];

test('what was there stays where it was, as it is now; what is new comes last; what is gone is gone', () => {
  expect(inPlace(['a1', 'b1', 'c1'], ['d2', 'c2', 'a2'], id)).toEqual(['a2', 'c2', 'd2']);
  expect(inPlace([], ['b', 'a'], id)).toEqual(['b', 'a']);
  expect(inPlace(['a'], [], id)).toEqual([]);
});
