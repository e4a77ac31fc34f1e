"""The tree stays guessable: small folders, names that say what is inside, and one home for every text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "meldroom"
CLIENT = ROOT / "web" / "src"

MOST_MODULES = 18
"""Modules at one level of the package: past that, a reader needs sub-packages."""

VAGUE = frozenset(
    [
        "asking",
        "acting",
        "acts",
        "conduct",
        "course",
        "events_",
        "exact",
        "helpers",
        "keeping",
        "kept",
        "manager",
        "misc",
        "moment",
        "parts",
        "post",
        "reach",
        "reading",
        "saying",
        "sentences",
        "shapes",
        "showing",
        "telling",
        "things",
        "trail",
        "unreadable",
        "utils",
        "wording",
        "words",
        "work",
    ]
)
"""Module names that tell an engineer nothing."""


def folders(top: Path, *endings: str) -> list[tuple[Path, list[Path]]]:
    """Every folder with its own modules, generated and built ones left out."""
    found = []
    for folder in sorted({path.parent for ending in endings for path in top.rglob(f"*{ending}")}):
        if {"__pycache__", "node_modules", "versions"} & set(folder.parts):
            continue
        if folder.is_relative_to(PACKAGE / "server" / "pages"):
            continue
        found.append((folder, [path for path in sorted(folder.iterdir()) if path.name.endswith(endings)]))
    return found


@pytest.mark.parametrize(
    ("folder", "modules"),
    [pytest.param(*each, id=str(each[0].relative_to(ROOT))) for each in folders(PACKAGE, ".py")],
)
def test_a_folder_of_the_package_is_small_and_its_names_say_something(
    folder: Path, modules: list[Path]
) -> None:
    names = [path.stem for path in modules if path.stem not in ("__init__", "__main__")]
    assert len(names) <= MOST_MODULES, f"{len(names)} modules in {folder}"
    assert not VAGUE & set(names)


def test_the_names_of_the_client_say_something() -> None:
    names = {
        path.name.partition(".")[0] for _, modules in folders(CLIENT, ".ts", ".svelte") for path in modules
    }
    assert not VAGUE & {name.lower() for name in names}


def test_no_language_is_tested_for_in_the_code() -> None:
    """A language is a folder: code that names one would have to be changed for the next."""
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"""[=!]= ?["'](?:en|fr)["']|\(["']en["'], ["']fr["']\)""", line)
    ]
    assert not found, "\n".join(found)


RAW_LINK = re.compile(r"""href=(?:["']/|\{\s*["'`]/)|(?:pushState|replaceState)\([^)]*["'`]/""")
"""A link that only works at the top of a host; `to('/path')` works in the offline app's folder too."""


def test_every_link_of_the_client_goes_through_the_router() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for ending in ("*.svelte", "*.ts")
        for path in sorted(CLIENT.rglob(ending))
        for line in path.read_text(encoding="utf-8").splitlines()
        if RAW_LINK.search(line)
    ]
    assert not found, "\n".join(found)
    assert RAW_LINK.search('<a href="/rules/{book}">')
    assert RAW_LINK.search("<a href={`/r/${room}`}>")
    assert not RAW_LINK.search("<a href={to('/rules')}>")
