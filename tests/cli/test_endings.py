"""How every command ends: full disks, closed pipes, Ctrl-C, missing extras, and one line for each error."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from meldroom.cli.app import COMMANDS, app

ROOT = Path(__file__).resolve().parents[2]
MELDROOM = [sys.executable, "-m", "meldroom"]
RECORD = str(ROOT / "examples" / "records" / "matchbox.meld")
FULL = Path("/dev/full")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "LC_ALL": "C.UTF-8"}

ANSWERS = [
    ["--help"],
    ["--version"],
    ["check", "--table", "R1 R2 R3", "--rack", "R4", "--after", "R1 R2 R3 R4"],
    ["score", "Ada=", "Bo=R3", "--winner", "Ada"],
    ["ruling", "final_turns", "seats=Ada Bo Chi Dev", "drawer=Bo"],
    ["replay", RECORD],
    ["replay", RECORD, "--json"],
    ["rules"],
    ["rules", "wrc11", "--json"],
    ["demo"],
    ["seat", "8"],
    ["championship", "--help"],
]


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("words", ANSWERS, ids=lambda words: " ".join(words)[:30])
def test_a_full_disk_is_one_line_and_status_74(words: list[str]) -> None:
    with FULL.open("wb") as full:
        done = subprocess.run(
            [*MELDROOM, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=ENVIRONMENT
        )
    assert done.returncode == 74, done.stderr
    assert done.stderr.count("\n") == 1
    assert "can't be written: No space left on device" in done.stderr


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
def test_answers_in_json_lines_end_the_same_way() -> None:
    request = b'{"check": "final_turns", "input": {"seats": ["A", "B"], "drawer": "A"}}\n'
    with FULL.open("wb") as full:
        done = subprocess.run(
            [*MELDROOM, "ruling", "--jsonl"],
            input=request,
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            env=ENVIRONMENT,
        )
    assert done.returncode == 74
    assert done.stderr.count(b"\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="pipes end otherwise there")
@pytest.mark.parametrize("words", [["replay", RECORD], ["rules", "wrc11"], ["--help"]], ids=str)
def test_a_reader_who_has_gone_is_no_error(words: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*MELDROOM, *words],
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env=ENVIRONMENT,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(os.name == "nt", reason="file descriptors are otherwise there")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_do_no_harm(closed: str) -> None:
    line = f"{shlex.join(MELDROOM)} ruling final_turns 'seats=A B' drawer=B {closed}"
    assert subprocess.run(["sh", "-c", line], capture_output=True, env=ENVIRONMENT).returncode == 0
    line = f"{shlex.join(MELDROOM)} play {closed}"
    done = subprocess.run(["sh", "-c", line], capture_output=True, env=ENVIRONMENT, text=True)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="terminals are otherwise there")
def test_play_ends_when_its_terminal_goes_away(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [*MELDROOM, "play", "wrc11", "--lang", "en"],
        stdin=theirs,
        stdout=theirs,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env={**ENVIRONMENT, "LINES": "24", "COLUMNS": "80"},
        start_new_session=True,
    ) as process:
        os.close(theirs)
        assert process.stderr is not None
        shown = b""
        while b"pool" not in shown:  # the table is drawn, on standard error
            shown += os.read(process.stderr.fileno(), 65536)
        os.close(ours)
        assert b"the terminal was closed" in process.stderr.read()
    assert process.returncode == 2


@pytest.mark.skipif(os.name == "nt", reason="signals are otherwise there")
@pytest.mark.parametrize("command", ["check", "score", "ruling", "seat"])
def test_ctrl_c_ends_quietly_with_130(command: str) -> None:
    with subprocess.Popen(
        [*MELDROOM, command, "--jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        # Tests that a shell runs in the background would hand down that the signal is ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"nonsense\n")
        process.stdin.flush()
        assert b"error" in process.stdout.readline()  # it has answered, and waits for the next line
        process.send_signal(signal.SIGINT)
        said, complained = process.communicate(timeout=60)
    assert (process.returncode, said, complained) == (130, b"", b"")


@pytest.mark.parametrize(
    ("command", "package", "typed"),
    [
        ("arena {experiment}", "matplotlib", "python3 run.py prepare arena"),
        ("serve", "litestar", "python3 run.py"),
        ("serve", "uvicorn", "python3 run.py"),
        ("championship papers {experiment} --out papers", "typst", "python3 run.py prepare papers"),
    ],
)
def test_what_is_missing_is_named_with_what_to_type(
    command: str, package: str, typed: str, tmp_path: Path
) -> None:
    experiment = tmp_path / "tiny.toml"
    experiment.write_text('books = ["wrc11"]\nbots = ["club", "patient"]\ndeals = 1\nseed = "a"\n')
    words = command.format(experiment=experiment).split()
    program = (
        f"import sys; sys.modules[{package!r}] = None; sys.argv = ['meldroom', *{words!r}];"
        "from meldroom.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=tmp_path,
        env=ENVIRONMENT,
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert f"needs the package {package}, which isn't installed" in done.stderr
    assert done.stderr.endswith(f"Install it with: {typed}\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["score"], "name at least 2 players with their final racks"),
        (["score", "Ada"], "write each player once, as NAME=TILES, not “Ada”"),
        (["score", "Ada=", "Bo=R3", "--winner", "Eve"], "--winner: nobody is called “Eve”"),
        (["ruling"], "name a procedure: three_doubles"),
        (["ruling", "final_turns", "seats"], "write it as NAME=VALUE, not “seats”"),
        (["check", "--rack", "R77", "--after", "R77"], "--rack: "),
        (["check", "--option", "jokers"], "--option: write it as NAME=VALUE"),
        (["check", "--book", "nowhere.toml"], "nowhere.toml"),
        (["demo", "--book", "wrc12"], "wrc12"),
        (["rules", "wrc11", "--book", "wrc9"], "not both"),
        (["replay", "nowhere.meld"], "nowhere.meld"),
    ],
)
def test_an_error_is_one_clear_line_and_status_2(words: list[str], said: str) -> None:
    done = CliRunner().invoke(app(words[:1]), words)
    assert done.exit_code == 2, done.output
    assert said in done.stderr
    assert done.stderr.startswith(f"meldroom {words[0]}: ")
    assert done.stderr.count("\n") == 1


def test_errors_are_in_the_language_asked_for() -> None:
    done = CliRunner().invoke(app(["score"]), ["score", "--lang", "fr"])
    assert "nommez au moins 2 joueurs" in done.stderr


def test_the_language_follows_the_system_and_json_stays_english(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["check", "--rack", "R1", "--after", "R1"]
    turn = {"table_before": [], "rack": ["R1"], "table_after": [["R1"]], "has_melded": True}
    line = json.dumps({"rulebook": "wrc11", **turn})
    monkeypatch.setenv("LC_ALL", "fr_CA.UTF-8")
    french = CliRunner().invoke(app(["check"]), words).stdout
    assert "pas légal" in french
    assert "pas légal" not in CliRunner().invoke(app(["check"]), [*words, "--lang", "en"]).stdout
    answered = CliRunner().invoke(app(["check"]), ["check", "--jsonl"], input=line).stdout
    assert "a set needs at least 3 tiles" in answered
    asked = CliRunner().invoke(app(["check"]), ["check", "--jsonl", "--lang", "fr"], input=line).stdout
    assert "a set needs at least 3 tiles" not in asked
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert "not legal" in CliRunner().invoke(app(["check"]), words).stdout
    monkeypatch.setenv("MELDROOM_LANG", "fr")
    assert CliRunner().invoke(app(["check"]), words).stdout == french


@pytest.mark.parametrize("command", COMMANDS)
def test_every_language_option_is_the_same(command: str) -> None:
    if command == "championship":
        return
    checked = dict.fromkeys(("corpus", "league", "config"), "check")
    of_groups = {**checked, "puzzles": "verify", "admin": "games"}
    words = [command, of_groups[command]] if command in of_groups else [command]
    done = CliRunner().invoke(app([command]), [*words, "--lang", "xx"])
    assert done.exit_code == 2
    assert "'xx' is not installed; choose en or fr." in done.stderr
