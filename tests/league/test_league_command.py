"""`meldroom league` with real logs and exports: what an organiser types, and what they read."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from meldroom.championship.log.export import document_of
from meldroom.championship.log.file import read_state
from meldroom.cli.app import app
from meldroom.league import load_event

FIXTURES = Path(__file__).parents[1] / "fixtures" / "v0.1"
RUNNER = CliRunner()


def run(*words: str) -> tuple[int, str]:
    done = RUNNER.invoke(app(("league",)), ["league", *words])
    return done.exit_code, done.output


@pytest.fixture(scope="module")
def log() -> Path:
    """A whole championship of the first edition."""
    return next(path for path in sorted(FIXTURES.rglob("*.jsonl")) if load_over(path))


def load_over(path: Path) -> bool:
    try:
        return load_event(path).over
    except ValueError:
        return False


@pytest.fixture
def winter(tmp_path: Path, log: Path) -> Path:
    file = tmp_path / "winter.toml"
    (tmp_path / "one.jsonl").write_bytes(log.read_bytes())
    file.write_text('name = { en = "Winter", fr = "Hiver" }\nevents = ["one.jsonl"]\n[classes.all]\n')
    return file


def test_the_places_are_those_of_the_event(winter: Path, log: Path) -> None:
    status, said = run("table", str(winter))
    assert status == 0
    lines = said.splitlines()
    assert lines[0] == "Winter, 1 event"
    finishes = load_event(log).finishes
    assert [line.split(maxsplit=1)[1].split("  ")[0].strip() for line in lines[2:]] == [
        one.entrant.name for one in finishes
    ]
    assert "Hiver, 1 épreuve" in run("table", str(winter), "--lang", "fr")[1]


def test_an_export_counts_as_its_log_does(tmp_path: Path, log: Path) -> None:
    import msgspec

    exported = tmp_path / "event.json"
    exported.write_bytes(msgspec.json.encode(document_of(read_state(log))))
    mine, theirs = load_event(exported), load_event(log)
    assert (mine.finishes, mine.games) == (theirs.finishes, theirs.games)
    assert sum(len(game.players) for game in mine.games) == sum(one.games for one in mine.finishes)


def test_csv_and_json_hold_the_same(winter: Path) -> None:
    table = list(csv.reader(io.StringIO(run("table", str(winter), "--csv")[1])))
    whole = json.loads(run("table", str(winter), "--json")[1])
    assert table[0][:4] == ["place", "player", "total", "events"]
    assert [row[1] for row in table[1:]] == [row["person"]["name"] for row in whole["rows"]]


def test_check_says_that_all_is_well_or_what_is_not(winter: Path) -> None:
    assert run("check", str(winter))[1].endswith("Nothing is wrong.\n")
    winter.write_text('name = "W"\nevents = ["gone.jsonl"]\n')
    status, said = run("check", str(winter))
    assert (status, "gone.jsonl can't be counted" in said, "No such file" in said) == (2, True, True)
    (winter.parent / "gone.jsonl").write_text("nonsense\n")
    assert "No such file" not in run("check", str(winter))[1]


def test_a_rating_list_is_kept_shown_and_gone_on_with(winter: Path, tmp_path: Path) -> None:
    out = tmp_path / "ratings.json"
    assert run("ratings", str(winter), "--out", str(out))[0] == 0
    assert "exists already" in run("ratings", str(winter), "--out", str(out))[1]
    status, said = run("ratings", str(winter), "--start", str(out))
    assert (status, "would count twice" in said) == (2, True)
    shown = run("ratings", str(winter))[1].splitlines()
    assert shown[0].split() == ["place", "player", "rating", "±", "games", "last", "event"]
    assert len(shown) == 1 + len(json.loads(out.read_bytes())["players"])
