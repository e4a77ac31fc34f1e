"""The tasks of the workers, and what crosses to them and back."""

from __future__ import annotations

import msgspec

from meldroom.game.views import View
from meldroom.i18n import Language
from meldroom.rules.book import BookRef


class BotTask(msgspec.Struct, frozen=True, tag="bot"):
    """What a bot does now; it is made first if the worker does not have it."""

    key: str
    level: str
    book: BookRef
    seed: str
    view: View
    seconds: float | None


class HintTask(msgspec.Struct, frozen=True, tag="hint"):
    """A hint for a position."""

    book: BookRef
    view: View
    step: int
    language: Language


class CanLayTask(msgspec.Struct, frozen=True, tag="can_lay"):
    """Whether the player to move can lay anything."""

    book: BookRef
    view: View


class PlayableTask(msgspec.Struct, frozen=True, tag="playable"):
    """Whether anything can be played in a turn, exactly."""

    book: BookRef
    view: View


class OddsTask(msgspec.Struct, frozen=True, tag="odds"):
    """The odds of opening and of going out."""

    book: BookRef
    view: View


class RunTask(msgspec.Struct, frozen=True, tag="run"):
    """A function of ours, called with a payload."""

    function: str
    payload: bytes


class ForgetTask(msgspec.Struct, frozen=True, tag="forget"):
    """Bots that are no longer needed. The answer is empty."""

    prefix: str


class WarmUpTask(msgspec.Struct, frozen=True, tag="warm_up"):
    """Load what the first task would have to wait for. The answer is empty."""


class UseCompiledTask(msgspec.Struct, frozen=True, tag="use_compiled"):
    """Kernels were compiled on this machine: load and use them. The answer is empty."""


Task = (
    BotTask
    | HintTask
    | CanLayTask
    | PlayableTask
    | OddsTask
    | RunTask
    | ForgetTask
    | WarmUpTask
    | UseCompiledTask
)


class Reply(msgspec.Struct, frozen=True):
    """A worker's answer: the encoded value, or why there is none."""

    value: bytes = b""
    failure: str = ""
