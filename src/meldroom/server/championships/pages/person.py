"""One player's own page: where and when they play, and their published results."""

from __future__ import annotations

from datetime import datetime

import msgspec

from meldroom.championship.state import ChampionshipState
from meldroom.i18n import Text
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.pages.public import game_line, void_lines
from meldroom.server.championships.pages.schemas import (
    ChampionshipPage,
    GameLine,
    PersonLine,
    StandingsRow,
    VoidLine,
)
from meldroom.server.championships.storage.running import Snapshot


class Appointment(msgspec.Struct, frozen=True, kw_only=True):
    """One of their sittings: table, seat from 0, opponents, games they start, published results."""

    stage: str
    stage_name: Text
    sitting: int
    starts_at: datetime | None
    table: int
    seat: int
    players: tuple[int, ...]
    starts: tuple[int, ...]
    games: tuple[GameLine, ...]
    signed: bool
    room: str
    """Where it is played online, at /r/ROOM; empty if it is not."""
    void: tuple[VoidLine, ...] = ()


class PersonPage(msgspec.Struct, frozen=True, kw_only=True):
    """A player's timetable and standing."""

    code: str
    championship: str
    version: int
    person: PersonLine
    names: dict[int, str]
    """Everybody they meet, by number."""
    appointments: tuple[Appointment, ...]
    standing: StandingsRow | None
    """Their row in the latest published standings."""
    standing_in: str


def person_page(
    snapshot: Snapshot, shown: ChampionshipState, page: ChampionshipPage, number: int
) -> PersonPage:
    """A player's page from the championship's. Raises HallError."""
    people = page.people
    if not 1 <= number <= len(people):
        raise HallError(404, "no_such_person", "number", number=number)
    meetings = _appointments(snapshot, shown, number)
    standing_in, standing = _standing(page, number)
    met = sorted({other for each in meetings for other in each.players} | {number})
    return PersonPage(
        code=snapshot.code,
        championship=snapshot.state.name,
        version=snapshot.version,
        person=people[number - 1],
        names={other: people[other - 1].name for other in met},
        appointments=meetings,
        standing=standing,
        standing_in=standing_in,
    )


def _standing(page: ChampionshipPage, number: int) -> tuple[str, StandingsRow | None]:
    """The latest stage in which they have a place, and their row."""
    for stage in reversed(page.stages):
        for row in stage.standings.rows if stage.standings is not None else ():
            if row.number == number and row.games:
                return stage.id, row
    return "", None


def _appointments(snapshot: Snapshot, shown: ChampionshipState, number: int) -> tuple[Appointment, ...]:
    state, found = snapshot.state, []
    for key, seated in state.history():
        for place, table in enumerate(seated.tables, start=1):
            if number not in table:
                continue
            games = state.games_of((*key, place))
            seat = table.index(number)
            begins = state.starters((*key, place))
            found.append(
                Appointment(
                    stage=key[0],
                    stage_name=state.format.stage(key[0]).name,
                    sitting=key[1],
                    starts_at=snapshot.hall.times.get(key),
                    table=place,
                    seat=seat,
                    players=table,
                    starts=tuple(game + 1 for game, first in enumerate(begins) if first == seat),
                    games=tuple(game_line(g[3], shown.results[g]) for g in games if g in shown.results),
                    signed=(*key, place) in state.sheets,
                    room=snapshot.hall.rooms.get((*key, place), ""),
                    void=void_lines(state, (*key, place)),
                )
            )
    return tuple(found)
