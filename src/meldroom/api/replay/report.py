"""The coach's report of a game as the pages get it: chances, turning points, and every turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from meldroom.coach.moves import Move
from meldroom.coach.reasons import Reason
from meldroom.coach.report import Better, Report, Theme, TurnReport, Verdict
from meldroom.coach.report import report as coach_report
from meldroom.coach.turns import every_reason
from meldroom.game.notation.svg import as_read
from meldroom.i18n import Language, Message, Parts, joined, message
from meldroom.record import Record
from meldroom.rules.book import RuleBook
from meldroom.rules.library import resolve
from meldroom.solver.explanation.text import tile_part
from meldroom.tiles import Tile

PUZZLES: dict[Theme, str] = {
    "go_out": "go_out",
    "most_tiles": "most_tiles",
    "open": "open",
    "free_joker": "joker",
    "hold_or_lay": "hold",
    "take_or_leave": "take",
}
"""The kind of puzzles that a theme is practised with."""


class Told(msgspec.Struct, frozen=True):
    """Sentences, as text and with their tiles apart."""

    text: str
    parts: Parts


class ReportMove(msgspec.Struct, frozen=True):
    """A move: how many tiles it lays, their points, how the table lies then, and the move in words."""

    kind: Literal["lay", "draw", "pass", "discard", "none"]
    laid: int
    points: int
    table: tuple[tuple[Tile, ...], ...] | None
    told: Told


class ReportBetter(msgspec.Struct, frozen=True):
    """A play that was better: how much more often it wins in so many games, or `exact`: it goes out."""

    move: ReportMove
    gain: float
    games: int
    exact: bool
    theme: Theme
    theme_name: str


class ReportTurn(msgspec.Struct, frozen=True):
    """A turn: the chance before it, what was done, the most tiles if that was more, what a strong player
    does.

    `step` is where it ended. `did_why` and `strong_why` say why; each holds for the position as it was.
    """

    number: int
    step: int
    chance: float
    verdict: Verdict
    did: ReportMove
    most: ReportMove | None
    strong: ReportMove
    did_why: Told | None
    strong_why: Told | None
    better: ReportBetter | None


class ReportPoint(msgspec.Struct, frozen=True):
    """The chances of all seats before the turn that ended at `step`; `doubt` is half of the interval."""

    step: int
    chances: tuple[float, ...]
    doubt: float


class ReportTurningPoint(msgspec.Struct, frozen=True):
    """Where the chance of the seat changed most: before the turn that ended at `step`, and after it."""

    step: int
    before: float
    after: float


class ReportMistakes(msgspec.Struct, frozen=True):
    """How many turns could have been better in one way; `theme` is also a theme of puzzles."""

    theme: Theme
    name: str
    count: int


class GameReport(msgspec.Struct, frozen=True):
    """The report of one seat of a finished game. Without imagined games, chances are those at sight.

    `puzzles` is the kind of puzzles with which to practise, empty where there are none.
    """

    seat: int
    games: int
    curve: tuple[ReportPoint, ...]
    turning: tuple[ReportTurningPoint, ...]
    turns: tuple[ReportTurn, ...]
    mistakes: tuple[ReportMistakes, ...]
    practise: Theme | None
    puzzles: str = ""


def game_report(record: Record, seat: int, language: Language, games: int | None = None) -> GameReport:
    """The report of a seat, told in one language."""
    book = resolve(record.headers.created.book)
    return told_report(coach_report(record, seat, games=games), book, language)


def told_report(found: Report, book: RuleBook, language: Language) -> GameReport:
    """A report in one language."""
    return GameReport(
        found.seat,
        found.games,
        tuple(
            ReportPoint(each.step, tuple(round(chance, 4) for chance in each.chances), round(each.doubt, 4))
            for each in found.curve
        ),
        tuple(
            ReportTurningPoint(each.step, round(each.before, 4), round(each.after, 4))
            for each in found.turning
        ),
        tuple(_turn(each, book, language) for each in found.turns),
        tuple(
            ReportMistakes(theme, theme_name(theme, language), count)
            for theme, count in sorted(found.mistakes.items(), key=lambda each: (-each[1], each[0]))
        ),
        found.practise,
        PUZZLES.get(found.practise, "") if found.practise is not None else "",
    )


class StepReason(msgspec.Struct, frozen=True):
    """Why a seat moved as it did; the turn begins at `step`."""

    step: int
    seat: int
    told: Told


class GameReasons(msgspec.Struct, frozen=True):
    """The reasons of all moves whose reason shows, in their order."""

    reasons: tuple[StepReason, ...]


def game_reasons(record: Record, language: Language) -> GameReasons:
    """Why each move of a game was made."""
    found = (
        StepReason(each.step, each.seat, _told((one.message for one in each.reasons), language))
        for each in every_reason(record)
        if each.reasons
    )
    return GameReasons(tuple(sorted(found, key=lambda each: each.step)))


def theme_name(theme: Theme, language: Language) -> str:
    """What a theme is called."""
    return message(f"coach.theme.{theme}", language)


def told_move(move: Move, book: RuleBook, language: Language) -> Told:
    """A move in words."""
    return _told(_said(move, book), language)


def _turn(turn: TurnReport, book: RuleBook, language: Language) -> ReportTurn:
    return ReportTurn(
        turn.number,
        turn.step,
        round(turn.chance, 4),
        turn.verdict,
        _move(turn.did, book, language),
        None if turn.most is None else _move(turn.most, book, language),
        _move(turn.strong, book, language),
        _why(turn.did_why, language),
        _why(turn.strong_why, language),
        None if turn.better is None else _better(turn.better, book, language),
    )


def _better(better: Better, book: RuleBook, language: Language) -> ReportBetter:
    move = _move(better.move, book, language)
    name = theme_name(better.theme, language)
    return ReportBetter(move, round(better.gain, 4), better.games, better.exact, better.theme, name)


def _move(move: Move, book: RuleBook, language: Language) -> ReportMove:
    table = move.table
    if table is not None and book.family == "rearranging":
        table = tuple(as_read(book, tiles) for tiles in table)
    return ReportMove(move.kind, len(move.laid), move.points, table, told_move(move, book, language))


def _said(move: Move, book: RuleBook) -> Iterator[Message]:
    """A move as sentences: what is taken, laid and thrown."""
    if move.took is not None:
        yield Message(f"coach.move.take_{move.took}")
    if move.laid:
        yield Message("coach.move.lay", {"tiles": tile_part(move.laid, book.tiles)})
    if move.thrown is not None:
        yield Message("coach.move.discard", {"tile": tile_part((move.thrown,), book.tiles)})
    if move.kind in ("draw", "pass", "none"):
        yield Message(f"coach.move.{move.kind}")


def _why(reasons: tuple[Reason, ...], language: Language) -> Told | None:
    return _told((each.message for each in reasons), language) if reasons else None


def _told(said: Iterable[Message], language: Language) -> Told:
    sentences = list(said)
    return Told(
        " ".join(each.text(language) for each in sentences),
        joined(each.parts(language) for each in sentences),
    )
