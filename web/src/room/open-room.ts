/** Opening a room: the request, the visitor's own word for the shuffle, and the way to its page. */
import { api } from '../api/http';
import type { OpenRoom } from '../api/generated/http';
import type { RoomView } from '../api/generated/live';
import { isOffline, navigate } from '../router.svelte';
import { ensureSession } from '../api/session.svelte';

const SOUNDS = ['ba', 'de', 'fi', 'go', 'ka', 'lu', 'mi', 'no', 'pe', 'ra', 'si', 'ta', 'vo', 'zu', 'le', 'ro'];

/** A word that nobody can know before: it is this browser's part of the shuffle. */
export function ownWord(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return [...bytes].map((byte) => SOUNDS[byte % SOUNDS.length]).join('');
}

/** Another game like the one of a room: the same settings, bots where bots sat, and open seats for people. */
export async function openAgain(view: RoomView): Promise<void> {
  const chairs = view.seats.map((seat, index) => (index === view.me ? 'me' : seat.kind === 'bot' ? (seat.level ?? 'open') : 'open'));
  await openRoom({ settings: view.settings, chairs, begin: !chairs.includes('open'), word: ownWord() });
}

/** Open a room and go to its table. Offline nobody waits for us, so no bot takes our seat while we are away. */
export async function openRoom(request: OpenRoom, inText = false): Promise<void> {
  await ensureSession();
  const settings = isOffline ? { ...request.settings, stand_in_after: 0 } : request.settings;
  const { room } = await api.openRoom({ ...request, settings });
  navigate(inText ? `/r/${room}/text` : `/r/${room}`);
}
