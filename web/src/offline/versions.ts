/**
 * The versions of the offline app that this browser keeps, each in a cache of its own; one of them is in use.
 *
 * The page, the worker and the service worker share this file. A version is what `engine/files.json` lists, and every
 * file is checked against its hash when it is downloaded. A new version never replaces the one in use by itself.
 */

export interface FileEntry {
  /** From the folder of the app. */
  path: string;
  bytes: number;
  /** On the way, as well compressed as our server can. */
  packed: number;
  sha256: string;
}

export interface Version {
  version: string;
  files: FileEntry[];
}

export type Progress = (done: number, total: number) => void;

/** The server has no engine yet: it builds one after its first start. */
export class PreparingError extends Error {
  override readonly name = 'PreparingError';
}

/** Nothing came, or not what was expected. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
}

/** A request for a version that is not in use yet: the service worker must not answer it with the one that is. */
export const DOWNLOAD = 'x-meldroom-download';
export const LIST = 'engine/files.json';
const CURRENT = 'current-version.json';
/** Raised when the way of keeping changes. Several apps may share a host, so the folder is part of the name. */
const prefix = (base: URL): string => `meldroom-offline-1 ${base.pathname} `;
const cacheOf = (base: URL, version: string): string => prefix(base) + version;
const pointer = (base: URL): string => `${prefix(base)}current`;
const at = (base: URL, path: string): string => new URL(path, base).href;

/** A plain http address has no caches and no service worker. */
export const canKeep = (): boolean => typeof caches !== 'undefined';

/** The version in use; null before the first download. */
export async function currentVersion(base: URL): Promise<Version | null> {
  if (!canKeep()) return null;
  const found = await (await caches.open(pointer(base))).match(at(base, CURRENT));
  return found ? ((await found.json()) as Version) : null;
}

/** The version that the server has now. Rejects with PreparingError or DownloadError. */
export async function latestVersion(base: URL): Promise<Version> {
  let answer: Response;
  try {
    answer = await fetch(at(base, LIST), { cache: 'no-cache' });
  } catch (cause) {
    throw new DownloadError('The list of files cannot be reached.', { cause });
  }
  if (answer.status === 404) throw new PreparingError('The engine is not there yet.');
  const list = (answer.ok ? await answer.json().catch(() => null) : null) as Version | null;
  if (!list?.version || !Array.isArray(list.files)) throw new DownloadError('What came is no list of files.');
  return list;
}

/** Use a version from now on; all its files must be there. */
export async function use(base: URL, version: Version): Promise<void> {
  const text = new Response(JSON.stringify(version), { headers: { 'content-type': 'application/json' } });
  await (await caches.open(pointer(base))).put(at(base, CURRENT), text);
}

/** Remove every version but the one in use. */
export async function removeOthers(base: URL): Promise<void> {
  const current = await currentVersion(base);
  const kept = [pointer(base), ...(current ? [cacheOf(base, current.version)] : [])];
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix(base)) && !kept.includes(name));
  await Promise.all(names.map((name) => caches.delete(name)));
}

/** Remove all of it; the app must be downloaded again. */
export async function removeAll(base: URL): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix(base)));
  await Promise.all(names.map((name) => caches.delete(name)));
}

/** What of a version has still to be downloaded: files that the other version has too are not. */
export function missing(wanted: Version, had: Version | null): FileEntry[] {
  const known = new Set(had?.files.map(({ path, sha256 }) => `${path} ${sha256}`));
  return wanted.files.filter(({ path, sha256 }) => !known.has(`${path} ${sha256}`));
}

/** Download a version into its cache. Nothing is used until `use` says so. */
export async function download(base: URL, wanted: Version, had: Version | null, progress: Progress = () => undefined): Promise<void> {
  const cache = await caches.open(cacheOf(base, wanted.version));
  const old = had && had.version !== wanted.version ? await caches.open(cacheOf(base, had.version)) : null;
  const news = new Set(missing(wanted, had));
  const toFetch: FileEntry[] = [];
  for (const file of wanted.files) {
    const address = at(base, file.path);
    // An earlier attempt may have come this far.
    if (await cache.match(address)) continue;
    const kept = news.has(file) ? undefined : await old?.match(address);
    if (kept) await cache.put(address, kept);
    else toFetch.push(file);
  }
  await fetchAll(base, toFetch, progress, (file, response) => cache.put(at(base, file.path), response));
}

/** Download files without keeping them: where there is no cache. */
export async function downloadToMemory(base: URL, files: FileEntry[], progress: Progress): Promise<Map<string, Response>> {
  const found = new Map<string, Response>();
  await fetchAll(base, files, progress, async (file, response) => void found.set(at(base, file.path), response));
  return found;
}

async function fetchAll(
  base: URL,
  files: FileEntry[],
  progress: Progress,
  keep: (file: FileEntry, response: Response) => Promise<void>,
): Promise<void> {
  // Counted as it travels, which is what people wait and perhaps pay for.
  const total = files.reduce((sum, { packed }) => sum + packed, 0);
  let done = 0;
  progress(0, total);
  const waiting = [...files].sort((one, other) => other.bytes - one.bytes);
  const take = async (): Promise<void> => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const ratio = file.packed / Math.max(1, file.bytes);
      const response = await fetchFile(base, file, (bytes) => progress((done += bytes * ratio), total));
      await keep(file, response);
    }
  };
  const stopping = (error: unknown): never => {
    waiting.length = 0;
    throw error;
  };
  // A few at a time: many small files on one slow line wait for each other anyway. What is on its way when one
  // fails still arrives, so that a second attempt has less to do.
  const ended = await Promise.allSettled(Array.from({ length: 4 }, () => take().catch(stopping)));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

/** One file, checked against its hash. */
async function fetchFile(base: URL, file: FileEntry, arrived: (bytes: number) => void): Promise<Response> {
  try {
    return await fetchOnce(base, file, 'no-cache', arrived);
  } catch (error) {
    // What the browser remembers of an earlier attempt may be what is wrong.
    if (!(error instanceof WrongFileError)) throw error;
    arrived(-error.size);
    return fetchOnce(base, file, 'reload', arrived);
  }
}

/** A file came that is not the one listed. */
class WrongFileError extends DownloadError {
  readonly size: number;

  constructor(path: string, size: number) {
    super(`${path}: not the file that was listed`);
    this.size = size;
  }
}

async function fetchOnce(base: URL, file: FileEntry, cache: RequestCache, arrived: (bytes: number) => void): Promise<Response> {
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  const bytes = new Uint8Array(file.bytes);
  let answer: Response;
  let size = 0;
  try {
    // Only https has the hash function; elsewhere the browser checks by itself, and tells the size only at the end.
    const integrity = subtle ? '' : `sha256-${base64(file.sha256)}`;
    answer = await fetch(at(base, file.path), { cache, integrity, headers: { [DOWNLOAD]: file.sha256 } });
    if (!answer.ok || !answer.body) throw new Error(String(answer.status));
    const reader = answer.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (size + part.value.length > bytes.length) throw new WrongFileError(file.path, size);
      bytes.set(part.value, size);
      size += part.value.length;
      arrived(part.value.length);
    }
  } catch (cause) {
    throw cause instanceof DownloadError ? cause : new DownloadError(`${file.path}: could not be downloaded`, { cause });
  }
  if (size !== file.bytes || (subtle && hex(await subtle.digest('SHA-256', bytes)) !== file.sha256)) throw new WrongFileError(file.path, size);
  const headers = new Headers(answer.headers);
  // The bytes are unpacked by now.
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  if (file.path.endsWith('.wasm')) headers.set('content-type', 'application/wasm');
  return new Response(bytes, { headers });
}

const hex = (hash: ArrayBuffer): string => [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const base64 = (hexadecimal: string): string =>
  btoa(String.fromCharCode(...(hexadecimal.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))));

/** A file of a version, else of one that is not removed yet; undefined if there is none. */
export async function keptFile(base: URL, path: string, version: Version | null): Promise<Response | undefined> {
  if (!version) return undefined;
  const address = at(base, path);
  const kept = await (await caches.open(cacheOf(base, version.version))).match(address);
  // A page of the version before may still be open. Names of files change with what is in them.
  return kept ?? (path.startsWith('assets/') ? caches.match(address) : undefined);
}

/** The path from the folder of the app: assets may also be asked for at the top of the host, where a server has them. */
export function pathIn(base: URL, address: URL): string | null {
  if (address.origin !== base.origin) return null;
  if (address.pathname.startsWith(base.pathname)) return address.pathname.slice(base.pathname.length);
  return /^\/(assets|engine)\//.test(address.pathname) ? address.pathname.slice(1) : null;
}

/** The files that a page may be, the best first: `r/index.html` on a file server, one page for all on ours. */
export function pagesFor(path: string): string[] {
  const folder = path.replace(/\/?(index\.html)?$/, '');
  return [folder ? `${folder}/index.html` : 'index.html', 'offline.html'];
}
