/**
 * Opens a home of meldroom.browser on Pyodide in node, plays a game there, and prints what it saw as JSON.
 *
 * node home.mjs ENGINE [PLAN]   (the folder that web/build.py --engine makes; what to play, as JSON)
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [engine, plan = '{}'] = process.argv.slice(2);
const file = (pattern) => join(engine, readdirSync(engine).find((name) => pattern.test(name)));
const { book = 'wrc11', level = 'club', position = '' } = JSON.parse(plan);
const began = performance.now();
const seconds = () => Math.round(performance.now() - began) / 1000;

/** The store of the contract, in memory: every method gives a promise, bytes are Uint8Arrays. */
class MemoryStore {
  logs = new Map();
  roomCards = new Map();
  games = new Map();
  values = new Map();

  async append(room, seq, event, card, finishedId, finished) {
    const log = this.logs.get(room) ?? [];
    if (log.length !== seq - 1) return 'conflict';
    for (const bytes of [event, card, ...(finishedId ? [finished] : [])]) {
      if (!(bytes instanceof Uint8Array)) throw new TypeError('bytes must cross as a Uint8Array');
    }
    this.logs.set(room, [...log, event]);
    this.roomCards.set(room, card);
    if (finishedId) this.games.set(finishedId, finished);
    return 'ok';
  }
  async events(room, after) { return (this.logs.get(room) ?? []).slice(after); }
  async cards() { return [...this.roomCards.values()]; }
  async finished(id) { return this.games.get(id) ?? null; }
  async finishedList() { return [...this.games.values()]; }
  async keepGame(id, finished) { this.games.set(id, finished); }
  async get(key) { return this.values.get(key) ?? null; }
  async set(key, value) { this.values.set(key, value); }
  async deleteRoom(room) { this.logs.delete(room); this.roomCards.delete(room); }
  async deleteGame(id) { this.games.delete(id); }
  async clear() { for (const kept of [this.logs, this.roomCards, this.games, this.values]) kept.clear(); }
  async usage() { return [...this.logs.values()].flat().reduce((sum, event) => sum + event.length, 0); }
}

const folder = file(/^pyodide-[\d.]+$/);
const { loadPyodide } = await import(pathToFileURL(join(folder, 'pyodide.mjs')).href);
const python = await loadPyodide({
  indexURL: `${folder}/`,
  stdLibURL: file(/^stdlib-\w+\.zip$/),
  packageBaseUrl: 'none/',
});
const times = { pyodide: seconds() };
for (const [archive, place] of [[file(/\.whl$/), '/lib/msgspec'], [file(/^meldroom-\w+\.zip$/), '/lib/meldroom']]) {
  python.unpackArchive(new Uint8Array(readFileSync(archive)), 'zip', { extractDir: place });
}
python.runPython('import sys; sys.path += ["/lib/msgspec", "/lib/meldroom"]');
times.unpacked = seconds();
const openHome = python.runPython('from meldroom.browser import open_home; open_home');
times.imported = seconds();

const store = new MemoryStore();
let home = await openHome.callKwargs(store, { bot_pace: 0 });
times.home = seconds();

async function ask(method, path, query = '', body = undefined) {
  const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await home.request(method, path, query, sent === undefined ? null : new TextEncoder().encode(sent));
  const [status, headers, content] = answer.toJs({ create_pyproxies: false });
  answer.destroy();
  const text = new TextDecoder().decode(content);
  if (status >= 400) throw new Error(`${method} ${path}: ${status} ${text}`);
  const type = headers instanceof Map ? headers.get('Content-Type') : headers['Content-Type'];
  return type === 'application/json' ? JSON.parse(text) : text;
}

const frames = [];
const waiting = new Map();
let view = null;
let changed = () => {};
let connection = null;
function hear(text) {
  const message = JSON.parse(text);
  frames.push(message);
  if (message.type === 'update') {
    view = message.view;
    changed();
  }
  waiting.get(message.id)?.(message);
  waiting.delete(message.id);
}
let number = 0;
function command(fields) {
  const id = `c${(number += 1)}`;
  const answered = new Promise((resolve) => waiting.set(id, resolve));
  connection.receive(JSON.stringify({ id, ...fields }));
  return answered;
}
async function until(test) {
  while (!test()) await new Promise((resolve) => (changed = resolve));
}

await ask('POST', '/session', '', { name: 'Ada', language: 'fr' });
const catalogue = await ask('GET', '/catalogue', 'language=fr');
times.catalogue = seconds();
connection = home.connect(hear);
const welcome = await command({ do: 'hello', version: 2, language: 'fr' });
const settings = { book, seats: 2, clock: { kind: 'off' } };
const { room } = await ask('POST', '/rooms', '', { settings, chairs: ['me', level], begin: true });
await command({ do: 'enter', room });
await until(() => view?.game);
times.dealt = seconds();

/** What a quiet player does: draw, and in Rummy-O discard what was taken. */
function action() {
  const { game, me } = view;
  const phase = game.phase;
  if (phase === 'take') return { action: 'take', seat: me, source: 'stock' };
  if (phase === 'play' || phase === 'opening_discard') return { action: 'discard', seat: me, tile: game.rack[0] };
  return game.pool_size ? { action: 'draw', seat: me } : { action: 'pass', seat: me };
}
const bots = [];
let reopened = false;
while (view.stage !== 'over') {
  await until(() => view.stage === 'over' || view.game.seat === view.me);
  if (view.stage === 'over') break;
  if (!reopened && bots.length === 3) {
    reopened = true; // The tab is killed, and the next one goes on.
    connection.close();
    home.destroy();
    home = await openHome.callKwargs(store, { bot_pace: 0 });
    connection = home.connect(hear);
    await command({ do: 'hello', version: 2, language: 'fr' });
    view = null;
    await command({ do: 'enter', room });
    await until(() => view !== null);
    continue;
  }
  const start = performance.now();
  const answer = await command({ do: 'act', room, rev: view.rev, action: action() });
  if (answer.type !== 'done') throw new Error(JSON.stringify(answer));
  await until(() => view.stage === 'over' || view.game.seat === view.me);
  bots.push(Math.round(performance.now() - start));
}
times.over = seconds();
const game = await ask('GET', `/games/${view.record}`, 'language=fr');
times.replay = seconds();
const [pictured] = (await home.request('GET', `/games/${view.record}/steps/0.png`, '', null)).toJs();
const verification = await ask('GET', `/games/${view.record}/verification`, 'language=en');
times.verification = seconds();
const record = await ask('GET', `/games/${view.record}/record`);
const opened = await ask('POST', '/records', '', record);
times.record = seconds();
const analysis = await ask('GET', `/games/${view.record}/analysis`, 'seat=1&language=en');
times.analysis = seconds();
const best = position ? await ask('POST', '/position/best', '', { text: position, book: '' }) : null;
times.best = seconds();
const modules = python.runPython('import sys; sorted(sys.modules)').toJs();
const kernels = python.runPython(`
import importlib.util
found = importlib.util.find_spec("meldroom.solver.kernel.mode")
"" if found is None else importlib.import_module("meldroom.solver.kernel.mode").current()`);
console.log(JSON.stringify({
  times, bots, modules, best, kernels, opened, record,
  levels: catalogue.levels.map(({ id }) => id),
  welcome: welcome.type, sheet: view.sheet, id: view.record,
  steps: game.steps.length, verified: verification.ok, turns: analysis.turns.length,
  pictured, reopened, refused: frames.filter(({ type }) => type === 'refused').length,
}));
await home.close();
process.exit(0); // A clock of Python's may still be running.
