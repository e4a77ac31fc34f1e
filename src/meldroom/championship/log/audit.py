"""Is a log untouched and lawful? Checks the chain, and computes everything in it again."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from meldroom.championship.actions import AnnounceDraw, CheckIn, EraseEntrant, Reveal
from meldroom.championship.apply import apply, permission
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.fold import fold
from meldroom.championship.log.entry import BEGINNING, LogEntry, decode_entry, hash_of
from meldroom.championship.roles import may, not_allowed
from meldroom.championship.state import ChampionshipState


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
            entry = decode_entry(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            faults.append(Fault(number, ChampionshipError("bad_line", line=number, why=str(error))))
            break
        if entry.number != number:
            faults.append(Fault(number, ChampionshipError("wrong_number", line=number, number=entry.number)))
        if entry.previous != previous:
            faults.append(Fault(number, ChampionshipError("broken_chain", line=number, before=number - 1)))
        entries.append(entry)
        previous = hash_of(line) if entry.original is msgspec.UNSET else entry.original
    return entries, faults


def rewritten(lines: Sequence[bytes], entries: Sequence[LogEntry]) -> list[Fault]:
    """Lines that were rewritten without an entry that attests just this, and attested lines that differ."""
    attested: dict[int, str] = {}
    for entry in entries:
        if isinstance(entry.action, EraseEntrant):
            attested |= dict(entry.action.lines)
    changed = {number for number, entry in enumerate(entries, start=1) if entry.original is not msgspec.UNSET}
    return [
        Fault(number, ChampionshipError("rewritten", line=number))
        for number in sorted(changed | set(attested))
        if number not in changed or number not in attested or attested[number] != hash_of(lines[number - 1])
    ]


def _rests_on_erased(state: ChampionshipState, entry: LogEntry, erased: set[int]) -> bool:
    """Whether an entry was computed from data that have been erased, and cannot be computed again."""
    match entry.action:
        case CheckIn():
            countries = {state.participant(number).entrant.country for number in erased & _known(state)}
            return state.participant(entry.action.number).entrant.country in countries
        case AnnounceDraw():
            return bool(erased & set(entry.action.numbers))
        case Reveal():
            return bool(erased & set(state.draws[entry.action.stage].numbers))
        case _:
            return False


def _known(state: ChampionshipState) -> set[int]:
    return set(range(1, len(state.participants) + 1))


def verify(lines: Sequence[bytes]) -> tuple[ChampionshipState, list[Fault]]:
    """The state that a log gives, and all its faults: broken chain, forbidden actions, wrong computations."""
    entries, faults = chain(lines)
    faults += rewritten(lines, entries)
    erased = {entry.action.number for entry in entries if isinstance(entry.action, EraseEntrant)}
    state = ChampionshipState()
    for number, entry in enumerate(entries, start=1):
        try:
            if erased and _rests_on_erased(state, entry, erased):
                needed = permission(state, entry.action)
                if not may(entry.role, needed):
                    raise not_allowed(entry.role, needed)
                state = fold(state, entry.action)
                continue
            lawful = apply(
                state,
                entry.action,
                author=entry.author,
                role=entry.role,
                time=entry.time,
                reason=entry.reason,
                previous=entry.previous,
                confirmed="" if entry.confirmed is msgspec.UNSET else entry.confirmed,
            )
            if lawful.action != entry.action:
                raise ChampionshipError("other_computation", line=number)
            state = fold(state, entry.action)
        except ChampionshipError as error:
            faults.append(Fault(number, error))
            break
    return state, sorted(faults, key=lambda fault: fault.line)
