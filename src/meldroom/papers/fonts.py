"""Openly licensed fonts for scripts that the papers' own type has not.

The extra `papers` brings those for Chinese, Japanese, Korean and Thai names. For all others only Noto and
DejaVu are looked for, where systems put them, and the folder that MELDROOM_FONTS names: never whatever else
is installed, so that a paper looks alike everywhere.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

_PACKAGES = ("noto_cjk_sans_otc", "fontpkg_sarabun")
"""What the extra `papers` brings: Noto Sans CJK, and Sarabun for Thai."""
_PLACES = (
    *("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts"),
    *("/Library/Fonts", "~/Library/Fonts", "C:/Windows/Fonts"),
)
_OPEN = ("noto", "dejavu")
_ENDINGS = (".ttf", ".otf", ".ttc", ".otc")
_NAMED = "MELDROOM_FONTS"
_MOST_FILES = 3000


@cache
def open_fonts() -> tuple[Path, ...]:
    """Font files with an open licence that are installed here, plain styles only, in a fixed order."""
    found = [file for place in _PLACES for file in _files(Path(place).expanduser()) if _is_open(file)]
    if named := os.environ.get(_NAMED):
        found += _files(Path(named))
    return tuple(sorted(set(found)))


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    every = (Path(root) / name for root, _, names in os.walk(folder) for name in sorted(names))
    fonts = [file for file in every if file.suffix.lower() in _ENDINGS]
    return fonts[:_MOST_FILES]


def _is_open(file: Path) -> bool:
    name = file.name.lower()
    return name.startswith(_OPEN) and ("regular" in name or name.startswith("dejavusans."))


def packaged_fonts() -> tuple[Path, ...]:
    """The fonts of the extra `papers`; none where it is not installed. It may come while a server runs."""
    specs = [find_spec(name) for name in _PACKAGES]
    places = [place for spec in specs if spec is not None for place in spec.submodule_search_locations or ()]
    return tuple(file for place in places for file in _files(Path(place)))


def has_fonts() -> bool:
    """Whether all fonts of the extra `papers` are installed."""
    return all(find_spec(name) is not None for name in _PACKAGES)


def fonts_for(signs: str, folder: Path | None = None) -> tuple[Path, ...]:
    """The fonts that have at least one of some signs that no font of a folder has.

    Those of this machine are for what no packaged one has.
    """
    if folder is not None:
        signs = "".join(sign for sign in signs if not _has(_files(folder), sign))
    packaged = _having(signs, packaged_fonts())
    rest = "".join(sign for sign in signs if not _has(packaged, sign))
    return (*packaged, *(_having(rest, open_fonts()) if rest else ()))


def without_font(signs: str, folder: Path | None = None) -> str:
    """The signs that no packaged or installed font has, nor one of a folder."""
    if not signs:
        return ""
    fonts = [*packaged_fonts(), *open_fonts(), *(_files(folder) if folder is not None else ())]
    return "".join(sign for sign in signs if not _has(fonts, sign))


def _having(signs: str, fonts: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(file for file in fonts if any(ord(sign) in _coverage(file) for sign in signs))


def _has(fonts: Iterable[Path], sign: str) -> bool:
    return any(ord(sign) in _coverage(file) for file in fonts)


class Coverage:
    """Which signs a font has, as ranges."""

    def __init__(self, ranges: list[tuple[int, int]]) -> None:
        self.ranges = ranges

    def __contains__(self, code: int) -> bool:
        return any(first <= code <= last for first, last in self.ranges)


@cache
def _coverage(file: Path) -> Coverage:
    try:
        return coverage(file.read_bytes())
    except (OSError, struct.error, IndexError):
        return Coverage([])


def coverage(font: bytes) -> Coverage:
    """What the character map of an OpenType font, or of the first one in a collection, has."""
    start = struct.unpack_from(">I", font, 12)[0] if font[:4] == b"ttcf" else 0
    for place in range(struct.unpack_from(">H", font, start + 4)[0]):
        tag, _, offset, _ = struct.unpack_from(">4sIII", font, start + 12 + 16 * place)
        if tag == b"cmap":
            return Coverage([each for at in _subtables(font, offset) for each in _ranges(font, at)])
    return Coverage([])


def _subtables(font: bytes, offset: int) -> Iterator[int]:
    for place in range(struct.unpack_from(">H", font, offset + 2)[0]):
        platform, encoding, at = struct.unpack_from(">HHI", font, offset + 4 + 8 * place)
        if platform == 0 or (platform == 3 and encoding in (1, 10)):
            yield offset + at


def _ranges(font: bytes, at: int) -> Iterator[tuple[int, int]]:
    """The ranges of a Unicode subtable: format 4 for the first plane, 12 for all."""
    kind = struct.unpack_from(">H", font, at)[0]
    if kind == 4:
        count = struct.unpack_from(">H", font, at + 6)[0] // 2
        ends = struct.unpack_from(f">{count}H", font, at + 14)
        starts = struct.unpack_from(f">{count}H", font, at + 16 + 2 * count)
        yield from ((first, last) for first, last in zip(starts, ends, strict=True) if first != 0xFFFF)
    elif kind == 12:
        for group in range(struct.unpack_from(">I", font, at + 12)[0]):
            first, last, _ = struct.unpack_from(">III", font, at + 16 + 12 * group)
            yield first, last
