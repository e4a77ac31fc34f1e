/** What the dispute log shows: what waits on this device, then what the laptop has, newest first. */

import type { SettleDispute } from '../../../api/generated/http';
import type { Entry } from '../storage/outbox';

export interface Shown extends Omit<SettleDispute, 'do'> {
  key: string;
  waits: boolean;
}

/** Each ruling once: the laptop may show one before it has answered the device that sent it. */
export function disputesShown(waiting: readonly Entry[], settled: readonly SettleDispute[]): Shown[] {
  const sent = waiting.flatMap(({ seq, request: { command } }): Shown[] =>
    command.do === 'settle_dispute' && !settled.some((one) => same(one, command))
      ? [{ ...command, clauses: command.cites ?? [], key: `w${seq}`, waits: true }]
      : [],
  );
  return [...sent, ...settled.map((one, place): Shown => ({ ...one, key: `s${place}`, waits: false })).reverse()];
}

function same(one: Omit<SettleDispute, 'do'>, other: Omit<SettleDispute, 'do'>): boolean {
  const [own, others] = [one.at, other.at].map((at) => Date.parse(at ?? '')); // spelt otherwise by the server
  return own === others && one.question === other.question && one.ruling === other.ruling;
}
