"""`meldroom arena` from the outside: what it prints, what it refuses, and how it ends."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from meldroom.cli.app import app
from tests.arena.small import contents

SECONDS = 200
TINY = 'title = "Tiny"\nbooks = ["wrc11"]\nbots = ["tournament", "patient"]\ndeals = 2\nseed = "tiny"\n'
PROGRAM = "from meldroom.cli.app import app; app(('arena', 'demo'))(prog_name='meldroom')"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("command") / "tiny.toml"
    path.write_text(TINY, encoding="utf-8")
    return path


def arena(*words: str | Path) -> Result:
    # One command alone would lose its name.
    return CliRunner().invoke(app(("arena", "demo")), ["arena", *map(str, words)])


def test_a_run_prints_its_results_and_says_where_they_are(tiny: Path) -> None:
    out = tiny.with_name("out")
    done = arena(tiny, "--out", out, "--jobs", "1", "--records")
    assert done.exit_code == 0, done.output
    assert re.search(r"^patient +4 +\d", done.stdout, re.MULTILINE)
    assert "4 games on 2 deals in " in done.stdout
    assert f"saved in {out}: report.html" in done.stdout
    assert max(map(len, done.stdout.splitlines()[:-1])) <= 80
    assert (out / "experiment.toml").read_text(encoding="utf-8") == TINY
    assert len(list((out / "records").rglob("*.meld"))) == 4


def test_the_copied_configuration_can_be_run_again(tiny: Path) -> None:
    out = tiny.with_name("first")
    assert arena(tiny, "--out", out, "--jobs", "1").exit_code == 0
    for name in ("experiment.toml", "experiment.json"):
        again = tiny.with_name(f"again-{name}")
        assert arena(out / name, "--out", again, "--jobs", "1").exit_code == 0
        assert contents(again).items() <= contents(out).items()


def test_french_is_complete(tiny: Path) -> None:
    out = tiny.with_name("french")
    arena(tiny, "--out", out, "--jobs", "1", "--lang", "fr")
    again = arena(tiny, "--out", out, "--jobs", "1", "--lang", "fr")
    assert "reprise\u00a0: 4 parties sur 4" in again.stderr
    assert "4 parties sur 2 donnes" in again.stdout
    assert '<html lang="fr">' in (out / "report.html").read_text(encoding="utf-8")
    wrong = arena(tiny.with_name("none.toml"), "--lang", "fr")
    assert "impossible à lire" in wrong.stderr


def test_a_wrong_file_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "wrong.toml").write_text(TINY.replace("deals = 2", "deal = 2"), encoding="utf-8")
    done = arena(tmp_path / "wrong.toml", "--out", tmp_path / "out")
    assert done.exit_code == 2
    assert done.stderr.startswith(f"meldroom arena: {tmp_path / 'wrong.toml'}: deal: no such key")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_folder_of_another_experiment_is_refused(tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert arena(tiny, "--out", out, "--jobs", "1").exit_code == 0
    (tmp_path / "other.toml").write_text(TINY.replace('seed = "tiny"', 'seed = "other"'), encoding="utf-8")
    done = arena(tmp_path / "other.toml", "--out", out, "--jobs", "1")
    assert done.exit_code == 2
    assert "seed differs" in done.stderr


def test_bad_options_are_refused(tiny: Path) -> None:
    assert "--jobs: needed: at least one process" in arena(tiny, "--jobs", "0").stderr
    assert "--scheduler: needed: the address" in arena(tiny, "--scheduler", "here").stderr


def test_help_shows_an_experiment_and_examples() -> None:
    shown = arena("--help").stdout
    assert 'bots = ["tournament", "patient"]' in shown
    assert "meldroom arena examples/experiments/quick.toml" in shown


def test_in_a_terminal_games_done_and_time_left_are_shown_and_a_stop_keeps_the_games(tmp_path: Path) -> None:
    """A long run in a real terminal, stopped with Ctrl-C once it shows that games are done."""
    path, out = tmp_path / "long.toml", tmp_path / "out"
    path.write_text(TINY.replace("deals = 2", "deals = 100000"), encoding="utf-8")
    ours, theirs = pty.openpty()
    # A process started in the background of a shell is deaf to Ctrl-C, and its children inherit that.
    program = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {PROGRAM}"
    words = [sys.executable, "-c", program, "arena", str(path), "--out", str(out), "--jobs", "2"]
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "24"}
    process = subprocess.Popen(
        words, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
    )
    os.close(theirs)
    seen, end = "", time.monotonic() + SECONDS
    try:
        while not re.search(r"[\d,]+ of 200,000 games, \d+(\.\d)? games/s, .+ left", seen):
            assert time.monotonic() < end, seen
            seen += os.read(ours, 4096).decode(errors="replace")
        os.killpg(process.pid, signal.SIGINT)
        while "Run the same command to continue" not in seen:
            assert time.monotonic() < end, seen
            seen += os.read(ours, 4096).decode(errors="replace")
        assert process.wait(SECONDS) == 130
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(ours)
    assert "Traceback" not in seen
    assert list((out / "chunks").glob("*.msgpack"))
