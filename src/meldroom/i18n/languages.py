"""Which languages are installed, and which of them somebody would like to read."""

from __future__ import annotations

import os
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, TypeAlias

import msgspec

DEFAULT = "en"
"""The language every message exists in; what another language lacks is told in it."""

LOCALES_VARIABLE = "MELDROOM_LOCALES"
"""Names a further folder of languages, beside those that are shipped."""


@cache
def folders() -> dict[str, Traversable]:
    """The folder of each installed language, the default one first."""
    roots: list[Traversable] = [resources.files("meldroom.i18n") / "locales"]
    if extra := os.environ.get(LOCALES_VARIABLE):
        roots.append(Path(extra))
    found = {
        folder.name: folder
        for root in roots
        for folder in root.iterdir()
        if folder.is_dir() and (folder / "locale.toml").is_file()
    }
    return {code: found[code] for code in sorted(found, key=lambda code: (code != DEFAULT, code))}


def folder_of(language: str) -> Traversable:
    """The folder of a language; that of the default one for a code that is not installed."""
    return folders().get(language) or folders()[DEFAULT]


Language: TypeAlias = Annotated[
    str, msgspec.Meta(pattern=f"^({'|'.join(folders())})$", description="An installed language.")
]
"""The code of an installed language, the name of its folder; what decodes it accepts no other."""


def languages() -> tuple[Language, ...]:
    """Every installed language, the default one first."""
    return tuple(folders())


def is_language(code: str) -> bool:
    """True for the code of an installed language."""
    return code in folders()


def negotiate(header: str) -> Language:
    """The installed language that an Accept-Language header asks for first; English if none.

    >>> negotiate("qq;q=0.9, fr-CH;q=0.8, en;q=0.5")
    'fr'
    """
    wishes: list[tuple[float, int, Language]] = []
    for place, part in enumerate(header[:200].split(",")):
        tag, _, weight = part.strip().partition(";")
        base = tag.split("-")[0].strip().lower()
        if is_language(base):
            wishes.append((-_weight(weight), place, base))
    return min(wishes)[2] if wishes else DEFAULT


def _weight(text: str) -> float:
    """The q of a wish; 1 where none is given or it is no number."""
    try:
        return float(text.strip().removeprefix("q="))
    except ValueError:
        return 1.0
