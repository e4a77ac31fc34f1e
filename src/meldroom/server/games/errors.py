"""A request that cannot be answered: the status, and the public shape of an error."""

from __future__ import annotations

from meldroom.i18n import Language
from meldroom.server.games.messages import words


class RefusedError(ValueError):
    """What is wrong, in the public shape: a code for programs, a sentence for people, the place."""

    def __init__(self, status: int, code: str, message: str, place: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.place = place

    def as_json(self) -> dict[str, dict[str, str]]:
        """The public shape of an error."""
        return {"error": {"code": self.code, "message": self.message, "place": self.place}}


def no_such_game(language: Language) -> RefusedError:
    """Nobody has finished a game of this id."""
    return RefusedError(404, "no_such_game", words("error.no_such_game", language), "id")
