"""Who last touched each result and each sheet, and in which version: what conflicts are judged by."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from datetime import datetime

import msgspec

from meldroom.championship.actions import (
    Adopt,
    CorrectResult,
    DecideTie,
    EnterResult,
    SignSheet,
    Withdraw,
)
from meldroom.championship.log.entry import LogEntry
from meldroom.championship.log.restore import adopted
from meldroom.championship.roles import Role
from meldroom.championship.state import GameKey, SheetKey


class Touch(msgspec.Struct, frozen=True):
    """An entry of the log that changed something, and the championship's version after it."""

    number: int
    version: int
    time: datetime
    author: str
    role: Role
    key: str
    """The id of the key it was done with; empty if it was done with the command line."""


class Trail:
    """The last touch of everything that two people may change at once."""

    def __init__(self) -> None:
        self.results: dict[GameKey, Touch] = {}
        self.sheets: dict[SheetKey, Touch] = {}
        self.stages: dict[str, Touch] = {}
        """Whatever changes a stage's standings."""

    def note(self, entry: LogEntry, version: int, key: str) -> Touch:
        """One more entry of the log."""
        touch = Touch(entry.number, version, entry.time, entry.author, entry.role, key)
        match entry.action:
            case EnterResult() | CorrectResult() as action:
                sheet = (action.stage, action.sitting, action.table)
                self.results[(*sheet, action.game)] = touch
                self.stages[action.stage] = touch
            case SignSheet() as action:
                self.sheets[action.stage, action.sitting, action.table] = touch
            case DecideTie() as action:
                self.stages[action.stage] = touch
            case Adopt() as action:
                state = adopted(action.document)
                self.results = dict.fromkeys(state.results, touch)
                self.sheets = dict.fromkeys(state.sheets, touch)
                self.stages = {sheet[0]: touch for sheet in state.sheets}
            case Withdraw():
                self.stages = dict.fromkeys(self.stages, touch)
            case _:
                pass
        return touch


def version_of(number: int, afters: Sequence[int]) -> int:
    """The version after an entry of the log; `afters` says for each hall entry how long the log was then.

    Every entry of either file makes one version, in the order they were written.
    """
    return number + bisect_left(afters, number)
