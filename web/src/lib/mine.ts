/** Whether it is one's own turn in a room, as far as a list of rooms can tell. */
import type { RoomCard } from './protocol';

/** The seat one has, by name: a name that was taken already got a number behind it ("Ada 2"). */
export function mySeat(room: Pick<RoomCard, 'names'>, name: string): number {
  const exact = room.names.indexOf(name);
  return exact >= 0 ? exact : room.names.findIndex((one) => one.startsWith(`${name} `));
}

export function isMyTurn(room: Pick<RoomCard, 'names' | 'waiting_for'>, name: string | undefined): boolean {
  return name !== undefined && room.waiting_for !== null && mySeat(room, name) === room.waiting_for;
}
