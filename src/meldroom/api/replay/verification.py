"""Whether a record and its shuffle hold, as sentences that a player understands."""

from __future__ import annotations

from collections.abc import Iterator

from meldroom.api.schemas import CheckLine, Verification
from meldroom.i18n import Language, message
from meldroom.record import NotationError, Record, Report, verify

SEAL_SHOWN = 12


def verification(record: Record, language: Language) -> Verification:
    """Everything computed again, line by line: what is wrong first, then what holds, then what is open."""
    try:
        report = verify(record)
    except NotationError as error:
        line = CheckLine(
            False, message("games.verified.unreadable", language, detail=error.message(language))
        )
        return Verification(False, (line,))
    return Verification(report.ok, tuple(_lines(record, report, language)))


def _lines(record: Record, report: Report, language: Language) -> Iterator[CheckLine]:
    for problem in report.problems:
        yield CheckLine(False, message("games.verified.wrong", language, detail=problem.message(language)))
    seal = record.headers.commitment[:SEAL_SHOWN]
    for check in report.checked:
        detail = check.message(language)
        yield CheckLine(True, message(f"games.verified.{check.code}", language, detail=detail, seal=seal))
    for check in report.unchecked:
        text = message("games.verified.open", language, detail=check.message(language))
        yield CheckLine(True, text, open=True)
