"""A request about a championship that is refused: status, code, a sentence, and evidence."""

from __future__ import annotations

from collections.abc import Sequence

from meldroom.championship.entrants import LineFault
from meldroom.championship.errors import ChampionshipError
from meldroom.i18n import Language
from meldroom.referee import RefereeError
from meldroom.server.championships.messages import told, words
from meldroom.server.web.problems import BadLine, Conflict, Problem, Trouble

_UNREADABLE = ("not_written", "locked", "no_file", "bad_line", "broken_chain", "wrong_number", "file_exists")
_ABSENT = ("no_entrant", "no_stage", "no_sitting", "no_table", "no_game")
_AS_THINGS_ARE = (
    "already_drawn",
    "already_entered",
    "already_here",
    "already_out",
    "already_played",
    "already_signed",
    "has_played",
    "list_changed",
    "name_taken",
    "not_announced",
    "not_entered",
    "not_finished",
    "not_level",
    "not_seated",
    "reserve",
    "same_result",
    "sitting_before_open",
    "stage_before_open",
    "stage_closed",
    "tie_matters",
    "too_few",
    "unknown_citizen",
    "unknown_minimum_age",
    "unknown_not_twice_running",
    "not_citizen",
    "not_minimum_age",
    "not_not_twice_running",
)


def status_of(code: str) -> int:
    """The HTTP status of a championship's refusal."""
    if code == "not_allowed":
        return 403
    if code in _UNREADABLE:
        return 503
    if code in _ABSENT:
        return 404
    return 409 if code in _AS_THINGS_ARE else 400


class HallError(Exception):
    """Something that is not done. Nothing has been changed.

    `conflict` and `lines` are evidence: both versions of what two people wrote, the bad lines of a list.
    """

    def __init__(
        self,
        status: int,
        code: str,
        place: str = "",
        *,
        conflict: Conflict | None = None,
        lines: Sequence[LineFault] = (),
        **details: str | int,
    ) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.place = place
        self.details = details
        self.conflict = conflict
        self.lines = tuple(lines)
        self.cause: ChampionshipError | RefereeError | None = None

    @classmethod
    def of(cls, error: ChampionshipError | RefereeError, place: str = "") -> HallError:
        """What the championship or the referee's tools refuse."""
        if isinstance(error, RefereeError):
            made = cls(400, f"referee_{error.code}", place)
        else:
            made = cls(status_of(error.code), error.code, place)
        made.cause = error
        return made

    def message(self, language: Language) -> str:
        """What is wrong and what would be right."""
        match self.cause:
            case ChampionshipError(code=code) as error if code in _UNREADABLE:
                # Its own sentence names files of this machine, which are nobody's business.
                return words("unreadable" if error.code != "not_written" else "not_written", language)
            case ChampionshipError() as error:
                return told(error, language)
            case RefereeError() as error:
                return error.message(language)
            case None:
                return words(self.code, language, **self.details)

    def problem(self, language: Language) -> Problem:
        """The public shape, with the evidence beside it."""
        return Problem(
            Trouble(self.code, self.message(language), self.place),
            self.conflict,
            tuple(BadLine(each.line, each.error.code, told(each.error, language)) for each in self.lines),
        )
