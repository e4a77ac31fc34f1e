"""What can go wrong with a bot in another process: turns that fail, and lines that are no answer."""

from __future__ import annotations

from typing import Literal

from meldroom.errors import MeldroomError
from meldroom.i18n import Language, Value

FailureCode = Literal["system", "start", "ended", "late", "flood", "errors", "refused", "given_up"]
ErrorCode = Literal["bad_json", "too_long", "bad_message", "bad_id", "wrong_seat", "not_now", "bad_tile"]


class BotFailure(MeldroomError, RuntimeError):  # noqa: N818  (a turn that failed; the caller goes on)
    """A bot that gave no answer this turn, or whose answers were no moves.

    `written` is the last it wrote on standard error.
    """

    domain = "bots.failure"
    code: FailureCode

    def __init__(self, code: FailureCode, detail: Value = "", *, written: str = "") -> None:
        super().__init__(code, detail=detail)
        self.written = written

    @property
    def loses(self) -> bool:
        """True if it answered, and too often with what is no move: that loses the game (R68).

        Without an answer only the turn is lost: nothing was touched when the time was over (R24).
        """
        return self.code in ("errors", "refused")

    def message(self, language: Language = "en") -> str:
        """What happened, and the last lines the bot wrote on standard error."""
        first = super().message(language)
        return f"{first}\n{self.written}" if self.written else first


class AnswerError(MeldroomError, ValueError):
    """A line of a bot that is no message, or names something that is not there. Nothing has happened."""

    domain = "bots.answer"
    code: ErrorCode

    def __init__(self, code: ErrorCode, detail: Value = "") -> None:
        super().__init__(code, detail=detail)
