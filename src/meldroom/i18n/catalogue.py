"""Messages by id. An id is the file of its domain and the keys inside it: `rooms.error.not_your_turn`.
A file inside a folder has the folder's name before it: `books.wrc11.name`.

`{name}` in a message is filled in, `{{` is a brace. A message that depends on a number is a table with the
language's plural categories (`one`, `other`, …), chosen by the value `count`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any, TypeAlias

import msgspec

from meldroom.i18n.faults import fault_of, line_of, report
from meldroom.i18n.languages import DEFAULT, Language, folder_of, folders
from meldroom.i18n.locale import locale
from meldroom.i18n.plural_rules import CATEGORIES
from meldroom.i18n.tile_parts import Parts, TilePart, parts_of

_NUMBER = re.compile(r"(?P<sign>\+)?(?:\.(?P<decimals>\d))?(?P<kind>[f%])?")

Template: TypeAlias = str | Mapping[str, str]
"""A message before it is filled in; a mapping from plural categories where it has several forms."""


class Message(msgspec.Struct, frozen=True):
    """A message to be told later, in the language of whoever reads it; it can fill a place of another one."""

    id: str
    values: dict[str, Any] = {}

    def text(self, language: Language = DEFAULT) -> str:
        """The message in one language."""
        return message(self.id, language, **self.values)

    def parts(self, language: Language = DEFAULT) -> Parts:
        """The message in one language, its tiles apart from its words."""
        return parts_of(_told(self.id, language, self.values, marked=True))


Value: TypeAlias = "str | int | float | TilePart | Message | tuple[str | TilePart | Message, ...]"
"""What fills a place of a message: text, a number, tiles, another message, or a list of them."""


def message(id: str, language: Language = DEFAULT, /, **values: Value) -> str:
    """A message with its values filled in. Raises KeyError for an id that does not exist.

    Numbers are written as the language does; a tuple becomes `a, b and c`, or with
    `{list:or}` `a, b or c`.
    """
    return _told(id, language, values)


def _told(id: str, language: Language, values: Mapping[str, Value], *, marked: bool = False) -> str:
    """A message with its values filled in; its tiles can be marked, to be told apart from words."""
    found = template(id, language)
    if not isinstance(found, str):
        count = values["count"]
        if not isinstance(count, int | float):
            raise TypeError(f"{id}: the value “count” must be a number, not {count!r}")
        found = found.get(locale(language).plural(count)) or found["other"]
    return found.format_map({key: _Shown(value, language, marked) for key, value in values.items()})


def template(id: str, language: Language = DEFAULT, /) -> Template:
    """A message before its values are filled in; English where the language has none. Raises KeyError."""
    domain, key = _split(id)
    own = _domain(domain, language).get(key)
    return own if own is not None else _domain(domain, DEFAULT)[key]


def has_message(id: str, /) -> bool:
    """True if there is a message with this id."""
    domain, key = _split(id)
    return key in _domain(domain, DEFAULT)


def message_ids(language: Language = DEFAULT) -> Iterator[str]:
    """The id of every message of a language, in the order of its files."""
    for domain in _domains(folders()[language]):
        for key in _domain(domain, language):
            yield f"{domain}.{key}"


def _split(id: str) -> tuple[str, str]:
    """The domain of an id and the key inside it."""
    first, _, key = id.partition(".")
    if not _is_folder(first):
        return first, key
    second, _, key = key.partition(".")
    return f"{first}.{second}", key


@cache
def _is_folder(name: str) -> bool:
    return (folders()[DEFAULT] / name).is_dir()


def _domains(folder: Traversable, prefix: str = "") -> Iterator[str]:
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.is_dir():
            yield from _domains(file, f"{prefix}{file.name}.")
        elif file.name.endswith(".toml") and file.name != "locale.toml":
            yield prefix + file.name.removesuffix(".toml")


@cache
def _domain(domain: str, language: Language) -> dict[str, Template]:
    source = folder_of(language) / (domain.replace(".", "/") + ".toml")
    if not source.is_file():
        return {}
    if language == DEFAULT:
        return dict(flatten(tomllib.loads(source.read_text(encoding="utf-8"))))
    try:
        text = source.read_text(encoding="utf-8")
        found = dict(flatten(tomllib.loads(text)))
    except ValueError as error:  # no UTF-8, or no TOML; the message says on which line
        report(str(source), str(error))
        return {}
    english = _domain(domain, DEFAULT)
    faults = {key: fault_of(own, english[key]) for key, own in found.items() if key in english}
    for key, fault in faults.items():
        if fault:
            report(f"{source}, line {line_of(text, key)}", f"{key}: {fault}")
            del found[key]
    return found


def flatten(tables: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Template]]:
    """The messages of nested tables by dotted key; a table of plural categories is one message."""
    for key, value in tables.items():
        if not isinstance(value, Mapping) or ("other" in value and set(value) <= set(CATEGORIES)):
            yield prefix + key, value
        else:
            yield from flatten(value, f"{prefix}{key}.")


class _Shown:
    """A value in a message: `{count}`, `{score:+}`, `{mean:.1f}`, `{share:.1%}`, `{list:or}`."""

    def __init__(self, value: Value, language: Language, marked: bool = False) -> None:
        self.value = value
        self.language = language
        self.marked = marked

    def __str__(self) -> str:
        return format(self, "")

    def __format__(self, spec: str) -> str:
        value, own = self.value, locale(self.language)
        if isinstance(value, Message):
            return _told(value.id, self.language, value.values, marked=self.marked)
        if isinstance(value, TilePart):
            return value.marked if self.marked else value.text
        if isinstance(value, tuple):
            parts = [format(_Shown(one, self.language, self.marked), "") for one in value]
            return own.list_or(parts) if spec == "or" else own.list_and(parts)
        if isinstance(value, str):
            return format(value, spec)
        found = _NUMBER.fullmatch(spec)
        if found is None:
            raise ValueError(f"a number cannot be written as {spec!r}")
        decimals = int(found["decimals"]) if found["decimals"] else None
        if found["kind"] == "%":
            return own.percent(value, decimals or 0)
        return own.signed(value, decimals) if found["sign"] else own.number(value, decimals)
