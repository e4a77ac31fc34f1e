/** Whether it is one's own turn in a room, as a list of rooms tells. */
import type { RoomCard } from '../api/generated/http';

/** A card names by seat nobody but its reader. */
export function isMyTurn(room: Pick<RoomCard, 'players' | 'waiting_for'>): boolean {
  return room.waiting_for !== null && Boolean(room.players[room.waiting_for]);
}
