/** Who is here: a guest from the first visit on, with the one live connection that belongs to this page. */
import { api, ApiError } from './http';
import { Live } from './live';
import { transport } from './transport';
import { isOffline } from '../base';
import type { Me } from './generated/http';
import { change, settings } from '../ui/settings.svelte';

export const session: { me: Me | null } = $state({ me: null });

/** Set once the server has met us: a first visitor need not ask who they are. */
export const MET = isOffline ? 'meldroom.met.offline' : 'meldroom.met';

let asked: Promise<Me> | null = null;

function haveMet(): boolean {
  try {
    return localStorage.getItem(MET) !== null;
  } catch {
    return true;
  }
}

function remember(met: boolean): void {
  try {
    if (met) localStorage.setItem(MET, '1');
    else localStorage.removeItem(MET);
  } catch {
    // Without storage the cookie alone remembers us.
  }
}

async function meet(): Promise<Me> {
  if (haveMet()) {
    try {
      return await api.me();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
    }
  }
  return api.newSession({ language: settings.language });
}

/** Make sure that the server knows us; asked once, and again after it failed. */
export function ensureSession(): Promise<Me> {
  asked ??= meet().then(
    (me) => {
      remember(true);
      return (session.me = me);
    },
    (error: unknown) => {
      asked = null;
      throw error;
    },
  );
  return asked;
}

/** Who we are if we have been here before; null for a first visit, which leaves no trace. */
export async function peekSession(): Promise<Me | null> {
  if (!haveMet() && !asked) return null;
  try {
    return await ensureSession();
  } catch {
    return null;
  }
}

/** Somebody else from now on: after signing in or out. */
export function becomeMe(me: Me | null): void {
  session.me = me;
  asked = me ? Promise.resolve(me) : null;
  remember(me !== null);
  live.restart();
}

/** The same person, changed. */
export function becomeKnown(me: Me): void {
  session.me = me;
  asked = Promise.resolve(me);
}

/** Play under another name. */
export async function rename(name: string): Promise<Me> {
  await ensureSession();
  const me = await api.changeMe({ name });
  becomeKnown(me);
  return me;
}

export const live = new Live({
  open: () => transport.socket(),
  // A broken connection may mean that the session is gone: ask anew, every time.
  prepare: (lookingAround) => {
    if (live.hasBeenOpen) asked = null;
    return lookingAround ? peekSession() : ensureSession();
  },
  language: () => settings.language,
});

/** Speak another language: here, and on the server for everything it says from now on. */
export function speakLanguage(language: string): void {
  if (language === settings.language) return;
  change({ language });
  live.restart();
  if (session.me) void api.changeMe({ language }).catch(() => undefined);
}

/** Come back at once when the network or the page does. */
export function startListening(): void {
  addEventListener('online', () => live.wakeIfLost());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') live.wakeIfLost();
  });
}
