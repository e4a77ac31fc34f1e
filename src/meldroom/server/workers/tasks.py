"""What may be asked of the workers, and the shapes that cross to them."""

from __future__ import annotations

from typing import Protocol

import msgspec

from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.i18n import Language
from meldroom.rooms.protocol.answers import HintStep
from meldroom.rules.book import BookRef


class WorkerError(RuntimeError):
    """A question that found no answer: the worker failed, died, or took too long."""


class BotKey(msgspec.Struct, frozen=True):
    """Which bot: one is made for one seat of one game and remembers what it was shown there."""

    room: str
    game: int
    seat: int

    def text(self) -> str:
        """The key as one word."""
        return f"{self.room}-{self.game}-{self.seat}"


class Workers(Protocol):
    """What the rooms ask of whoever thinks for them."""

    async def act(
        self, key: BotKey, level: str, book: BookRef, seed: str, view: View, seconds: float | None
    ) -> Action | None:
        """What a bot does now; None if it fails or takes too long."""
        ...

    async def hint(self, book: BookRef, view: View, step: int, language: Language) -> HintStep:
        """A rung of the ladder of hints. Raises WorkerError."""
        ...

    async def can_lay(self, book: BookRef, view: View) -> bool:
        """Whether the player to move can lay anything (R12). Raises WorkerError."""
        ...

    async def run(self, function: str, payload: bytes) -> bytes:
        """The answer of `module:function`, called with the payload behind all bots. Raises WorkerError."""
        ...

    def forget(self, room: str, game: int) -> None:
        """A game is over: its bots are needed no more."""
        ...

    async def close(self) -> None:
        """End the workers."""
        ...


class ActQuestion(msgspec.Struct, frozen=True, tag="act"):
    """What does this bot do? It is made first if the worker does not have it."""

    key: str
    level: str
    book: BookRef
    seed: str
    view: View
    seconds: float | None


class HintQuestion(msgspec.Struct, frozen=True, tag="hint"):
    """What is a rung of the ladder for this position?"""

    book: BookRef
    view: View
    step: int
    language: Language


class LayQuestion(msgspec.Struct, frozen=True, tag="can_lay"):
    """Can the player to move lay anything?"""

    book: BookRef
    view: View


class RunQuestion(msgspec.Struct, frozen=True, tag="run"):
    """What does this function of ours answer?"""

    function: str
    payload: bytes


class Forget(msgspec.Struct, frozen=True, tag="forget"):
    """These bots are needed no more. Has no answer but a nod."""

    prefix: str


class WarmUp(msgspec.Struct, frozen=True, tag="warm_up"):
    """Load what the first question would have to wait for. Has no answer but a nod."""


Question = ActQuestion | HintQuestion | LayQuestion | RunQuestion | Forget | WarmUp


class Reply(msgspec.Struct, frozen=True):
    """A worker's answer: the encoded value, or why there is none."""

    value: bytes = b""
    failure: str = ""
