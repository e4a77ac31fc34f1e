"""What is wrong with an action, a list or a log."""

from __future__ import annotations

from meldroom.errors import MeldroomError
from meldroom.i18n import Message


class ChampionshipError(MeldroomError, ValueError):
    """Something that cannot be done. Nothing has been changed."""

    domain = "championship.error"


def because(error: MeldroomError) -> Message:
    """The message of another error, to be part of ours."""
    why = error.as_message()
    return Message("championship.at", {"where": error.where, "why": why}) if error.where else why
