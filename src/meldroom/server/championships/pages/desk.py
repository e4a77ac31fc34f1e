"""The desk: everything about a running championship that a role may see, and what it can do next."""

from __future__ import annotations

from datetime import datetime

import msgspec
from msgspec.structs import replace

from meldroom.championship.actions import SettleDispute
from meldroom.championship.roles import Role
from meldroom.championship.state import ChampionshipState
from meldroom.i18n import Language
from meldroom.papers import names_without_type
from meldroom.server.championships.hall.commands import HallEntry
from meldroom.server.championships.hall.state import Binding, Call, Meeting, Stopped
from meldroom.server.championships.pages.arranged import ArrangedDesk, arranged_desk
from meldroom.server.championships.pages.next_steps import NextStep, next_steps
from meldroom.server.championships.pages.public import page_of
from meldroom.server.championships.pages.publication import published, way_of_naming, with_public_names
from meldroom.server.championships.pages.schemas import ChampionshipPage, PersonData
from meldroom.server.championships.pages.table import PenaltyLine, Sheet, penalty_lines, sheet_of
from meldroom.server.championships.storage.keys import Access, Key, all_may, may
from meldroom.server.championships.storage.running import RunningChampionship, Snapshot

LATEST = 60


class LogLine(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the championship's log, without its details."""

    number: int
    time: datetime
    author: str
    role: Role
    do: str
    reason: str


class KeyCard(msgspec.Struct, frozen=True, kw_only=True):
    """A key without its secret."""

    id: str
    role: Role
    label: str
    table: int | None
    created: datetime
    by: str
    revoked: datetime | None
    wrong_pins: int
    """Wrong PINs in a row at this table's device."""


class NameInBoxes(msgspec.Struct, frozen=True, kw_only=True):
    """A player whose name would be printed with empty boxes, and the signs that the papers' type lacks."""

    number: int
    name: str
    signs: str


class Desk(msgspec.Struct, frozen=True, kw_only=True):
    """A championship for one role. What the role may not see is empty."""

    role: Role
    label: str
    table: int | None
    may: tuple[str, ...]
    """Everything that the role may do and see."""
    next: tuple[NextStep, ...]
    championship: ChampionshipPage
    listed: bool
    """Whether it is in the public list."""
    sheets: tuple[Sheet, ...]
    """The tables of the sitting being played, each with the sheet it is at."""
    devices: tuple[Binding, ...]
    calls: tuple[Call, ...]
    """All calls, the open ones first."""
    clashes: tuple[Meeting, ...]
    stopped: tuple[Stopped, ...]
    """Games played online that wait for the director's ruling."""
    penalties: tuple[PenaltyLine, ...]
    disputes: tuple[SettleDispute, ...]
    data: tuple[PersonData, ...]
    unprintable: tuple[NameInBoxes, ...]
    """Names that papers cannot print, for who prints them."""
    arranged: ArrangedDesk | None
    """Prizes, teams and fees, for who may see personal data."""
    keys: tuple[KeyCard, ...]
    pins: tuple[str, ...]
    """Referees who have a PIN, for who may set one."""
    log: tuple[LogLine, ...]
    """The latest entries of the log, and …"""
    hall: tuple[HallEntry, ...]
    """… of the hall, newest first."""


def key_card(key: Key, access: Access) -> KeyCard:
    """A key as its owner sees it."""
    wrong = access.pins.wrong.get(key.id)
    return KeyCard(
        id=key.id,
        role=key.role,
        label=key.label,
        table=key.table,
        created=key.created,
        by=key.by,
        revoked=key.revoked,
        wrong_pins=wrong.count if wrong is not None else 0,
    )


def state_for(snapshot: Snapshot, role: Role) -> ChampionshipState:
    """The championship as a role may see it: results, names and fees as far as they are its business."""
    state, hall = snapshot.state, snapshot.hall
    if not may(role, "see_live_standings"):
        state = published(state, hall.standings)
    if not may(role, "see_fees"):
        state = replace(state, payments=(), arrangements=replace(state.arrangements, fees=None))
    return state if may(role, "see_full_names") else with_public_names(state, hall)


def desk_of(championship: RunningChampionship, snapshot: Snapshot, key: Key, language: Language) -> Desk:
    """The desk of whoever holds a key."""
    state, hall, own = snapshot.state, snapshot.hall, key.table
    role = key.sees_as
    sees_hall = may(key.role, "see_hall")
    page = page_of(snapshot, state_for(snapshot, role), live=may(role, "see_live_standings"))
    tables = [each.key for each in page.now.tables if sees_hall and own in (None, each.table)]
    calls = sorted(
        (call for call in hall.calls if own in (None, call.table)),
        key=lambda call: (call.answered is not None, -call.number),
    )
    log = championship.entries[: state.entries] if may(role, "see_log") else []
    latest = championship.hall_entries[: hall.entries] if may(role, "see_log") else []
    return Desk(
        role=key.role,
        label=key.label,
        table=own,
        may=all_may(key.role),
        next=next_steps(state, page.now, hall, role, language) if role not in ("display", "public") else (),
        championship=page,
        listed=hall.listed,
        sheets=tuple(sheet_of(state, hall, championship.last_changes, key) for key in tables),
        devices=tuple(there for table, there in hall.bindings.items() if sees_hall and own in (None, table)),
        calls=tuple(calls[:LATEST]) if may(key.role, "see_calls") else (),
        clashes=hall.clashes if may(role, "see_clashes") else (),
        stopped=hall.to_rule(state) if may(role, "see_clashes") else (),
        penalties=penalty_lines(state) if may(role, "see_log") else (),
        disputes=state.disputes if may(role, "see_log") else (),
        data=_data(snapshot) if may(role, "see_personal_data") else (),
        unprintable=_unprintable(state) if all(may(role, what) for what in _PRINTS) else (),
        arranged=arranged_desk(state, fees=may(role, "see_fees")) if may(role, "see_personal_data") else None,
        keys=_cards(snapshot.access) if may(role, "make_keys") else (),
        pins=tuple(sorted(state.pins)) if may(role, "set_pin") else (),
        log=tuple(
            LogLine(
                number=entry.number,
                time=entry.time,
                author=entry.author,
                role=entry.role,
                do=str(entry.action.__struct_config__.tag),
                reason=entry.reason,
            )
            for entry in reversed(log[-LATEST:])
        ),
        hall=tuple(reversed(latest[-LATEST:])),
    )


def _cards(access: Access) -> tuple[KeyCard, ...]:
    return tuple(key_card(key, access) for key in access.keys)


_PRINTS = ("see_papers", "see_full_names")


def _unprintable(state: ChampionshipState) -> tuple[NameInBoxes, ...]:
    return tuple(
        NameInBoxes(number=one.number, name=name, signs=signs)
        for one in state.participants
        for name, signs in names_without_type([one.entrant.name])
    )


def _data(snapshot: Snapshot) -> tuple[PersonData, ...]:
    state = snapshot.state
    return tuple(
        PersonData(
            number=one.number,
            name=one.entrant.name,
            born=one.entrant.born,
            citizenships=one.entrant.citizenships,
            editions=one.entrant.editions,
            place=one.entrant.place,
            last_country=one.entrant.last_country,
            no_country=one.entrant.no_country,
            more=one.entrant.more,
            verdicts=state.verdicts(one.number),
            nominated=state.nominated(one.number),
            in_public=way_of_naming(one, snapshot.hall, state.date),
        )
        for one in state.participants
    )
