"""The rows of rooms and of finished games: how they are written and read back."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, select, update

from meldroom.rooms.ports import FinishedGame, RoomCard
from meldroom.server.storage.leases import append_fenced
from meldroom.server.storage.tables import (
    finished_games,
    former_guests,
    people_in_games,
    people_in_rooms,
    played_games,
    players,
    room_cards,
    room_events,
)
from meldroom.server.storage.writer import Append

MOST_REMEMBERED = 20_000

_CHANGE_CARD = (
    update(room_cards)
    .where(room_cards.c.room == bindparam("the_room"))
    .values(
        stage=bindparam("stage"),
        public=bindparam("public"),
        changed_at=bindparam("changed_at"),
        card=bindparam("card"),
    )
)
_read_card = msgspec.json.Decoder(RoomCard).decode
_read_summary = msgspec.json.Decoder(FinishedGame).decode


class RoomRows:
    """Writes events with everything that lists need, in as few statements as there are tables."""

    def __init__(self) -> None:
        self._seated: dict[str, tuple[str, ...]] = {}

    def write(self, connection: Connection, appends: Sequence[Append]) -> None:
        """Write events, cards, and the index of people.

        Raises IntegrityError if a place is taken, FencedError if a room belongs to another node.
        """
        try:
            self._write(connection, appends)
        except BaseException:
            self.forget()
            raise

    def _write(self, connection: Connection, appends: Sequence[Append]) -> None:
        if appends[0].epoch is None:
            events = [{"room": one.room, "seq": one.seq, "event": one.event} for one in appends]
            connection.execute(insert(room_events), events)
        else:
            append_fenced(connection, appends)
        new = [_card_row(one.card) for one in appends if one.seq == 1]
        if new:
            connection.execute(insert(room_cards), new)
        changed = {one.room: one for one in appends if one.seq > 1}
        if changed:
            rows = [{"the_room": room, **_card_row(one.card)} for room, one in changed.items()]
            for row in rows:
                del row["room"]
            connection.execute(_CHANGE_CARD, rows)
        self._seat(connection, appends)
        for one in appends:
            if one.finished is not None:
                _finish(connection, one.finished)

    def _seat(self, connection: Connection, appends: Sequence[Append]) -> None:
        """Keep the index of who is in which room; nothing to do for most events."""
        for one in appends:
            people = tuple(sorted(set(filter(None, one.card.players))))
            if self._seated.get(one.room) == people:
                continue
            self._seated.pop(one.room, None)
            connection.execute(delete(people_in_rooms).where(people_in_rooms.c.room == one.room))
            if people:
                rows = [{"player": player, "room": one.room} for player in people]
                connection.execute(insert(people_in_rooms), rows)
            if len(self._seated) >= MOST_REMEMBERED:
                self._seated.clear()
            self._seated[one.room] = people

    def forget(self, room: str | None = None) -> None:
        """Trust nothing remembered: a transaction was undone, or another node had a room."""
        if room is None:
            self._seated.clear()
        else:
            self._seated.pop(room, None)


def _card_row(card: RoomCard) -> dict[str, object]:
    return {
        "room": card.room,
        "stage": card.stage,
        "public": card.public,
        "changed_at": card.changed_at,
        "card": msgspec.json.encode(card),
    }


def card_of(row: bytes) -> RoomCard:
    """A card as it was written."""
    return _read_card(row)


def _finish(connection: Connection, game: FinishedGame) -> None:
    """Keep a finished game, under the people its guests have since become.

    Who is becoming somebody else on another node at this moment is waited for.
    """
    connection.execute(
        select(players.c.id).where(players.c.id.in_(sorted(set(game.people)))).with_for_update(read=True)
    )
    owners = select(former_guests).where(former_guests.c.guest.in_(sorted(set(game.people))))
    became = {row.guest: row.player for row in connection.execute(owners).all()}
    people = tuple(became.get(player, player) for player in game.people)
    connection.execute(
        insert(finished_games),
        {
            "id": game.id,
            "ended_at": game.ended_at,
            "summary": _summary(game, people),
            "record": game.record,
        },
    )
    known = sorted({player for player in people if player})
    if known:
        rows = [{"player": one, "game": game.id, "ended_at": game.ended_at} for one in known]
        connection.execute(insert(people_in_games), rows)


def _summary(game: FinishedGame, people: tuple[str, ...]) -> bytes:
    return msgspec.json.encode(msgspec.structs.replace(game, people=people, record=""))


def move_games(connection: Connection, guest: str, player: str) -> None:
    """Finished games of a guest become a player's. Where both sat, the player has the game already."""
    theirs = select(people_in_games.c.game).where(people_in_games.c.player == player)
    found = (
        select(finished_games.c.id, finished_games.c.summary)
        .join(people_in_games, people_in_games.c.game == finished_games.c.id)
        .where(people_in_games.c.player == guest)
    )
    for row in connection.execute(found).all():
        game = _read_summary(row.summary)
        people = tuple(player if one == guest else one for one in game.people)
        change = update(finished_games).where(finished_games.c.id == row.id)
        connection.execute(change.values(summary=_summary(game, people)))
    guests = people_in_games.c.player == guest
    connection.execute(delete(people_in_games).where(guests, people_in_games.c.game.in_(theirs)))
    connection.execute(update(people_in_games).where(guests).values(player=player))
    counted = select(played_games.c.game).where(played_games.c.player == player)
    guests = played_games.c.player == guest
    connection.execute(delete(played_games).where(guests, played_games.c.game.in_(counted)))
    connection.execute(update(played_games).where(guests).values(player=player))


def game_of(summary: bytes, record: str = "") -> FinishedGame:
    """A finished game as it was written, with its record's text where that was asked for."""
    return msgspec.structs.replace(_read_summary(summary), record=record)
