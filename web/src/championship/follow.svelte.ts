/** Something that is asked for again whenever the championship changes: a long poll says when. */
import { untrack } from 'svelte';

import { ApiError } from '../api/http';
import { ChampionshipApi } from '../api/championships';

export interface Followed<Value> {
  readonly value: Value | null;
  /** Why there is nothing to show. */
  readonly error: unknown;
  /** Whether the server is out of reach: what is shown may be old. */
  readonly lost: boolean;
  /** What to add to this device's time to have the server's. */
  readonly skew: number;
  again(): Promise<void>;
}

const WAIT = 25;
const SLOWEST = 10_000;

interface Options {
  /** After how long without the server the page is loaded anew when it is back; never if not given. */
  reloadAfter?: number;
}

/** Follow a championship; call it while a component is being made. `make` is asked anew when what it reads changes. */
export function followed<Value extends { version: number } | { championship: { version: number } }>(
  make: () => { api: ChampionshipApi; ask: () => Promise<Value> } | null,
  { reloadAfter }: Options = {},
): Followed<Value> {
  let value: Value | null = $state.raw(null);
  let error: unknown = $state.raw(null);
  let lost = $state(false);
  let skew = $state(0);
  let current: ReturnType<typeof make> = null;

  const versionOf = (one: Value): number => ('version' in one ? one.version : one.championship.version);

  async function fetchNow(from: NonNullable<typeof current>): Promise<void> {
    const found = await from.ask();
    // An answer that was asked for earlier and comes later says nothing new.
    if (from !== current || (value && versionOf(found) < versionOf(value))) return;
    value = found;
    error = null;
  }

  async function again(): Promise<void> {
    const from = current;
    if (!from) return;
    try {
      await fetchNow(from);
      lost = false;
    } catch (failure) {
      if (from !== current) return;
      if (failure instanceof ApiError) error = failure;
      else lost = true;
    }
  }

  async function follow(from: NonNullable<typeof current>, signal: AbortSignal): Promise<void> {
    let failures = 0;
    let failedSince = 0;
    while (!signal.aborted) {
      try {
        if (!value || error) await fetchNow(from);
        const news = await from.api.changes(value ? versionOf(value) : 0, WAIT, signal);
        skew = news.now - Date.now();
        if (failedSince && reloadAfter !== undefined && Date.now() - failedSince > reloadAfter) location.reload();
        if (news.changed) await fetchNow(from);
        failures = failedSince = 0;
        lost = false;
      } catch (failure) {
        if (signal.aborted) return;
        if (failure instanceof ApiError) {
          error = failure;
          lost = false;
        } else {
          lost = true;
          error = value ? null : failure;
          failedSince ||= Date.now();
        }
        failures += 1;
        await new Promise((resolve) => setTimeout(resolve, Math.min(SLOWEST, 500 * 2 ** failures)));
      }
    }
  }

  $effect(() => {
    const from = make();
    current = from;
    value = null;
    error = null;
    if (!from) return undefined;
    const stop = new AbortController();
    // What the loop reads is its own: the effect follows only what `make` reads.
    untrack(() => void follow(from, stop.signal));
    return () => stop.abort();
  });

  return {
    get value() {
      return value;
    },
    get error() {
      return error;
    },
    get lost() {
      return lost;
    },
    get skew() {
      return skew;
    },
    again,
  };
}
