"""The shapes of the HTTP interface under /api/v1, apart from opening a room."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from meldroom.i18n import Language
from meldroom.rooms.ports import RoomCard
from meldroom.rooms.protocol.settings import Name
from meldroom.server.games.schemas import GameCard

Password = Annotated[str, msgspec.Meta(min_length=8, max_length=200)]
AccountName = Annotated[str, msgspec.Meta(min_length=3, max_length=24, pattern=r"^[A-Za-z0-9_.-]+$")]


class NewSession(msgspec.Struct, frozen=True):
    """A first visit: a name if one was given, else the server finds one."""

    name: Name | None = None
    language: Language = "en"


class ChangeMe(msgspec.Struct, frozen=True):
    """A new name to play under, or another language."""

    name: Name | None = None
    language: Language | None = None


class Credentials(msgspec.Struct, frozen=True):
    """An account's name and password: to make one (the guest's games go with it) or to sign in."""

    account: AccountName
    password: Password


class NewToken(msgspec.Struct, frozen=True):
    """A personal token for a bot; the label is for its owner."""

    label: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]


class Colour(msgspec.Struct, frozen=True):
    """A colour of a tile set: its letter, its name in the language asked for, its ink (#rrggbb)."""

    letter: str
    name: str
    ink: str


class OptionCard(msgspec.Struct, frozen=True):
    """A named alternative of a book; the first choice is the book's own."""

    name: str
    text: str
    choices: tuple[str | int | bool, ...]
    ruling: str


class BookCard(msgspec.Struct, frozen=True):
    """A rule book as a client needs it. `tiles` gives each physical tile's face: "R7", "*".

    It goes on with the jokers that an option brings into play.
    """

    id: str
    version: str
    label: str
    name: str
    family: Literal["rearranging", "laying_off"]
    summary: str
    least_players: int
    most_players: int
    opening_points: int
    opening_needs_run: bool
    clock_seconds: int
    match_games: int
    penalty_tiles: int
    shortest_set: int
    redeal_doubles: int
    strict_declare: bool
    values: dict[str, int]
    colours: tuple[Colour, ...]
    tiles: tuple[str, ...]
    options: tuple[OptionCard, ...]


class LevelCard(msgspec.Struct, frozen=True):
    """A level of bot and an honest sentence on how it thinks."""

    id: str
    name: str
    thinks: str


class Catalogue(msgspec.Struct, frozen=True):
    """Everything a client asks once: the books and the levels of bots."""

    books: tuple[BookCard, ...]
    levels: tuple[LevelCard, ...]


class RoomOpened(msgspec.Struct, frozen=True):
    """The code of a new room; its page is /r/CODE."""

    room: str


class MyRooms(msgspec.Struct, frozen=True):
    """One's running rooms, and the games one has finished."""

    running: tuple[RoomCard, ...]
    finished: tuple[GameCard, ...]


class Lobby(msgspec.Struct, frozen=True):
    """Public rooms: those with a free seat, and those that may be watched."""

    open: tuple[RoomCard, ...]
    watch: tuple[RoomCard, ...]
