// Writes .br and .gz beside every text file of the built pages, and says how much script a first visit loads.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('usage: compress.mjs FOLDER');

const text = /\.(html|js|css|svg|webmanifest|json)$/;
const smallest = 600;
const sizes = new Map();

function walk(directory) {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (statSync(path).isDirectory()) walk(path);
    else if (text.test(name)) compress(path, name);
  }
}

function compress(path, name) {
  const content = readFileSync(path);
  const brotli = brotliCompressSync(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  });
  sizes.set(name, brotli.length);
  if (content.length < smallest) return;
  writeFileSync(`${path}.br`, brotli);
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
}

walk(folder);
const entry = /src="\/assets\/([^"]+\.js)"|modulepreload"[^>]*href="\/assets\/([^"]+\.js)"/g;
let first = 0;
for (const found of readFileSync(join(folder, 'index.html'), 'utf8').matchAll(entry)) first += sizes.get(found[1] ?? found[2]) ?? 0;
const kb = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;
const script = [...sizes].filter(([name]) => name.endsWith('.js')).reduce((sum, [, size]) => sum + size, 0);
console.log(`web: script of the frame ${kb(first)}, of all pages together ${kb(script)} (brotli)`);
