"""Invented entrants: names from many countries, and the few who make check-in interesting."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

import msgspec

from meldroom.championship import Entrant, Format
from meldroom.championship.arrangements.definition import Arrangements, read_arrangements
from meldroom.i18n import languages, message

_FIRST = (
    *("Ada", "Aïcha", "Akira", "Anouk", "Björn", "Chloé", "Dana", "Dmitri", "Eun-ji", "Élise", "Farah"),
    *("Gökhan", "Hana", "Ingrid", "Iñaki", "Jan", "Jürgen", "Kateřina", "Lech", "Łucja", "Mei", "Moana"),
    *("Niamh", "Noor", "Óscar", "Piet", "Rania", "Sañjay", "Søren", "Tomasz", "Uma", "Zoë"),
)
_LAST = (
    *("Aalto", "Bakker", "Čapek", "de Groot", "Dvořák", "Erdoğan", "Fernández", "García", "Haddad", "Ito"),
    *("Jansen", "Kowalska", "Kim", "Lefèvre", "López", "Müller", "Ngata", "Novák", "O’Brien", "Øst"),
    *("Papadopoulou", "Rossi", "Sato", "Schäfer", "Smith", "Szabó", "Takahashi", "van Dijk", "Wang", "Żak"),
)
_COUNTRIES = (
    *("ARG", "AUS", "AUT", "BEL", "BRA", "CAN", "CHN", "CZE", "DEU", "DNK", "ESP", "EST", "FIN", "FRA"),
    *("GBR", "GRC", "HUN", "IND", "IRL", "ISR", "ITA", "JPN", "KOR", "LTU", "LVA", "MEX", "NLD", "NOR"),
    *("NZL", "POL", "PRT", "ROU", "SGP", "SVK", "SVN", "SWE", "THA", "TUR", "TWN", "USA", "VNM", "ZAF"),
)


class People(msgspec.Struct, frozen=True):
    """A list of entrants: `regular`, `unproved` and `late` will play; the others try the check-in."""

    regular: tuple[Entrant, ...]
    banned: Entrant
    """Played the edition before."""
    unproved: Entrant
    """Whose citizenship the list does not say."""
    decliner: Entrant
    """Will not come; the last of `regular` is next in their country's list."""
    absent: Entrant
    late: Entrant


def some_people(players: int, edition: int, day: date, random: Random) -> People:
    """Entrants of whom exactly `players` will sit down: one of each country where there are few places."""
    names = [f"{first} {last}" for first in _FIRST for last in _LAST]
    random.shuffle(names)
    while len(names) < players + 10:
        names += [f"{name} {len(names)}" for name in names]

    def country(place: int) -> str:
        round_of = place // len(_COUNTRIES)
        return _COUNTRIES[place % len(_COUNTRIES)] + (f"-{round_of + 1}" if round_of else "")

    def entrant(
        place: int, editions: tuple[int, ...] = (), rank: int | None = 1, at: int | None = None
    ) -> Entrant:
        sent_by = country(place if at is None else at)
        born = date(day.year - random.randint(12 if place % 9 == 0 else 19, 75), random.randint(1, 12), 1)
        return Entrant(names[place], sent_by, (sent_by,), born, editions, rank, f"Club {place % 7 + 1}")

    regular = [entrant(place) for place in range(players - 3)]
    reserve = entrant(players - 3, rank=2)
    decliner = entrant(players, at=players - 3)
    unproved = msgspec.structs.replace(entrant(players + 1), citizenships=())
    late = entrant(players + 2)
    return People(
        regular=(*regular, reserve),
        banned=entrant(players + 3, (edition - 1,)),
        unproved=unproved,
        decliner=decliner,
        absent=entrant(players + 4),
        late=late,
    )


def _in_every_language(name: str) -> dict[str, str]:
    return {language: message(f"championship.simulated.{name}", language) for language in languages()}


def arranged(made: Format) -> Arrangements:
    """What a simulated championship announces: prizes, clubs as teams, a fee, a day for each stage."""
    first = date(2026, 11, 15)
    return read_arrangements(
        {
            "categories": [
                {"id": "junior", "name": _in_every_language("junior"), "born_from": date(2000, 1, 1)}
            ],
            "prizes": [
                {"name": _in_every_language("first_prize"), "amount": "€300"},
                {"name": _in_every_language("second_prize"), "amount": "€100"},
                {"name": _in_every_language("junior_prize"), "category": "junior", "not_first": 3},
                {"name": _in_every_language("team_prize"), "to": "teams"},
            ],
            "teams": {"best": 3},
            "fees": {"amount": 2000, "reduced": {"junior": 1000}},
            "days": [
                {
                    "date": first + timedelta(days=place),
                    "sittings": [(stage.id, sitting) for sitting in range(1, stage.sittings + 1)],
                }
                for place, stage in enumerate(made.stages)
            ],
        }
    )
