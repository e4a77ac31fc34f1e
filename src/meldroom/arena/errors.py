"""What can be wrong with an experiment: in its configuration, or while it is played."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from meldroom.errors import MeldroomError
from meldroom.i18n import Message, Value


class ArenaError(MeldroomError, ValueError):
    """An experiment that cannot be read or run. `where` is the key, or the option of the command."""

    domain = "arena"

    @property
    def concerns_file(self) -> bool:
        """True if what is wrong stands in the configuration, at the key that `where` names."""
        return bool(self.where) and not self.where.startswith("--")


def suggestion(word: str, known: Iterable[str]) -> Value:
    """A hint for a message about an unknown word: the known one that looks most like it, or nothing."""
    near = difflib.get_close_matches(word, list(known), n=1)
    return Message("arena.error.hint", {"word": near[0]}) if near else ""


def listed(names: Iterable[str]) -> Value:
    """Names for a message; it says so when there are none."""
    return tuple(names) or Message("arena.error.nothing")
