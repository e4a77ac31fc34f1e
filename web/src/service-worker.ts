/**
 * Opens pages without a network. It is registered for one of three folders, and does another thing for each.
 *
 * For the events (/championship/…) it keeps what a device in a hall has loaded: a tablet that reloads without the laptop
 * still opens. The page is asked of the network first.
 *
 * For the offline app it answers with the version in use, page and files alike, until the player takes a newer one: see
 * offline/versions.ts. It downloads nothing by itself.
 *
 * For /notifications/, where there are no pages, it only waits for push messages: see notifications/notifications.ts.
 *
 * Nothing of the API ever passes through a cache.
 */
import { currentVersion, DOWNLOAD, keptFile, pagesFor, pathIn, type Version } from './offline/versions';

interface WaitingEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchingEvent extends WaitingEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface ToldEvent extends WaitingEvent {
  readonly data: { keep?: string[]; build?: string } | null;
  readonly ports: readonly MessagePort[];
}
interface PushedEvent extends WaitingEvent {
  readonly data: { json(): unknown } | null;
}
interface ClickedEvent extends WaitingEvent {
  readonly notification: Notification;
}
interface Window {
  readonly url: string;
  readonly focused: boolean;
  focus(): Promise<unknown>;
}
interface Worker {
  registration: { scope: string; showNotification(title: string, options: object): Promise<void> };
  skipWaiting(): Promise<void>;
  clients: {
    claim(): Promise<void>;
    matchAll(which: object): Promise<readonly Window[]>;
    openWindow(url: string): Promise<unknown>;
  };
  addEventListener(kind: 'install' | 'activate', listen: (event: WaitingEvent) => void): void;
  addEventListener(kind: 'fetch', listen: (event: FetchingEvent) => void): void;
  addEventListener(kind: 'message', listen: (event: ToldEvent) => void): void;
  addEventListener(kind: 'push', listen: (event: PushedEvent) => void): void;
  addEventListener(kind: 'notificationclick', listen: (event: ClickedEvent) => void): void;
}
const worker = self as unknown as Worker;

/** Raised when the way of keeping changes; each build has a cache of its own besides. */
const PREFIX = 'meldroom-event-1-';
const PAGE = '/championship/';
const SOON = 3000;

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  const base = new URL(worker.registration.scope);
  if (base.pathname !== PAGE) {
    const path = pathIn(base, new URL(request.url));
    if (path !== null && !request.headers.has(DOWNLOAD)) event.respondWith(ofTheApp(base, path, request));
  } else if (request.mode === 'navigate' && pathname.startsWith(PAGE)) event.respondWith(page(request));
  else if (pathname.startsWith('/assets/')) event.respondWith(file(request));
});

worker.addEventListener('push', (event) => event.waitUntil(showTurn(event.data?.json())));
worker.addEventListener('notificationclick', (event) => event.waitUntil(openTable(event.notification)));

const windows = (): Promise<readonly Window[]> => worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
const isAt = (window: Window, url: string): boolean => window.url.split('#')[0] === url;

/** Whoever looks at the table already sees that it is their turn. */
async function showTurn(message: unknown): Promise<void> {
  const { room = '', title = 'Meldroom', body = '' } = (message ?? {}) as { room?: string; title?: string; body?: string };
  const url = new URL(`/r/${encodeURIComponent(room)}`, location.origin).href;
  if ((await windows()).some((window) => window.focused && isAt(window, url))) return;
  const options = { body, icon: '/icon-192.png', tag: `turn-${room}`, renotify: true, data: { url } };
  await worker.registration.showNotification(title, options);
}

/** The table: where it is open already, or in a new window. */
async function openTable(notification: Notification): Promise<void> {
  notification.close();
  const { url } = notification.data as { url: string };
  const open = (await windows()).find((window) => isAt(window, url));
  await (open ? open.focus() : worker.clients.openWindow(url));
}

/** A page tells what it has loaded; all of that is kept, and older builds are let go. */
worker.addEventListener('message', (event) => {
  const { keep, build } = event.data ?? {};
  if (!keep || !build) return;
  const work = keepAll(keep, build).then(
    () => true,
    // Off the network nothing new can be kept; what was kept before still opens.
    async () => (await caches.match(PAGE)) !== undefined,
  );
  event.waitUntil(work.then((kept) => event.ports[0]?.postMessage(kept)));
});

async function keepAll(files: string[], build: string): Promise<void> {
  const name = PREFIX + build;
  const cache = await caches.open(name);
  const known = new Set((await cache.keys()).map((request) => new URL(request.url).pathname));
  const html = await fetch(PAGE, { cache: 'no-cache' });
  // A page of a newer build must not be kept with the files of this one.
  if (!html.ok || !(await html.clone().text()).includes(build)) throw new Error('another build');
  await cache.addAll(files.filter((path) => !known.has(path)));
  await cache.put(PAGE, html);
  const others = (await caches.keys()).filter((other) => other.startsWith('meldroom-event-') && other !== name);
  await Promise.all(others.map((other) => caches.delete(other)));
}

async function page(request: Request): Promise<Response> {
  const kept = await caches.match(PAGE);
  const fetched = fetch(request);
  if (!kept) return fetched;
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), SOON));
  try {
    const answer = await Promise.race([fetched, late]);
    // A hall's Wi-Fi may answer for the laptop with a page of its own; an error of the laptop is no page either.
    if (answer?.ok && !answer.redirected) return answer;
  } catch {
    // Off the network: what was kept.
  }
  fetched.catch(() => undefined);
  return kept;
}

/** What is in use, as it was when a page was last opened. */
let inUse: Promise<Version | null> | null = null;

/** A page or a file of the offline app, of the version in use; else from the network. */
async function ofTheApp(base: URL, path: string, request: Request): Promise<Response> {
  const opening = request.mode === 'navigate';
  if (opening || !inUse) inUse = currentVersion(base);
  const version = await inUse;
  for (const name of opening ? pagesFor(path) : [path]) {
    const kept = await keptFile(base, name, version);
    if (kept) return kept;
  }
  return fetch(request);
}

async function file(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request);
}
