"""What happens in a room. These are its truth; everything else about it is computed from them.

`player` and `request` are those of the command that led to an event, so that a repeated command can be
answered again even after a restart. Neither is ever shown to anybody.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from meldroom.game.events import Event as GameEvent
from meldroom.rooms.protocol.commands import Phrase
from meldroom.rooms.protocol.settings import EventTable, Settings

By: TypeAlias = Literal["player", "bot", "stand_in", "clock", "agreement", "director"]


class _RoomEvent(msgspec.Struct, frozen=True, tag_field="kind", omit_defaults=True, kw_only=True, gc=False):
    at: int
    seq: int = 0
    player: str = ""
    request: str = ""


class Chair(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """Who sits at a seat. `word` is a person's part of the shuffle.

    `stand_in` is the level of a bot that plays for an absent person, `timeouts` how many of his turns in a
    row were ended by the clock.
    """

    kind: Literal["open", "person", "bot"] = "open"
    name: str = ""
    player: str = ""
    word: str = ""
    level: str | None = None
    stand_in: str | None = None
    timeouts: int = 0


class Kept(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """For whom a chair of an event's table is kept. `lock` is his key's hash, empty if nobody may sit."""

    name: str
    lock: str = ""


class RoomOpened(_RoomEvent, frozen=True, tag="room_opened", kw_only=True):
    """A room was opened, with the chairs as agreed; for an event's table they are kept for its entrants."""

    room: str
    settings: Settings
    chairs: tuple[Chair, ...]
    event: EventTable | None = None
    kept: tuple[Kept, ...] = ()
    first_game: int = 1
    """Of an event's sheet: games before it were played elsewhere."""


class ChairKept(_RoomEvent, frozen=True, tag="chair_kept", kw_only=True):
    """A chair is kept for somebody else, or under another key; who sat there sits there no more."""

    seat: int
    kept: Kept


class ShuffleSealed(_RoomEvent, frozen=True, tag="shuffle_sealed", kw_only=True):
    """The secret of the next game was chosen; its commitment is public from now on, the secret is not."""

    commitment: str
    secret: str = ""


class SeatTaken(_RoomEvent, frozen=True, tag="seat_taken", kw_only=True):
    """A person sat down, or gave another word for the shuffle."""

    seat: int
    name: str
    word: str = ""


class SeatFreed(_RoomEvent, frozen=True, tag="seat_freed", kw_only=True):
    """Somebody stood up, or the host freed the seat."""

    seat: int


class BotSeated(_RoomEvent, frozen=True, tag="bot_seated", kw_only=True):
    """The host put a bot on a seat."""

    seat: int
    name: str
    level: str


class GameStarted(_RoomEvent, frozen=True, tag="game_started", kw_only=True):
    """A game of the room began. `number` counts the room's games; with `new_match` a match begins anew."""

    number: int
    events: tuple[GameEvent, ...]
    contributions: tuple[str, ...] = ()
    deadline: int | None = None
    new_match: bool = False


class GamePlayed(_RoomEvent, frozen=True, tag="game_played", kw_only=True):
    """Everything that one action led to. `seat` is whose action it was, None where it was nobody's."""

    by: By
    events: tuple[GameEvent, ...]
    seat: int | None = None
    deadline: int | None = None


class ExtraTimeTaken(_RoomEvent, frozen=True, tag="extra_time_taken", kw_only=True):
    """The player to move added the agreed seconds to his turn."""

    seat: int
    deadline: int


class ClockRestored(_RoomEvent, frozen=True, tag="clock_restored", kw_only=True):
    """The server was away; the turn gets the time that it had left."""

    deadline: int


class StandInAsked(_RoomEvent, frozen=True, tag="stand_in_asked", kw_only=True):
    """Somebody asked that a bot plays for another who is not there."""

    seat: int
    by: int


class StoodIn(_RoomEvent, frozen=True, tag="stood_in", kw_only=True):
    """A bot plays for a person from now on: after too many time-outs, or because the others asked."""

    seat: int
    level: str
    asked: bool = False


class Reclaimed(_RoomEvent, frozen=True, tag="reclaimed", kw_only=True):
    """A person took his seat back from the bot that stood in."""

    seat: int


class Agreed(_RoomEvent, frozen=True, tag="agreed", kw_only=True):
    """Somebody said yes to ending the game, or to playing the next, or took it back."""

    seat: int
    to: Literal["end", "next"]
    yes: bool = True


class Said(_RoomEvent, frozen=True, tag="said", kw_only=True):
    """A line of chat; `seat` is None for somebody who looks on."""

    name: str
    seat: int | None = None
    text: str = ""
    phrase: Phrase | None = None


RoomEvent: TypeAlias = (
    RoomOpened
    | ChairKept
    | ShuffleSealed
    | SeatTaken
    | SeatFreed
    | BotSeated
    | GameStarted
    | GamePlayed
    | ExtraTimeTaken
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
    """An event of the log. Raises msgspec.ValidationError if it is none."""
    event: RoomEvent = _DECODER.decode(data)
    return event
