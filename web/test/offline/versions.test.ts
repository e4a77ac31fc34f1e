/** Versions of the offline app: what is downloaded, checked and kept, and that none replaces another by itself. */
import { createHash } from 'node:crypto';

import { get } from 'svelte/store';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

vi.hoisted(() => vi.stubGlobal('location', new URL('http://here/offline/')));

import { applyUpdate, lookForUpdate, updateOffered } from '../../src/offline/updates';
import {
  currentVersion,
  download,
  DownloadError,
  downloadToMemory,
  keptFile,
  latestVersion,
  missing,
  pagesFor,
  pathIn,
  PreparingError,
  removeAll,
  removeOthers,
  use,
  type Version,
} from '../../src/offline/versions';

const base = new URL('http://here/offline/');

class FakeCache {
  kept = new Map<string, Response>();
  match(address: string): Promise<Response | undefined> {
    return Promise.resolve(this.kept.get(address)?.clone());
  }
  put(address: string, response: Response): Promise<void> {
    this.kept.set(address, response);
    return Promise.resolve();
  }
}

class FakeCaches {
  all = new Map<string, FakeCache>();
  open(name: string): Promise<FakeCache> {
    if (!this.all.has(name)) this.all.set(name, new FakeCache());
    return Promise.resolve(this.all.get(name) as FakeCache);
  }
  keys(): Promise<string[]> {
    return Promise.resolve([...this.all.keys()]);
  }
  delete(name: string): Promise<boolean> {
    return Promise.resolve(this.all.delete(name));
  }
  async match(address: string): Promise<Response | undefined> {
    for (const cache of this.all.values()) {
      const found = await cache.match(address);
      if (found) return found;
    }
    return undefined;
  }
}

let caches: FakeCaches;
let server: Map<string, string>;
let asked: string[];
/** What the browser has from earlier. */
let remembered: Map<string, string>;

function listed(files: Record<string, string>): Version {
  const entries = Object.entries(files).map(([path, text]) => ({
    path,
    bytes: text.length,
    packed: Math.ceil(text.length / 2),
    sha256: createHash('sha256').update(text).digest('hex'),
  }));
  const version = createHash('sha256').update(JSON.stringify(entries)).digest('hex').slice(0, 8);
  return { version, files: entries };
}

/** Put a version on the server. */
function publish(files: Record<string, string>): Version {
  const version = listed(files);
  server = new Map(Object.entries(files));
  server.set('engine/files.json', JSON.stringify(version));
  return version;
}

beforeEach(() => {
  caches = new FakeCaches();
  asked = [];
  remembered = new Map();
  vi.stubGlobal('caches', caches);
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('fetch', (address: string, { cache }: RequestInit = {}) => {
    const path = address.slice(base.href.length);
    asked.push(path);
    const text = (cache !== 'reload' ? remembered.get(path) : undefined) ?? server.get(path);
    const headers = { 'content-type': 'text/x-ours', 'content-encoding': 'br' };
    return Promise.resolve(text === undefined ? new Response('', { status: 404 }) : new Response(text, { headers }));
  });
});
afterEach(() => vi.unstubAllGlobals());

const ONE = { 'offline.html': 'page 1', 'assets/app-1.js': 'script 1', 'engine/big.wasm': 'x'.repeat(1000) };
const TWO = { ...ONE, 'offline.html': 'page 2', 'assets/app-2.js': 'script 2' };

test('a version is downloaded, counted and used', async () => {
  const version = publish(ONE);
  const steps: [number, number][] = [];
  await download(base, await latestVersion(base), null, (...step) => steps.push(step));
  expect(await currentVersion(base)).toBeNull();
  await use(base, version);
  expect(await currentVersion(base)).toEqual(version);
  expect(steps[0][0]).toBe(0);
  expect(steps.at(-1)?.[0]).toBeCloseTo(steps[0][1]);
  const kept = await keptFile(base, 'engine/big.wasm', version);
  expect(kept?.headers.get('content-type')).toBe('application/wasm');
  expect(kept?.headers.has('content-encoding')).toBe(false);
  expect(await (await keptFile(base, 'offline.html', version))?.text()).toBe('page 1');
  expect(await keptFile(base, 'offline.html', null)).toBeUndefined();
});

test('a file that is not what the list says is refused', async () => {
  const version = publish(ONE);
  for (const wrong of ['script 9', 'longer than it', 'short']) {
    server.set('assets/app-1.js', wrong);
    await expect(download(base, version, null)).rejects.toThrow('assets/app-1.js: not the file that was listed');
    expect(await currentVersion(base)).toBeNull();
  }
});

test('a wrong file that the browser remembers is asked for once more', async () => {
  const version = publish(ONE);
  remembered.set('assets/app-1.js', 'script 9');
  const steps: [number, number][] = [];
  await download(base, version, null, (...step) => steps.push(step));
  expect(steps.at(-1)?.[0]).toBeCloseTo(steps[0][1]);
  await use(base, version);
  expect(await (await keptFile(base, 'assets/app-1.js', version))?.text()).toBe('script 1');
});

test('what arrived before a download broke off is not fetched again', async () => {
  const version = publish(ONE);
  server.delete('assets/app-1.js');
  await expect(download(base, version, null)).rejects.toBeInstanceOf(DownloadError);
  server.set('assets/app-1.js', 'script 1');
  asked = [];
  await download(base, version, null);
  expect(asked).toContain('assets/app-1.js');
  expect(asked).not.toContain('engine/big.wasm');
});

test('without caches it is all in memory', async () => {
  const version = publish(ONE);
  const found = await downloadToMemory(base, version.files, () => undefined);
  expect(await found.get('http://here/offline/offline.html')?.text()).toBe('page 1');
});

test('a server without an engine is preparing one; anything else is no list', async () => {
  server = new Map();
  await expect(latestVersion(base)).rejects.toBeInstanceOf(PreparingError);
  server.set('engine/files.json', '<html>Sign in to the Wi-Fi</html>');
  await expect(latestVersion(base)).rejects.toBeInstanceOf(DownloadError);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
  await expect(latestVersion(base)).rejects.toBeInstanceOf(DownloadError);
});

async function installed(): Promise<Version> {
  const version = publish(ONE);
  await download(base, version, null);
  await use(base, version);
  return version;
}

test('an update is offered, downloads only what is new, and is used only when asked for', async () => {
  const old = await installed();
  await lookForUpdate(base);
  expect(get(updateOffered)).toBeNull();
  const latest = publish(TWO);
  await lookForUpdate(base);
  expect(get(updateOffered)).toEqual({ version: latest.version, bytes: 3 + 4 });
  expect(await currentVersion(base)).toEqual(old);
  asked = [];
  let reloaded = 0;
  await applyUpdate(undefined, base, () => (reloaded += 1));
  expect(asked.sort()).toEqual(['assets/app-2.js', 'offline.html']);
  expect(await currentVersion(base)).toEqual(latest);
  expect(reloaded).toBe(1);
  expect(get(updateOffered)).toBeNull();
  expect(await (await keptFile(base, 'offline.html', latest))?.text()).toBe('page 2');
  expect(await (await keptFile(base, 'engine/big.wasm', latest))?.text()).toHaveLength(1000);
});

test('an update that does not come leaves everything as it is', async () => {
  const old = await installed();
  publish(TWO);
  await lookForUpdate(base);
  server.delete('assets/app-2.js');
  let reloaded = 0;
  await expect(applyUpdate(undefined, base, () => (reloaded += 1))).rejects.toBeInstanceOf(DownloadError);
  expect(reloaded).toBe(0);
  expect(await currentVersion(base)).toEqual(old);
  expect(get(updateOffered)).not.toBeNull();
});

test('off the network nothing is offered', async () => {
  await installed();
  publish(ONE);
  await lookForUpdate(base);
  publish(TWO);
  vi.stubGlobal('navigator', { onLine: false });
  await lookForUpdate(base);
  expect(get(updateOffered)).toBeNull();
});

test('old versions go after the switch, and other apps of the host keep theirs', async () => {
  const old = await installed();
  const latest = publish(TWO);
  await download(base, latest, old);
  await use(base, latest);
  await caches.open('meldroom-offline-1 /other/ abc');
  // Until then a page of the old version still finds its scripts.
  expect(await (await keptFile(base, 'assets/app-1.js', latest))?.text()).toBe('script 1');
  await removeOthers(base);
  expect((await caches.keys()).sort()).toEqual([
    `meldroom-offline-1 /offline/ ${latest.version}`,
    'meldroom-offline-1 /offline/ current',
    'meldroom-offline-1 /other/ abc',
  ].sort());
  await removeAll(base);
  expect(await caches.keys()).toEqual(['meldroom-offline-1 /other/ abc']);
});

test('a file of the same name with another content is new', () => {
  const [before, after] = [listed({ 'offline.html': 'a', 'icon.svg': 'i' }), listed({ 'offline.html': 'b', 'icon.svg': 'i' })];
  expect(missing(after, before).map(({ path }) => path)).toEqual(['offline.html']);
  expect(missing(after, null)).toHaveLength(2);
});

test.each([
  ['http://here/offline/r/?at=abc', 'r/'],
  ['http://here/offline/', ''],
  ['http://here/assets/app.js', 'assets/app.js'],
  ['http://here/offline/engine/a.zip', 'engine/a.zip'],
  ['http://here/api/v1/me', null],
  ['http://here/championship/abc', null],
  ['http://there/offline/', null],
])('%s is %s in the folder of the app', (address, path) => {
  expect(pathIn(base, new URL(address))).toBe(path);
});

test.each([
  ['', 'index.html'],
  ['index.html', 'index.html'],
  ['r/', 'r/index.html'],
  ['r', 'r/index.html'],
  ['r/index.html', 'r/index.html'],
])('the page %s is %s on a file server, else the one page', (path, page) => {
  expect(pagesFor(path)).toEqual([page, 'offline.html']);
});
