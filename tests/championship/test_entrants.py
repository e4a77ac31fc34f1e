"""Entrants: the list as CSV, eligibility, check-in, and places that pass down."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from meldroom.championship import (
    AddEntrant,
    AmendEntrant,
    ChampionshipError,
    CheckIn,
    Decline,
    Entrant,
    ImportEntrants,
    NoShow,
    Substitute,
    Withdraw,
    parse_entrants,
    preset,
)
from meldroom.championship.actions import EnterResult
from meldroom.championship.eligibility import verdicts
from meldroom.championship.formats.format import Conditions
from meldroom.championship.results import GameResult
from tests.championship.championship_play import Played

DAY = date(2026, 11, 15)


def test_a_list_is_read_with_all_its_columns() -> None:
    text = (
        "\ufeffName;Country;Citizenship;Born;Editions;Place;Team\r\n"
        "Ada Byron;GBR;GBR/FRA;2000-02-29;9 11;1;Red\r\n\r\n"
        "박지민;KOR;KOR;;–;;\r\n"
    )
    found = parse_entrants(text)
    assert found.faults == ()
    assert found.entrants == (
        Entrant("Ada Byron", "GBR", ("GBR", "FRA"), date(2000, 2, 29), (9, 11), 1, "Red"),
        Entrant("박지민", "KOR", ("KOR",), editions=()),
    )


def test_french_titles_are_understood() -> None:
    found = parse_entrants("nom,pays,nationalité,naissance,rang,équipe\nAda,FRA,FRA,1990-01-02,2,A\n")
    assert found.entrants == (Entrant("Ada", "FRA", ("FRA",), date(1990, 1, 2), None, 2, "A"),)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_bad_line_is_reported_with_its_number(language: str) -> None:
    text = (
        "name,born,place\n"
        "Ada,1990-13-01,1\n"  # 2: no such month
        ",,\n"
        "Bo,,0\n"  # 4: places begin at 1
        "Chi,,\n"
        "Chi,,\n"  # 6: twice
        "Dee\n"  # 7: cells missing
        ",1990-01-01,\n"  # 8: no name
        "Taken,,\n"  # 9: in the event already
        f"{'x' * 90},,\n"  # 10: too long
        "Eve,,2\n"
    )
    found = parse_entrants(text, ["Taken"])
    assert [(fault.line, fault.error.code) for fault in found.faults] == [
        (2, "bad_date"),
        (4, "bad_number"),
        (6, "name_twice"),
        (7, "wrong_cells"),
        (8, "no_name"),
        (9, "name_twice"),
        (10, "bad_text"),
    ]
    assert [entrant.name for entrant in found.entrants] == ["Chi", "Eve"]
    assert all(fault.error.message("fr" if language == "fr" else "en") for fault in found.faults)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("shoe size,team\n40,Red\n", "unknown_column"),
        ("country\nGBR\n", "unknown_column"),
        ("name,player\nAda,Ada\n", "column_twice"),
        ("name\n", "empty_list"),
        ("", "unknown_column"),
        ('name\n"Ada\n', "bad_csv"),
    ],
)
def test_a_list_with_wrong_titles_is_refused(text: str, code: str) -> None:
    assert code in [fault.error.code for fault in parse_entrants(text).faults]


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    found = parse_entrants("name,country\n" + text)
    assert all(entrant.name and entrant.name.isprintable() for entrant in found.entrants)


@pytest.mark.parametrize(
    ("entrant", "expected"),
    [
        (Entrant("A", "FRA", ("FRA",), date(2011, 11, 15), ()), (True, True, True)),
        (
            Entrant("A", "FRA", ("BEL", "FRA"), date(2011, 11, 16), (11,), last_country="FRA"),
            (True, False, False),
        ),
        (Entrant("A", "FRA", ("BEL",), None, None), (False, None, None)),
        (Entrant("A", "FRA"), (None, None, None)),
        (Entrant("A", "FRA", ("FRA",), date(2000, 2, 29), (10, 9)), (True, True, True)),
    ],
)
def test_wrc9_g1_g2_verdicts(entrant: Entrant, expected: tuple[bool | None, ...]) -> None:
    conditions = Conditions(citizens_only=True, not_twice_running=True, minimum_age=15)
    found = verdicts(entrant, conditions, 12, DAY)
    assert tuple(verdict.met for verdict in found) == expected
    assert [verdict.clause for verdict in found] == ["WRC 9 G1; R49", "WRC 9 G2; R63", ""]


def championship_of(*entrants: Entrant) -> Played:
    event = Played()
    event.do(ImportEntrants(entrants))
    return event


def test_r49_a_decliners_place_passes_down_the_list() -> None:
    japan = [Entrant(name, "JPN", ("JPN",), editions=(), place=n) for n, name in enumerate("ABC", 1)]
    event = championship_of(*japan)
    with pytest.raises(ChampionshipError, match="is a reserve: A has the place of JPN"):
        event.do(CheckIn(3))
    event.do(Decline(1), "no leave")
    event.do(Decline(2), "no leave")
    assert event.state.next_in_line("JPN") == 3
    event.do(CheckIn(3))
    assert [one.status for one in event.state.participants] == ["declined", "declined", "present"]


def test_the_place_of_who_may_not_play_passes_down_too() -> None:
    event = championship_of(
        Entrant("A", "JPN", ("JPN",), editions=(11,), place=1, last_country="JPN"),
        Entrant("B", "JPN", ("JPN",), editions=(), place=2),
    )
    with pytest.raises(ChampionshipError, match="the same country at the previous edition"):
        event.do(CheckIn(1))
    event.do(CheckIn(2))


def test_an_override_is_the_organisers_with_a_reason() -> None:
    event = championship_of(Entrant("A", "JPN"))
    with pytest.raises(ChampionshipError, match="passport"):
        event.do(CheckIn(1))
    with pytest.raises(ChampionshipError, match="reason"):
        event.do(CheckIn(1, override=True))
    with pytest.raises(ChampionshipError, match="only "):
        event.do(CheckIn(1, override=True), "passport seen", role="check_in")
    entry = event.do(CheckIn(1, override=True), "passport seen")
    assert (entry.reason, event.state.participant(1).status) == ("passport seen", "present")


def test_an_entrant_who_represents_no_country_has_a_place_of_their_own() -> None:
    citizens = [
        Entrant(name, "JPN", ("JPN",), editions=(), place=place) for place, name in ((1, "C"), (2, "D"))
    ]
    event = championship_of(
        Entrant("Online champion", no_country=True), Entrant("Another", no_country=True), *citizens
    )
    assert [event.state.nominated(number) for number in (1, 2, 3, 4)] == [True, True, True, False]
    for number in (1, 2, 3):
        event.do(CheckIn(number))
    with pytest.raises(ChampionshipError, match="reserve"):
        event.do(CheckIn(4))
    assert [one.status for one in event.state.participants] == ["present", "present", "present", "entered"]
    assert event.state.field("round1") == (1, 2, 3)
    assert event.state.next_in_line("") is None


def test_two_of_one_name_are_refused() -> None:
    event = championship_of(Entrant("A"))
    for action in (AddEntrant(Entrant("A")), ImportEntrants((Entrant("B"), Entrant("B")))):
        with pytest.raises(ChampionshipError, match="tells them apart"):
            event.do(action)


def test_a_name_is_amended_with_a_reason() -> None:
    event = championship_of(Entrant("Adda"), Entrant("Bo"))
    with pytest.raises(ChampionshipError, match="reason"):
        event.do(AmendEntrant(1, Entrant("Ada")))
    event.do(AmendEntrant(1, Entrant("Ada")), "typing error")
    assert event.state.name_of(1) == "Ada"
    with pytest.raises(ChampionshipError):
        event.do(AmendEntrant(1, Entrant("Bo")), "no")


def test_who_has_left_is_out_once_and_a_no_show_may_still_come() -> None:
    event = Played(replace(preset("german")))
    event.do(ImportEntrants((Entrant("A"), Entrant("B"))))
    event.do(NoShow(1))
    event.do(CheckIn(1))
    event.do(Withdraw(1), "ill")
    for action in (Withdraw(1), CheckIn(1), NoShow(1)):
        with pytest.raises(ChampionshipError, match="no longer playing"):
            event.do(action, "again")


def test_who_has_played_can_only_withdraw() -> None:
    event = Played()
    event.enter(4)
    event.draw("round1")
    event.do(EnterResult("round1", 1, 1, 1, GameResult((6, -1, -2, -3), (0,))))
    for action in (NoShow(1), Decline(1)):
        with pytest.raises(ChampionshipError, match="withdrawal instead"):
            event.do(action, "gone")
    event.do(Withdraw(1), "gone")


def test_a_substitute_takes_seats_that_are_not_yet_played() -> None:
    event = Played()
    event.enter(8)
    event.draw("round1")
    first, second = event.state.seatings["round1", 1].tables
    event.do(EnterResult("round1", 1, 1, 1, GameResult((6, -1, -2, -3), (0,))))
    gone, left = first[0], second[0]
    event.do(Substitute(left, Entrant("Sub")), "ill")
    event.do(Substitute(gone, Entrant("Sub of the played table")), "ill")
    tables = event.state.seatings["round1", 1].tables
    assert tables[0] == first
    assert tables[1] == (9, *second[1:])
    assert event.state.successor(left) == 9
