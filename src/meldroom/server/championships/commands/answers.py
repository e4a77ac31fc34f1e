"""What a command is answered with: done, what it would do and how racks were counted, or why not."""

from __future__ import annotations

from datetime import datetime

import msgspec

from meldroom.api.errors import BadLine, Conflict, Trouble
from meldroom.api.referee.schemas import CountedSheet
from meldroom.championship.actions import Action
from meldroom.championship.corrections import Consequences
from meldroom.server.championships.hall.commands import HallAction


class Done(msgspec.Struct, frozen=True, kw_only=True, tag_field="answer", tag="done"):
    """A command that is written down; the same id again gets the same answer."""

    id: str
    version: int
    """The championship's version after it."""
    time: datetime
    author: str
    log: int | None = None
    """The number of its entry in the championship's log, or …"""
    hall: int | None = None
    """… in the hall's file."""
    action: Action | HallAction
    """As it was written, with everything computed."""
    written: bool = True
    """False if exactly this was there already, entered by somebody else: nothing was added."""
    seed: str = ""
    """After an announcement: the seed, for the director to keep."""


class Preview(msgspec.Struct, frozen=True, kw_only=True, tag_field="answer", tag="preview"):
    """What a command would write and change; nothing has been written."""

    id: str
    version: int
    action: Action | HallAction
    consequences: Consequences | None = None
    """Of a correction: every place, cut, seating and approval that changes."""
    told: tuple[str, ...] = ()
    """The same in sentences."""
    count: CountedSheet | None = None
    """Of racks: how they were counted, and why."""


class OutboxAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to one command of an outbox: what a single request would have been answered with."""

    id: str
    status: int
    done: Done | Preview | None = None
    error: Trouble | None = None
    conflict: Conflict | None = None
    lines: tuple[BadLine, ...] | None = None


class OutboxAnswers(msgspec.Struct, frozen=True, kw_only=True):
    """An answer for every command, in order."""

    version: int
    answers: tuple[OutboxAnswer, ...]
