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


class Breach(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A condition that somebody was admitted against: known not to be met, or not known to be (R70)."""

    condition: Condition | Literal["place"]
    """“place” where their country's places were taken."""
    known: bool
    clause: str = ""


def verdicts(
    entrant: Entrant,
    conditions: Conditions,
    edition: int,
    on: date,
    *,
    any_country: bool = False,
    no_country_passes: bool = False,
) -> tuple[Verdict, ...]:
    """A verdict for every condition that the championship has, on its first day.

    Two editions running are about one country (R63). What is not known is not met; who represents no country
    meets no condition about one (R70). `any_country` is the reading of the first edition: whoever played the
    edition before is out, whatever country they played for. `no_country_passes` is that of earlier logs:
    nothing was asked about citizenship where no country was given.
    """
    found: list[Verdict] = []
    of_country = not entrant.no_country
    if conditions.citizens_only and of_country and (entrant.country or not no_country_passes):
        known = entrant.country and entrant.citizenships
        citizen = entrant.country in entrant.citizenships if known else None
        found.append(Verdict("citizen", citizen, "WRC 9 G1; R49"))
    if conditions.not_twice_running and of_country:
        fresh = None if entrant.editions is None else edition - 1 not in entrant.editions
        if fresh is False and entrant.last_country and (entrant.country or no_country_passes):
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
