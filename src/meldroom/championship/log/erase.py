"""Erasing a person from a log: their data leave every line, and the chain can still be checked.

A rewritten line keeps the hash of what it said at first (`original`), which the next line is chained to. The
erasing entry, itself in the chain, holds the hash of what each rewritten line says now. So nothing else can
be changed under cover of an erasure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec

from meldroom.championship.actions import (
    AddEntrant,
    Adopt,
    AmendEntrant,
    EraseEntrant,
    ImportEntrants,
    Substitute,
)
from meldroom.championship.apply import apply
from meldroom.championship.entrants import Entrant
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.log.audit import verify
from meldroom.championship.log.entry import LogEntry, decode_entry, hash_of, line_of, link_of
from meldroom.championship.log.restore import adopted
from meldroom.championship.roles import Role

_KEPT = ("country", "place", "no_country")
"""What stays of an entrant: results by country are a public record, and its list keeps its order."""
_ENTRANT = {field.name for field in msgspec.structs.fields(Entrant)}
_TEXTS = (
    *(
        "author",
        "reason",
        "note",
        "referee",
        "confirmed",
        "chief",
        "question",
        "ruling",
        "evidence",
        "who",
        "word",
        "words",
    ),
    *("by", "why", "cancelled_by", "cancelled_why", "entrants"),
)
"""Where a name can stand in a line besides an entrant's own data."""


def alias_of(number: int, taken: Sequence[str]) -> str:
    """What stands where a name stood."""
    alias = f"Entrant {number}"
    while alias in taken:
        alias += "*"
    return alias


def erased_lines(
    lines: Sequence[bytes], number: int, *, author: str, role: Role, time: datetime, reason: str
) -> list[bytes]:
    """The lines of a log after somebody is erased from it, with the entry that says so.

    Only a log that verifies is touched: what cannot be computed again afterwards is right until here. Raises
    ChampionshipError.
    """
    state, faults = verify(lines)
    if faults:
        raise faults[0].error
    state.participant(number)
    entries = [decode_entry(line) for line in lines]
    names, others = _names(entries, number)
    alias = alias_of(number, others)
    eraser = _Eraser(names, others, alias)
    after = [eraser.line(line, entry) for line, entry in zip(lines, entries, strict=True)]
    changed = tuple(
        (place, hash_of(new))
        for place, (old, new) in enumerate(zip(lines, after, strict=True), start=1)
        if old != new
    )
    action = EraseEntrant(number, alias, changed)
    entry = apply(
        state,
        action,
        author=eraser.text(author),
        role=role,
        time=time,
        reason=eraser.text(reason),
        previous=link_of(lines[-1]),
    )
    return [*after, line_of(entry)]


def _names(entries: Sequence[LogEntry], number: int) -> tuple[set[str], list[str]]:
    """Every name that a person has had in the log, and every name of the others."""
    had: list[tuple[int, str]] = []
    count = 0
    for entry in entries:
        match entry.action:
            case Adopt():
                people = adopted(entry.action.document).participants
                had += [(one.number, one.entrant.name) for one in people]
                count = len(people)
            case ImportEntrants():
                had += [
                    (count + place, each.name) for place, each in enumerate(entry.action.entrants, start=1)
                ]
                count += len(entry.action.entrants)
            case AddEntrant():
                count += 1
                had.append((count, entry.action.entrant.name))
            case Substitute():
                count += 1
                had.append((count, entry.action.by.name))
            case AmendEntrant():
                had.append((entry.action.number, entry.action.entrant.name))
            case _:
                pass
    mine = {name for owner, name in had if owner == number}
    others = [name for owner, name in had if owner != number]
    if mine & set(others):  # a name that passed from one to another cannot be told apart in free texts
        raise ChampionshipError("name_taken", name=next(iter(mine & set(others))))
    return mine, others


class _Eraser:
    """Replaces one person's names by an alias, and removes their other data."""

    def __init__(self, names: set[str], others: Sequence[str], alias: str) -> None:
        self.names = names
        self.alias = alias
        every = sorted({*names, *others}, key=len, reverse=True)
        # Longer names first: “Ada” must not be found inside “Ada Byron”, who is somebody else.
        self.pattern = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, every)) + r")(?!\w)")

    def line(self, line: bytes, entry: LogEntry) -> bytes:
        """A line without the person: the same bytes if they are not in it."""
        plain: dict[str, Any] = msgspec.to_builtins(entry)
        erased = self._value(plain, "")
        if erased == plain:
            return line
        original = hash_of(line) if entry.original is msgspec.UNSET else entry.original
        return line_of(msgspec.convert({**erased, "original": original}, LogEntry))

    def _value(self, value: Any, key: str) -> Any:
        if isinstance(value, dict):
            name = value.get("name")
            if isinstance(name, str) and name in self.names and set(value) <= _ENTRANT:
                kept = {field: value[field] for field in _KEPT if field in value}
                return {"name": self.alias, **kept}
            return {field: self._value(each, field) for field, each in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(self._value(each, key) for each in value)
        if isinstance(value, str) and key in _TEXTS:
            return self.text(value)
        return value

    def text(self, text: str) -> str:
        """A text with the person's names replaced, and nobody else's."""
        return self.pattern.sub(
            lambda found: self.alias if found.group() in self.names else found.group(), text
        )
