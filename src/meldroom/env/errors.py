"""What can go wrong with an environment."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from meldroom.errors import MeldroomError


class EnvError(MeldroomError, ValueError):
    """An environment that cannot be made like this, or an action that cannot be taken now."""

    domain = "env.error"


def check_choice(what: str, given: str, known: Collection[str]) -> None:
    """Raises EnvError if a name is not among those known."""
    if given not in known:
        raise EnvError("choice", what, given=str(given), known=tuple(known))


def forbidden(number: int, allowed: Iterable[int]) -> EnvError:
    """The error for an action number that the mask forbids."""
    return EnvError("action", number=str(number), allowed=", ".join(map(str, allowed)))
