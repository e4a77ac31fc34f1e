"""What is computed off the event loop for the pages: from a record's text to encoded answers.

Steps, pictures and verification take milliseconds and run in a thread. Whatever calls the solver has a
question and an answer in bytes, for the worker processes.
"""

from __future__ import annotations

import msgspec

from meldroom.api.errors import HttpError
from meldroom.api.positions import best_in
from meldroom.api.replay.analysis import analysis
from meldroom.api.replay.pictures import picture, seen_from
from meldroom.api.replay.report import game_reasons, game_report
from meldroom.api.replay.steps import StepTeller, steps_of
from meldroom.api.replay.verification import verification
from meldroom.api.schemas import BestPlay
from meldroom.game.notation.png import to_png
from meldroom.i18n import Language
from meldroom.record import Position, Record, format_position, loads, to_json
from meldroom.record.moments import Moment, moments
from meldroom.solver import SolverError

ANALYSE = f"{__name__}:analyse"
FIND_BEST = f"{__name__}:find_best"
REPORT = f"{__name__}:report"
REASONS = f"{__name__}:reasons"
LONGEST_TITLE = 96


class AnalysisQuestion(msgspec.Struct, frozen=True):
    """Some turns of a seat: `count` of them from the turn `first` (from 0) on."""

    record: str
    seat: int
    language: Language
    first: int
    count: int


class ReportQuestion(msgspec.Struct, frozen=True):
    """A seat of a game whose report is asked for."""

    record: str
    seat: int
    language: Language


class ReasonsQuestion(msgspec.Struct, frozen=True):
    """A game whose moves are to be explained."""

    record: str
    language: Language


class BestQuestion(msgspec.Struct, frozen=True):
    """A position whose best play is asked for."""

    text: str
    book: str
    language: Language


class BestAnswer(msgspec.Struct, frozen=True):
    """The play, or why there is none: an exception does not survive the way back from another process."""

    best: BestPlay | None = None
    status: int = 200
    code: str = ""
    message: str = ""
    place: str = ""


def analyse(payload: bytes) -> bytes:
    """An AnalysisQuestion answered with a JSON list of TurnAnalysis; a shorter one when there are no more."""
    asked = msgspec.json.decode(payload, type=AnalysisQuestion)
    turns = analysis(loads(asked.record), asked.seat, asked.language, asked.first, asked.count)
    return msgspec.json.encode(turns)


def report(payload: bytes) -> bytes:
    """A ReportQuestion answered with a GameReport."""
    asked = msgspec.json.decode(payload, type=ReportQuestion)
    return msgspec.json.encode(game_report(loads(asked.record), asked.seat, asked.language))


def reasons(payload: bytes) -> bytes:
    """A ReasonsQuestion answered with GameReasons."""
    asked = msgspec.json.decode(payload, type=ReasonsQuestion)
    return msgspec.json.encode(game_reasons(loads(asked.record), asked.language))


def find_best(payload: bytes) -> bytes:
    """A BestQuestion answered with a BestAnswer."""
    asked = msgspec.json.decode(payload, type=BestQuestion)
    try:
        answer = BestAnswer(best_in(asked.text, asked.book, asked.language))
    except HttpError as refusal:
        reason = refusal.reason(asked.language)
        answer = BestAnswer(None, refusal.status, refusal.code, reason, refusal.where)
    except SolverError as error:
        answer = BestAnswer(None, 400, error.kind, error.reason(asked.language), error.where)
    return msgspec.json.encode(answer)


def encoded_steps(record: str, language: Language) -> bytes:
    """All steps of a record, as a JSON list."""
    return msgspec.json.encode(steps_of(loads(record), language))


def encoded_verification(record: str, language: Language) -> bytes:
    """Whether a record holds, as JSON."""
    return msgspec.json.encode(verification(loads(record), language))


def json_record(record: str) -> bytes:
    """The record in its JSON form."""
    return to_json(loads(record))


def step_picture(record: str, number: int, eyes: int | None, dark: bool, language: Language) -> str | int:
    """A step as an SVG document, or the number of the last step if there is none of this number."""
    read, found = _step(record, number)
    if isinstance(found, int):
        return found
    title = _title(read, found, eyes, language)
    short = title if len(title) <= LONGEST_TITLE else title[: LONGEST_TITLE - 1].rstrip() + "…"
    position = Position.of(found.settled, found.unknown)
    names = read.headers.players
    return picture(position, language, names=names, title=short, dark=dark, eyes=eyes)


def _title(read: Record, found: Moment, eyes: int | None, language: Language) -> str:
    """The sentence of a step; one player's eyes do not see what the others draw."""
    if eyes is not None:
        read = read.seen_by(eyes)
        found = next(moment for moment in moments(read) if moment.number == found.number)
    return StepTeller(read, language).text(found)


def step_preview(record: str, number: int, eyes: int | None) -> bytes | int:
    """A step as a PNG for a link's preview, or the number of the last step if there is none of this one."""
    _, found = _step(record, number)
    return found if isinstance(found, int) else to_png(Position.of(found.settled, found.unknown), rack=eyes)


def step_text(record: str, number: int, eyes: int | None) -> str | int:
    """A step as the text of its position, or the number of the last step if there is none of this number."""
    _, found = _step(record, number)
    if isinstance(found, int):
        return found
    position = Position.of(found.settled, found.unknown)
    return format_position(position if eyes is None else seen_from(position, eyes))


def _step(record: str, number: int) -> tuple[Record, Moment | int]:
    """The record with one of its moments; -1 is the last."""
    read = loads(record)
    steps = list(moments(read))
    return read, steps[number] if number < len(steps) else len(steps) - 1
