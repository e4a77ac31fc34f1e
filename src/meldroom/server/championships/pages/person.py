"""One player's own page: where and when they play, and their published results."""

from __future__ import annotations

from datetime import datetime

import msgspec

from meldroom.championship.progress.now import PersonNow
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


class Rest(msgspec.Struct, frozen=True, kw_only=True):
    """A sitting that they sit out."""

    stage: str
    stage_name: Text
    sitting: int


class PersonPage(msgspec.Struct, frozen=True, kw_only=True):
    """A player's timetable and standing."""

    code: str
    championship: str
    version: int
    person: PersonLine
    names: dict[int, str]
    """Everybody they meet, by number."""
    now: PersonNow
    """Where they are now, or next."""
    at: Appointment | None
    """The sitting of that seat."""
    rests: tuple[Rest, ...]
    """What they sit out before it; all that they sit out, if there is no such seat."""
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
    here = page.now.people[number - 1]
    seat = here.seat
    met = sorted({other for each in meetings for other in each.players} | {number})
    return PersonPage(
        code=snapshot.code,
        championship=snapshot.state.name,
        version=snapshot.version,
        person=people[number - 1],
        names={other: people[other - 1].name for other in met},
        now=here,
        at=next(
            (each for each in meetings if seat and (each.stage, each.sitting) == (seat.stage, seat.sitting)),
            None,
        ),
        rests=_rests(snapshot.state, here),
        appointments=meetings,
        standing=standing,
        standing_in=standing_in,
    )


def _rests(state: ChampionshipState, here: PersonNow) -> tuple[Rest, ...]:
    """What somebody sits out before their next seat."""
    order = [key for key, _ in state.history()]
    seat = here.seat
    end = order.index((seat.stage, seat.sitting)) if seat is not None else len(order)
    return tuple(
        Rest(stage=each.stage, stage_name=state.format.stage(each.stage).name, sitting=each.sitting)
        for each in here.sits_out
        if order.index((each.stage, each.sitting)) < end
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
