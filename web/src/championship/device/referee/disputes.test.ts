import { expect, test } from 'vitest';

import type { SettleDispute } from '../../../api/generated/http';
import type { Entry } from '../storage/outbox';
import { disputesShown } from './disputes';

const ruled: SettleDispute = { do: 'settle_dispute', question: '100 or 200?', ruling: '200', at: '2026-11-15T10:00:42.120Z' };
const sent = { seq: 7, request: { id: 'one', command: { ...ruled, cites: ['#16'] } } } as unknown as Entry;

test('a ruling waits on the device until the laptop has it', () => {
  expect(disputesShown([sent], [])).toMatchObject([{ key: 'w7', waits: true, clauses: ['#16'] }]);
});

test('a ruling that the laptop shows before it has answered is shown once', () => {
  expect(disputesShown([sent], [{ ...ruled, at: '2026-11-15T10:00:42.120000Z' }])).toMatchObject([{ key: 's0', waits: false }]);
});

test('the same words at another time are another ruling', () => {
  const later = { ...ruled, at: '2026-11-15T11:00:00Z' };
  expect(disputesShown([sent], [later]).map((one) => one.waits)).toEqual([true, false]);
});
