"""What is wrong with a translation: said once in the log, with file and line. English stands in for it."""

from __future__ import annotations

import logging
import re
import string
from collections.abc import Mapping
from functools import cache

_LOG = logging.getLogger("meldroom.i18n")
_TABLE = re.compile(r"\s*\[(?P<name>[^\[\]]+)\]")
_ENTRY = re.compile(r"\s*(?P<name>[\w.\"'-]+)\s*=")
_QUOTES = str.maketrans("", "", "\"' ")
_PLURAL = "count"


@cache
def report(place: str, problem: str) -> None:
    """Says in the log what is wrong; the same fault is said once."""
    _LOG.warning("%s: %s; English is shown instead", place, problem)


def line_of(source: str, key: str) -> int:
    """The line of a TOML file on which a dotted key stands; 1 if it cannot be found."""
    table = ""
    for number, line in enumerate(source.splitlines(), start=1):
        if found := _TABLE.match(line):
            table = found["name"].translate(_QUOTES) + "."
        elif found := _ENTRY.match(line):
            name = table + found["name"].translate(_QUOTES)
            if key == name or key.startswith(f"{name}."):
                return number
    return 1


def fault_of(own: object, english: str | Mapping[str, str]) -> str:
    """Why a translation cannot be shown in place of an English message; empty if it can."""
    if not isinstance(own, str) and not isinstance(own, Mapping):
        return f"a text is expected, not {own!r}"
    needed = _places(english)
    if isinstance(own, Mapping) and isinstance(english, str) and _PLURAL not in needed:
        return "the English text has no number that plural forms could depend on"
    for text in [own] if isinstance(own, str) else own.values():
        if not isinstance(text, str):
            return f"a text is expected, not {text!r}"
        try:
            parts = [part for part in string.Formatter().parse(text) if part[1] is not None]
        except ValueError as error:
            return f"{str(error).lower()} in {text!r}"
        for _, name, spec, conversion in parts:
            if name not in needed:
                known = ", ".join(f"{{{one}}}" for one in sorted(needed)) or "none"
                return f"{{{name}}} is not a placeholder of the English text, whose placeholders are: {known}"
            if conversion or (spec and spec not in needed[name]):
                return f"{{{name}}} is written in another way than in English: {text!r}"
    return ""


def _places(english: str | Mapping[str, str]) -> dict[str, set[str]]:
    """The placeholders of a message, and how each is written."""
    found: dict[str, set[str]] = {} if isinstance(english, str) else {_PLURAL: {""}}
    for text in [english] if isinstance(english, str) else english.values():
        for _, name, spec, _ in string.Formatter().parse(text):
            if name is not None:
                found.setdefault(name, set()).add(spec or "")
    return found
