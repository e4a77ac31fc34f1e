"""The levels between patient and master fight for the last draw: nothing here depends on that.

So all of them play as a patient player. Watching what the next player takes and discards was tried as a level
of its own: 50 ± 4 per cent against patient.
"""

from __future__ import annotations

from meldroom.bots.interface import Bot
from meldroom.bots.laying_off.patient import Patient
from meldroom.rules.book import RuleBook


def make(book: RuleBook, seed: str, level: str) -> Bot:
    """The bot for one seat; nothing in it is random."""
    return Patient(book)
