"""Mining: positions as they stood, the same puzzles from the same games, resumed where it stopped."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from meldroom.arena import ArenaError, read
from meldroom.bots import bot, play
from meldroom.cli.app import app
from meldroom.corpus.puzzles import PUZZLES, REPORT, mine_experiment, mine_records, tally_of
from meldroom.corpus.records import ALLOWED, allowed_in
from meldroom.puzzles import load_puzzles
from meldroom.puzzles.mining import mine, moments
from meldroom.record import to_text
from testkit.puzzles.solvers import STRENGTHS, shifts_needed

SMALL: dict[str, Any] = {
    "format": "tables",
    "books": ["wrc11", "rummyo"],
    "bots": ["club", "tournament"],
    "tables": [["club", "tournament"]],
    "deals": 4,
    "seed": "mining",
    "mirrored": False,
}


def test_every_turn_is_looked_at_and_tables_are_as_they_stood() -> None:
    record = play("wrc11", [bot("club"), bot("tournament")], seed="mine 1")
    turns = list(moments(record))
    assert [turn for turn, _ in turns] == list(range(1, len(turns) + 1))
    found = mine(record, "game")
    looked = sum(count for (_, _, gate), count in found.tally.items() if gate == "looked_at")
    assert looked == len(turns)
    for puzzle in found.puzzles:
        state = dict(turns)[puzzle.source.turn]
        given = puzzle.read()
        assert given.table == state.face_table()
        assert sorted(given.rack) == sorted(state.faces(state.racks[state.seat]))
        assert [len(rack) for rack in given.position.racks] == [len(rack) for rack in state.racks]


def test_nothing_hidden_is_told() -> None:
    for seed in range(6):
        record = play("tml", [bot("club"), bot("tournament")], seed=f"hidden {seed}")
        for puzzle in mine(record, "game").puzzles:
            given = puzzle.read()
            for seat, rack in enumerate(given.position.racks):
                assert (set(rack) == {-1}) == (seat != given.seat)


def test_a_stopped_run_goes_on_and_gives_the_same_puzzles(tmp_path: Path) -> None:
    experiment = read(SMALL)
    whole = mine_experiment(experiment, tmp_path / "whole")
    mine_experiment(experiment, tmp_path / "parts", most_games=1)
    again = mine_experiment(experiment, tmp_path / "parts")
    assert (whole.games, whole.puzzles, whole.tally) == (again.games, again.puzzles, again.tally)
    for name in (PUZZLES, REPORT):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "parts" / name).read_bytes()
    assert len(load_puzzles(tmp_path / "whole" / PUZZLES)) == whole.puzzles
    with pytest.raises(ArenaError):
        mine_experiment(read(SMALL | {"seed": "other"}), tmp_path / "whole")


def test_counts_survive_their_way() -> None:
    assert tally_of([("wrc11", "turn", "unique", 3)])["wrc11", "turn", "unique"] == 3


def command(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app(), list(words))
    return done.exit_code, done.output


def test_puzzles_are_mined_from_records_proven_rated_and_packed(tmp_path: Path) -> None:
    games = tmp_path / "a.meld"
    games.write_text(to_text(play("wrc11", [bot("club"), bot("tournament")], seed="t1")), encoding="utf-8")
    out, file = tmp_path / "out", tmp_path / "out" / PUZZLES
    status, said = command("puzzles", "mine", str(games), "--out", str(out), "--lang", "en")
    assert (status, "puzzles in" in said or "puzzle in" in said) == (0, True)
    assert "looked_at" in (out / REPORT).read_text(encoding="utf-8")
    mined = load_puzzles(file)
    assert mined
    assert command("puzzles", "verify", str(file), "--lang", "en")[0] == 0
    rated = tmp_path / "rated.jsonl.gz"
    assert command("puzzles", "rate", str(file), "--out", str(rated), "--lang", "fr")[0] == 0
    assert [each.rating for each in load_puzzles(rated)] == [each.rating for each in mined]
    attempts = tmp_path / "attempts.jsonl"
    line = f'{{"player": "ada", "puzzle": "{mined[0].id}", "book": "wrc11", "solved": true, "seconds": 40}}\n'
    attempts.write_text(line * 2, encoding="utf-8")
    status, said = command(
        "puzzles", "rate", str(file), "--attempts", str(attempts), "--out", str(rated), "--lang", "en"
    )
    assert (status, "1 attempts counted" in said) == (0, True)
    # One attempt of somebody nobody knows: their own rating moves, the puzzle's does not.
    assert load_puzzles(rated)[0].rating == mined[0].rating
    pack = tmp_path / "pack.jsonl.gz"
    assert command("puzzles", "pack", str(file), "--count", "1", "--out", str(pack), "--lang", "en")[0] == 0
    assert len(load_puzzles(pack)) == 1


def test_of_a_server_only_games_are_mined_whose_table_allows_it(tmp_path: Path) -> None:
    record = play("wrc11", [bot("club"), bot("tournament")], seed="t1")
    allowed = replace(record, headers=replace(record.headers, tags={ALLOWED: "yes"}))
    database = tmp_path / "meldroom.db"
    with closing(sqlite3.connect(database)) as opened, opened:
        opened.execute("CREATE TABLE finished_games (id TEXT, ended_at INTEGER, record TEXT)")
        rows = [("b", 2, to_text(allowed)), ("a", 1, to_text(record))]
        opened.executemany("INSERT INTO finished_games VALUES (?, ?, ?)", rows)
    assert list(allowed_in(database)) == [to_text(allowed)]
    found = mine_records([database])
    assert found.puzzles
    assert {puzzle.source.game for puzzle in found.puzzles} == {"meldroom.db#1"}
    with pytest.raises(OSError, match=r"other\.db"):
        mine_records([tmp_path / "other.db"])


def test_a_puzzle_that_no_longer_holds_is_named(tmp_path: Path) -> None:
    from meldroom.puzzles import starter_pack

    puzzle = next(each for each in starter_pack() if each.kind == "most_tiles")
    wrong = replace(puzzle, second=puzzle.second + 1, margin=puzzle.margin - 1)
    file = tmp_path / "wrong.jsonl"
    file.write_bytes(wrong.line())
    status, said = command("puzzles", "verify", str(file), "--lang", "en")
    assert status == 1
    assert puzzle.id in said
    file.write_bytes(b"{}")
    status, said = command("puzzles", "verify", str(file), "--lang", "en")
    assert status == 2
    assert "line 1" in said


def test_the_puzzle_of_the_day_in_the_terminal() -> None:
    status, said = command("puzzle", "--date", "2026-11-16", "--lang", "en")
    assert status == 0
    assert "Your rack" in said
    assert "1. " in said
    assert command("puzzle", "--date", "2026-11-16", "--lang", "en")[1] == said
    status, said = command(
        "puzzle", "--theme", "split_run", "--level", "harder", "--seed", "x", "--lang", "fr"
    )
    assert status == 0
    assert "Votre chevalet" in said


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--date", "yesterday"], "yesterday"),
        (["--book", "chess"], "chess"),
        (["nosuchid"], "nosuchid"),
    ],
)
def test_what_cannot_be_asked_for_is_refused_in_one_line(words: list[str], named: str) -> None:
    status, said = command("puzzle", *words, "--lang", "en")
    assert status == 2
    assert named in said


def test_simulated_solvers_find_what_is_easy_and_repeat_themselves() -> None:
    from meldroom.puzzles import starter_pack

    easy = next(each for each in starter_pack() if each.kind == "most_tiles" and each.book == "tml")
    given = easy.read()
    tries = [shifts_needed(given, strength, "test") for strength in STRENGTHS]
    assert any(tries)
    assert tries == [shifts_needed(given, strength, "test") for strength in STRENGTHS]
