"""Reads the bots of an experiment: levels of the ladder with their parameters, and programs."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from meldroom.arena.experiment import Entrant, Parameter
from meldroom.arena.messages import ArenaError, shown
from meldroom.bots.levels import LEVELS

MOST_BOTS = 100
LONGEST_TEXT = 200
LARGEST_NUMBER = 2**53
SECONDS = 5.0
MOST_SECONDS = 600

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}\Z")


def read_bots(given: Any) -> tuple[Entrant, ...]:
    """The bots of a configuration: a list of levels, or a table for each. Raises ArenaError."""
    if isinstance(given, list) and given and all(isinstance(name, str) for name in given):
        for index, name in enumerate(given):
            if name not in LEVELS:
                raise ArenaError("need.level", f"bots[{index}]", levels=", ".join(LEVELS))
            if name in given[:index]:
                raise ArenaError("error.same_bot", f"bots[{index}]", name=name)
        return tuple(Entrant(name, name) for name in given)
    if not isinstance(given, Mapping) or not 1 <= len(given) <= MOST_BOTS:
        raise ArenaError("need.bots", "bots")
    return tuple(_bot(name, table) for name, table in given.items())


def _bot(name: Any, table: Any) -> Entrant:
    if not isinstance(name, str) or not _NAME.match(name):
        raise ArenaError("need.bot_name", f"bots.{shown(name)}")
    place = f"bots.{name}"
    if not isinstance(table, Mapping):
        raise ArenaError("need.bot", place)
    if "command" in table:
        return _program(name, table, place)
    level = table.get("level", name)
    if not isinstance(level, str) or level not in LEVELS:
        code, where = (
            ("need.level", f"{place}.level") if "level" in table else ("need.level_or_command", place)
        )
        raise ArenaError(code, where, levels=", ".join(LEVELS))
    known = LEVELS[level].parameters
    parameters: dict[str, Parameter] = {}
    for key, value in table.items():
        if key == "level":
            continue
        if key not in known:
            listed = ", ".join(known)
            raise ArenaError("error.no_parameter", f"{place}.{shown(key)}", level=level, known=listed)
        parameters[key] = _parameter(value, f"{place}.{key}")
    return Entrant(name, level, parameters)


def _parameter(value: Any, place: str) -> Parameter:
    """A value that a file can hold and a bot may understand. Raises ArenaError."""
    if isinstance(value, str) and len(value) <= LONGEST_TEXT and value.isprintable():
        return value
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and math.isfinite(value) and abs(value) <= LARGEST_NUMBER:
        return value
    raise ArenaError("need.parameter", place)


def _program(name: str, table: Mapping[str, Any], place: str) -> Entrant:
    for key in table:
        if key not in ("command", "seconds"):
            known = "command, seconds"
            raise ArenaError("error.unknown_key", f"{place}.{shown(key)}", near="", known=known)
    command = table["command"]
    if (
        not isinstance(command, list)
        or not command
        or not all(isinstance(word, str) and word.isprintable() for word in command)
        or not command[0]
    ):
        raise ArenaError("need.command", f"{place}.command")
    seconds = table.get("seconds", SECONDS)
    if (
        isinstance(seconds, bool)
        or not isinstance(seconds, int | float)
        or not 0 < seconds <= MOST_SECONDS  # a number that is no number is refused here too
    ):
        raise ArenaError("need.seconds", f"{place}.seconds")
    return Entrant(name, command=tuple(command), seconds=float(seconds))
