"""What nodes say to each other. Losing any of it loses nothing: all that lasts is in the database."""

from __future__ import annotations

import msgspec

from meldroom.api.profiles.schemas import Presence
from meldroom.i18n import Language
from meldroom.rooms.ports import Player


class BusMessage(msgspec.Struct, frozen=True, array_like=True):
    """Encoded as an array: its tag, then its fields."""


class Asked(BusMessage, frozen=True, tag=1):
    """A client's command for a room of the receiver. `age` is how long ago it arrived, in ms."""

    number: int
    node: str
    client: int
    player: Player
    language: Language
    command: bytes
    age: int


class Answered(BusMessage, frozen=True, tag=2):
    """The answer to a command; empty if the room is not the sender's."""

    number: int
    answer: bytes


class Delivered(BusMessage, frozen=True, tag=3):
    """Something to send to a client of the receiver. `number` counts all of these between two nodes."""

    node: str
    number: int
    client: int
    message: bytes


class Gone(BusMessage, frozen=True, tag=4):
    """A client of the sender has gone."""

    node: str
    client: int


class Moved(BusMessage, frozen=True, tag=5):
    """A room is the sender's now. Everybody is told."""

    node: str
    room: str


class Left(BusMessage, frozen=True, tag=6):
    """The sender has given all its rooms back. Everybody is told."""

    node: str


class SignedOut(BusMessage, frozen=True, tag=7):
    """A session or a token is worth nothing any more. Everybody is told."""

    node: str
    session: str
    token: str


class Back(BusMessage, frozen=True, tag=8):
    """The sender was cut off for a while: what it sent meanwhile is lost. Everybody is told."""

    node: str


class People(BusMessage, frozen=True, tag=9):
    """Who is at the sender, `whole` or only what has changed. `number` counts these. Everybody is told."""

    node: str
    number: int
    whole: bool
    people: dict[str, Presence]


class WhoIsHere(BusMessage, frozen=True, tag=10):
    """The sender does not know who is where. Everybody is asked."""

    node: str


class Freed(BusMessage, frozen=True, tag=11):
    """Unused rooms are the sender's no more: whoever is asked for one takes it. Everybody is told."""

    node: str
    rooms: tuple[str, ...]


class Changed(BusMessage, frozen=True, tag=12):
    """Lists that pages follow may have changed: by topic the ids of what has. Everybody is told."""

    node: str
    changes: dict[str, tuple[str, ...]]


class ChampionshipChanged(BusMessage, frozen=True, tag=20):
    """The sender has changed a championship that is kept in the database. Everybody is told."""

    node: str
    code: str


Message = (
    Asked
    | Answered
    | Delivered
    | Gone
    | Moved
    | Left
    | SignedOut
    | Back
    | People
    | WhoIsHere
    | Freed
    | Changed
    | ChampionshipChanged
)

encode = msgspec.msgpack.Encoder().encode
decode = msgspec.msgpack.Decoder(Message).decode
