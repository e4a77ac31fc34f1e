"""The events of a room: the log holds them in full, clients get them censored.

All else about a room follows from them. `player`, `request` and `digest` tell the command behind an event,
so that a repeated command is answered again even after a restart. They are never sent to anybody.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from meldroom.game.events import Event as GameEvent
from meldroom.rooms.protocol.commands import Phrase
from meldroom.rooms.protocol.settings import BotSpeed, ChampionshipTable, Settings

By: TypeAlias = Literal["player", "bot", "stand_in", "clock", "agreement", "director"]


class _RoomEvent(msgspec.Struct, frozen=True, tag_field="kind", omit_defaults=True, kw_only=True, gc=False):
    at: int
    seq: int = 0
    player: str = ""
    request: str = ""
    digest: str = ""


class Chair(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Who sits at a seat. `word` is a person's contribution to the shuffle.

    `stand_in` is the level of the bot that plays for an absent person, `timeouts` how many of their turns
    in a row were ended by the clock. `avatar` are the tiles that a person has chosen for theirs.
    """

    kind: Literal["open", "person", "bot"] = "open"
    name: str = ""
    player: str = ""
    word: str = ""
    level: str | None = None
    stand_in: str | None = None
    timeouts: int = 0
    avatar: str = ""


class Reservation(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """For whom a seat is reserved. `lock` is the hash of their key, empty if nobody may sit."""

    name: str
    lock: str = ""


class RoomOpened(_RoomEvent, frozen=True, tag="room_opened", kw_only=True):
    """A room was opened; a championship's table has its seats reserved for the entrants."""

    room: str
    settings: Settings
    chairs: tuple[Chair, ...]
    championship: ChampionshipTable | None = None
    reserved: tuple[Reservation, ...] = ()
    first_game: int = 1
    """The first game of a championship's sheet that is played here."""
    first_starter: int = 0
    """The seat that starts the sheet's first game: drawn by lot where not all start equally often (R66)."""
    deals: tuple[str, ...] = ()
    """At a table of a duplicate stage, the secrets of its games' deals; every table has the same."""


class SeatReserved(_RoomEvent, frozen=True, tag="seat_reserved", kw_only=True):
    """A seat was reserved for somebody else, or under another key; whoever sat there has left it."""

    seat: int
    reserved: Reservation


class ShuffleSealed(_RoomEvent, frozen=True, tag="shuffle_sealed", kw_only=True):
    """The secret of the next shuffle was chosen; only its commitment is public."""

    commitment: str
    secret: str = ""


class SeatTaken(_RoomEvent, frozen=True, tag="seat_taken", kw_only=True):
    """A person sat down, or changed their contribution to the shuffle."""

    seat: int
    name: str
    word: str = ""
    avatar: str = ""


class SeatFreed(_RoomEvent, frozen=True, tag="seat_freed", kw_only=True):
    """Somebody left their seat, or the host opened it."""

    seat: int


class BotSeated(_RoomEvent, frozen=True, tag="bot_seated", kw_only=True):
    """The host put a bot on a seat."""

    seat: int
    name: str
    level: str


class GameStarted(_RoomEvent, frozen=True, tag="game_started", kw_only=True):
    """A game began. `number` counts the room's games; with `new_match` it is the first of a match.

    With `starts_at` a start phase began, which ends then at the latest, and no turn's clock runs yet (R69).
    """

    number: int
    events: tuple[GameEvent, ...]
    contributions: tuple[str, ...] = ()
    deadline: int | None = None
    new_match: bool = False
    starts_at: int | None = None


class GamePlayed(_RoomEvent, frozen=True, tag="game_played", kw_only=True):
    """Everything that one action led to. `seat` is who took it, or whose time ran out.

    With `starts_at` the tiles were dealt again, and a new start phase began.
    """

    by: By
    events: tuple[GameEvent, ...]
    seat: int | None = None
    deadline: int | None = None
    starts_at: int | None = None


class SaidReady(_RoomEvent, frozen=True, tag="said_ready", kw_only=True):
    """In the start phase a player said that play may begin."""

    seat: int


class PlayBegan(_RoomEvent, frozen=True, tag="play_began", kw_only=True):
    """The start phase is over: everybody is ready, or its time is up. The clock of the first turn runs."""

    deadline: int | None = None


class TurnTakenBack(_RoomEvent, frozen=True, tag="turn_taken_back", kw_only=True):
    """A player took back their last turn, and with it what bots did since.

    Of the game's events the first `kept` still hold. The same tiles will be drawn again.
    """

    seat: int
    kept: int
    deadline: int | None = None


class ExtraTimeTaken(_RoomEvent, frozen=True, tag="extra_time_taken", kw_only=True):
    """The player to move added the extra seconds to the turn."""

    seat: int
    deadline: int


class BotSpeedSet(_RoomEvent, frozen=True, tag="bot_speed_set", kw_only=True):
    """The host chose how long bots take at least."""

    speed: BotSpeed


class ClockRestored(_RoomEvent, frozen=True, tag="clock_restored", kw_only=True):
    """The server was down; the turn, or the start phase, gets back the time it had left."""

    deadline: int


class StandInAsked(_RoomEvent, frozen=True, tag="stand_in_asked", kw_only=True):
    """Somebody voted for a bot to play for an absent person."""

    seat: int
    by: int


class StoodIn(_RoomEvent, frozen=True, tag="stood_in", kw_only=True):
    """A bot plays for a person from now on: after too many time-outs, or because the others voted for it."""

    seat: int
    level: str
    asked: bool = False


class Reclaimed(_RoomEvent, frozen=True, tag="reclaimed", kw_only=True):
    """A person took their seat back from the bot that stood in."""

    seat: int


class Agreed(_RoomEvent, frozen=True, tag="agreed", kw_only=True):
    """Somebody offered to end the game or to play the next one, or withdrew the offer."""

    seat: int
    to: Literal["end", "next"]
    yes: bool = True


class Said(_RoomEvent, frozen=True, tag="said", kw_only=True):
    """A chat message; `seat` is null for a spectator."""

    name: str
    seat: int | None = None
    text: str = ""
    phrase: Phrase | None = None


RoomEvent: TypeAlias = (
    RoomOpened
    | SeatReserved
    | ShuffleSealed
    | SeatTaken
    | SeatFreed
    | BotSeated
    | GameStarted
    | GamePlayed
    | SaidReady
    | PlayBegan
    | TurnTakenBack
    | ExtraTimeTaken
    | BotSpeedSet
    | ClockRestored
    | StandInAsked
    | StoodIn
    | Reclaimed
    | Agreed
    | Said
)

_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(RoomEvent)


def encode(event: RoomEvent) -> bytes:
    """An event as the log keeps it."""
    return _ENCODER.encode(event)


def decode(data: bytes) -> RoomEvent:
    """An event of the log, also one written by version 0.1. Raises msgspec.ValidationError."""
    if data.startswith(_OLD_KINDS):
        return _from_0_1(msgspec.json.decode(data))
    event: RoomEvent = _DECODER.decode(data)
    return event


_OLD_KINDS = (b'{"kind":"room_opened"', b'{"kind":"chair_kept"')


def _from_0_1(fields: dict[str, Any]) -> RoomEvent:
    """Version 0.1 called a championship an event, and a reserved seat a kept chair."""
    if fields["kind"] == "chair_kept":
        fields["kind"] = "seat_reserved"
    if "kept" in fields:
        fields["reserved"] = fields.pop("kept")
    if "event" in fields:
        table = fields.pop("event")
        fields["championship"] = {"championship": table.pop("event"), **table}
    event: RoomEvent = msgspec.convert(fields, RoomEvent)
    return event
