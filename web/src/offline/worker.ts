/**
 * The engine: Meldroom's own Python on Pyodide, in a worker, so that the page stays quick while a bot thinks.
 *
 * It downloads its files if this browser does not have them, starts Python, opens the device's rooms, and then
 * answers the requests and the live connection of the page.
 */
import type { PyodideAPI } from 'pyodide';

import { DeviceStore } from './indexed-db';
import type { FailureCode, FromWorker, Stage, ToWorker } from './messages';
import {
  canKeep,
  currentVersion,
  download,
  DownloadError,
  downloadToMemory,
  keptFile,
  latestVersion,
  pathIn,
  PreparingError,
  use,
  type Progress,
  type Version,
} from './versions';

interface Worker {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
}
interface Connection {
  receive(text: string): void;
  close(): void;
}
/** `meldroom.browser`'s home, with plain values on this side. */
interface Home {
  request(method: string, path: string, query: string, body: Uint8Array | null): Promise<[number, Record<string, string>, Uint8Array<ArrayBuffer>]>;
  connect(send: (text: string) => void): Connection;
}
type Pyodide = typeof import('pyodide');

const worker = self as unknown as Worker;
const PYTHON = `
import sys
sys.path += ["/lib/msgspec", "/lib/meldroom"]
from pyodide.ffi import create_proxy, to_js
from js import Object

async def open_engine(store):
    from meldroom.browser import open_home
    home = await open_home(store)

    async def request(method, path, query, body):
        status, headers, content = await home.request(method, path, query, body.to_bytes() if body else None)
        return to_js([status, headers, content], dict_converter=Object.fromEntries)

    def connect(send):
        connection = home.connect(send)
        ends = [create_proxy(connection.receive), create_proxy(connection.close)]
        return to_js({"receive": ends[0], "close": ends[1]}, dict_converter=Object.fromEntries)

    return to_js({"request": create_proxy(request), "connect": create_proxy(connect)}, dict_converter=Object.fromEntries)
`;
const STEPS = 4;

let home: Promise<Home> | null = null;
let connection: { number: number; ends: Connection } | null = null;

const tell = (stage: Stage, done: number, total: number): void => worker.postMessage({ type: 'progress', stage, done, total });

async function start(base: URL): Promise<Home> {
  const began = performance.now();
  const { version, local } = await files(base);
  tell('start', 0, STEPS);
  const python = await startPython(base, version, local);
  tell('start', 2, STEPS);
  await unpack(python, base, version, local);
  tell('start', 3, STEPS);
  const opened = await openHome(python, base);
  worker.postMessage({ type: 'ready', seconds: (performance.now() - began) / 1000, version: version.version });
  return opened;
}

type Local = (address: URL) => Promise<Response | undefined>;

/** The version to start, downloaded, and where its files are found. */
async function files(base: URL): Promise<{ version: Version; local: Local }> {
  const counted = (done: number, total: number): void => tell('download', done, total);
  try {
    if (canKeep()) return await keptFiles(base, counted);
  } catch (error) {
    if (error instanceof PreparingError || error instanceof DownloadError) throw error;
    // A full disk, or a window that may keep nothing: one can still play.
  }
  const version = await latestVersion(base);
  const engine = version.files.filter(({ path }) => /^engine\/.*\.(zip|whl|wasm)(\.gz)?$/.test(path));
  const found = await downloadToMemory(base, engine, counted);
  return { version, local: unpacking((address) => Promise.resolve(found.get(address.href)?.clone())) };
}

async function keptFiles(base: URL, counted: Progress): Promise<{ version: Version; local: Local }> {
  let version = await currentVersion(base);
  if (!version) {
    version = await latestVersion(base);
    await download(base, version, null, counted);
    await use(base, version);
  }
  const started = version;
  return { version, local: unpacking((address) => keptFile(base, pathIn(base, address) ?? '', started)) };
}

/** Files as they are, or as a site lists them whose host does not compress what it sends: packed, under `.gz`. */
function unpacking(local: Local): Local {
  return async (address) => {
    const plain = await local(address);
    if (plain) return plain;
    const packed = await local(new URL(`${address.href}.gz`));
    if (!packed?.body) return undefined;
    const type = address.pathname.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream';
    return new Response(packed.body.pipeThrough(new DecompressionStream('gzip')), { headers: { 'content-type': type } });
  };
}

/** The one file of the engine with such a name, unpacked. */
function named(base: URL, version: Version, pattern: RegExp): URL {
  const found = version.files.map(({ path }) => path.replace(/\.gz$/, '')).find((path) => pattern.test(path));
  if (!found) throw new Error(`the engine has no ${pattern.source}`);
  return new URL(found, base);
}

async function startPython(base: URL, version: Version, local: Local): Promise<PyodideAPI> {
  const script = named(base, version, /^engine\/.*\/pyodide\.mjs$/);
  const fetched = globalThis.fetch;
  // Pyodide asks for its files by address. They are here already.
  globalThis.fetch = async (asked, init) => {
    const address = new URL(asked instanceof Request ? asked.url : asked, location.href);
    return (await local(address)) ?? fetched(asked, init);
  };
  try {
    const { loadPyodide } = (await import(/* @vite-ignore */ script.href)) as Pyodide;
    tell('start', 1, STEPS);
    return await loadPyodide({
      indexURL: new URL('.', script).href,
      stdLibURL: named(base, version, /^engine\/stdlib-.*\.zip$/).href,
      packageBaseUrl: new URL('engine/', base).href,
      // There is nothing here to compile kernels with.
      env: { MELDROOM_KERNELS: 'interpreted' },
    });
  } finally {
    globalThis.fetch = fetched;
  }
}

async function unpack(python: PyodideAPI, base: URL, version: Version, local: Local): Promise<void> {
  for (const [pattern, folder] of [
    [/^engine\/msgspec-.*\.whl$/, '/lib/msgspec'],
    [/^engine\/meldroom-.*\.zip$/, '/lib/meldroom'],
  ] as const) {
    const address = named(base, version, pattern);
    const response = (await local(address)) ?? (await fetch(address));
    python.unpackArchive(await response.arrayBuffer(), 'zip', { extractDir: folder });
  }
}

async function openHome(python: PyodideAPI, base: URL): Promise<Home> {
  python.runPython(PYTHON);
  const open = python.globals.get('open_engine') as (store: DeviceStore) => Promise<Home>;
  return open(new DeviceStore(`meldroom ${base.pathname}`));
}

function failed(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  const code: FailureCode = error instanceof PreparingError ? 'preparing' : error instanceof DownloadError ? 'unreachable' : 'failed';
  worker.postMessage({ type: 'failed', message, code });
}

async function answer({ id, method, path, query, body }: ToWorker & { type: 'request' }): Promise<void> {
  const [status, headers, content] = await (await (home as Promise<Home>)).request(method, path, query, body);
  worker.postMessage({ type: 'response', id, status, headers, body: content }, [content.buffer]);
}

function hangUp(): void {
  connection?.ends.close();
  connection = null;
}

async function converse(message: ToWorker & { type: 'open' | 'frame' | 'close' }): Promise<void> {
  const opened = await (home as Promise<Home>);
  const number = message.connection;
  if (message.type === 'open') {
    hangUp();
    connection = { number, ends: opened.connect((text) => worker.postMessage({ type: 'frame', connection: number, text })) };
  } else if (connection?.number === number) {
    if (message.type === 'frame') connection.ends.receive(message.text);
    else hangUp();
  }
}

worker.onmessage = ({ data: message }) => {
  if (message.type === 'start') {
    home = start(new URL(message.base));
    home.catch(failed);
  } else if (message.type === 'request') {
    answer(message).catch(failed);
  } else {
    converse(message).catch(failed);
  }
};
