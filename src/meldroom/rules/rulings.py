"""R1–R75: what is played where a book is silent or can be read in two ways."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Literal

import msgspec

from meldroom.i18n import Text
from meldroom.rules.book import RuleBook

Basis = Literal["text", "sources", "weak", "none"]
"""What a ruling rests on: the book's words, other published rules, thin sources, or nothing outside."""

_TEXTS = ("title", "text")


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One ruling: the books it serves, the options it leaves open, and what it rests on."""

    id: str
    title: Text
    text: Text
    books: tuple[str, ...]
    basis: Basis
    options: tuple[str, ...] = ()


@cache
def rulings() -> dict[str, Ruling]:
    """Every ruling by its id, in order.

    >>> rulings()["R28"].basis
    'none'
    """
    source = resources.files("meldroom.rules") / "rulings.toml"
    data = tomllib.loads(source.read_text(encoding="utf-8"))
    for one in data["rulings"]:
        one |= {key: msgspec.to_builtins(Text.of_message(f"rulings.{one['id']}.{key}")) for key in _TEXTS}
    return {ruling.id: ruling for ruling in msgspec.convert(data["rulings"], tuple[Ruling, ...])}


def rulings_of(book: RuleBook) -> tuple[Ruling, ...]:
    """The rulings that serve a book; a house book keeps those of the book it was made from."""
    published = book.house["base"] if book.house is not None else book.id
    return tuple(ruling for ruling in rulings().values() if published in ruling.books)
