"""Names at a table: trimmed, printable, and no two alike."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, count

from meldroom.rooms.errors import Refusal
from meldroom.rooms.protocol.settings import LONGEST_NAME

BOT_NAMES = ("Ada", "Bo", "Chi", "Dev", "Eve", "Fay", "Gus", "Hal")


def printable(text: str) -> bool:
    """True for text without control characters, line breaks or marks that change the direction of reading."""
    return text.isprintable()


def seat_name(name: str, taken: Iterable[str]) -> str:
    """The name somebody sits down under: his own, or with a number where it is taken. Raises Refusal."""
    wanted = " ".join(name.split(" ")).strip()
    if not wanted or len(wanted) > LONGEST_NAME or not printable(wanted):
        raise Refusal("bad_name", "name", longest=LONGEST_NAME)
    others = {each.casefold() for each in taken}
    numbered = (f"{wanted} {number}" for number in count(2))
    return next(each for each in chain((wanted,), numbered) if each.casefold() not in others)


def bot_name(taken: Iterable[str]) -> str:
    """A name for a bot that nobody at the table has."""
    others = {each.casefold() for each in taken}
    further = (f"Bot {number}" for number in count(len(BOT_NAMES) + 1))
    return next(each for each in chain(BOT_NAMES, further) if each.casefold() not in others)
