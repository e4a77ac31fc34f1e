"""What a frame says about tiles, and what its receiver may know: the log tells the truth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from meldroom.game.state import State
from meldroom.rooms.domain.state import Room, steps
from meldroom.rooms.protocol.events import RoomEvent
from meldroom.tiles import Tile

_NO_TILES = """
    seq since rev at now deadline turn_began seat seats starter me game games played number deals pool_size
    passes reshuffles timeouts spectators stand_in_after amount extra rack_sizes turns queue scores totals
    wins winners agreed_end agreed_next asked_stand_in owner holders order step steps laid points needed
    version retry_ms score index stated set low high colour next_at sitting
    visible_at taken_back take_backs kept good unseen
    opened_at changed_at waiting_for ended_at created_at pending
    people_games people_wins longest_run judged_games infringements
"""
NO_TILES = frozenset(_NO_TILES.split())
"""Fields whose numbers are no tiles. A number in any other field is taken for one."""

TURNED_OVER = "rounds"
"""Tiles shown to everybody and then mixed back before anything was dealt (R3)."""


def tiles_told(message: Any, field: str = "") -> Iterator[tuple[str, Tile]]:
    """Every tile that a message names, with the field it stands in. Hidden ones (-1) name none."""
    if isinstance(message, dict):
        for key, value in message.items():
            yield from tiles_told(value, field if key.isdigit() else key)
    elif isinstance(message, list):
        for value in message:
            yield from tiles_told(value, field)
    elif _is_number(message) and field not in NO_TILES and field != TURNED_OVER:
        yield field, message


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def visible(state: State | None, seat: int | None) -> set[Tile]:
    """The tiles whose place a seat, or a spectator (None), may know."""
    if state is None:
        return set()
    seen = {tile for tiles in state.table for tile in tiles}
    seen |= {tile for meld in state.melds for tile in meld.tiles}
    seen |= {*state.discards, *state.stand_ins}
    for owner, rack in enumerate(state.racks):
        if state.over or owner == seat:
            seen |= {*rack}
    return seen


class Truth:
    """A room's whole log, and how everything lay after each of its events."""

    def __init__(self, log: Sequence[RoomEvent]) -> None:
        self.rooms: list[Room] = list(steps(log))

    def room(self, seq: int) -> Room:
        """The room after the event of this number."""
        return self.rooms[seq - 1]

    def leaks(self, message: dict[str, Any], seat: int | None) -> list[str]:
        """The tiles that a message tells its receiver and must not; empty for a message that is well."""
        if message["type"] == "update":
            return self._leaks_of_update(message, seat)
        if message["type"] == "drafted":
            # What is being laid is seen by everybody, and lies there after the next event of the game.
            allowed = set[Tile]()
            for room in self.rooms:
                if room.rev >= message["rev"]:
                    allowed |= visible(room.game, seat)
                if room.rev > message["rev"]:
                    break
            return _beyond(message, allowed)
        return _beyond(message, set())

    def _leaks_of_update(self, update: dict[str, Any], seat: int | None) -> list[str]:
        leaks: list[str] = []
        for event in update["events"]:
            seq = event["seq"]
            allowed = visible(self.room(seq).game, seat)
            if seq > 1:
                allowed |= visible(self.room(seq - 1).game, seat) & _taken_from_discards(event)
            leaks += _beyond(event, allowed)
        view, seq = update["view"], update["seq"]
        leaks += _beyond(update.get("history", []), self._seen_until(seq, seat))
        game = dict(view.get("game") or {})
        drawn = set(game.pop("drawn", [])) - self._held_until(seq, seat)
        leaks += [f"drawn: tile {tile}" for tile in sorted(drawn)]
        return leaks + _beyond({**view, "game": game}, visible(self.room(seq).game, seat))

    def _seen_until(self, seq: int, seat: int | None) -> set[Tile]:
        """What a seat has seen in this game: its history tells of tiles that others hold by now."""
        now = self.room(seq)
        games = (room.game for room in self.rooms[:seq] if room.number == now.number)
        return {tile for game in games for tile in visible(game, seat)}

    def _held_until(self, seq: int, seat: int | None) -> set[Tile]:
        """What a seat has had on its rack in this game: it may remember one that it took and threw."""
        now = self.room(seq)
        games = (room.game for room in self.rooms[:seq] if room.number == now.number)
        return {
            tile
            for game in games
            if game is not None and seat is not None and game.racks
            for tile in game.racks[seat]
        }


def _taken_from_discards(event: dict[str, Any]) -> set[Tile]:
    """Rummy-O: a discard that somebody takes is seen by everybody as it is taken."""
    made = event.get("events", [])
    return {each["tile"] for each in made if each["event"] == "took" and each["source"] == "discard"}


def _beyond(message: Any, allowed: set[Tile]) -> list[str]:
    return [f"{field}: tile {tile}" for field, tile in tiles_told(message) if tile not in allowed]
