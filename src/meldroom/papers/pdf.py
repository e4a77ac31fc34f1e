"""From values to a PDF: typst sets the page, segno draws the QR codes. Both are loaded only here."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import resources
from pathlib import Path
from threading import Lock
from typing import Any

import msgspec

from meldroom.errors import needs
from meldroom.i18n import Language, locale, message, message_ids, template
from meldroom.papers.fonts import fonts_for, without_font
from meldroom.papers.han import other_shapes
from meldroom.papers.values import (
    Badges,
    BlankSheets,
    Certificates,
    CrossTable,
    DealSheets,
    DisputeReport,
    Document,
    ListPaper,
    Occasion,
    PenaltyReport,
    ScoreSheets,
    StandingsPaper,
    TableCards,
    WallByName,
    WallByTable,
)

Plain = dict[str, Any]

_one_at_a_time = Lock()
"""A compiler keeps what it was last given, so threads must take turns."""

_IN_TYPE = (
    *(range(0x0500), range(0x0531, 0x0600), range(0x0621, 0x064B)),
    *(range(0x10D0, 0x1100), range(0x1E00, 0x2070), range(0x20A0, 0x2200)),
)
"""Signs of the type that comes with typst: Latin, Greek, Cyrillic, Armenian, Hebrew and Arabic."""


@cache
def _templates(language: Language) -> dict[str, str]:
    """The texts of the papers in one language, before their values are filled in."""
    found = {id: template(id, language) for id in message_ids() if id.startswith("papers.")}
    return {id.removeprefix("papers."): text for id, text in found.items() if isinstance(text, str)}


@cache
def _template(name: str) -> bytes:
    folder = resources.files("meldroom.papers") / "templates"
    return b"\n".join((folder / f"{part}.typ").read_bytes() for part in ("house", name))


def print_pdf(occasion: Occasion, document: Document, *, fonts: Path | None = None) -> bytes:
    """The paper as a PDF; the same values give the same bytes.

    For signs that the type has not (`signs_without_type`) a folder of `fonts` is used, then the fonts of the
    extra `papers`, then openly licensed ones of this machine. Raises MissingExtraError if the extra is not
    installed.
    """
    name, data = _prepared(occasion, document)
    data |= {
        "kind": str(document.__struct_config__.tag),
        "occasion": msgspec.to_builtins(occasion),
        "words": _templates(occasion.language),
        "shapes": other_shapes(data),
    }
    plain = msgspec.json.encode(_printable(data)).decode()
    paths = _folders(fonts_for(signs_without_type([plain]), fonts))
    if fonts is not None:
        paths = (fonts, *paths)
    with _one_at_a_time:
        return bytes(
            _compiler(paths).compile(_template(name), format="pdf", sys_inputs={"data": plain}, timestamp=0)
        )


def check_printing() -> None:
    """Raises MissingExtraError if the extra `papers` is not installed."""
    with needs("papers"):
        import segno  # noqa: F401
        import typst  # noqa: F401


def _folders(files: tuple[Path, ...]) -> tuple[Path, ...]:
    return tuple(sorted({file.parent for file in files}))


@cache
def _compiler(fonts: tuple[Path, ...]) -> Any:
    """A compiler with its own fonts and those of some folders; never all of the machine."""
    with needs("papers"):
        import typst

    paths = [str(folder) for folder in fonts]
    known = typst.Fonts(include_system_fonts=False, include_embedded_fonts=True, font_paths=paths)
    return typst.Compiler(font_paths=known)


def signs_without_type(texts: Iterable[str]) -> str:
    """Signs that the papers' own type has not, each once.

    >>> signs_without_type(["Łucja Żak", "Δημήτρης", "김지은"])
    '김은지'
    """
    signs = {sign for text in texts for sign in text}
    return "".join(sorted(sign for sign in signs if not any(ord(sign) in block for block in _IN_TYPE)))


def names_without_type(names: Iterable[str], folder: Path | None = None) -> list[tuple[str, str]]:
    """Names that would be printed with empty boxes, each with the signs that no font here or in a folder has.

    >>> names_without_type(["Łucja Żak"])
    []
    """
    return [
        (name, missing) for name in names if (missing := without_font(signs_without_type([name]), folder))
    ]


def qr_code(text: str) -> str:
    """A QR code as SVG, black on nothing; empty for an empty text. Raises MissingExtraError without segno."""
    if not text:
        return ""
    with needs("papers"):
        import segno
    return segno.make_qr(text, error="m").svg_inline(border=0, omitsize=True)


_ALSO_PRINTED = "\n\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"


def _printable(value: Any) -> Any:
    """Plain values with every control character replaced: a name cannot break a line or hide one."""
    if isinstance(value, str):
        return "".join(sign if sign.isprintable() or sign in _ALSO_PRINTED else "�" for sign in value)
    if isinstance(value, dict):
        return {key: _printable(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_printable(each) for each in value]
    return value


def _prepared(occasion: Occasion, document: Document) -> tuple[str, Plain]:
    """The template of a document, and its values with QR codes drawn and places written out."""
    data: Plain = msgspec.to_builtins(document)
    data.pop("type")
    texts = _templates(occasion.language)
    match document:
        case ScoreSheets():
            data["title"] = texts["sheet"]
            for plain, sheet in zip(data["sheets"], document.sheets, strict=True):
                blank = [None] * (len(sheet.starters) - len(sheet.games))
                plain["games"] = [*plain["games"], *blank]
                plain["qr"] = qr_code(sheet.link or sheet.code)
                plain["signed"] = (
                    message("papers.signed_in_log", occasion.language, referee=sheet.signed_by)
                    if sheet.signed_by
                    else ""
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
                "refused": [],
                "remarks": [],
            }
            return "sheets", data | {"title": texts["blank_sheet"], "sheets": [page] * document.count}
        case WallByName():
            return "walls", data | {"title": texts["wall_by_name"]}
        case WallByTable():
            return "walls", data | {"title": texts["wall_by_table"]}
        case TableCards():
            for plain in data["cards"]:
                plain["qr"] = qr_code(plain["link"])
            return "cards", data | {"title": texts["tables"]}
        case Badges():
            for plain in data["badges"]:
                plain["qr"] = qr_code(plain["link"])
            return "cards", data | {"title": texts["name"]}
        case StandingsPaper():
            return "standings", data | {"title": texts["standings"]}
        case CrossTable():
            return "standings", data | {"title": texts["cross_table"]}
        case PenaltyReport():
            return "reports", data | {"title": texts["penalties"]}
        case DisputeReport():
            return "reports", data | {"title": texts["disputes"]}
        case Certificates():
            for plain in data["certificates"]:
                place = plain["place"]
                plain["place_text"] = "" if place is None else format_place(place, occasion.language)
            return "certificates", data | {"title": texts["certificate"]}
        case ListPaper():
            return "lists", data
        case DealSheets():
            return "deals", data | {"title": texts["deals"]}


def format_place(place: int, language: Language) -> str:
    """A place as it is written on a certificate.

    >>> [format_place(place, "en") for place in (1, 2, 3, 11, 22)]
    ['1st place', '2nd place', '3rd place', '11th place', '22nd place']
    >>> format_place(1, "fr"), format_place(2, "fr")
    ('1re place', '2e place')
    """
    return message("papers.place_text", language, place=locale(language).ordinal(place))
