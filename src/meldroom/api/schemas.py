"""The shapes of the HTTP interface under /api/v1, apart from opening a room."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, Literal, Self

import msgspec

from meldroom.i18n import Language, Parts
from meldroom.rooms.domain.avatars import LONGEST_AVATAR, profile_of
from meldroom.rooms.ports import FinishedGame, RoomCard
from meldroom.rooms.protocol.settings import Name
from meldroom.tiles import Tile

LONGEST_TEXT = 4_000

PositionText = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_TEXT)]
Password = Annotated[str, msgspec.Meta(min_length=8, max_length=200)]
AccountName = Annotated[str, msgspec.Meta(min_length=3, max_length=24, pattern=r"^[A-Za-z0-9_.-]+$")]


class Me(msgspec.Struct, frozen=True):
    """Who one is: a guest has no account.

    `profile` names one's page for others; `avatar` are one to three tiles, `R7 B7 *`.
    """

    id: str
    name: str
    guest: bool
    account: str | None
    language: Language
    profile: str
    avatar: str


class NewSession(msgspec.Struct, frozen=True):
    """A first visit: a name if one was given, else the server finds one."""

    name: Name | None = None
    language: Language = "en"


class ChangeMe(msgspec.Struct, frozen=True):
    """A new name to play under, another language, or another avatar; an empty one is one's own again."""

    name: Name | None = None
    language: Language | None = None
    avatar: Annotated[str, msgspec.Meta(max_length=LONGEST_AVATAR)] | None = None


class Credentials(msgspec.Struct, frozen=True):
    """An account's name and password: to make one (the guest's games go with it) or to sign in."""

    account: AccountName
    password: Password


class NewPassword(msgspec.Struct, frozen=True):
    """Another password for one's account, and the one it has."""

    old: Password
    new: Password


class Proof(msgspec.Struct, frozen=True):
    """The account's password, shown again."""

    password: Password


_Base64 = Annotated[str, msgspec.Meta(min_length=1, max_length=4000)]


class PasskeyChallenge(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a browser asks a device to sign, in base64url; for a new passkey also whose it will be.

    `known` are the passkeys this account has already.
    """

    challenge: str
    user: str = ""
    account: str = ""
    known: tuple[str, ...] = ()


class PasskeyOnly(msgspec.Struct, frozen=True):
    """Whether an account takes a passkey: the password alone does not open it any more."""

    on: bool


class NewPasskey(msgspec.Struct, frozen=True):
    """A passkey that a device has made: what the browser says of it, in base64url."""

    label: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    credential: Annotated[str, msgspec.Meta(min_length=1, max_length=1400)]
    client_data: _Base64
    authenticator_data: _Base64
    public_key: _Base64


class PasskeyProof(msgspec.Struct, frozen=True):
    """What a device has signed with a passkey, in base64url."""

    credential: Annotated[str, msgspec.Meta(min_length=1, max_length=1400)]
    client_data: _Base64
    authenticator_data: _Base64
    signature: _Base64


TokenScope = Literal["read", "play", "social"]
"""What a token is for: to see what its owner sees, to play as them, to deal with people for them."""
TOKEN_DAYS = 90


class NewToken(msgspec.Struct, frozen=True):
    """A personal token for a bot; the label is for its owner. Who plays may also read."""

    label: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    scopes: Annotated[tuple[TokenScope, ...], msgspec.Meta(min_length=1, max_length=3)] = ("read", "play")
    days: Annotated[int, msgspec.Meta(ge=1, le=365)] = TOKEN_DAYS


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

    It goes on with the jokers that an option brings into play. `levels` are the bots that differ in this
    book, from the weakest to the strongest; any other plays exactly as the one it has in `plays_as`.
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
    levels: tuple[str, ...]
    plays_as: dict[str, str]
    house: bool = False
    """Made from another book by whoever plays; the rules pages and positions know the published ones only."""


class LevelCard(msgspec.Struct, frozen=True):
    """A level of bot, an honest sentence on how it thinks, and what to expect of it in a few words.

    `style` is open, holds_back or waits_long; `label` says it in the language asked for. How it thinks where
    tiles are laid off is in `thinks_laying_off`.
    """

    id: str
    name: str
    thinks: str
    thinks_laying_off: str
    style: str
    label: str


class Catalogue(msgspec.Struct, frozen=True):
    """Everything a client asks once: the books and the levels of bots."""

    books: tuple[BookCard, ...]
    levels: tuple[LevelCard, ...]


class MeldView(msgspec.Struct, frozen=True):
    """Rummy-O: a meld and whose it is; `holders` says in front of whom each tile counts."""

    tiles: tuple[Tile, ...]
    owner: int
    holders: tuple[int, ...]


class GameCard(msgspec.Struct, frozen=True):
    """A finished game in a list; `take_backs` counts the turns that were taken back in it.

    `people` are the public ids of persons by seat, empty for bots, and for oneself in one's own list.
    """

    id: str
    room: str
    game: int
    book: str
    players: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    ended_at: int
    take_backs: int = 0
    people: tuple[str, ...] = ()

    @classmethod
    def of(cls, game: FinishedGame, mine: Collection[str] = ()) -> Self:
        """The card of a finished game, without its record and the private ids of those who played it."""
        return cls(
            game.id,
            game.room,
            game.game,
            game.book,
            game.players,
            game.scores,
            game.winners,
            game.ended_at,
            game.take_backs,
            tuple("" if one in mine else profile_of(one) for one in game.people),
        )


class ReplayStep(msgspec.Struct, frozen=True):
    """One step of a finished game: what happened in a sentence, and how everything lies after it."""

    number: int
    seat: int | None
    kind: str
    text: str
    parts: Parts
    table: tuple[tuple[Tile, ...], ...]
    melds: tuple[MeldView, ...]
    racks: tuple[tuple[Tile, ...], ...]
    pool: int
    discards: tuple[Tile, ...]
    changed: tuple[Tile, ...]


class GamePage(msgspec.Struct, frozen=True):
    """A finished game with all its steps."""

    card: GameCard
    my_seat: int | None
    steps: tuple[ReplayStep, ...]


class CheckLine(msgspec.Struct, frozen=True):
    """One thing that was checked about a record, and whether it holds; `open` if it could not be checked."""

    ok: bool
    text: str
    open: bool = False


class Verification(msgspec.Struct, frozen=True):
    """Whether a game's record and its shuffle hold, line by line."""

    ok: bool
    lines: tuple[CheckLine, ...]


class JudgedChoice(msgspec.Struct, frozen=True):
    """Which tile was taken or discarded in Rummy-O, and whether that was `good`.

    Where it is not `exact`, it is compared with what the strongest bot would have done.
    """

    good: bool
    exact: bool
    text: str
    parts: Parts


class TurnAnalysis(msgspec.Struct, frozen=True):
    """One turn of a player: what was laid, what could have been, and a sentence. `step` is where it ended.

    Rummy-O's turns also have what was taken and discarded, where there was a choice.
    """

    step: int
    laid: int
    points: int
    best_laid: int
    best_points: int
    best_table: tuple[tuple[Tile, ...], ...] | None
    text: str
    parts: Parts
    take: JudgedChoice | None = None
    discard: JudgedChoice | None = None


class Analysis(msgspec.Struct, frozen=True):
    """All turns of one seat of a finished game."""

    seat: int
    turns: tuple[TurnAnalysis, ...]


class PositionPage(msgspec.Struct, frozen=True, kw_only=True):
    """A position: how everything lies, who is to do what, and the text that says the same. -1 is unknown."""

    book: str
    options: dict[str, str | int | bool]
    text: str
    table: tuple[tuple[Tile, ...], ...]
    melds: tuple[MeldView, ...]
    racks: tuple[tuple[Tile, ...], ...]
    pool: int
    discards: tuple[Tile, ...]
    seat: int | None
    moment: Literal["turn", "discard", "take", "play", "none"]
    melded: tuple[bool, ...]


class NotationSets(msgspec.Struct, frozen=True):
    """Sets of tiles given as text, `R4 R5 R6 | K9 B9 O9`, as their faces."""

    sets: tuple[tuple[str, ...], ...]


class AskBest(msgspec.Struct, frozen=True):
    """A position to be solved; without a book, the text names it."""

    text: PositionText
    book: Annotated[str, msgspec.Meta(max_length=40)] = ""


class BestPlay(msgspec.Struct, frozen=True, kw_only=True):
    """The best play of the player to move: most tiles, then most points.

    `table` are the sets afterwards, Rummy-O's melds with their `owners`. `steps` say how the hands get there.
    """

    seat: int
    played: tuple[Tile, ...]
    tiles: int
    points: int
    table: tuple[tuple[Tile, ...], ...]
    owners: tuple[int, ...]
    discard: Tile | None
    optimal: bool
    text: str
    steps: tuple[str, ...]
    parts: Parts
    step_parts: tuple[Parts, ...]
    """The text and its steps, tiles apart from words."""


class TurnStanding(msgspec.Struct, frozen=True):
    """Of each set after a turn whether it may lie so, and how far an opening has come."""

    marks: tuple[bool, ...]
    points: int
    needed: int


class CheckViolation(msgspec.Struct, frozen=True):
    """One violation, as `meldroom check` words it."""

    code: str
    clause: str
    ruling: str
    message: str


class CheckAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer of `meldroom check`; `standing` only where it was asked for."""

    id: Any
    legal: bool
    outcome: str | None
    violations: tuple[CheckViolation, ...]
    standing: TurnStanding | None = None


class RoomOpened(msgspec.Struct, frozen=True):
    """The code of a new room; its page is /r/CODE."""

    room: str


class RoomLink(msgspec.Struct, frozen=True):
    """The link of a room that others can open; empty where only this computer can, and why.

    `only_here`: the server listens on this computer alone. `no_network`: the computer is in no network.
    """

    link: str
    alone: Literal["only_here", "no_network"] | None = None


class MyRooms(msgspec.Struct, frozen=True):
    """One's running rooms, and the games one has finished."""

    running: tuple[RoomCard, ...]
    finished: tuple[GameCard, ...]


class Lobby(msgspec.Struct, frozen=True):
    """Public rooms: those with a free seat, and those that may be watched."""

    open: tuple[RoomCard, ...]
    watch: tuple[RoomCard, ...]
