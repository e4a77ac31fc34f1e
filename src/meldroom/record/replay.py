"""A record played again, one state after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from meldroom.game import events as ev
from meldroom.game.fold import created, evolve
from meldroom.game.state import State
from meldroom.record.fill_unknown import complete
from meldroom.record.model import Record
from meldroom.tiles import Tile


class Step(NamedTuple):
    """The line an event was read from (0 if none), the event as recorded, and the state after it.

    Where the record does not know a tile, the state holds one that fits; `unknown` are the tiles whose place
    is such a guess at this moment.
    """

    line: int
    event: ev.Event
    state: State
    unknown: frozenset[Tile]


def replay(record: Record) -> Iterator[Step]:
    """Every event with the state it led to. Nothing is judged here; see `verify`."""
    completion = complete(record)
    state = created(record.headers.created)
    for index, event in enumerate(completion.events):
        state = evolve(state, event)
        yield Step(record.line(index), record.events[index], state, completion.unknown(index))
