"""A format before it is played: whether it can be, and what its day looks like."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import post
from litestar.params import JSONBody

from meldroom.championship.formats.schedule import (
    USUAL_MINUTES,
    USUAL_PAUSE,
    Minutes,
    Pause,
    PlannedSitting,
    Players,
    schedule,
)
from meldroom.decode import LONGEST_TOML
from meldroom.server.championships.routes.request_context import All
from meldroom.server.championships.runtime.archive import asked_format
from meldroom.server.web.problems import problems

_LARGEST = 2 * LONGEST_TOML


class FormatQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A format, by a preset's name or as TOML, for so many players."""

    format: str = "wrc"
    format_toml: Annotated[str, msgspec.Meta(max_length=LONGEST_TOML)] = ""
    players: Players
    minutes: Minutes = USUAL_MINUTES
    pause: Pause = USUAL_PAUSE


class FormatPreview(msgspec.Struct, frozen=True, kw_only=True):
    """Every sitting with its tables and times, in minutes from the beginning."""

    book: str
    schedule: tuple[PlannedSitting, ...]
    minutes: int
    """How long all of it takes."""


@post("/format", status_code=200, responses=problems(400), request_max_body_size=_LARGEST)
async def preview_format(data: JSONBody[FormatQuestion], championships: All) -> FormatPreview:
    """Check a format and show its schedule; nothing is kept."""
    return await championships.offload(_preview, data)


def _preview(data: FormatQuestion) -> FormatPreview:
    made = asked_format(data.format, data.format_toml)
    planned = schedule(made, data.players, data.minutes, data.pause)
    return FormatPreview(book=made.rules().title(), schedule=planned, minutes=planned[-1].ends)


ROUTES = [preview_format]
