/**
 * Where the app lives. The server's app has the whole host; the offline app has one folder of any file server, and says so
 * with <meta name="meldroom-base" content="…">, an address relative to its page.
 *
 * A file server has no page per room or game, only a fixed set of folders: what follows the first part of a path goes into the
 * query. `/r/abc` is `BASE/r/?at=abc`.
 */

const META = 'meldroom-base';
const REST = 'at';
const INDEX = /\/?(index\.html)?$/;

/** The folders of the offline app, each with a page of its own; the empty one is where it begins. */
export const FOLDERS = ['', 'new', 'r', 'games', 'profile', 'rules', 'g', 'position', 'tutorial', 'puzzles', 'referee', 'storage', 'text'] as const;

function readBase(): URL | null {
  if (typeof document === 'undefined') return null;
  const named = document.querySelector<HTMLMetaElement>(`meta[name="${META}"]`)?.content;
  // Read once, as the page was loaded: later the address changes, and what is relative to it would too.
  return named === undefined ? null : new URL(named, location.href);
}

/** The folder of the offline app; null on the server's pages. */
export const base: URL | null = readBase();
export const isOffline = base !== null;

/** Where a server has the offline app. */
export const OFFLINE_APP = '/offline/';

/** For links that should leave the table alone. The offline app plays in one tab only, so there it is the same one. */
export const NEW_TAB = isOffline ? undefined : '_blank';

/** The server's app, which has friends and a lobby; null where there is none. */
export const onlineApp: string | null =
  typeof document === 'undefined' ? null : (document.querySelector<HTMLMetaElement>('meta[name="meldroom-online"]')?.content ?? null);

/** The address of one of our pages: `to('/r/abc')`. Every link and every change of the address goes through here. */
export function to(path: string, root: URL | null = base): string {
  if (root === null || !path.startsWith('/')) return path;
  const { pathname, searchParams, hash } = new URL(path, 'http://any/');
  const [folder = '', ...rest] = pathname.split('/').filter(Boolean);
  const query = [
    ...(rest.length ? [`${REST}=${encodeURIComponent(rest.join('/')).replaceAll('%2F', '/')}`] : []),
    ...(searchParams.size ? [searchParams.toString()] : []),
  ];
  return root.pathname + (folder && `${folder}/`) + (query.length ? `?${query.join('&')}` : '') + hash;
}

/** The same as a whole address, to hand on. */
export const linkTo = (path: string): string => new URL(to(path), location.href).href;

/** What an address means to us. */
export interface Address {
  /** As a server has it: `/r/abc`. */
  path: string;
  query: string;
  hash: string;
}

/** An address read back; null if it is not one of the app's. */
export function addressOf({ pathname, search, hash }: Pick<URL, 'pathname' | 'search' | 'hash'>, root: URL | null = base): Address | null {
  if (root === null) {
    return pathname.startsWith('/api/') || /^\/offline(\/|$)/.test(pathname) ? null : { path: pathname, query: search, hash };
  }
  if (!`${pathname}/`.startsWith(root.pathname)) return null;
  const folder = pathname.slice(root.pathname.length).replace(INDEX, '');
  const query = new URLSearchParams(search);
  const rest = query.get(REST);
  query.delete(REST);
  return { path: `/${folder}${rest ? `/${rest}` : ''}`, query: query.size ? `?${query.toString()}` : '', hash };
}
