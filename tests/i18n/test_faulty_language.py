"""A mistake in a translation shows English in its place, and is said once, with file and line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from meldroom.i18n import message, template
from tests.i18n.pseudo_language import CODE, marked, write_language

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def locales(tmp_path: Path) -> Path:
    """A folder with one whole language; each test spoils a file of it."""
    write_language(tmp_path)
    return tmp_path


def spoil(locales: Path, file: str, old: str, new: str) -> str:
    """Replaces a text in a file of the language; returns what the log should name: file and line."""
    path = locales / CODE / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return f"{path}, line {text[: text.index(old)].count(chr(10)) + 1}:"


def run(locales: Path, *words: str) -> subprocess.CompletedProcess[str]:
    python = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    environment = os.environ | {"MELDROOM_LOCALES": str(locales), "PYTHONPATH": python, "COLUMNS": "200"}
    return subprocess.run(
        [sys.executable, *words], env=environment, cwd=ROOT, capture_output=True, text=True, check=False
    )


def told(locales: Path, *ids: tuple[str, dict[str, str]]) -> tuple[list[str], list[str]]:
    """Messages told twice in the language, without their values, and what the log says."""
    code = (
        "import json; from meldroom.i18n import message\n"
        f"for _ in 'ab': print(json.dumps([message(id, '{CODE}', **values) for id, values in {list(ids)!r}]))"
    )
    done = run(locales, "-c", code)
    assert done.returncode == 0, done.stderr
    first, second = map(json.loads, done.stdout.splitlines())
    assert first == second
    return first, done.stderr.splitlines()


WORD = "extras.missing"
VALUES = {"purpose": "P", "package": "Q", "command": "C"}


@pytest.mark.parametrize(
    "wrong",
    ["{pakage}", "{0}", "{}", "{package!r}", "{package:.2f}", "{package.__class__}", "{package", "package}"],
)
def test_a_wrong_placeholder_shows_english_and_is_said_once(locales: Path, wrong: str) -> None:
    place = spoil(locales, "extras.toml", "{package}", wrong)
    found, log = told(locales, (WORD, VALUES), ("decode.missing", {"field": "F"}))
    assert found[0] == message(WORD, "en", **VALUES)
    assert found[1] == marked(str(template("decode.missing"))).format(field="F")
    assert len(log) == 1
    assert log[0].startswith(place)
    assert WORD.partition(".")[2] in log[0]


@pytest.mark.parametrize("wrong", ['"missing" = ', '"missing" = 5', '"missing" = "a" "b"', "\x00"])
def test_a_slip_of_toml_shows_english_and_names_the_file(locales: Path, wrong: str) -> None:
    path = locales / CODE / "extras.toml"
    path.write_text('\n"missing" = "x"\n'.replace('"missing" = "x"', wrong), encoding="utf-8")
    found, log = told(locales, (WORD, VALUES))
    assert found == [message(WORD, "en", **VALUES)]
    assert len(log) == 1
    assert log[0].startswith(str(path))
    assert "line 2" in log[0]


def test_bytes_that_are_no_text_show_english(locales: Path) -> None:
    path = locales / CODE / "extras.toml"
    path.write_bytes(b'missing = "\xff"\n')
    found, log = told(locales, (WORD, VALUES))
    assert found == [message(WORD, "en", **VALUES)]
    assert [line.startswith(str(path)) for line in log] == [True]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('one = "i = 1 and v = 0"', 'one = "i is 1"'),
        ('decimal = ","', "decimal = 5"),
        ('day = "{day} {month} {year}"', 'day = "{day} {moon}"'),
        ('"m11", "m12"]', '"m11"]'),
        ("[plurals]", "[plurals"),
    ],
)
def test_a_faulty_locale_counts_and_writes_as_english_does(locales: Path, old: str, new: str) -> None:
    spoil(locales, "locale.toml", old, new)
    code = (
        "from datetime import date; from meldroom.i18n import locale, message\n"
        f"own = locale('{CODE}'); print(own.name, own.number(1.5), own.date(date(2026, 12, 1)))\n"
        f"print(message('decode.length_least', '{CODE}', count=3))"
    )
    done = run(locales, "-c", code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == f"{CODE} 1.5 1 December 2026"
    log = done.stderr.splitlines()
    assert len(log) == 1
    assert log[0].startswith(str(locales / CODE / "locale.toml"))


def test_commands_go_on_in_a_faulty_language(locales: Path) -> None:
    spoil(locales, "cli.toml", '= "', "= ")
    words = ("--table", "R1 R2 R3", "--rack", "R4 K9", "--after", "R1 R2 R3 R4", "--lang", CODE)
    done = run(locales, "-m", "meldroom", "check", *words)
    assert done.returncode == 0
    assert "WRC 11: legal" in done.stdout
    assert "Traceback" not in done.stderr
    assert done.stderr.count("cli.toml") == 1


def test_the_browser_shows_english_in_place_of_a_faulty_text(locales: Path, tmp_path: Path) -> None:
    place = spoil(locales, "web/shell.toml", "{", "{un")
    line = (
        (locales / CODE / "web" / "shell.toml")
        .read_text("utf-8")
        .splitlines()[int(place.split()[-1][:-1]) - 1]
    )
    spoiled = json.loads(line.partition(" = ")[0])
    whole = locales / CODE / "web" / "table.toml"
    whole.write_text('wrong = "\n', encoding="utf-8")
    out = tmp_path / "out"
    code = (
        "import sys; sys.path.insert(0, 'web'); import messages\n"
        "messages.generate(messages.Path(sys.argv[1]))"
    )
    done = run(locales, "-c", code, str(out))
    assert done.returncode == 0, done.stderr
    log = done.stderr.splitlines()
    assert len(log) == 2
    assert any(line.startswith(place) for line in log)
    assert any(line.startswith(str(whole)) and "line 1" in line for line in log)
    english, own = (json.loads((out / code / "table.json").read_text("utf-8")) for code in ("en", CODE))
    assert own == english
    shell, english = (json.loads((out / code / "shell.json").read_text("utf-8")) for code in (CODE, "en"))
    assert spoiled in shell
    assert shell[spoiled] == english[spoiled]
    assert sum(shell[key] == english[key] for key in shell) < len(shell) / 10
