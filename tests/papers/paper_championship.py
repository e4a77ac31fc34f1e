"""A championship for the papers' tests: 33 players with names that try everything, played to its end."""

from __future__ import annotations

from datetime import date
from functools import cache
from random import Random

from meldroom.championship import (
    Arrange,
    CancelPenalty,
    CheckIn,
    Entrant,
    ImportEntrants,
    Penalise,
    RecordPayment,
    SettleDispute,
    Withdraw,
)
from meldroom.championship.arrangements.definition import Arrangements, read_arrangements
from meldroom.championship.log.export import Document, as_json
from meldroom.championship.log.restore import decode_document
from tests.championship.championship_play import Played

NAMES = (
    "Ada Lovelace",
    "#let x = [1] $y$ *b* _u_ \\ @ref <label> `raw` ~ // c /* d */",
    "Wolfeschlegelsteinhausenbergerdorffwelchevoralternwarengewissenhaftschaferswesse",
    "Maximiliano Fernández de la Torre y Gutiérrez-Sánchez von und zu Hohenlohe-Bartenst",
    "Δημήτρης Παπαδόπουλος",
    "Анна Каренина",
    "{page} {printed} {{}}",
    "\"quoted\" & <b>bold</b> 'x'",
)
YOUNG = "Zoë-Anne Petit"


def arrangements() -> Arrangements:
    """Prizes, teams, fees and days with texts that try everything."""
    return read_arrangements(
        {
            "categories": [{"id": "young", "name": "#" + "y" * 79, "born_from": date(2010, 1, 1)}],
            "prizes": [
                {"name": "First " + "x" * 70, "amount": "$100 *bold*"},
                {"name": "Young", "category": "young"},
                {"name": "Team", "to": "teams"},
            ],
            "teams": {"best": 5},
            "fees": {"currency": "EUR", "amount": 2000},
            "days": [{"date": date(2026, 11, 15), "sittings": ["round1 1", "semifinals 1"]}],
        }
    )


@cache
def played(until: str = "final") -> Played:
    """The event after a stage: WRC, 33 players, one of them a minor, one withdrawn."""
    names = [*NAMES, YOUNG, *(f"Player {number} Somebody" for number in range(len(NAMES) + 2, 34))]
    people = tuple(
        Entrant(
            name[:80],
            f"C{number}",
            (f"C{number}",),
            date(2012, 1, 1) if name == YOUNG else date(1980, 1, 1),
            (),
            team="Red & Co" if number % 2 else "",
        )
        for number, name in enumerate(names, start=1)
    )
    event = Played()
    event.do(ImportEntrants(people))
    event.do(Arrange(arrangements()))
    event.do(RecordPayment(1, 2000))
    for number in range(1, 34):
        event.do(CheckIn(number))
    random = Random(6)
    for stage in ("round1", "semifinals", "final"):
        event.play_stage(stage, random)
        if stage == "round1":
            table = event.state.seatings["round1", 1].tables[0]
            place = ("round1", 1, 1, 2)
            event.do(Penalise(table[1], "time_out", 3, 2, *place, note="clock at 0:00"), role="referee")
            event.do(Penalise(table[2], "late", note="x" * 300), role="referee")
            event.do(CancelPenalty(2), "the train was late")
            event.do(
                SettleDispute(
                    "May the joker go back to the rack? #" + "w" * 100,
                    "No: table restored, three tiles.",
                    ("WRC 11 #9",),
                    ("R23",),
                    table[:2],
                    ("photo", "clock"),
                    *place,
                    referee="Rita",
                ),
                role="referee",
            )
            event.do(Withdraw(event.state.field("semifinals")[-1]), "has to leave")
        if stage == until:
            break
    return event


@cache
def exported(until: str = "final") -> Document:
    """The event as papers read it."""
    return decode_document(as_json(played(until).state))
