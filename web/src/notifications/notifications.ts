/**
 * Tells people that it is their turn while they look elsewhere: by the page itself as long as it is open, and by Web Push at tables
 * with hours for a move. The right to do so is asked for in a click and nowhere else.
 */
import { api } from '../api/http';
import { ensureSession } from '../api/session.svelte';
import { base, isOffline, linkTo } from '../base';
import { change, settings } from '../ui/settings.svelte';

/** `insecure`: browsers notify only from https, or on the machine itself. */
export type Permission = 'unsupported' | 'insecure' | 'default' | 'granted' | 'denied';

/** How far it goes: nowhere, while a page is open, or also when none is. */
export type Reach = 'off' | 'page' | 'push';

/** A scope without pages: this worker is woken by messages and never stands between a page and the network. */
const WORKER = '/sw.js';
const SCOPE = '/notifications/';
const STORED_AS = 'meldroom.push';
const DAY = 24 * 3600 * 1000;

interface Stored {
  id: string;
  player: string;
  at: number;
}

export function permission(): Permission {
  if (!isSecureContext) return 'insecure';
  if (!('Notification' in globalThis) || !('serviceWorker' in navigator)) return 'unsupported';
  return Notification.permission;
}

/** Whether people want it and the browser lets us. */
export const isOn = (): boolean => settings.notify && permission() === 'granted';

function stored(): Stored | null {
  try {
    return JSON.parse(localStorage.getItem(STORED_AS) ?? 'null') as Stored | null;
  } catch {
    return null;
  }
}

function store(value: Stored | null): void {
  try {
    if (value) localStorage.setItem(STORED_AS, JSON.stringify(value));
    else localStorage.removeItem(STORED_AS);
  } catch {
    // Without storage the server forgets the browser when its push service does.
  }
}

/** The worker that shows notifications; null where there is none. */
async function worker(): Promise<ServiceWorkerRegistration | null> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return null;
  if (isOffline) return (base && (await navigator.serviceWorker.getRegistration(base.pathname))) ?? null;
  const registration = await navigator.serviceWorker.register(WORKER, { scope: SCOPE });
  const starting = registration.active ? null : (registration.installing ?? registration.waiting);
  if (starting && starting.state !== 'activated') {
    await new Promise<void>((resolve) => {
      starting.addEventListener('statechange', () => {
        if (starting.state === 'activated' || starting.state === 'redundant') resolve();
      });
    });
  }
  return registration;
}

/** Ask the browser for the right, in a click, and begin. */
export async function turnOn(): Promise<Reach> {
  if ((await Notification.requestPermission()) !== 'granted') return 'off';
  change({ notify: true });
  return subscribe();
}

/** End it here and on the server. */
export async function turnOff(): Promise<void> {
  change({ notify: false });
  if (isOffline) return;
  const known = stored();
  store(null);
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
  if (known) await api.unsubscribe(known.id).catch(() => undefined);
}

/** Let the server tell this browser, where both can; otherwise the page alone does. */
async function subscribe(): Promise<Reach> {
  if (isOffline) return 'page';
  try {
    const registration = await worker();
    if (!registration?.pushManager) return 'page';
    const { key } = await api.pushKey();
    let subscription = await registration.pushManager.getSubscription();
    if (subscription && !isFor(subscription, key)) {
      await subscription.unsubscribe();
      subscription = null;
    }
    subscription ??= await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const { endpoint, keys } = subscription.toJSON();
    const me = await ensureSession();
    const { id } = await api.subscribe({ endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } });
    store({ id, player: me.id, at: Date.now() });
    return 'push';
  } catch {
    // No push service, or none that this server may reach: the page still tells.
    return 'page';
  }
}

/** A server with another key, as after a lost database, cannot use an older subscription. */
function isFor(subscription: PushSubscription, key: string): boolean {
  const known = subscription.options.applicationServerKey;
  if (!known) return false;
  const text = btoa(String.fromCharCode(...new Uint8Array(known)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === key;
}

/** How far it goes at the moment. */
export function reach(): Reach {
  if (!isOn()) return 'off';
  return stored() ? 'push' : 'page';
}

/** Make sure that the server still knows this browser, and as ours: now and then, at a table where it matters. */
export async function keepSubscribed(): Promise<void> {
  if (!isOn() || isOffline) return;
  const known = stored();
  const me = await ensureSession();
  if (known === null || known.player !== me.id || Date.now() - known.at > DAY) await subscribe();
}

const tagOf = (room: string): string => `turn-${room}`;

/** Say that it is one's turn, if nobody is looking at the page. A push message about the same table takes its place. */
export async function notifyTurn(room: string, title: string, body: string): Promise<void> {
  if (!isOn() || document.visibilityState === 'visible') return;
  const url = linkTo(`/r/${room}`);
  const icon = new URL('icon-192.png', base ?? location.origin).href;
  // `renotify` is not in every browser's types yet.
  const options: NotificationOptions & { renotify: boolean } = { body, icon, tag: tagOf(room), renotify: true, lang: settings.language, data: { url } };
  try {
    const registration = await worker();
    if (registration?.active) await registration.showNotification(title, options);
    else new Notification(title, { ...options, renotify: undefined } as NotificationOptions);
  } catch {
    // It is seen in the title and heard, too.
  }
}

/** Take the notification of a table away: its player is there. */
export async function clearTurn(room: string): Promise<void> {
  if (permission() !== 'granted') return;
  const registrations = (await navigator.serviceWorker.getRegistrations?.()) ?? [];
  for (const registration of registrations) {
    for (const shown of await registration.getNotifications({ tag: tagOf(room) })) shown.close();
  }
}
