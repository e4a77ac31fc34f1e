"""What can go wrong with an environment, told to the person who makes or drives it."""

from __future__ import annotations

from collections.abc import Collection


class EnvError(ValueError):
    """An environment that cannot be made so, or an action that cannot be taken now."""


def check_choice(what: str, given: str, known: Collection[str]) -> None:
    """Raises EnvError if a name is not among those known."""
    if given not in known:
        raise EnvError(f"{what}: there is no “{given}”; choose one of {', '.join(known)}")
