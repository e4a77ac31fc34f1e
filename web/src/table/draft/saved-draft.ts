// An unfinished draft, kept through a reload as long as the position is still the one it was made on.

import { isOffline } from '../../base';
import type { MeldPlay } from './draft';
import type { Tile } from '../../ui/tiles/faces';
import type { Memory } from '../board/rack-order';

export interface SavedDraft {
  readonly rev: number;
  readonly table: readonly (readonly Tile[])[] | null;
  readonly melds: readonly MeldPlay[] | null;
  readonly discard: Tile | null;
}

/** Games of this device are nobody's account: signing out leaves theirs alone. */
const PREFIX = isOffline ? 'meldroom.offline.draft.' : 'meldroom.draft.';

/** Keep the draft of a room; null forgets it. */
export function keep(memory: Memory, room: string, draft: SavedDraft | null): void {
  try {
    if (draft === null) memory.removeItem(PREFIX + room);
    else memory.setItem(PREFIX + room, JSON.stringify(draft));
  } catch {
    // Without memory a draft lasts as long as the page.
  }
}

/** The draft kept for a room, if it was made on this revision. */
export function kept(memory: Memory, room: string, rev: number): SavedDraft | null {
  try {
    const read: unknown = JSON.parse(memory.getItem(PREFIX + room) ?? 'null');
    return isSaved(read) && read.rev === rev ? read : null;
  } catch {
    return null;
  }
}

function isSaved(read: unknown): read is SavedDraft {
  if (typeof read !== 'object' || read === null) return false;
  const draft = read as Record<string, unknown>;
  const tiles = (row: unknown): boolean => Array.isArray(row) && row.every((tile) => Number.isInteger(tile));
  const table = draft.table === null || (Array.isArray(draft.table) && draft.table.every(tiles));
  const melds =
    draft.melds === null ||
    (Array.isArray(draft.melds) &&
      draft.melds.every((meld: unknown) => typeof meld === 'object' && meld !== null && tiles((meld as MeldPlay).tiles)));
  return Number.isInteger(draft.rev) && table && melds && (draft.discard === null || Number.isInteger(draft.discard));
}
