/** A list that the server sends when it has changed: the lobby, one's own games, friends. */
import { isOffline } from '../base';
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

/** Without the live connection a list is asked for after so many milliseconds, then again and again after so many. */
export const PATIENCE = 1_500;
export const SELDOM = 30_000;

/**
 * Follow a list; call it while a component is being made. While the live connection does not bring it, it is asked
 * for, though seldom. Offline it is asked for once: nobody else changes what is on this device.
 */
export function followed<Value>(topic: Topic, ask: () => Promise<Value>, { of = () => '', when = () => true }: Options = {}): Followed<Value> {
  let value: Value | null = $state.raw(null);
  let error: unknown = $state.raw(null);
  let told = 0;

  async function again(): Promise<void> {
    const before = told;
    try {
      const found = await ask();
      // What was sent meanwhile is newer.
      if (told === before) value = found;
      error = null;
    } catch (failure) {
      if (told === before) error = failure;
    }
  }

  $effect(() => {
    const name = of();
    if (!when()) {
      told += 1;
      value = error = null;
      return undefined;
    }
    if (isOffline) {
      void again();
      return undefined;
    }
    const askUnlessSent = (): void => {
      if (document.visibilityState === 'visible' && !live.sends(topic, name)) void again();
    };
    const end = live.follow(topic, name, {
      news(sent) {
        told += 1;
        value = sent as Value;
        error = null;
      },
      // Over HTTP there is an answer for people.
      refused: () => void again(),
    });
    const first = setTimeout(askUnlessSent, PATIENCE);
    const timer = setInterval(askUnlessSent, SELDOM);
    return () => {
      end();
      clearTimeout(first);
      clearInterval(timer);
    };
  });

  return {
    get value() {
      return value;
    },
    get error() {
      return error;
    },
    again: () => void again(),
  };
}
