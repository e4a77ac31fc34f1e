"""What each online table of a championship must be: room settings, reserved seats, which game may begin."""

from __future__ import annotations

from collections.abc import Container

import msgspec

from meldroom.championship.duplicate.deals import deal_secrets
from meldroom.championship.state import ChampionshipState, SheetKey
from meldroom.rooms.domain.reserved_seats import lock_of
from meldroom.rooms.domain.seating import seat_name
from meldroom.rooms.domain.state import Room
from meldroom.rooms.protocol.events import Reservation
from meldroom.rooms.protocol.settings import LONGEST_NAME, ChampionshipTable, Settings
from meldroom.rules.library import in_competition
from meldroom.server.championships.commands.hall_rules import first_open
from meldroom.server.championships.hall.state import Hall
from meldroom.server.championships.pages.publication import public_name
from meldroom.server.championships.storage.keys import PersonalKeys
from meldroom.server.championships.storage.running import RunningChampionship, Snapshot


class OnlineTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table whose sheet is not signed: everything that its room is made from."""

    code: str
    key: SheetKey
    place: ChampionshipTable
    settings: Settings
    reserved: tuple[Reservation, ...]
    out: tuple[int, ...]
    """Seats of those who have left the championship."""
    first_game: int
    """The first that has no result; 0 if all have one."""
    first_starter: int
    deals: tuple[str, ...]
    """In a duplicate stage the secrets of its deals, by game."""
    known: Container[str]
    """Ids of what the championship has written down."""

    def to_begin(self, room: Room, now: Snapshot) -> int:
        """The game to begin now: on the director's command, or after a ruling on the last one; else 0.

        Between games that nobody stopped the room goes on by itself.
        """
        state, hall = now.state, now.hall
        if room.stage == "playing":
            return 0
        last = room.game.game if room.game is not None else 0
        order = hall.orders.get(self.key)
        if order is not None and (*self.key, order.game) in state.open_games(self.key):
            stopped = hall.stopped.get((*self.key, order.game))
            if order.game > last or (stopped is not None and order.number > stopped.number):
                return order.game
        ruled = room.to_be_ruled and (*self.key, last) not in state.open_games(self.key)
        return first_open(state, self.key) if ruled else 0


def online_tables(championship: RunningChampionship, only: str = "") -> tuple[OnlineTable, ...]:
    """The online tables of a championship whose sheets are not signed; one room's, if it is named.

    Raises ChampionshipError.
    """
    state, hall = championship.now.state, championship.now.hall
    found = [
        (key, code)
        for key, code in hall.rooms.items()
        if only in ("", code)
        and key[0] not in state.closings
        and key not in state.sheets
        and _seated(state, key)
    ]
    keys = championship.personal_keys()
    return tuple(_table(championship, keys, key, code) for key, code in found)


def _seated(state: ChampionshipState, key: SheetKey) -> tuple[int, ...]:
    """Who sits at a table; nobody if it is no more."""
    seated = state.seatings.get(key[:2])
    return seated.tables[key[2] - 1] if seated is not None and key[2] <= len(seated.tables) else ()


def _table(championship: RunningChampionship, keys: PersonalKeys, key: SheetKey, code: str) -> OnlineTable:
    state, hall = championship.now.state, championship.now.hall
    seated = _seated(state, key)
    return OnlineTable(
        code=code,
        key=key,
        place=ChampionshipTable(championship.now.code, *key),
        settings=_settings(state, hall, key, len(seated)),
        reserved=_reserved(championship, keys, seated),
        out=tuple(seat for seat, number in enumerate(seated) if state.participant(number).out),
        first_game=first_open(state, key),
        first_starter=state.starters(key)[0],
        deals=_deals(championship, key),
        known=championship.known.keys(),
    )


def _deals(championship: RunningChampionship, key: SheetKey) -> tuple[str, ...]:
    """The secrets of the deals that a table of a duplicate stage is given."""
    state = championship.now.state
    known = state.deals.get(key[0])
    if known is None or not state.format.stage(key[0]).duplicate:
        return ()
    seed = known.seed or championship.seed_of(known.commitment)
    return deal_secrets(state.format, seed, key[0], key[1]) if seed else ()


def _settings(state: ChampionshipState, hall: Hall, key: SheetKey, seats: int) -> Settings:
    """A room by the championship's book: no hints, no bots, nobody who is not let in.

    No referee sits there: an infringement counts as a draw unless the format says otherwise (R68).
    Where all tables play the same deals nobody looks on: they might be about to play them.
    """
    book = in_competition(state.format.rules(), state.format.book_options)
    duplicate = bool(state.format.stage(key[0]).duplicate)
    return Settings(
        book=book.id,
        book_version=book.version,
        options=dict(book.options),
        seats=seats,
        games=state.format.stage(key[0]).games,
        spectators="off" if duplicate else hall.spectators,
        hints=False,
        planning=False,
        stand_in_after=hall.stand_in_after,
    )


def _reserved(
    championship: RunningChampionship, keys: PersonalKeys, seated: tuple[int, ...]
) -> tuple[Reservation, ...]:
    """The chairs: each under the name that the public knows, opened by its entrant's key alone."""
    state = championship.now.state
    names: list[str] = []
    for number in seated:
        name = public_name(state.participant(number), championship.now.hall, state.date)
        short = name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1].rstrip() + "…"
        names.append(seat_name(short, names))
    return tuple(
        Reservation(name, "" if state.participant(number).out else lock_of(keys.key_of(number)))
        for name, number in zip(names, seated, strict=True)
    )
