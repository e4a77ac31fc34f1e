/** A list that the server sends when it has changed: the lobby, one's own games, friends. */
import { isOffline } from '../base';
import { Following } from './following';
import type { Topic } from './generated/live';
import { live } from './session.svelte';

export interface Followed<Value> {
  readonly value: Value | null;
  readonly error: unknown;
  /** Ask for it now: after a change of one's own, or once more after an error. */
  again(): void;
}

interface Options {
  /** Which one it is, of those that have a name. */
  of?: () => string;
  /** Whether it is wanted at all. */
  when?: () => boolean;
}

/**
 * Follow a list; call it while a component is being made. While the live connection does not bring it, it is asked
 * for, though seldom. Offline it is asked for once: nobody else changes what is on this device.
 */
export function followed<Value>(topic: Topic, ask: () => Promise<Value>, { of = () => '', when = () => true }: Options = {}): Followed<Value> {
  let value: Value | null = $state.raw(null);
  let error: unknown = $state.raw(null);

  const following = new Following<Value>(
    ask,
    (found) => {
      value = found;
      error = null;
    },
    (failure) => (error = failure),
  );

  $effect(() => {
    const name = of();
    if (!when()) following.forget();
    else if (isOffline) void following.again();
    else return following.start(live, topic, name);
    return undefined;
  });

  return {
    get value() {
      return value;
    },
    get error() {
      return error;
    },
    again: () => void following.again(),
  };
}
