"""What can be done at a championship: one small frozen record for each action. The log is a list of these.

Sittings, tables, games and entrants are numbered from 1, as they are printed. Fields that the program
computes (tables, a ranking) are filled in by `apply`, so that a log can be read without the program.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Literal

import msgspec

from meldroom.championship.arrangements.definition import Arrangements
from meldroom.championship.eligibility import Breach
from meldroom.championship.entrants import Entrant
from meldroom.championship.formats.format import Format
from meldroom.championship.results import GameResult
from meldroom.championship.seating.raffle import Entry

Tables = tuple[tuple[int, ...], ...]
"""The entrants' numbers at each table of a sitting, in seat order."""
How = Literal["standings", "change", "hand", "late"]
Undone = Literal["present", "declined", "no_show", "withdrawn", "disqualified"]
"""What can be undone: a status that somebody was given by mistake."""

Deducted = Literal["score", "points", "wins"]
"""What a penalty can take off: a criterion of the standings."""

CHECKS = 3
"""By what a new log is checked. Logs of the first edition, which do not say, are checked by 1, and those of
the second by 2: what was let pass then still passes."""


class _Action(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, omit_defaults=True):
    """An action: its tag says what is done."""


class DrawnLot(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a lot was drawn from: the secret committed to before, a word from the hall, or both (R74)."""

    seed: str = ""
    word: str = ""
    next: str = ""
    """The commitment to the secret of the next lot."""


class Found(_Action, frozen=True, tag="found"):
    """The championship is created; always the first entry."""

    name: str
    edition: int
    date: date
    format: Format
    checks: int = 1
    """By which rules entries are let pass; new championships have `CHECKS`."""
    lot: str = ""
    """The commitment to the secret of the first lot after the raffle (R74)."""


class Adopt(_Action, frozen=True, tag="adopt"):
    """The championship continues from an exported document, since its log is lost; always the first entry."""

    document: dict[str, Any]
    """What `export` writes into event.json."""
    lot: str = ""
    """The commitment to the secret of the next lot, since the one before is lost with the log."""


class ImportEntrants(_Action, frozen=True, tag="import_entrants"):
    """A list of entrants, who get the next numbers."""

    entrants: tuple[Entrant, ...]


class AddEntrant(_Action, frozen=True, tag="add_entrant"):
    """A late entry."""

    entrant: Entrant


class AmendEntrant(_Action, frozen=True, tag="amend_entrant"):
    """An entrant's details are corrected."""

    number: int
    entrant: Entrant


class CheckIn(_Action, frozen=True, tag="check_in"):
    """An entrant is in the hall; `override` admits one whose eligibility is not shown by the list."""

    number: int
    override: bool = False
    breaks: tuple[Breach, ...] = ()
    """What an override admits against, known or not known (R70)."""


class Decline(_Action, frozen=True, tag="decline"):
    """An entrant will not come; their country's place passes down its list."""

    number: int


class NoShow(_Action, frozen=True, tag="no_show"):
    """An entrant has not come."""

    number: int


class Withdraw(_Action, frozen=True, tag="withdraw"):
    """An entrant leaves; what they have played stays."""

    number: int


class Disqualify(_Action, frozen=True, tag="disqualify"):
    """A player is disqualified and has no place any more; results against them stay."""

    number: int


class UndoStatus(_Action, frozen=True, tag="undo_status"):
    """A check-in, no-show, withdrawal, refusal or disqualification is undone; the log keeps both."""

    number: int
    undone: Undone
    """What is undone: the entrant's status now."""
    to: str = ""
    """The status that they have again."""


class Substitute(_Action, frozen=True, tag="substitute"):
    """Somebody else takes an entrant's seats that are not yet played; results stay with who played them."""

    number: int
    by: Entrant


class AnnounceDraw(_Action, frozen=True, tag="announce_draw"):
    """What is published before the raffle: entrants, plan, who is kept apart, and the commitment."""

    stage: str
    numbers: tuple[int, ...]
    """The entrants' numbers, in the order of the names in the entry."""
    entry: Entry
    commitment: str
    by: str = ""
    """Who announced it again and why, where it takes the place of another announcement."""
    why: str = ""


class AddWord(_Action, frozen=True, tag="add_word"):
    """Somebody in the hall adds a word, or dice, to the raffle."""

    stage: str
    word: str
    who: str = ""


class Reveal(_Action, frozen=True, tag="reveal"):
    """The seed is shown; the sittings follow from it."""

    stage: str
    seed: str
    sittings: tuple[Tables, ...] = ()
    starters: tuple[tuple[int, ...], ...] = ()
    """For each sitting, table by table, the seat that starts the first game, where that is drawn (R66)."""


class SeatSitting(_Action, frozen=True, tag="seat_sitting"):
    """A sitting is seated by the standings, changed for drop-outs and late entries, or set by hand.

    `late` gives late entrants open places by lot and changes nothing else (R64).
    """

    stage: str
    sitting: int
    how: How
    tables: Tables = ()
    repeats: int = 0
    sitting_out: tuple[int, ...] = ()
    starters: tuple[int, ...] = ()
    lot: DrawnLot | None = None
    """Where seats, places or starters were drawn."""


class SeatsAt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The players of a table, in seat order."""

    table: int
    players: tuple[int, ...]


class CorrectSeats(_Action, frozen=True, tag="correct_seats"):
    """Who actually sat at some tables of a sitting. Scores belong to the seats, so they go with them."""

    stage: str
    sitting: int
    tables: tuple[SeatsAt, ...]


class EnterResult(_Action, frozen=True, tag="enter_result"):
    """The result of a game."""

    stage: str
    sitting: int
    table: int
    game: int
    result: GameResult


class SignSheet(_Action, frozen=True, tag="sign_sheet"):
    """The sheet of a table's sitting is signed; who refuses is named, and the referee decides."""

    stage: str
    sitting: int
    table: int
    referee: str
    refused: tuple[int, ...] = ()


class CorrectResult(_Action, frozen=True, tag="correct_result"):
    """An earlier result is replaced by the right one; the log keeps both."""

    stage: str
    sitting: int
    table: int
    game: int
    result: GameResult


class VoidGame(_Action, frozen=True, tag="void_game"):
    """A game is void: no result for anybody (R73). Who and why are filled in from the entry."""

    stage: str
    sitting: int
    table: int
    game: int
    by: str = ""
    why: str = ""


class EndStage(_Action, frozen=True, tag="end_stage"):
    """A stage ends early with what is signed; every other game is void (R73)."""

    stage: str
    void: tuple[tuple[int, int, int], ...] = ()
    """The games that are void by it: sitting, table and game."""
    not_seated: tuple[int, ...] = ()
    """Sittings that nobody was seated for."""
    by: str = ""
    why: str = ""


class UndoVoid(_Action, frozen=True, tag="undo_void"):
    """A void game counts again, or is still to be played; without a game, the stage does not end early."""

    stage: str
    sitting: int = 0
    table: int = 0
    game: int = 0


class DecideTie(_Action, frozen=True, tag="decide_tie"):
    """Players who were level, in the order of a deciding game or of the lot (R48)."""

    stage: str
    order: tuple[int, ...]
    how: Literal["game", "lot"] = "game"
    lot: DrawnLot | None = None


class CloseStage(_Action, frozen=True, tag="close_stage"):
    """The director approves a stage; `order` is who goes on, best first, and after them who would be next."""

    stage: str
    ranking: tuple[int, ...] = ()
    order: tuple[int, ...] = ()


class Penalise(_Action, frozen=True, tag="penalise"):
    """A player is penalised. The kind is the referee's word for it; the place as far as it is known."""

    number: int
    kind: str
    tiles: int = 0
    """Tiles drawn from the pool for it."""
    leftovers: int = 0
    """Tiles that nobody could put back, which went to the player's rack."""
    stage: str | None = None
    sitting: int | None = None
    table: int | None = None
    game: int | None = None
    turn: int | None = None
    note: str = ""
    referee: str = ""
    """Who gave it; the author if nobody else is named."""
    at: datetime | None = None
    """When it happened; the time of the entry if nothing else is said."""
    deduct: int = 0
    """What is taken off in the standings of the stage, and …"""
    deduct_from: Deducted = "score"
    """… what of."""


class CancelPenalty(_Action, frozen=True, tag="cancel_penalty"):
    """A penalty is cancelled; the log keeps it. Who and why are filled in from the entry."""

    penalty: int
    """Its number, from 1."""
    by: str = ""
    why: str = ""


class SettleDispute(_Action, frozen=True, tag="settle_dispute"):
    """A dispute with its ruling, which is final and binding (WRC 9 G4; R50)."""

    question: str
    ruling: str
    clauses: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()
    parties: tuple[int, ...] = ()
    evidence: tuple[str, ...] = ()
    stage: str | None = None
    sitting: int | None = None
    table: int | None = None
    game: int | None = None
    referee: str = ""
    chief: str = ""
    at: datetime | None = None


class AnnounceDeals(_Action, frozen=True, tag="announce_deals"):
    """The deals of a duplicate stage are fixed: what is published binds the director to their seed."""

    stage: str
    commitment: str
    by: str = ""
    """Who announced them again and why, where other deals were announced before."""
    why: str = ""


class RevealDeals(_Action, frozen=True, tag="reveal_deals"):
    """The seed of the deals is shown, when the stage is played: anyone can compute them again."""

    stage: str
    seed: str


class Arrange(_Action, frozen=True, tag="arrange"):
    """Categories, prizes, teams, fees and days, all of them, in place of what was arranged before."""

    arrangements: Arrangements


class RecordPayment(_Action, frozen=True, tag="record_payment"):
    """An entrant has paid, or gets something back."""

    number: int
    amount: int
    """In hundredths; less than nothing is given back."""
    note: str = ""


class SetPin(_Action, frozen=True, tag="set_pin"):
    """A referee has a PIN to sign with at a table's device, another one, or none any more.

    The PIN itself is in no log.
    """

    referee: str
    removed: bool = False


class EraseEntrant(_Action, frozen=True, tag="erase_entrant"):
    """A person's data are erased on request: lines that held them were rewritten, and are attested here."""

    number: int
    alias: str = ""
    """What stands where the name stood."""
    lines: tuple[tuple[int, str], ...] = ()
    """Every line that was rewritten, by number, with the SHA-256 of what it says now."""


Action = (
    Found
    | Adopt
    | ImportEntrants
    | AddEntrant
    | AmendEntrant
    | CheckIn
    | Decline
    | NoShow
    | Withdraw
    | Disqualify
    | UndoStatus
    | Substitute
    | AnnounceDraw
    | AddWord
    | Reveal
    | SeatSitting
    | CorrectSeats
    | EnterResult
    | SignSheet
    | CorrectResult
    | VoidGame
    | EndStage
    | UndoVoid
    | DecideTie
    | CloseStage
    | Penalise
    | CancelPenalty
    | SettleDispute
    | AnnounceDeals
    | RevealDeals
    | Arrange
    | RecordPayment
    | SetPin
    | EraseEntrant
)


def name_of(action: Action) -> str:
    """The action's name in the log and in the table of roles."""
    return str(action.__struct_config__.tag)
