"""From values to a PDF: typst sets the page, segno draws the QR codes. Both are loaded only here."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib import resources
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec

from meldroom.i18n import Language
from meldroom.papers.values import (
    Badges,
    BlankSheets,
    Certificates,
    CrossTable,
    DisputeReport,
    Document,
    Occasion,
    PenaltyReport,
    ScoreSheets,
    StandingsPaper,
    TableCards,
    WallByName,
    WallByTable,
)
from meldroom.referee.messages import RefereeError

Plain = dict[str, Any]

_one_at_a_time = Lock()
"""A compiler keeps what it was last given, so threads must take turns."""

_IN_TYPE = (
    *(range(0x0500), range(0x0531, 0x0600), range(0x0621, 0x064B)),
    *(range(0x10D0, 0x1100), range(0x1E00, 0x2070), range(0x20A0, 0x2200)),
)
"""Signs of the type that comes with typst: Latin, Greek, Cyrillic, Armenian, Hebrew and Arabic."""


@cache
def words(language: Language) -> dict[str, str]:
    """The words of the papers in one language."""
    source = resources.files("meldroom.i18n") / "locales" / language / "papers.toml"
    found: dict[str, str] = tomllib.loads(source.read_text(encoding="utf-8"))
    return found


@cache
def _template(name: str) -> bytes:
    folder = resources.files("meldroom.papers") / "templates"
    return b"\n".join((folder / f"{part}.typ").read_bytes() for part in ("house", name))


def print_pdf(occasion: Occasion, document: Document, *, fonts: Path | None = None) -> bytes:
    """The paper as a PDF; the same values give the same bytes.

    Signs that the type has not (`signs_without_type`) need a folder of `fonts`. Raises RefereeError if the
    extra `papers` is not installed.
    """
    template, data = _prepared(occasion, document)
    data |= {
        "kind": str(document.__struct_config__.tag),
        "occasion": msgspec.to_builtins(occasion),
        "words": words(occasion.language),
    }
    plain = msgspec.json.encode(_printable(data)).decode()
    try:
        with _one_at_a_time:
            return bytes(
                _compiler(fonts).compile(
                    _template(template), format="pdf", sys_inputs={"data": plain}, timestamp=0
                )
            )
    except ImportError:
        raise RefereeError("no_typst") from None


@cache
def _compiler(fonts: Path | None) -> Any:
    """A compiler with its own fonts and, if given, those of a folder; never those of the machine."""
    import typst

    paths: list[str] = [] if fonts is None else [str(fonts)]
    known = typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=paths)
    return typst.Compiler(font_paths=known)


def signs_without_type(texts: Iterable[str]) -> str:
    """Signs that would be printed as empty boxes without a folder of fonts, each once.

    >>> signs_without_type(["Łucja Żak", "Δημήτρης", "김지은"])
    '김은지'
    """
    signs = {sign for text in texts for sign in text}
    return "".join(sorted(sign for sign in signs if not any(ord(sign) in block for block in _IN_TYPE)))


def qr_code(text: str) -> str:
    """A QR code as SVG, black on nothing; empty for an empty text. Raises RefereeError without segno."""
    if not text:
        return ""
    try:
        import segno
    except ImportError:
        raise RefereeError("no_typst") from None
    return segno.make_qr(text, error="m").svg_inline(border=0, omitsize=True)


def _printable(value: Any) -> Any:
    """Plain values with every control character replaced: a name cannot break a line or hide one."""
    if isinstance(value, str):
        return "".join(sign if sign.isprintable() or sign == "\n" else "�" for sign in value)
    if isinstance(value, dict):
        return {key: _printable(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_printable(each) for each in value]
    return value


def _prepared(occasion: Occasion, document: Document) -> tuple[str, Plain]:
    """The template of a document, and its values with QR codes drawn and ordinals told."""
    data: Plain = msgspec.to_builtins(document)
    data.pop("type")
    told = words(occasion.language)
    match document:
        case ScoreSheets():
            data["title"] = told["sheet"]
            for plain, sheet in zip(data["sheets"], document.sheets, strict=True):
                blank = [None] * (len(sheet.starters) - len(sheet.games))
                plain["games"] = [*plain["games"], *blank]
                plain["qr"] = qr_code(sheet.link or sheet.code)
                plain["signed"] = (
                    told["signed_in_log"].format(referee=sheet.signed_by) if sheet.signed_by else ""
                )
            return "sheets", data
        case BlankSheets():
            page = {
                "stage": None,
                "table": None,
                "players": [None] * document.seats,
                "starters": [place % document.seats for place in range(document.games)],
                "games": [None] * document.games,
                "qr": "",
                "code": "",
                "signed": "",
            }
            return "sheets", data | {"title": told["blank_sheet"], "sheets": [page] * document.count}
        case WallByName():
            return "walls", data | {"title": told["wall_by_name"]}
        case WallByTable():
            return "walls", data | {"title": told["wall_by_table"]}
        case TableCards():
            for plain in data["cards"]:
                plain["qr"] = qr_code(plain["link"])
            return "cards", data | {"title": told["tables"]}
        case Badges():
            for plain in data["badges"]:
                plain["qr"] = qr_code(plain["link"])
            return "cards", data | {"title": told["name"]}
        case StandingsPaper():
            return "standings", data | {"title": told["standings"]}
        case CrossTable():
            return "standings", data | {"title": told["cross_table"]}
        case PenaltyReport():
            return "reports", data | {"title": told["penalties"]}
        case DisputeReport():
            return "reports", data | {"title": told["disputes"]}
        case Certificates():
            for plain in data["certificates"]:
                place = plain["place"]
                plain["told_place"] = "" if place is None else told_place(place, occasion.language)
            return "certificates", data | {"title": told["certificate"]}


def told_place(place: int, language: Language) -> str:
    """A place in words.

    >>> [told_place(place, "en") for place in (1, 2, 3, 11, 22)]
    ['1st place', '2nd place', '3rd place', '11th place', '22nd place']
    >>> told_place(1, "fr"), told_place(2, "fr")
    ('1re place', '2e place')
    """
    if language == "fr":
        return f"{place}{'re' if place == 1 else 'e'} place"
    teens = place % 100 in (11, 12, 13)
    ending = "th" if teens else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending} place"
