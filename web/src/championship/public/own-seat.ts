/**
 * The chair that is kept for an entrant at an online table. Their personal link (/championship/CODE/p/NUMBER#key=…) brings the key; the
 * way to their table carries it on after the #, and the room's page takes the chair with it, again after every reload.
 */
import type { RoomView } from '../../api/generated/live';
import type { Unsent } from '../../api/types';
import { keptKeys, takeKey } from '../role-keys';

const personal = (number: number): string => `person-${number}`;
const atTable = (room: string): string => `room-${room}`;

/** Keep the key of a personal link, if the address has one; whether this browser may play as the entrant. */
export const isMine = (code: string, number: number): boolean => takeKey(code, personal(number)) !== '';

/** Where an appointment is played: with the key for who has it, else only to look on. */
export function tablePath(code: string, number: number, room: string): string {
  const key = keptKeys(code, personal(number))[0]?.secret ?? '';
  return key ? `/r/${room}#key=${key}` : `/r/${room}`;
}

/**
 * What the room's page sends once it sees a championship's table: the claim to the chair, or null if there is nothing to claim
 * (no championship, no key, or one sits already).
 */
export function claimOf(view: RoomView, word: string): Unsent | null {
  const table = view.championship ?? null;
  if (table === null) return null;
  const key = takeKey(table.championship, atTable(view.room));
  return key && view.me === null ? { do: 'claim', room: view.room, key, word } : null;
}
