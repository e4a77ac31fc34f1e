"""What goes wrong in rooms: refusals that clients see, and failures of the store and the workers."""

from __future__ import annotations

import logging

from meldroom.errors import MeldroomError
from meldroom.game.errors import ActionError
from meldroom.i18n import Language, Message, Value
from meldroom.rooms.protocol.answers import Error, Fault
from meldroom.rules.violations import Violation

TRY_AGAIN = 1_000
"""Milliseconds after which something that failed may work."""

_LOG = logging.getLogger(__name__)


class ConflictError(MeldroomError):
    """Somebody else has written this place of a room's log."""

    domain = "rooms.store"

    def __init__(self, room: str, seq: int) -> None:
        super().__init__("conflict", room=room, seq=seq)


class FencedError(MeldroomError):
    """A room belongs to another node by now: what this one would have written is not there."""

    domain = "rooms.store"

    def __init__(self, room: str) -> None:
        super().__init__("fenced", room=room)
        self.room = room


class StorageError(MeldroomError):
    """Something could not be saved or loaded; nothing has changed. The message is for the operator."""

    domain = "rooms.store"

    @property
    def public_code(self) -> str:
        """What clients are told: that the disk is full, or that it cannot be saved."""
        return "disk_full" if self.code == "disk_full" else "storage"

    def refusal(self) -> Refusal:
        """What clients are told, in words for them."""
        return Refusal(self.public_code, retry_ms=TRY_AGAIN)


class WorkerError(MeldroomError):
    """A task without an answer: the worker failed, died, or took too long."""

    domain = "rooms.worker"


class Refusal(MeldroomError):  # noqa: N818 - it is an answer, not an accident
    """A command that is not carried out; nothing has changed.

    `rev` is the room's current one where the command named another, `retry_ms` says when to try again, and
    `violations` are the faults of an illegal turn.
    """

    domain = "rooms.refused"

    def __init__(
        self,
        code: str,
        where: str = "",
        /,
        *,
        rev: int | None = None,
        retry_ms: int | None = None,
        **details: Value,
    ) -> None:
        super().__init__(code, where, **details)
        self.rev = rev
        self.retry_ms = retry_ms
        self.violations: tuple[Violation, ...] = ()
        self._cause: ActionError | None = None

    @classmethod
    def of(cls, error: ActionError) -> Refusal:
        """What the rules of the game refused, with every fault."""
        refusal = cls(error.code, error.where)
        refusal.violations = error.violations
        refusal._cause = error
        return refusal

    def as_message(self) -> Message:
        """The reason; the place and the faults are sent beside it."""
        return super().as_message() if self._cause is None else self._cause.as_message()

    def error(self, language: Language) -> Error:
        """The refusal as it is sent."""
        return Error(
            code=self.code,
            message=self.reason(language),
            place=self.where,
            faults=faults(self.violations, language),
            rev=self.rev,
            retry_ms=self.retry_ms,
        )


class ConnectionRefusal(Refusal):
    """A refusal of the connection itself; the messages are the server's."""

    domain = "server"


def refusal_for(error: Exception) -> Refusal:
    """What a client is told of any error; what it is not told of goes into the log."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, StorageError):
        _LOG.error("%s", error)
        return error.refusal()
    _LOG.error("a command failed", exc_info=error)
    return Refusal("server_error", retry_ms=TRY_AGAIN)


def faults(found: tuple[Violation, ...], language: Language) -> tuple[Fault, ...]:
    """Violations as they are sent: code, clause and ruling as fields."""
    return tuple(
        Fault(
            each.code,
            each.clause,
            each.ruling,
            each.message(language),
            each.set_index,
            each.parts(language),
        )
        for each in found
    )
