"""A recorded game as the steps that people are shown, each with the states around it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from meldroom.game import events as ev
from meldroom.game.state import State
from meldroom.record.model import Record
from meldroom.record.replay import replay
from meldroom.tiles import Tile

_SILENT = ev.GameCreated | ev.TurnBegan | ev.StarterChosen | ev.ShuffleRevealed


class Moment(NamedTuple):
    """An event that people are shown, with the state before and after it. `turn` counts from 1.

    `settled` is the state in which the next step is decided: the turn has passed on by then.
    """

    number: int
    event: ev.Event
    before: State
    after: State
    settled: State
    unknown: frozenset[Tile]
    turn: int


def moments(record: Record) -> Iterator[Moment]:
    """Every event that is a step of the game, numbered from 0, the deal."""
    shown: Moment | None = None
    before: State | None = None
    turn = 0
    for step in replay(record):
        turn += isinstance(step.event, ev.TurnBegan)
        if isinstance(step.event, _SILENT):
            shown = None if shown is None else shown._replace(settled=step.state)
        else:
            if shown is not None:
                yield shown
            number = 0 if shown is None else shown.number + 1
            state = step.state
            shown = Moment(number, step.event, before or state, state, state, step.unknown, turn)
        before = step.state
    if shown is not None:
        yield shown
