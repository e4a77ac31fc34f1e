// Writes .br and .gz beside every file of a built folder that gains by it, and says how much script a first visit loads.
// usage: compress.mjs FOLDER [--quick]
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const [folder, ...options] = process.argv.slice(2);
if (!folder) throw new Error('usage: compress.mjs FOLDER [--quick]');

const packable = /\.(html|m?js|css|svg|webmanifest|json|txt|wasm|zip)$/;
const smallest = 600;
// From here on the best compression takes seconds: it is done once, and kept.
const large = 200_000;
const kept = join(dirname(fileURLToPath(import.meta.url)), 'node_modules', '.meldroom', 'packed');
const quality = { large: options.includes('--quick') ? 5 : 11, small: 11 };
const sizes = new Map();

function* walk(directory) {
  for (const name of readdirSync(directory)) {
    if (name.startsWith('.')) continue;
    const path = join(directory, name);
    if (statSync(path).isDirectory()) yield* walk(path);
    else if (packable.test(name)) yield [path, name];
  }
}

async function brotli(content, level) {
  const pack = () =>
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    });
  if (content.length < large) return pack();
  const at = join(kept, `${createHash('sha256').update(content).digest('hex').slice(0, 32)}-${level}`);
  if (existsSync(at)) return readFileSync(at);
  const packed = await pack();
  mkdirSync(kept, { recursive: true });
  writeFileSync(at, packed);
  return packed;
}

async function compress([path, name]) {
  const content = readFileSync(path);
  const packed = await brotli(content, content.length < large ? quality.small : quality.large);
  sizes.set(name, packed.length);
  if (content.length < smallest) return;
  writeFileSync(`${path}.br`, packed);
  writeFileSync(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
}

await Promise.all([...walk(folder)].map(compress));
const index = join(folder, 'index.html');
if (existsSync(index)) {
  const entry = /src="\/assets\/([^"]+\.js)"|modulepreload"[^>]*href="\/assets\/([^"]+\.js)"/g;
  let first = 0;
  for (const found of readFileSync(index, 'utf8').matchAll(entry)) first += sizes.get(found[1] ?? found[2]) ?? 0;
  const kb = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;
  const script = [...sizes].filter(([name]) => name.endsWith('.js')).reduce((sum, [, size]) => sum + size, 0);
  console.log(`web: script of the frame ${kb(first)}, of all pages together ${kb(script)} (brotli)`);
}
