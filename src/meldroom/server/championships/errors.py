"""A request about a championship that is refused: its status, and the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from meldroom.api.errors import BadLine, Conflict, HttpError
from meldroom.championship.entrants import LineFault
from meldroom.championship.errors import ChampionshipError
from meldroom.i18n import Language, Value, has_message, message
from meldroom.referee import RefereeError

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
    "unknown_country",
    "unknown_minimum_age",
    "unknown_not_twice_running",
    "not_citizen",
    "not_minimum_age",
    "not_not_twice_running",
    "all_void",
    "already_void",
    "game_void",
    "later_played",
    "not_ended",
    "not_void",
    "nothing_left_out",
    "nothing_signed",
    "seats_open",
    "seats_stay",
    "stage_ended",
    "void_by_end",
)


def _status(code: str) -> int:
    """The status of what a championship refuses."""
    if code == "not_allowed":
        return 403
    if code == "pin_wait":
        return 429
    if code in _UNREADABLE:
        return 503
    if code in _ABSENT:
        return 404
    return 409 if code in _AS_THINGS_ARE else 400


class HallError(HttpError):
    """Something that is not done; nothing has changed.

    `conflict` and `lines` are evidence: both versions of what two people wrote, the bad lines of a list.
    """

    domain = "championships"

    def __init__(
        self,
        status: int,
        code: str,
        where: str = "",
        /,
        *,
        wait: float = 0.0,
        conflict: Conflict | None = None,
        faults: Sequence[LineFault] = (),
        **details: Value,
    ) -> None:
        super().__init__(status, code, where, wait=wait, **details)
        self.conflict = conflict
        self._faults = tuple(faults)
        self._below: ChampionshipError | RefereeError | None = None

    @classmethod
    def from_below(cls, error: ChampionshipError | RefereeError, where: str = "") -> HallError:
        """What the championship or the referee's tools refuse."""
        place = ".".join(filter(None, (where, error.where)))
        if isinstance(error, RefereeError):
            made = cls(400, f"referee_{error.code}", place)
        else:
            made = cls(_status(error.code), error.code, place)
        made._below = error
        return made

    @classmethod
    def between(cls, code: str, mine: Any, theirs: Any, **details: str | int) -> HallError:
        """A refusal with both versions of what two people wrote."""
        both = Conflict(msgspec.to_builtins(mine), msgspec.to_builtins(theirs))
        refusal = cls(409, code, conflict=both)
        refusal.details.update(details)
        return refusal

    def reason(self, language: Language = "en") -> str:
        """What is wrong and what would be right."""
        return super().reason(language) if self._below is None else _reason(self._below, language)

    def lines(self, language: Language) -> tuple[BadLine, ...]:
        """The bad lines of a list."""
        return tuple(
            BadLine(each.line, each.error.code, _reason(each.error, language)) for each in self._faults
        )


def _reason(error: ChampionshipError | RefereeError, language: Language) -> str:
    """A message for a page, where the error's own speaks of the command line or of files on the server."""
    if error.code in _UNREADABLE:
        return message(
            "championships.not_written" if error.code == "not_written" else "championships.unreadable",
            language,
        )
    own = f"championships.instead.{error.code}"
    if isinstance(error, ChampionshipError) and has_message(own):
        return message(own, language, **error.details)
    return error.reason(language)
