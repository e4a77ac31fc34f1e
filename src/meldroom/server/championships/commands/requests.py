"""What a device may send: commands for the championship's log, and commands for its hall."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec

from meldroom.championship.actions import (
    AddEntrant,
    AddWord,
    AmendEntrant,
    CancelPenalty,
    CheckIn,
    CorrectSeats,
    DecideTie,
    Decline,
    Disqualify,
    How,
    NoShow,
    Penalise,
    RecordPayment,
    Substitute,
    Tables,
    UndoStatus,
    UndoVoid,
    Withdraw,
)
from meldroom.championship.entrants import DateOrder, Entrant
from meldroom.championship.log.pins import PinText
from meldroom.championship.results import Rack
from meldroom.championship.seating.raffle import ApartIn
from meldroom.championship.state import GameKey
from meldroom.rules.scoring import GoingOut
from meldroom.server.championships.hall.commands import HallCommand, Line

LONGEST_CSV = 1_000_000
MOST_IN_OUTBOX = 500
CommandId = Annotated[str, msgspec.Meta(min_length=8, max_length=64, pattern="^[A-Za-z0-9_-]+$")]


class _Command(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, omit_defaults=True):
    """A command: its tag is the name of the championship's action."""


class ImportList(_Command, frozen=True, tag="import_entrants"):
    """A list of entrants: the text of a CSV file, or entrants one by one."""

    csv: Annotated[str, msgspec.Meta(max_length=LONGEST_CSV)] = ""
    entrants: tuple[Entrant, ...] = ()
    dates: DateOrder | None = None
    """The order of day and month in dates such as 31/12/1990, which are refused without it."""
    similar: bool = False
    """Whether names that differ only in capitals or spaces are two people."""


class Announce(_Command, frozen=True, tag="announce_draw"):
    """The draw of a stage is announced. Without a seed the server makes one, keeps it and shows it."""

    stage: str = ""
    seed: Annotated[str, msgspec.Meta(max_length=200)] = ""
    apart_by: Literal["", "country", "team"] = ""
    apart: tuple[tuple[int, ...], ...] = ()
    """Groups of entrants' numbers of whom no two share a table."""
    apart_as_before: bool = False
    """Whether groups who were kept apart in the draws before are so again."""
    apart_in: ApartIn = "all"
    seeds: Annotated[tuple[str, ...], msgspec.Meta(max_length=2000)] = ()
    """Names of a rating list, best first: the best of the field get a table each."""
    new_opponents: bool = False
    """Whether opponents of the stages before are avoided, as far as that is possible."""
    one_short: bool = False
    """Whether a second short table is avoided, as far as that is possible."""


class ShowSeed(_Command, frozen=True, tag="reveal"):
    """The seed is shown, and the sittings follow. Without one it is the seed that the server kept."""

    stage: str = ""
    seed: Annotated[str, msgspec.Meta(max_length=200)] = ""


class Seat(_Command, frozen=True, tag="seat_sitting"):
    """A sitting is seated; if none is named, by the standings the next one, else the one being played."""

    how: How = "standings"
    stage: str = ""
    sitting: int = 0
    tables: Tables = ()
    word: Line = ""
    """What the hall adds to the lot that is drawn for it."""


class PlayedGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A game as it was played: scores by seat, or racks by seat, which are counted by the book."""

    stage: str
    sitting: int
    table: int
    game: int
    scores: tuple[int | None, ...] = ()
    winners: tuple[int, ...] = ()
    """By seat from 0; only needed where the scores do not tell."""
    exhausted: bool | None = None
    """With scores: whether the pool ran out. It must be said where nobody is in plus."""
    racks: tuple[Rack | None, ...] = ()
    winner: int | None = None
    """With racks: the seat that went out, from 0; nobody if the pool was exhausted."""
    going_out: GoingOut | None = None
    winner_tiles: tuple[str, ...] = ()

    @property
    def key(self) -> GameKey:
        """Which game it is."""
        return self.stage, self.sitting, self.table, self.game


class Enter(PlayedGame, frozen=True, tag_field="do", tag="enter_result"):
    """The result of a game."""


class Correct(PlayedGame, frozen=True, tag_field="do", tag="correct_result"):
    """An earlier result is replaced by the right one."""


class Sign(_Command, frozen=True, tag="sign_sheet"):
    """Sign the sheet of a table's sitting; the sender signs as referee unless somebody else is named."""

    stage: str
    sitting: int
    table: int
    referee: Line = ""
    refused: tuple[int, ...] = ()


class Close(_Command, frozen=True, tag="close_stage"):
    """The director approves a stage; without a name, the one being played."""

    stage: str = ""


class MakeVoid(_Command, frozen=True, tag="void_game"):
    """A game has no result for anybody; everybody can read the reason."""

    stage: str
    sitting: int
    table: int
    game: int


class EndEarly(_Command, frozen=True, tag="end_stage"):
    """A stage ends with what is signed; without a name, the one being played."""

    stage: str = ""


class Settle(_Command, frozen=True, tag="settle_dispute"):
    """A dispute with its ruling; `cites` are clauses (`#7`), rulings (`R29`), fields or codes of the book."""

    question: str
    ruling: str
    cites: tuple[str, ...] = ()
    parties: tuple[int, ...] = ()
    evidence: tuple[str, ...] = ()
    stage: str | None = None
    sitting: int | None = None
    table: int | None = None
    game: int | None = None
    referee: Line = ""
    chief: Line = ""
    at: datetime | None = None


class FixDeals(_Command, frozen=True, tag="announce_deals"):
    """The deals of a duplicate stage are fixed. Without a seed the server makes and keeps one."""

    stage: str = ""
    seed: Annotated[str, msgspec.Meta(max_length=200)] = ""


class ShowDeals(_Command, frozen=True, tag="reveal_deals"):
    """The seed of the deals is shown. Without one it is the seed that the server kept."""

    stage: str = ""
    seed: Annotated[str, msgspec.Meta(max_length=200)] = ""


class ArrangeAll(_Command, frozen=True, tag="arrange"):
    """Categories, prizes, teams, fees and days, all of them, as a TOML file has them."""

    arrangements: dict[str, Any]


class Erase(_Command, frozen=True, tag="erase_entrant"):
    """A person's data are taken out of the championship on request; number, country and results stay."""

    number: int


LogCommand = (
    ImportList
    | AddEntrant
    | AmendEntrant
    | CheckIn
    | Decline
    | NoShow
    | Withdraw
    | Disqualify
    | UndoStatus
    | Substitute
    | Announce
    | AddWord
    | ShowSeed
    | Seat
    | CorrectSeats
    | Enter
    | Correct
    | Sign
    | MakeVoid
    | EndEarly
    | UndoVoid
    | DecideTie
    | Close
    | Penalise
    | CancelPenalty
    | Settle
    | FixDeals
    | ShowDeals
    | ArrangeAll
    | RecordPayment
    | Erase
)
Command = LogCommand | HallCommand


class CommandRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One command. The same `id` again is answered as the first time and never done twice."""

    id: CommandId
    command: Command
    seen: int | None = None
    """The version that the page showed when this was decided."""
    preview: bool = False
    """Only tell what it would change."""
    reason: Line = ""
    by: Line = ""
    """Who is at the device, where several people share a key."""
    pin: PinText = ""
    """Their PIN, where a table's device does what only a referee may."""
    device: Annotated[str, msgspec.Meta(max_length=64, pattern="^[A-Za-z0-9_-]*$")] = ""
    """Which device sends it; a table's device must say so."""


class Outbox(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a device did while it was off the network, in order; each is answered on its own."""

    commands: Annotated[tuple[CommandRequest, ...], msgspec.Meta(max_length=MOST_IN_OUTBOX)]
