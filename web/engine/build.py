"""Builds what the offline app needs besides its pages: Pyodide, msgspec and Meldroom itself.

    build.py NODE PAGES           into PAGES/engine, if anything has changed since the last time
    build.py NODE PAGES --quick   the same with a quicker, weaker compression: for tests
    build.py NODE PAGES --list    only PAGES/engine/files.json, which names every file of the offline app

`web/build.py` calls it. Pyodide comes from npm and the wheel from PyPI, each checked against its hash.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

HERE = Path(__file__).resolve().parent
WEB = HERE.parent
ROOT = WEB.parent
SOURCE = ROOT / "src" / "meldroom"
REQUIREMENT = ROOT / "requirements" / "browser.txt"
MODULES = WEB / "node_modules"
CACHE = MODULES / ".meldroom"
PLATFORM = ("--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14")
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
LEFT_OUT = ("server", "cli", "arena", "corpus", "env", "papers", "site")
LIST = "files.json"
STAMP = ".stamp.json"

# Pages that the offline app does not have.
ONLINE_ONLY = ("src/championship/", "src/account/", "src/room/Lobby.svelte", "src/home/Landing.svelte")
PICTURES = (".png", ".svg", ".ico", ".webmanifest")
NO_CHUNKS = ("first-paint", "worker")  # scripts that no other imports
NOT_LISTED = ("preview.png",)  # for the link previews of other sites
PACKED = (".br", ".gz")


def fail(message: str) -> NoReturn:
    """End with a sentence that says what to do."""
    sys.exit(f"web/engine/build.py: {message}")


def say(line: str) -> None:
    """Tell how far it is, at once."""
    sys.stdout.write(f"web: {line}\n")
    sys.stdout.flush()


def build(node: Path, pages: Path, quick: bool) -> None:
    """Build the engine, unless nothing has changed; a better compression than asked for is as good."""
    engine = pages / "engine"
    wanted = digest(sources())
    stamp = read_json(engine / STAMP)
    if stamp.get("sources") == wanted and (quick or not stamp.get("quick")):
        say("the engine is up to date")
        return
    say(f"building the engine of the offline app{' (quick)' if quick else ''}")
    making = pages / f".engine-{os.getpid()}"
    shutil.rmtree(making, ignore_errors=True)
    try:
        make(node, making)
        run(node, WEB / "compress.mjs", making, *(["--quick"] if quick else []))
        (making / STAMP).write_text(json.dumps({"sources": wanted, "quick": quick}))
        publish(making, engine)
    finally:
        shutil.rmtree(making, ignore_errors=True)


def make(node: Path, making: Path) -> None:
    """Every file of the engine, as it is shipped but not compressed."""
    wheel = download_wheel()
    compiled = making / "compiled"
    compiled.mkdir(parents=True)
    run(node, HERE / "compile.mjs", SOURCE, wheel, compiled)
    version = read_json(MODULES / "pyodide" / "package.json")["version"]
    folder = making / f"pyodide-{version}"
    folder.mkdir()
    for name in PYODIDE:
        shutil.copyfile(MODULES / "pyodide" / name, folder / name)
    (compiled / "pyodide-lock.json").replace(folder / "pyodide-lock.json")
    shutil.copyfile(wheel, making / wheel.name)
    for name in ("stdlib", "meldroom"):
        packed = compiled / f"{name}.zip"
        packed.replace(making / f"{name}-{sha256(packed)[:12]}.zip")
    shutil.rmtree(compiled)
    (making / "licences.txt").write_text(licences(wheel, version), encoding="utf-8")


def download_wheel() -> Path:
    """The wheel of requirements/browser.txt; pip checks its hash."""
    folder = CACHE / "wheels" / digest([REQUIREMENT])[:12]
    found = sorted(folder.glob("*.whl"))
    if not found:
        command = [
            python_with_pip(),
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
        ]
        command += ["--require-hashes", "--only-binary", ":all:", *PLATFORM, "--implementation", "cp"]
        command += ["--abi", "cp314", "--requirement", str(REQUIREMENT), "--dest", str(folder)]
        if subprocess.run(command, check=False).returncode:
            shutil.rmtree(folder, ignore_errors=True)
            fail("msgspec for the browser could not be downloaded, see above. Is there a network?")
        found = sorted(folder.glob("*.whl"))
    return found[0]


def python_with_pip() -> str:
    """This Python, or the one that its virtual environment was made by: that may be without pip."""
    base = str(getattr(sys, "_base_executable", sys.executable))
    for python in (sys.executable, base):
        asked = [python, "-c", "import pip"]
        if subprocess.run(asked, stderr=subprocess.DEVNULL, check=False).returncode == 0:
            return python
    fail("the engine of the offline app needs pip to download msgspec; this Python has none.")


def sources() -> list[Path]:
    """What the engine is built from."""
    files = [WEB / "package-lock.json", WEB / "compress.mjs", REQUIREMENT, ROOT / "pyproject.toml"]
    files += [path for path in HERE.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    for folder in sorted(path for path in SOURCE.iterdir() if path.name not in LEFT_OUT):
        found = folder.rglob("*") if folder.is_dir() else [folder]
        files += [path for path in found if path.suffix in (".py", ".toml", ".bin", ".gz")]
    return sorted(files)


def digest(files: list[Path]) -> str:
    """One hash over names and contents."""
    whole = hashlib.sha256()
    for file in files:
        whole.update(f"{file.relative_to(ROOT).as_posix()}\0{sha256(file)}\0".encode())
    return whole.hexdigest()


def sha256(file: Path) -> str:
    """The hash of a file's content."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def read_json(file: Path) -> dict[str, Any]:
    """A JSON object from a file; empty where there is none."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return {}
    return found if isinstance(found, dict) else {}


def run(node: Path, *arguments: str | Path) -> None:
    """Run a script with node; end here if it fails."""
    if subprocess.run([node, *arguments], cwd=WEB, check=False).returncode:
        fail(f"`{Path(arguments[0]).name}` failed, see above.")


def publish(making: Path, engine: Path) -> None:
    """Put every file in its place at once, then remove what is no longer of use."""
    new = {path.relative_to(making) for path in making.rglob("*") if path.is_file()}
    for name in sorted(new):
        (engine / name).parent.mkdir(parents=True, exist_ok=True)
        (making / name).replace(engine / name)
    kept = {*new, *(Path(LIST + ending) for ending in ("", *PACKED))}
    for old in [path for path in engine.rglob("*") if path.is_file()]:
        if old.relative_to(engine) not in kept:
            old.unlink()
    for folder in [path for path in engine.glob("*") if path.is_dir() and not any(path.iterdir())]:
        folder.rmdir()


def licences(wheel: Path, pyodide: str) -> str:
    """Every part that is shipped to a browser, with its version and the text of its licence."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    svelte = read_json(MODULES / "svelte" / "package.json")["version"]
    python = read_json(MODULES / "pyodide" / "pyodide-lock.json")["info"]["python"]
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith("/licenses/LICENSE"))
        msgspec = archive.read(name).decode()
    own = HERE / "licences"
    parts = (
        (f"Meldroom {project['version']} (MIT)", (ROOT / "LICENSE").read_text("utf-8")),
        (f"Svelte {svelte} (MIT)", (MODULES / "svelte" / "LICENSE.md").read_text("utf-8")),
        (
            f"Pyodide {pyodide} (MPL-2.0); its source is at https://github.com/pyodide/pyodide",
            read(own / "pyodide.txt"),
        ),
        ("stackframe, in Pyodide (MIT)", read(own / "stackframe.txt")),
        (f"CPython {python} and its standard library (PSF-2.0)", read(own / "python.txt")),
        (f"msgspec {wheel.name.split('-')[1]} (BSD-3-Clause)", msgspec),
        ("Libraries linked into pyodide.asm.wasm", read(own / "linked.txt")),
    )
    heads = "".join(f"- {head}\n" for head, _ in parts)
    texts = "".join(f"\n{'=' * 78}\n{head}\n{'=' * 78}\n\n{text.strip()}\n" for head, text in parts)
    return f"What the offline app of Meldroom consists of, and under which licences.\n\n{heads}{texts}"


def read(file: Path) -> str:
    """A text file."""
    return file.read_text(encoding="utf-8")


def write_list(pages: Path) -> None:
    """Write `engine/files.json`; nothing while either half is missing."""
    engine = pages / "engine"
    if not (engine / STAMP).exists() or not (pages / "offline.html").exists():
        return
    listed = [entry(pages, path) for path in sorted({*page_files(pages), *engine_files(pages)})]
    version = hashlib.sha256(
        json.dumps([(one["path"], one["sha256"]) for one in listed]).encode()
    ).hexdigest()
    content = json.dumps({"version": version[:16], "files": listed}, indent=0)
    target = engine / LIST
    if target.exists() and target.read_text(encoding="utf-8") == content:
        return
    making = engine / f".{LIST}-{os.getpid()}"
    making.write_text(content, encoding="utf-8")
    making.replace(target)
    say(
        f"the offline app has {len(listed)} files, {sum(one['packed'] for one in listed) / 1e6:.2f} MB packed"
    )


def entry(pages: Path, path: str) -> dict[str, Any]:
    """A file of the list: its size, its size on the way, and its hash."""
    file = pages / path
    packed = file.with_name(f"{file.name}.br")
    size = file.stat().st_size
    return {
        "path": path,
        "bytes": size,
        "packed": packed.stat().st_size if packed.exists() else size,
        "sha256": sha256(file),
    }


def engine_files(pages: Path) -> Iterator[str]:
    """Everything of the engine but the list itself."""
    for path in (pages / "engine").rglob("*"):
        name = path.relative_to(pages).as_posix()
        if path.is_file() and path.suffix not in PACKED and path.name != LIST and "/." not in name:
            yield name


def page_files(pages: Path) -> Iterator[str]:
    """The page of the offline app, every chunk it may load, and pictures."""
    chunks = read_json(pages / ".vite" / "manifest.json")
    waiting, met = ["index.html"], set[str]()
    while waiting:
        key = waiting.pop()
        if key in met or key.startswith(ONLINE_ONLY):
            continue
        met.add(key)
        chunk = chunks[key]
        waiting += [*chunk.get("imports", ()), *chunk.get("dynamicImports", ())]
        yield from (chunk["file"], *chunk.get("css", ()), *chunk.get("assets", ()))
    yield "offline.html"
    for path in pages.rglob("*"):
        name = path.relative_to(pages).as_posix()
        wanted = path.suffix in PICTURES or (path.suffix == ".js" and path.name.startswith(NO_CHUNKS))
        if wanted and name not in NOT_LISTED and not name.startswith((".", "engine/")):
            yield name


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(description="Build the engine of the offline app.")
    parser.add_argument("node", type=Path)
    parser.add_argument("pages", type=Path)
    parser.add_argument("--quick", action="store_true", help="compress quickly rather than well")
    parser.add_argument("--list", action="store_true", help="write the list of files only")
    asked = parser.parse_args()
    pages = asked.pages.resolve()
    if not asked.list:
        build(asked.node, pages, asked.quick)
    write_list(pages)


if __name__ == "__main__":
    main()
