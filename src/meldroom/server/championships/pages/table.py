"""A table: for the desk that watches it, and for its device, which must work alone for a whole sitting."""

from __future__ import annotations

from datetime import datetime

import msgspec

from meldroom.api.referee.rulings import book_for_table
from meldroom.api.referee.schemas import BookForTable
from meldroom.championship.input import current
from meldroom.championship.progress.now import now, sitting_after
from meldroom.championship.results import GameResult
from meldroom.championship.state import ChampionshipState, GivenPenalty, SheetKey, SittingKey
from meldroom.i18n import Text
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.hall.commands import NoteExpiry
from meldroom.server.championships.hall.state import Binding, Call, Hall, Photo, Recorded, TableClock
from meldroom.server.championships.pages.public import void_lines
from meldroom.server.championships.pages.schemas import VoidLine
from meldroom.server.championships.storage.running import (
    LastChange,
    LastChanges,
    RunningChampionship,
    Snapshot,
)

LATEST_PHOTOS = 60


class SeatLine(msgspec.Struct, frozen=True, kw_only=True):
    """A player in their seat."""

    seat: int
    number: int
    name: str
    country: str
    out: bool
    """Whether they have left: the seat may be without a score."""


class SheetGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game of a sheet: who starts it, and its result with who entered it, or why it is void."""

    game: int
    starter: int
    result: GameResult | None = None
    entered: LastChange | None = None
    void: VoidLine | None = None


class SignedSheet(msgspec.Struct, frozen=True, kw_only=True):
    """The signatures of a sheet."""

    referee: str
    refused: tuple[int, ...]
    time: datetime | None
    author: str


class PenaltyLine(msgspec.Struct, frozen=True, kw_only=True):
    """A penalty with its number, and whether it still stands."""

    number: int
    given: GivenPenalty


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """A table's sitting: seats, games, signatures, and what happened in the hall."""

    stage: str
    sitting: int
    table: int
    seats: tuple[SeatLine, ...]
    games: tuple[SheetGame, ...]
    complete: bool
    """Whether every game has its result, or is void."""
    finished: bool
    """Whether nothing is left to play or to sign."""
    signed: SignedSheet | None
    device: Binding | None
    clock: TableClock
    extra_seconds: int
    expiries: tuple[NoteExpiry, ...]
    calls: tuple[Call, ...]
    """Not answered yet."""
    penalties: tuple[PenaltyLine, ...]
    """Of everybody who sits here, in the whole championship: what escalation is decided by."""
    room: str
    """Where the table is played online, at /r/ROOM; empty if it is not."""


class TablePage(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a table's device needs until the sitting is over, on the network or off it."""

    code: str
    version: int
    championship: str
    stage: str
    stage_name: Text
    sitting: int
    table: int
    book: BookForTable
    sheet: Sheet | None
    """None while the table has no players in this sitting."""
    binding: Binding | None
    positions: tuple[Recorded, ...]
    photos: tuple[Photo, ...]
    next_sheet: Sheet | None
    """The same table's next sitting, where that is seated already."""
    room: str
    """Where this sitting is played online, at /r/ROOM; empty if it is not."""
    referees: tuple[str, ...]
    """Referees who have a PIN; once anybody has one, their decisions at the table's device need it."""


def sheet_of(state: ChampionshipState, hall: Hall, changes: LastChanges, key: SheetKey) -> Sheet:
    """A table's sitting. Raises HallError if nobody sits there."""
    seated = state.seatings.get(key[:2])
    if seated is None or not 1 <= key[2] <= len(seated.tables):
        raise HallError(404, "no_such_table", "table", table=key[2], sitting=key[1])
    table = seated.tables[key[2] - 1]
    if not table:
        raise HallError(404, "no_such_table", "table", table=key[2], sitting=key[1])
    games = state.games_of(key)
    begins = state.starters(key)
    voids = {each.game: each for each in void_lines(state, key)}
    signed = state.sheets.get(key)
    change = changes.sheets.get(key)
    return Sheet(
        stage=key[0],
        sitting=key[1],
        table=key[2],
        seats=tuple(
            SeatLine(
                seat=seat,
                number=number,
                name=state.name_of(number),
                country=state.participant(number).entrant.country,
                out=state.participant(number).out,
            )
            for seat, number in enumerate(table)
        ),
        games=tuple(
            SheetGame(
                game=game[3],
                starter=begins[game[3] - 1],
                result=state.results.get(game),
                entered=changes.results.get(game) if game in state.results else None,
                void=voids.get(game[3]),
            )
            for game in games
        ),
        complete=not state.open_games(key),
        finished=state.finished(key),
        signed=None
        if signed is None
        else SignedSheet(
            referee=signed.referee,
            refused=signed.refused,
            time=change.time if change is not None else None,
            author=change.author if change is not None else "",
        ),
        device=hall.bindings.get(key[2]),
        clock=hall.clock(key[2]),
        extra_seconds=hall.extra_seconds.get(key, 0),
        expiries=hall.expiries.get(key, ()),
        calls=tuple(call for call in hall.open_calls() if call.table == key[2]),
        penalties=tuple(line for line in penalty_lines(state) if line.given.penalty.number in table),
        room=hall.rooms.get(key, ""),
    )


def penalty_lines(state: ChampionshipState) -> tuple[PenaltyLine, ...]:
    """All penalties, numbered as the log numbers them."""
    return tuple(
        PenaltyLine(number=number, given=given) for number, given in enumerate(state.penalties, start=1)
    )


def table_page(
    championship: RunningChampionship, snapshot: Snapshot, table: int, stage: str, sitting: int
) -> TablePage:
    """What a table's device needs: of the sitting that the table is at, or of one that is named.

    Raises HallError and ChampionshipError.
    """
    state, hall = snapshot.state, snapshot.hall
    if sitting and (stage, sitting) not in state.seatings:
        raise HallError(404, "no_such_table", "sitting", table=table, sitting=sitting)
    key = (stage, sitting) if sitting else _at(state, table, stage)
    after = sitting_after(state, key)
    return TablePage(
        code=snapshot.code,
        version=snapshot.version,
        championship=state.name,
        stage=key[0],
        stage_name=state.format.stage(key[0]).name,
        sitting=key[1],
        table=table,
        book=book_for_table(state.format.rules()),
        sheet=_sheet(championship, snapshot, (*key, table)),
        binding=hall.bindings.get(table),
        positions=hall.positions.get(table, ()),
        photos=tuple(photo for photo in hall.photos if photo.table == table)[-LATEST_PHOTOS:],
        next_sheet=_sheet(championship, snapshot, (*after, table)) if after is not None else None,
        room=hall.rooms.get((*key, table), ""),
        referees=tuple(sorted(state.pins)),
    )


def _at(state: ChampionshipState, table: int, stage: str) -> SittingKey:
    """The sitting that a table is at; if nobody sits there, the one being played."""
    if stage:
        return current(state, stage)
    stands = now(state)
    at = stands.table(table) or stands
    return at.stage, at.sitting


def _sheet(championship: RunningChampionship, snapshot: Snapshot, key: tuple[str, int, int]) -> Sheet | None:
    try:
        return sheet_of(snapshot.state, snapshot.hall, championship.last_changes, key)
    except HallError:
        return None
