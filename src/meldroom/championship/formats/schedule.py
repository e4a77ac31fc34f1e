"""How long a format takes: every sitting with its tables, from the beginning to the end."""

from __future__ import annotations

from typing import Annotated

import msgspec

from meldroom.championship.errors import ChampionshipError
from meldroom.championship.formats.format import Format
from meldroom.i18n import Text

USUAL_MINUTES = 30
"""A game with the book's clock, counting and signing included."""
USUAL_PAUSE = 15

Minutes = Annotated[int, msgspec.Meta(ge=1, le=600)]
Pause = Annotated[int, msgspec.Meta(ge=0, le=1440)]
Players = Annotated[int, msgspec.Meta(ge=2, le=2000)]


class PlannedSitting(msgspec.Struct, frozen=True):
    """A sitting of the schedule; times in minutes from the beginning."""

    stage: str
    name: Text
    sitting: int
    sittings: int
    games: int
    players: int
    """Who sits at a table."""
    tables: int
    short_tables: int
    starts: int
    ends: int


def schedule(
    made: Format, players: int, minutes: int = USUAL_MINUTES, pause: int = USUAL_PAUSE
) -> tuple[PlannedSitting, ...]:
    """The sittings of a format for a field, a pause between any two. Raises ChampionshipError.

    >>> from meldroom.championship.formats.format import preset
    >>> [(one.players, one.tables, one.starts, one.ends) for one in schedule(preset("wrc_cut"), 33)]
    [(33, 9, 0, 120), (16, 4, 135, 255), (4, 1, 270, 390)]
    """
    size = made.table_size()
    left, clock = players, 0
    found: list[PlannedSitting] = []
    for stage in made.stages:
        left = left if stage.takes is None else min(left, stage.takes)
        tables = size.tables(left)
        if left < size.short or not tables:
            raise ChampionshipError("too_few", count=left, least=size.short)
        for sitting in range(1, stage.sittings + 1):
            begins = clock + pause if found else clock
            clock = begins + stage.games * minutes
            short = sum(table < size.full for table in tables)
            found.append(
                PlannedSitting(
                    stage=stage.id,
                    name=stage.name,
                    sitting=sitting,
                    sittings=stage.sittings,
                    games=stage.games,
                    players=sum(tables),
                    tables=len(tables),
                    short_tables=short,
                    starts=begins,
                    ends=clock,
                )
            )
    return tuple(found)
