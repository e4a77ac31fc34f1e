/**
 * The keys to championships that this browser keeps. A link brings its key after the #; it is kept under the page that it opens
 * (`desk`, `screen`, `table-3`) and taken out of the address. Opening a second link loses no key: the last one counts,
 * the others can be chosen again.
 */
import type { Role } from '../api/generated/http';
import { place } from '../router.svelte';

export interface Kept {
  secret: string;
  role?: Role;
  label?: string;
  /** Whether it is known to be kept elsewhere too: it came by a link, or somebody said so. */
  saved?: boolean;
}

const storedAs = (code: string, page: string): string => `meldroom.event.${code}.${page}`;
const isKept = (one: unknown): one is Kept => typeof (one as Kept | null)?.secret === 'string';
/** What is kept while the browser has no storage. */
const memory = new Map<string, string>();

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return memory.get(name) ?? null;
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    memory.set(name, value);
  }
}

/** All keys that are kept for a page of a championship, the one in use first. */
export function keptKeys(code: string, page: string): Kept[] {
  try {
    const found: unknown = JSON.parse(read(storedAs(code, page)) ?? '[]');
    return Array.isArray(found) ? found.filter(isKept) : [];
  } catch {
    return [];
  }
}

/** Use a key from now on. */
export function keepKey(code: string, page: string, kept: Kept): void {
  const others = keptKeys(code, page).filter((one) => one.secret !== kept.secret);
  const known = keptKeys(code, page).find((one) => one.secret === kept.secret);
  write(storedAs(code, page), JSON.stringify([{ ...known, ...kept }, ...others]));
}

/** Keep one key less. */
export function forgetKey(code: string, page: string, secret: string): void {
  write(storedAs(code, page), JSON.stringify(keptKeys(code, page).filter((one) => one.secret !== secret)));
}

/** The key after the # of an address; empty if there is none. */
export function keyIn(hash: string): string {
  return new URLSearchParams(hash.replace(/^#/, '')).get('key') ?? '';
}

/** The key for a page: the one in the address, which is kept and taken out of it, else the one kept before. */
export function takeKey(code: string, page: string): string {
  const given = keyIn(location.hash);
  if (given) {
    keepKey(code, page, { secret: given, saved: true });
    history.replaceState(history.state, '', location.pathname + location.search);
    place.hash = '';
  }
  return keptKeys(code, page)[0]?.secret ?? '';
}

/** Where a link with a key leads. */
export function pathOf(code: string, role: Role, table: number | null): string {
  if (table !== null) return `/championship/${code}/table/${table}`;
  if (role === 'referee') return `/championship/${code}/referee`;
  return role === 'display' ? `/championship/${code}/screen` : `/championship/${code}/desk`;
}

/** Who acts here, where several people share a key. */
export const actingAs = (code: string): string => read(storedAs(code, 'by')) ?? '';
export const actAs = (code: string, name: string): void => write(storedAs(code, 'by'), name);

/** Whether other devices could not follow a link from here: the address means "this computer" on each of them. */
export const onlyHere = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host);
