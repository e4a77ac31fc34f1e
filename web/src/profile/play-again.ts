/** A new table like an earlier one, with invitations for whoever was there. */
import { api } from '../api/http';
import type { PlayAgain } from '../api/generated/http';
import { ensureSession } from '../api/session.svelte';
import { navigate } from '../router.svelte';

export async function playAgain(asked: Partial<PlayAgain>): Promise<void> {
  await ensureSession();
  const { room } = await api.playAgain(asked);
  navigate(`/r/${room}`);
}
