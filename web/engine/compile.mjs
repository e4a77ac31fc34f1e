// Runs engine/compile.py inside Pyodide, then starts what it packed to see that nothing is missing.
// usage: compile.mjs SOURCE WHEEL OUT   (src/meldroom, the msgspec wheel, an empty folder)
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

import { loadPyodide } from 'pyodide';

const [source, wheel, out] = process.argv.slice(2);
if (!out) throw new Error('usage: compile.mjs SOURCE WHEEL OUT');

// Pyodide wants its list of packages; none is ever loaded from it.
const { info } = JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('pyodide/pyodide-lock.json')), 'utf8'));
const lock = { info, packages: {} };
writeFileSync(join(out, 'pyodide-lock.json'), JSON.stringify(lock));
const options = { lockFileContents: lock, packageBaseUrl: 'none/' };

async function compile() {
  const bytes = new Uint8Array(readFileSync(wheel));

  const python = await loadPyodide(options);
  for (const [place, folder] of [['/source', source], ['/out', out]]) {
    python.FS.mkdirTree(place);
    python.mountNodeFS(place, folder);
  }
  python.unpackArchive(bytes, 'wheel', { extractDir: '/wheel' });
  python.runPython(readFileSync(fileURLToPath(new URL('compile.py', import.meta.url)), 'utf8'));

  const packed = await loadPyodide({ ...options, stdLibURL: join(out, 'stdlib.zip') });
  const began = performance.now();
  packed.unpackArchive(bytes, 'wheel', { extractDir: '/lib/msgspec' });
  packed.unpackArchive(new Uint8Array(readFileSync(join(out, 'meldroom.zip'))), 'zip', { extractDir: '/lib/meldroom' });
  packed.globals.set('modules', readFileSync(join(out, 'modules.json'), 'utf8'));
  packed.runPython(`
import sys
sys.path += ["/lib/msgspec", "/lib/meldroom"]
import importlib, json
listed = json.loads(modules)
failed = []
for name in listed["meldroom"]:
    if not name.endswith("__main__"):
        try:
            importlib.import_module(name)
        except ImportError as error:
            failed.append(f"{name}: {error}")
assert not failed, failed
`);
  console.log(`web: every module of the engine imports (${((performance.now() - began) / 1000).toFixed(1)} s)`);
}

compile().then(
  () => process.exit(0),
  (error) => {
    // An error inside Pyodide would otherwise be told with a megabyte of its source.
    console.error(error.message);
    process.exit(1);
  },
);
