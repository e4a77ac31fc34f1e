/** Which page the address means, and how one gets to another without loading everything again. */
import type { Component } from 'svelte';

import { addressOf, FOLDERS, isOffline, to } from './base';
import { UnreachableError } from './api/http';
import { messagesReady } from './ui/messages.svelte';

export { isOffline, linkTo, NEW_TAB, OFFLINE_APP, onlineApp, to } from './base';

export type Params = Record<string, string>;
export type PageName = keyof typeof PAGES;
/** What every page component receives. */
export interface PageProps {
  params: Params;
}
type PageComponent = Component<PageProps>;
type Load = () => Promise<{ default: PageComponent }>;

const PAGES = {
  Landing: () => import('./home/Landing.svelte'),
  NewRoom: () => import('./room/NewRoom.svelte'),
  Room: () => import('./room/Room.svelte'),
  TextStart: () => import('./text/TextStart.svelte'),
  Lobby: () => import('./room/Lobby.svelte'),
  MyGames: () => import('./room/MyGames.svelte'),
  Account: () => import('./account/Account.svelte'),
  Profile: () => import('./profile/Profile.svelte'),
  Somebody: () => import('./profile/Person.svelte'),
  Rules: () => import('./rules/Rules.svelte'),
  Replay: () => import('./replay/Replay.svelte'),
  Position: () => import('./replay/Position.svelte'),
  RefereeTools: () => import('./referee/RefereeTools.svelte'),
  Tutorial: () => import('./tutorial/Tutorial.svelte'),
  Puzzles: () => import('./puzzles/Puzzles.svelte'),
  TableDevice: () => import('./championship/device/TableDevice.svelte'),
  Referee: () => import('./championship/device/referee/Referee.svelte'),
  Championships: () => import('./championship/public/Championships.svelte'),
  Championship: () => import('./championship/public/Championship.svelte'),
  Person: () => import('./championship/public/Person.svelte'),
  League: () => import('./championship/public/League.svelte'),
  Desk: () => import('./championship/desk/Desk.svelte'),
  Screen: () => import('./championship/public/Screen.svelte'),
  OfflineHome: () => import('./offline-app/OfflineHome.svelte'),
  Storage: () => import('./offline-app/Storage.svelte'),
  NotFound: () => import('./home/NotFound.svelte'),
} satisfies Record<string, () => Promise<{ default: unknown }>>;

/** Paths and their pages; `:name` stands for one part of the path. The first that fits counts. */
export const ROUTES: readonly (readonly [string, PageName])[] = [
  ['/', 'Landing'],
  ['/new', 'NewRoom'],
  ['/r/:room', 'Room'],
  ['/r/:room/text', 'Room'],
  ['/text', 'TextStart'],
  ['/lobby', 'Lobby'],
  ['/games', 'MyGames'],
  ['/account', 'Account'],
  ['/profile', 'Profile'],
  ['/u/:profile', 'Somebody'],
  ['/rules', 'Rules'],
  ['/rules/rulings/:ruling', 'Rules'],
  ['/rules/:book', 'Rules'],
  ['/rules/:book/against/:other', 'Rules'],
  ['/g/:game', 'Replay'],
  ['/g/:game/:step', 'Replay'],
  ['/position', 'Position'],
  ['/tutorial', 'Tutorial'],
  ['/puzzles', 'Puzzles'],
  ['/puzzles/:id', 'Puzzles'],
  ['/referee', 'RefereeTools'],
  ['/championships', 'Championships'],
  ['/championship/:code', 'Championship'],
  ['/league/:code', 'League'],
  ['/championship/:code/p/:number', 'Person'],
  ['/championship/:code/desk', 'Desk'],
  ['/championship/:code/screen', 'Screen'],
  ['/championship/:code/table/:table', 'TableDevice'],
  ['/championship/:code/referee', 'Referee'],
  ['/learn', 'Tutorial'],
];

export interface Place {
  page: PageName;
  params: Params;
}

/** The offline app has pages of its own, and of the others those that have a folder there. */
const folders: readonly string[] = FOLDERS;
export const OFFLINE_ROUTES: typeof ROUTES = [
  ...Object.entries<PageName>({ '/': 'OfflineHome', '/storage': 'Storage' }),
  ...ROUTES.filter(([pattern]) => pattern !== '/' && folders.includes(pattern.split('/')[1])),
];

const parts = (path: string): string[] => path.split('/').filter(Boolean);

function fit(pattern: string, path: string): Params | null {
  const wanted = parts(pattern);
  const given = parts(path);
  if (wanted.length !== given.length) return null;
  const params: Params = {};
  for (const [index, want] of wanted.entries()) {
    if (want.startsWith(':')) {
      try {
        params[want.slice(1)] = decodeURIComponent(given[index]);
      } catch {
        return null;
      }
    } else if (want !== given[index]) {
      return null;
    }
  }
  return params;
}

/** The page a path means. */
export function resolve(path: string, routes: typeof ROUTES = isOffline ? OFFLINE_ROUTES : ROUTES): Place {
  for (const [pattern, page] of routes) {
    const params = fit(pattern, path);
    if (params) return { page, params };
  }
  return { page: 'NotFound', params: {} };
}

/** Whether this app has a page at a path: offline there is no lobby. */
export const exists = (path: string): boolean => resolve(path).page !== 'NotFound';

function here(): Place & { path: string; hash: string; query: string } {
  const address = addressOf(location) ?? { path: location.pathname, query: location.search, hash: location.hash };
  return { ...resolve(address.path), ...address };
}

/** Where we are, the path as a server has it; reactive. */
export const place = $state(
  typeof location === 'undefined' ? { page: 'Landing' as PageName, params: {} as Params, path: '/', hash: '', query: '' } : here(),
);

/** A page with the messages it shows. Rejects with UnreachableError. */
export async function load(page: PageName): Promise<PageComponent> {
  try {
    const module = await (PAGES[page] as Load)();
    await messagesReady();
    return module.default;
  } catch (cause) {
    throw new UnreachableError(cause);
  }
}

/** How a page can be left in the middle of something: answer false to stay. */
type Guard = () => boolean;
let guard: Guard | null = null;

export function guardLeaving(ask: Guard): () => void {
  guard = ask;
  return () => {
    if (guard === ask) guard = null;
  };
}

/** Go to another page of ours: `navigate('/r/abc')`. */
export function navigate(path: string, options: { replace?: boolean } = {}): void {
  go(to(path), options);
}

function go(address: string, { replace = false } = {}): void {
  const samePage = addressOf(new URL(address, location.href))?.path === addressOf(location)?.path;
  if (!samePage && guard && !guard()) return;
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  arrive();
}

/** Say in the address what is looked at, without going anywhere. */
export function rewrite(path: string): void {
  history.replaceState(history.state, '', to(path));
}

function arrive(): void {
  const now = here();
  if (now.path === place.path) {
    // Only an anchor or the query: the page keeps what it has.
    place.hash = now.hash;
    place.query = now.query;
    return;
  }
  Object.assign(place, now);
  scrollTo(0, 0);
}

/** A link that is ours to follow: of this app, plain click, not a file. */
function ours(event: MouseEvent): HTMLAnchorElement | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
    return null;
  }
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link?.href || link.target || link.hasAttribute('download')) return null;
  if (link.origin !== location.origin || addressOf(link) === null) return null;
  // A jump within the page is the browser's own business.
  if (link.pathname === location.pathname && link.search === location.search && link.hash) return null;
  return link;
}

/** Follow our own links and the browser's buttons from now on. */
export function startRouting(): void {
  document.addEventListener('click', (event) => {
    const link = ours(event);
    if (!link) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
  addEventListener('popstate', arrive);
}
