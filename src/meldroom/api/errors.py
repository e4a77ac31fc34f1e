"""Errors with the status they are answered with, and the public shape of a refusal."""

from __future__ import annotations

from typing import Annotated, Any, Self

import msgspec

from meldroom.errors import MeldroomError
from meldroom.i18n import Language, Message, Value


class Trouble(msgspec.Struct, frozen=True):
    """Why a request was refused: a code for programs, a sentence for people, the field it is about."""

    code: str
    message: str
    place: str = ""


OneVersion = Annotated[
    dict[str, Any], msgspec.Meta(extra_json_schema={"$ref": "#/components/schemas/Version"})
]
"""Published as a Version; there may be further fields."""


class Conflict(msgspec.Struct, frozen=True):
    """What was sent, and what somebody else had written already."""

    mine: OneVersion
    theirs: OneVersion


class BadLine(msgspec.Struct, frozen=True):
    """A line of a list of entrants that cannot be taken."""

    line: int
    code: str
    message: str


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer to a request that was refused; nothing has changed."""

    error: Trouble
    conflict: Conflict | None = None
    lines: tuple[BadLine, ...] = ()


class HttpError(MeldroomError):
    """A refusal; nothing has changed. `wait` is how many seconds to wait before asking again."""

    domain = "server"

    def __init__(
        self, status: int, code: str, where: str = "", /, *, wait: float = 0.0, **details: Value
    ) -> None:
        super().__init__(code, where, **details)
        self.status = status
        self.wait = wait
        self.conflict: Conflict | None = None
        self.reported: MeldroomError | None = None
        """An error from below that is passed on, in its own words."""

    @classmethod
    def of(cls, error: MeldroomError, status: int, where: str = "") -> Self:
        """Another error as a refusal: its code and its message, and where it is in the request."""
        made = cls(status, error.code, where)
        made.reported = error
        return made

    def lines(self, language: Language) -> tuple[BadLine, ...]:
        """The bad lines of a list that was sent."""
        return ()

    def problem(self, language: Language) -> Problem:
        """The refusal in the public shape."""
        trouble = Trouble(self.code, self.reason(language), self.where)
        return Problem(trouble, self.conflict, self.lines(language))

    def as_message(self) -> Message:
        """The reason as a message."""
        return super().as_message() if self.reported is None else self.reported.as_message()


class GameError(HttpError):
    """There is no such game, step or picture; or a position that cannot be shown or solved."""

    domain = "games.error"
