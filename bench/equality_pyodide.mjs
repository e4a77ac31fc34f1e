// Answers the requests of bench/equality.py in a browser's Python, run by node:
//   node equality_pyodide.mjs ENGINE REPOSITORY CASES
// ENGINE is the built engine of the offline app, or any folder with Pyodide and msgspec's wheel in it;
// without a packed meldroom in it, the sources of the repository are run.
import { readdirSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [engine, root, cases] = process.argv.slice(2);
const files = readdirSync(engine, { recursive: true }).map((name) => join(resolve(engine), String(name)));
const find = (pattern) => files.find((file) => pattern.test(basename(file)));

const home = find(/^pyodide\.mjs$/);
const wheel = find(/^msgspec-.*\.whl$/);
const packed = find(/^meldroom-.*\.zip$/);
const stdlib = find(/^(stdlib-.*|python_stdlib)\.zip$/);
if (!home || !wheel || !stdlib) throw new Error(`${engine} holds no Pyodide with msgspec: build the engine first`);

const { loadPyodide } = await import(pathToFileURL(home).href);
const python = await loadPyodide({ indexURL: `${dirname(home)}/`, stdLibURL: pathToFileURL(stdlib).href });
python.setStderr({ batched: (line) => process.stderr.write(`${line}\n`) });
for (const [inside, outside] of [
	['/repository', resolve(root)],
	['/engine', resolve(engine)],
]) {
	python.FS.mkdirTree(inside);
	python.mountNodeFS(inside, outside);
}
const inEngine = (file) => `/engine/${file.slice(resolve(engine).length + 1)}`;
const folders = cases.split(delimiter).map((folder, place) => {
	python.FS.mkdirTree(`/cases${place}`);
	python.mountNodeFS(`/cases${place}`, resolve(folder));
	return `/cases${place}`;
});
python.globals.set('wheel', inEngine(wheel));
python.globals.set('source', packed ? inEngine(packed) : '/repository/src');
python.globals.set('folders', folders.join(':'));
const answered = await python.runPythonAsync(`
import sys, zipfile
sys.dont_write_bytecode = True
zipfile.ZipFile(wheel).extractall("/site")
sys.path[:0] = ["/site", source, "/repository"]
from testkit.equality import answer_line
lambda line: answer_line(line, folders)
`);
for await (const line of createInterface({ input: process.stdin })) process.stdout.write(`${answered(line)}\n`);
