"""Who may take part: one verdict for each condition of the championship (WRC 9 G1, G2; R49)."""

from __future__ import annotations

from datetime import date
from typing import Literal

import msgspec

from meldroom.championship.entrants import Entrant
from meldroom.championship.formats.format import Conditions

Condition = Literal["citizen", "not_twice_running", "minimum_age"]


class Verdict(msgspec.Struct, frozen=True):
    """Whether a condition is met; None if the list does not say what is needed to know."""

    condition: Condition
    met: bool | None
    clause: str


def verdicts(
    entrant: Entrant, conditions: Conditions, edition: int, on: date, *, any_country: bool = False
) -> tuple[Verdict, ...]:
    """A verdict for every condition that the championship has, on its first day.

    Two editions running are about one country (R63). `any_country` is the reading of the first edition:
    whoever played the edition before is out, whatever country they played for.
    """
    found: list[Verdict] = []
    if conditions.citizens_only and entrant.country:
        citizen = entrant.country in entrant.citizenships if entrant.citizenships else None
        found.append(Verdict("citizen", citizen, "WRC 9 G1; R49"))
    if conditions.not_twice_running:
        fresh = None if entrant.editions is None else edition - 1 not in entrant.editions
        if fresh is False and entrant.last_country:
            fresh = entrant.last_country != entrant.country
        elif fresh is False and not any_country:
            fresh = None
        found.append(Verdict("not_twice_running", fresh, "WRC 9 G2; R49" if any_country else "WRC 9 G2; R63"))
    if conditions.minimum_age is not None:
        old_enough = None if entrant.born is None else _age(entrant.born, on) >= conditions.minimum_age
        found.append(Verdict("minimum_age", old_enough, ""))
    return tuple(found)


def _age(born: date, on: date) -> int:
    """Whole years of life on a day."""
    return on.year - born.year - ((on.month, on.day) < (born.month, born.day))
