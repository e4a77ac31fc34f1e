"""JSON and TOML from outside as typed values, strictly; every refusal says where and what would be right."""

from __future__ import annotations

import re
import tomllib
from typing import Any, TypeVar

import msgspec

from meldroom.errors import MeldroomError, quote
from meldroom.i18n import Message, Value, has_message

T = TypeVar("T")

LONGEST_TOML = 20_000
"""Characters of untrusted TOML."""
MOST_KEY_PARTS = 8
"""Parts of a dotted key: the parser takes quadratic time and memory in their number."""

_LONGEST_VALUE = 40
# A name and a dot, once too often. It begins where a name begins and never goes back, so it is linear.
_LONG_KEY = re.compile(
    rf"""(?<![\w-])(?>(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{MOST_KEY_PARTS}}}"""
)
_PLACE = re.compile(r" - at `(?:key in )?\$?\.?(.*)`\Z", re.DOTALL)
_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("missing", re.compile(r"Object missing required field `(?P<field>[^`]*)`")),
    ("unknown", re.compile(r"Object contains unknown field `(?P<field>[^`]*)`")),
    ("value", re.compile(r"Invalid (?:enum )?value (?P<value>.*)", re.DOTALL)),
    ("length_least", re.compile(r"Expected `str` of length >= (?P<count>\d+)")),
    ("length_most", re.compile(r"Expected `str` of length <= (?P<count>\d+)")),
    ("items", re.compile(r"Expected `array` of length (?P<count>\d+), got (?P<got>\d+)")),
    ("items_least", re.compile(r"Expected `(?:array|object)` of (?:at least )?length >= (?P<count>\d+)")),
    ("items_most", re.compile(r"Expected `(?:array|object)` of (?:at most )?length <= (?P<count>\d+)")),
    ("least", re.compile(r"Expected `(?:int|float)` >= (?P<count>-?\d+)")),
    ("most", re.compile(r"Expected `(?:int|float)` <= (?P<count>-?\d+)")),
    ("pattern", re.compile(r"Expected `str` matching regex")),
    ("range", re.compile(r"Integer value out of range|Number out of range")),
)
_JSON = re.compile(r"JSON is malformed: (?P<reason>.*)|(?P<short>Input data was truncated)", re.DOTALL)
_EXPECTED = re.compile(r"Expected `(?P<expected>[^`]*)`(?:, got `(?P<got>[^`]*)`)?")


class DecodeError(MeldroomError, ValueError):
    """Input that does not have the shape it should have. `where` is the path inside it: `settings.seats`."""

    domain = "decode"

    @classmethod
    def of(cls, error: Exception, place: str = "") -> DecodeError:
        """The objection of the decoder in our own words; `place` is where the decoded value stands."""
        if isinstance(error, DecodeError):
            return error
        if isinstance(error, RecursionError):
            return cls("deep", place)
        if isinstance(error, UnicodeError):
            return cls("utf8", place)
        if isinstance(error, tomllib.TOMLDecodeError):
            return cls("toml", place, reason=str(error))
        return cls.of_text(str(error), place)

    @classmethod
    def of_text(cls, told: str, place: str = "") -> DecodeError:
        """The same for the text of a validation error."""
        if broken := _JSON.match(told):
            return cls("json", place, reason=broken["reason"] or broken["short"])
        at = _PLACE.search(told)
        where = _joined(place, at[1][:200] if at else "")
        told = told[: at.start()] if at else told
        for code, shape in _SHAPES:
            if found := shape.match(told):
                details: dict[str, Value] = {
                    name: int(value) if name == "count" else quote(value.strip("'\""), _LONGEST_VALUE)
                    for name, value in found.groupdict().items()
                }
                return cls(code, where, **details)
        if (found := _EXPECTED.match(told)) and found["got"]:
            return cls("expected", where, expected=_type(found["expected"]), got=_type(found["got"]))
        return cls("other", where, reason=quote(told, _LONGEST_VALUE))


def decode_json(data: bytes | str, kind: type[T], *, strict: bool = True) -> T:
    """JSON as a value of a type. Raises DecodeError.

    >>> decode_json('{"a": [1, "2"]}', dict[str, list[int]])
    Traceback (most recent call last):
    meldroom.decode.DecodeError: [...][1]: a whole number is expected, not text.
    """
    try:
        return msgspec.json.decode(data, type=kind, strict=strict)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise DecodeError.of(error) from None


def convert(value: object, kind: type[T], *, place: str = "", strict: bool = True) -> T:
    """A plain value (from JSON or TOML) as a value of a type. Raises DecodeError."""
    try:
        return msgspec.convert(value, kind, strict=strict)
    except (msgspec.ValidationError, RecursionError, OverflowError) as error:
        raise DecodeError.of(error, place) from None


def parse_toml(text: str, longest: int = LONGEST_TOML) -> dict[str, Any]:
    """The table that a TOML text holds. Raises DecodeError, also for a text that would take too long."""
    if len(text) > longest:
        raise DecodeError("toml_large", count=longest)
    if _LONG_KEY.search(text):
        raise DecodeError("toml_deep", count=MOST_KEY_PARTS)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also for a number of five thousand digits
        raise DecodeError.of(error) from None


def _joined(outer: str, inner: str) -> str:
    return f"{outer}{'' if not outer or inner.startswith('[') else '.'}{inner}" if inner else outer


def _type(names: str) -> Message | str:
    parts = [part.strip() for part in names.split("|") if part.strip() != "null"] or ["null"]
    known = f"decode.type.{parts[0]}"
    return Message(known if has_message(known) else "decode.type.other")
