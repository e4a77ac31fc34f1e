"""Is a log untouched and lawful? Checks the chain, and computes everything in it again."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from meldroom.championship.event.apply import apply
from meldroom.championship.event.entries import BEGINNING, LogEntry, hash_of, read_entry
from meldroom.championship.event.errors import ChampionshipError
from meldroom.championship.event.fold import fold
from meldroom.championship.event.state import EventState


class Fault(msgspec.Struct, frozen=True):
    """What is wrong with a line of a log."""

    line: int
    error: ChampionshipError


def chain(lines: Sequence[bytes]) -> tuple[list[LogEntry], list[Fault]]:
    """The entries of a log, and every break of its chain. Reading ends at a line that cannot be read."""
    entries: list[LogEntry] = []
    faults: list[Fault] = []
    previous = BEGINNING
    for number, line in enumerate(lines, start=1):
        try:
            entry = read_entry(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            faults.append(Fault(number, ChampionshipError("bad_line", line=number, why=str(error))))
            break
        if entry.number != number:
            faults.append(Fault(number, ChampionshipError("wrong_number", line=number, number=entry.number)))
        if entry.previous != previous:
            faults.append(Fault(number, ChampionshipError("broken_chain", line=number, before=number - 1)))
        entries.append(entry)
        previous = hash_of(line)
    return entries, faults


def verify(lines: Sequence[bytes]) -> tuple[EventState, list[Fault]]:
    """The state that a log gives, and all its faults: broken chain, forbidden actions, wrong computations."""
    entries, faults = chain(lines)
    state = EventState()
    for number, entry in enumerate(entries, start=1):
        try:
            lawful = apply(
                state,
                entry.action,
                author=entry.author,
                role=entry.role,
                time=entry.time,
                reason=entry.reason,
                previous=entry.previous,
            )
            if lawful.action != entry.action:
                raise ChampionshipError("other_computation", line=number)
            state = fold(state, entry.action)
        except ChampionshipError as error:
            faults.append(Fault(number, error))
            break
    return state, sorted(faults, key=lambda fault: fault.line)
