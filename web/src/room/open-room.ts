/** Opening a room: the request, the visitor's own word for the shuffle, and the way to its page. */
import { api } from '../api/http';
import type { OpenRoom } from '../api/generated/http';
import { isOffline, navigate } from '../router.svelte';
import { ensureSession } from '../api/session.svelte';

const SOUNDS = ['ba', 'de', 'fi', 'go', 'ka', 'lu', 'mi', 'no', 'pe', 'ra', 'si', 'ta', 'vo', 'zu', 'le', 'ro'];

/** A word that nobody can know before: it is this browser's part of the shuffle. */
export function ownWord(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return [...bytes].map((byte) => SOUNDS[byte % SOUNDS.length]).join('');
}

/** Open a room and go to its table. Offline nobody waits for us, so no bot takes our seat while we are away. */
export async function openRoom(request: OpenRoom): Promise<void> {
  await ensureSession();
  const settings = isOffline ? { ...request.settings, stand_in_after: 0 } : request.settings;
  const { room } = await api.openRoom({ ...request, settings });
  navigate(`/r/${room}`);
}
