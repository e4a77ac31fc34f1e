"""A house book with tables of three and three jokers plays, solves, seats, counts and prints."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import meldroom as mr
from meldroom.bots.game_loop import play_game
from meldroom.bots.levels import make_bot
from meldroom.championship import load_format, preset, read_lines, read_state, verify
from meldroom.championship.log.export import document_of
from meldroom.championship.seating.types import TableSize
from meldroom.cli.app import app
from meldroom.game import Shuffle
from meldroom.papers import ChampionshipPapers, Order, print_pdf
from meldroom.papers.values import BlankSheets, ScoreSheets
from meldroom.referee import at_end_of, count_game
from meldroom.rules.book import RuleBook
from meldroom.rules.library import load_house_book
from meldroom.solver import SolverError, solve_faces
from meldroom.tiles import parse_set, parse_table

VERIFIER = Path(__file__).resolve().parents[2] / "examples" / "championship_verifier.py"
HOUSE = """
id = "threes"
version = "1"
base = "wrc11"
name = "Three at a table"

[tiles]
jokers = 3

[players]
maximum = 3

[tournament]
rounds = 4
games_per_round = 3
table_size = 3
finalists = 3
cut_after_round_1 = true
not_twice_running = true
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The house book's file."""
    path = tmp_path / "threes.toml"
    path.write_text(HOUSE, encoding="utf-8")
    return path


@pytest.fixture
def house(file: Path) -> RuleBook:
    return load_house_book(file)


def run(*words: str) -> str:
    done = CliRunner().invoke(app((words[0],)), list(words))
    assert done.exit_code == 0, done.stderr
    return done.stdout


def test_it_plays_and_counts(house: RuleBook) -> None:
    assert house.tiles.size == 107
    for number in range(3):
        bots = [make_bot("club", house, seed=f"{number} {seat}") for seat in range(3)]
        state = play_game(house, bots, Shuffle(f"threes {number}"), starter=number).state
        assert state.result is not None
        assert len(state.racks) == 3
        count = count_game(house, at_end_of(state))
        assert count.result.scores == state.result.scores
        assert count.notes == ()


def test_it_solves_with_three_jokers(house: RuleBook) -> None:
    found = solve_faces(house, (), parse_set("R10 * * * K1 B2", house.tiles))
    assert (found.tiles, house.tiles.faces_text(found.played).count("*")) == (4, 3)
    table = parse_table("R5 R6 R7", house.tiles)
    assert solve_faces(house, table, parse_set("R8 * * *", house.tiles)).tiles == 4
    wrc11 = mr.book("wrc11")
    with pytest.raises(SolverError):
        solve_faces(wrc11, (), parse_set("R10 * * *", wrc11.tiles))


def test_it_seats_tables_of_three(file: Path) -> None:
    assert TableSize.of(load_house_book(file)) == TableSize(3, 2)
    lines = CliRunner().invoke(
        app(("seat",)), ["seat", "--jsonl", "--book", str(file)], input='{"players": 27}\n{"players": 28}\n'
    )
    exact, one_more = map(json.loads, lines.stdout.splitlines())
    assert {len(table) for sitting in exact["sittings"] for table in sitting} == {3}
    assert sorted({len(table) for sitting in one_more["sittings"] for table in sitting}) == [2, 3]
    assert (exact["repeats"], exact["bound"], exact["most_tables_of_three"]) == (0, 0, 0)
    assert "seat 3" in run("seat", "9", "--book", str(file), "--seed", "s")
    assert "seat 4" not in run("seat", "9", "--book", str(file), "--seed", "s")


def test_every_tournament_field_decides_the_format(house: RuleBook) -> None:
    made = preset("wrc", house)
    assert [(stage.id, stage.games, stage.takes, stage.cut) for stage in made.stages] == [
        ("round1", 3, None, "ranking"),
        ("round2", 3, 9, "table_winners"),
        ("semifinals", 3, None, "ranking"),
        ("final", 3, 3, "ranking"),
    ]
    assert [stage.seating for stage in made.stages] == [house.tournament.seating] * 4
    assert (made.conditions.citizens_only, made.conditions.not_twice_running) == (False, True)
    assert made.table_size() == TableSize(3, 2)
    assert made.rules() == house
    assert preset("german", house).stages == preset("german").stages


def test_a_format_file_may_name_the_house_book(file: Path) -> None:
    own = file.parent / "club.toml"
    own.write_text(
        'id = "club"\nversion = "1"\nname = "Club"\nbook = "threes.toml"\n'
        '[[stages]]\nid = "evening"\nname = { fr = "Soirée" }\n',
        encoding="utf-8",
    )
    made = load_format(own)
    assert (made.book, made.table_size(), made.stages[0].games) == ("threes", TableSize(3, 2), 3)
    assert (made.name["fr"], made.stages[0].name["en"]) == ("Club", "Soirée")
    assert made.rules().tiles.jokers == 3


@pytest.mark.parametrize("made", ["wrc", "german"])
def test_a_championship_is_played_at_tables_of_three(made: str, file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "played"
    run(
        *("championship", "simulate", str(folder), "--book", str(file), "--format", made),
        *("--players", "14", "--no-papers", "--seed", "threes"),
    )
    file.unlink()  # the log holds the whole book
    lines = read_lines(folder / "event.jsonl")
    assert verify(lines)[1] == []
    state = read_state(folder / "event.jsonl")
    confirmed = subprocess.run(
        [sys.executable, "-I", str(VERIFIER), str(folder / "export")], capture_output=True, check=False
    )
    assert confirmed.stdout.startswith(b"confirmed: "), confirmed.stdout
    sizes = [len(table) for seated in state.seatings.values() for table in seated.tables]
    assert set(sizes) == {2, 3}
    assert state.format.rules().tiles.jokers == 3


def test_it_prints_sheets_of_three(file: Path, tmp_path: Path) -> None:
    run(
        *("championship", "simulate", str(tmp_path / "p"), "--book", str(file), "--players", "9"),
        *("--no-papers", "--no-faults", "--seed", "1"),
    )
    papers = ChampionshipPapers(document_of(read_state(tmp_path / "p" / "event.jsonl")), Order(blank=1))
    made = dict(papers.all(["sheets", "blank_sheets"]))
    sheets, blank = made["sheets-round1-1"], made["blank-sheets"]
    assert isinstance(sheets, ScoreSheets)
    assert isinstance(blank, BlankSheets)
    assert [len(sheet.players) for sheet in sheets.sheets] == [3, 3, 3]
    assert [len(sheet.starters) for sheet in sheets.sheets] == [3, 3, 3]
    assert (blank.seats, blank.games) == (3, 3)
    for paper in made.values():
        assert print_pdf(papers.occasion(), paper).startswith(b"%PDF")


def test_its_racks_hold_three_jokers_in_the_log(file: Path, tmp_path: Path) -> None:
    log = tmp_path / "threes.jsonl"
    listed = tmp_path / "list.csv"
    listed.write_text("name,editions\n" + "".join(f"P{n},–\n" for n in range(6)), encoding="utf-8")
    by = ("--by", "Dana", "--as", "director")
    run("championship", "new", str(log), "--name", "Threes", "--book", str(file), "--by", "Olga")
    run("championship", "import", str(log), str(listed), *by)
    run("championship", "check-in", str(log), "--all", *by)
    run("championship", "draw", str(log), "--announce", "--seed", "s", *by)
    run("championship", "draw", str(log), "--reveal", "s", *by)
    racks = ("--rack", "2=* * *", "--rack", "3=K5", "--winner", "1")
    shown = run("championship", "enter", str(log), "1", "1", *racks, *by)
    assert shown == "table 1, game 1: +305 -300 -5\n"
