"""What is built for the offline app: listed, hashed, nothing that is not needed, and its licences."""

from __future__ import annotations

import hashlib
import json
import os
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import PAGES, ROOT

pytestmark = pytest.mark.xdist_group("browser")

MOST_BYTES = 7_000_000


@pytest.fixture(scope="module")
def built(pages: None) -> Path:
    """The folder of the build."""
    return Path(os.environ.get(PAGES) or ROOT / "src" / "meldroom" / "server" / "pages")


@pytest.fixture(scope="module")
def listed(built: Path) -> dict[str, Any]:
    """The list of the offline app's files."""
    found: dict[str, Any] = json.loads((built / "engine" / "files.json").read_text(encoding="utf-8"))
    return found


def test_the_list_is_true_and_within_seven_megabytes(built: Path, listed: dict[str, Any]) -> None:
    for entry in listed["files"]:
        content = (built / entry["path"]).read_bytes()
        assert entry["bytes"] == len(content), entry
        assert entry["sha256"] == hashlib.sha256(content).hexdigest(), entry
        packed = built / f"{entry['path']}.br"
        assert entry["packed"] == (packed.stat().st_size if packed.exists() else len(content)), entry
    assert sum(entry["packed"] for entry in listed["files"]) <= MOST_BYTES


def test_it_lists_what_the_app_loads_and_nothing_of_the_server(built: Path, listed: dict[str, Any]) -> None:
    paths = {entry["path"] for entry in listed["files"]}
    assert len(paths) == len(listed["files"])
    for pattern in (
        r"offline\.html",
        r"assets/worker-[\w-]+\.js",
        r"assets/first-paint-[\w-]+\.js",
        r"assets/Room-[\w-]+\.js",
        r"engine/pyodide-314\.0\.7/pyodide\.asm\.wasm",
        r"engine/msgspec-.*\.whl",
        r"engine/(stdlib|meldroom)-[0-9a-f]{12}\.zip",
        r"engine/licences\.txt",
        r"manifest\.webmanifest",
    ):
        assert any(re.fullmatch(pattern, path) for path in paths), pattern
    online = r"assets/(Desk|Lobby|Account|Landing)-.*"
    unwanted = re.compile(rf"index\.html|sw\.js|.*\.(br|gz)|engine/files\.json|{online}")
    assert not [path for path in paths if unwanted.fullmatch(path)]
    # Scripts find each other relatively, in whatever folder they lie.
    scripts = [built / path for path in paths if path.endswith(".js")]
    assert not [file.name for file in scripts if re.search(r"""["'`]/assets/""", file.read_text("utf-8"))]


def test_the_archives_hold_bytecode_that_is_never_compiled_again(built: Path) -> None:
    for name in ("stdlib", "meldroom"):
        (file,) = (built / "engine").glob(f"{name}-*.zip")
        with zipfile.ZipFile(file) as archive:
            entries = archive.infolist()
            modules = [entry.filename for entry in entries if entry.filename.endswith(".pyc")]
            assert [entry.filename for entry in entries] == sorted(entry.filename for entry in entries)
            assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
            assert not [entry.filename for entry in entries if entry.filename.endswith(".py")]
            # PEP 552: a hash instead of a time, and it is not compared with a source.
            assert {archive.read(module)[4:8] for module in modules} == {b"\x01\0\0\0"}


def test_of_meldroom_it_holds_what_runs_in_a_browser(built: Path) -> None:
    (file,) = (built / "engine").glob("meldroom-*.zip")
    names = zipfile.ZipFile(file).namelist()
    packages = {name.split("/")[1] for name in names if name.count("/") > 1}
    assert {"browser", "api", "rooms", "bots", "solver", "rules", "i18n"} <= packages
    assert not packages & {"server", "cli", "arena", "env", "papers", "site"}
    books = ("wrc9", "wrc11", "nzrc2024", "tml", "rummyo")
    assert {f"meldroom/rules/books/{book}.toml" for book in books} <= set(names)
    assert "meldroom/i18n/locales/fr/locale.toml" in names
    assert not [name for name in names if "/web/" in name or "/kernel/compiled/" in name]


def test_every_shipped_part_is_there_with_its_licence(built: Path) -> None:
    text = (built / "engine" / "licences.txt").read_text(encoding="utf-8")
    for part in (
        r"Meldroom \d+\.\d+\.\d+ \(MIT\)",
        r"Svelte \d+\.\d+\.\d+ \(MIT\)",
        r"Pyodide 314\.0\.7 \(MPL-2\.0\)",
        r"CPython 3\.14\.\d+ and its standard library \(PSF-2\.0\)",
        r"msgspec \d+\.\d+\.\d+ \(BSD-3-Clause\)",
        "Mozilla Public License Version 2.0",
        "PYTHON SOFTWARE FOUNDATION LICENSE",
        "Jim Crist-Harif",
    ):
        assert re.search(part, text), part


def test_everything_from_outside_is_pinned_and_hashed() -> None:
    package = json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))
    assert re.fullmatch(r"\d+\.\d+\.\d+", package["devDependencies"]["pyodide"])
    assert lock["packages"]["node_modules/pyodide"]["integrity"].startswith("sha512-")
    wheel = (ROOT / "requirements" / "browser.txt").read_text(encoding="utf-8")
    assert re.search(r"^msgspec==[\d.]+ \\\n +--hash=sha256:[0-9a-f]{64}$", wheel, re.MULTILINE)
