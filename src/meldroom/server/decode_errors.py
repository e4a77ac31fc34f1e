"""Why a message could not be read, as a sentence that says where: the decoder's words made human."""

from __future__ import annotations

import re

from meldroom.i18n import Language
from meldroom.server.messages import say

_PLACE = re.compile(r" - at `(.*)`\Z", re.DOTALL)
_LONGEST_QUOTE = 40
_TYPES = ("int", "float", "str", "bool", "array", "object", "null")

_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("missing", re.compile(r"Object missing required field `(?P<field>[^`]*)`")),
    ("unknown", re.compile(r"Object contains unknown field `(?P<field>[^`]*)`")),
    ("value", re.compile(r"Invalid (?:enum )?value (?P<value>.*)", re.DOTALL)),
    ("length_least", re.compile(r"Expected `str` of length >= (?P<count>\d+)")),
    ("length_most", re.compile(r"Expected `str` of length <= (?P<count>\d+)")),
    ("items", re.compile(r"Expected `array` of length (?P<count>\d+), got (?P<got>\d+)")),
    ("least", re.compile(r"Expected `(?:int|float)` >= (?P<count>-?\d+)")),
    ("most", re.compile(r"Expected `(?:int|float)` <= (?P<count>-?\d+)")),
    ("pattern", re.compile(r"Expected `str` matching regex")),
    ("range", re.compile(r"Integer value out of range|Number out of range")),
)
_NO_JSON = re.compile(r"JSON is malformed: (?P<reason>.*)|(?P<short>Input data was truncated)", re.DOTALL)
_EXPECTED = re.compile(r"Expected `(?P<expected>[^`]*)`(?:, got `(?P<got>[^`]*)`)?")


def explained(error: Exception, language: Language) -> tuple[str, str]:
    """The place (`settings.seats`, empty for the whole message) and a sentence."""
    if isinstance(error, RecursionError):
        return "", say("read.deep", language)
    told = str(error)
    return in_words(told, language)


def in_words(told: str, language: Language) -> tuple[str, str]:
    """The same for the text of a validation error."""
    if broken := _NO_JSON.match(told):
        return "", say("read.json", language, reason=broken["reason"] or broken["short"])
    found = _PLACE.search(told)
    place = _place(found[1]) if found else ""
    what = _what(told[: found.start()] if found else told, language)
    return place, say("read.at", language, place=place, what=what) if place else what


def _place(path: str) -> str:
    """`$.settings.seats` as people write it; a key is told by the object it is in."""
    return path.removeprefix("key in ").removeprefix("$").removeprefix(".")[:200]


def _what(told: str, language: Language) -> str:
    for key, shape in _SHAPES:
        if found := shape.match(told):
            details = {name: _quoted(value) for name, value in found.groupdict().items()}
            return say(f"read.{key}", language, **details)
    if (found := _EXPECTED.match(told)) and found["got"]:
        expected, got = _type(found["expected"], language), _type(found["got"], language)
        return say("read.expected", language, expected=expected, got=got)
    return say("read.other", language, reason=_quoted(told))


def _quoted(text: str) -> str:
    text = text.strip("'\"")
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"


def _type(names: str, language: Language) -> str:
    parts = [part.strip() for part in names.split("|")]
    return say("type.or", language).join(
        say(f"type.{part}", language) if part in _TYPES else part for part in parts
    )
