"""A club night: from names to tables in one step, run by one person, and as checkable as any championship."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldroom.championship import ChampionshipError, read_state
from meldroom.championship.club_night import club_format, entrants_of, names_in
from meldroom.championship.formats.format import preset
from meldroom.rules.library import book
from tests.championship.command_line import run
from tests.championship.outside_verifier import outside

SCORES = {
    ("1", 4): "111,-1,-10,-100",
    ("1", 3): "222,-2,-220",
    ("2", 4): "333,-3,-30,-300",
    ("2", 3): "444,-4,-440",
}
"""By sitting and players at the table; no two players can come out level."""
SEVEN = "Ada, Ben, Chi, Dev, Eve, Fay, Gus"


@pytest.mark.parametrize(
    "text",
    [
        "Ada\nBen Nevis\nChi",
        "Ada, Ben Nevis,Chi",
        "1. Ada\n2. Ben Nevis\n3) Chi",
        "- Ada\n* Ben   Nevis\r\n\n• Chi\n",
        "Ada;Ben Nevis\tChi",
    ],
)
def test_names_are_found_however_they_are_typed(text: str) -> None:
    assert names_in(text) == ("Ada", "Ben Nevis", "Chi")


@given(st.text(max_size=200))
def test_no_text_breaks_the_list(text: str) -> None:
    for name in names_in(text):
        assert name == " ".join(name.split())
        assert name


def test_a_name_twice_is_refused_whatever_the_capitals() -> None:
    with pytest.raises(ChampionshipError, match="“ada” is on the list twice"):
        entrants_of(("Ada", "Ben", "ada"))


def test_the_usual_night_is_the_preset_and_another_one_says_what_differs() -> None:
    assert club_format() == preset("club_night") == club_format(None, 3, 2)
    (stage,) = club_format(book("tml"), 4, 1).stages
    assert (stage.sittings, stage.games, club_format(book("tml"), 4, 1).book) == (4, 1, "tml")


def test_one_person_runs_a_whole_night_and_the_verifier_agrees(tmp_path: Path) -> None:
    log = str(tmp_path / "tuesday.jsonl")
    status, said = run("club-night", log, "--names", SEVEN, "--sittings", "2", "--games", "1", "--by", "Olga")
    assert status == 0
    assert "7 players" in said.splitlines()[0]
    assert said.count("Evening, sitting") == 2
    host = ("--by", "Olga", "--as", "host")
    for sitting in ("1", "2"):
        tables = read_state(Path(log)).seatings["evening", int(sitting)].tables
        assert sorted(len(table) for table in tables) == [3, 4]
        for number, table in enumerate(tables, start=1):
            assert run("enter", log, str(number), "1", SCORES[sitting, len(table)], *host)[0] == 0
        assert run("sign", log, "--all", "--referee", "Olga", *host)[0] == 0
    status, said = run("close", log, *host)
    assert "The championship is over." in said
    assert run("verify", log)[0] == 0
    assert run("export", log, str(tmp_path / "out"))[0] == 0
    status, said = outside(tmp_path / "out")
    assert (status, "confirmed" in said) == (0, True)


@pytest.mark.parametrize(
    ("names", "why"), [("Ada, Ada", "on the list twice"), ("Ada", "player"), ("Ada\x07, Ben, Chi", "Ada")]
)
def test_a_list_that_cannot_play_leaves_no_file(tmp_path: Path, names: str, why: str) -> None:
    log = tmp_path / "tuesday.jsonl"
    status, said = run("club-night", str(log), "--names", names)
    assert (status, why in said, log.exists()) == (2, True, False)


def test_a_list_can_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "here.txt").write_text("Zoé\nBen\nChi\n", encoding="utf-8")
    log = tmp_path / "tuesday.jsonl"
    assert run("club-night", str(log), "--names", f"@{tmp_path / 'here.txt'}", "--lang", "fr")[0] == 0
    assert read_state(log).name_of(1) == "Zoé"
