// Whom this person does not want to hear, kept in this browser.

import type { Memory } from '../board/rack-order';

const KEY = 'meldroom.muted';

/** The names that are muted. */
export function muted(memory: Memory): ReadonlySet<string> {
  try {
    const read: unknown = JSON.parse(memory.getItem(KEY) ?? '[]');
    return new Set(Array.isArray(read) ? read.filter((name): name is string => typeof name === 'string') : []);
  } catch {
    return new Set();
  }
}

/** Mute a name, or hear it again; the answer is the new set. */
export function toggleMuted(memory: Memory, name: string): ReadonlySet<string> {
  const names = new Set(muted(memory));
  if (!names.delete(name)) names.add(name);
  try {
    memory.setItem(KEY, JSON.stringify([...names]));
  } catch {
    // Then it lasts as long as the page.
  }
  return names;
}
