"""`meldroom championship`: a whole WRC event of 33 from CSV to the final ranking, verified by another."""

from __future__ import annotations

import csv
import importlib.util
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from typer.testing import CliRunner

from meldroom.championship import read_state
from meldroom.cli.app import app
from tests.championship.championship_play import some_result

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "championship.md"
VERIFIER = ROOT / "examples" / "championship_verifier.py"


def run(*words: str) -> tuple[int, str, str]:
    """The exit status, standard output and standard error of the command."""
    done = CliRunner().invoke(app(("championship",)), ["championship", *words])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


def good(*words: str) -> str:
    status, shown, error = run(*words)
    assert status == 0, error
    return shown


def sheets(log: Path, stage: str, file: Path, random: Random) -> None:
    """A pile of score sheets, typed into a CSV file."""
    state = read_state(log)
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(("stage", "sitting", "table", "game", "scores", "exhausted"))
        for place, table in enumerate(state.seatings[stage, 1].tables, start=1):
            for game in range(1, 5):
                result = some_result(len(table), random, state.format.rules().scoring.exhausted)
                pool = "yes" if result.end == "exhausted" else ""
                writer.writerow((stage, 1, place, game, ",".join(map(str, result.scores)), pool))


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an event of 33 players, run by commands alone."""
    folder = tmp_path_factory.mktemp("event")
    log, random = folder / "wrc.jsonl", Random(33)
    with (folder / "entrants.csv").open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(("name", "country", "citizenship", "editions"))
        writer.writerows((f"Champion {n}", f"C{n}", f"C{n}", "–") for n in range(1, 33))
        writer.writerow(("Online champion", "–", "", "–"))
    good("new", str(log), "--name", "World Championship", "--edition", "12", "--by", "Olga")
    assert good("import", str(log), str(folder / "entrants.csv"), "--by", "Olga") == "33 entrants imported.\n"
    assert "33 present" in good("check-in", str(log), "--all", "--by", "Chris")
    for stage in ("round1", "semifinals", "final"):
        good("draw", str(log), "--announce", "--seed", f"kept {stage}", "--by", "Dana")
        good("draw", str(log), "--word", "4 2 6", "--by", "Dana")
        good("draw", str(log), "--reveal", f"kept {stage}", "--by", "Dana")
        file = folder / f"{stage}.csv"
        sheets(log, stage, file, random)
        good("enter", str(log), "--results", str(file), "--by", "Sam")
        good("sign", str(log), "--all", "--referee", "Rita", "--by", "Rita")
        shown = good("close", str(log), "--by", "Dana")
    assert "The championship is over" in shown
    good("export", str(log), str(folder / "export"))
    return folder


def test_33_players_go_from_csv_to_the_final_ranking(event: Path) -> None:
    shown = good("standings", str(event / "wrc.jsonl"), "--ranking")
    assert [line.split()[0] for line in shown.splitlines()[1:]] == [str(n) for n in range(1, 34)]
    assert "33 entries" not in shown
    assert "the chain holds" in good("verify", str(event / "wrc.jsonl"))


def test_the_export_is_whole_and_the_same_again(event: Path, tmp_path: Path) -> None:
    good("export", str(event / "wrc.jsonl"), str(tmp_path / "again"))
    files = sorted(path.name for path in (event / "export").iterdir())
    assert files == [
        *("disputes.csv", "event.json", "games.csv", "log.jsonl", "penalties.csv", "players.csv"),
        *("ranking.csv", "seating.csv", "standings.csv"),
    ]
    for name in files:
        assert (tmp_path / "again" / name).read_bytes() == (event / "export" / name).read_bytes()
    assert (event / "export" / "log.jsonl").read_bytes() == (event / "wrc.jsonl").read_bytes()
    status, _, error = run("export", str(event / "wrc.jsonl"), str(event / "export"))
    assert status == 2
    assert "never overwritten" in error


def verifier() -> ModuleType:
    spec = importlib.util.spec_from_file_location("championship_verifier", VERIFIER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_verifier_shares_no_code() -> None:
    imported = re.findall(r"^(?:from|import) (\w+)", VERIFIER.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(imported) <= {*sys.stdlib_module_names, "__future__"}


def test_the_verifier_confirms_draw_seating_and_standings(event: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-I", str(VERIFIER), str(event / "export")], capture_output=True, check=False
    )
    assert done.stdout.decode() == "confirmed: 3 draws, 3 sittings, 76 results, 3 stages\n"
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("do", "change", "said"),
    [
        ("announce_draw", "another entrant", "commitment"),
        ("announce_draw", "another name", "names of the draw"),
        ("reveal", "other tables", "tables are not those"),
        ("enter_result", "another score", "add up"),
        ("close_stage", "another ranking", "ranking"),
        ("close_stage", "other finalists", "others should go on"),
    ],
)
def test_the_verifier_finds_a_forgery(event: Path, tmp_path: Path, do: str, change: str, said: str) -> None:
    lines = (event / "export" / "log.jsonl").read_text(encoding="utf-8").splitlines()
    place = next(n for n, line in enumerate(lines) if f'"do":"{do}"' in line)
    entry = json.loads(lines[place])
    action = entry["action"]
    match change:
        case "another entrant" | "another name":
            action["entry"]["entrants"][0] = "Somebody else"
        case "other tables":
            tables = action["sittings"][0]
            tables[0][0], tables[1][0] = tables[1][0], tables[0][0]
        case "another score":
            action["result"]["scores"][0] += 1
        case "another ranking":
            action["ranking"][:2] = action["ranking"][1::-1]
        case _:
            action["order"][:2] = action["order"][1::-1]
    lines[place] = json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
    (tmp_path / "log.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "standings.csv").write_bytes((event / "export" / "standings.csv").read_bytes())
    faults = verifier().check(tmp_path).faults
    assert any(said in fault for fault in faults)
    assert any("chain is broken" in fault for fault in faults)


def test_a_tampered_log_is_named_by_verify_and_refused_by_every_command(event: Path, tmp_path: Path) -> None:
    lines = (event / "wrc.jsonl").read_bytes().split(b"\n")
    lines[40] = (
        lines[40].replace(b'"Dana"', b'"Dave"').replace(b'"Sam"', b'"Tim"').replace(b'"Chris"', b'"Cora"')
    )
    log = tmp_path / "tampered.jsonl"
    log.write_bytes(b"\n".join(lines))
    status, _, error = run("verify", str(log))
    assert status == 1
    assert "line 42 does not follow from line 41" in error
    assert "la ligne 42 ne suit pas" in run("verify", str(log), "--lang", "fr")[2]
    assert run("standings", str(log))[0] == 2
    assert run("close", str(log), "--by", "Dana")[0] == 2


def test_a_bad_list_is_reported_and_nothing_is_imported(tmp_path: Path) -> None:
    log, file = tmp_path / "open.jsonl", tmp_path / "list.csv"
    good("new", str(log), "--name", "Open", "--format", "german", "--by", "Olga")
    before = log.read_bytes()
    file.write_text("name,born\nAda,soon\nBo,\nBo,\n", encoding="utf-8")
    status, shown, error = run("import", str(log), str(file), "--by", "Olga", "--lang", "fr")
    assert (status, shown) == (2, "")
    assert "ligne 2 : « soon » n’est pas une date" in error
    assert "ligne 4" in error
    assert log.read_bytes() == before


def test_a_pile_of_sheets_is_taken_whole_or_not_at_all(tmp_path: Path) -> None:
    log, file = tmp_path / "open.jsonl", tmp_path / "sheets.csv"
    good("new", str(log), "--name", "Open", "--format", "german", "--by", "Olga")
    (tmp_path / "list.csv").write_text("name\nA\nB\nC\nD\n", encoding="utf-8")
    good("import", str(log), str(tmp_path / "list.csv"), "--by", "Olga")
    good("check-in", str(log), "--all", "--by", "Chris")
    good("draw", str(log), "--announce", "--seed", "s", "--by", "Dana")
    good("draw", str(log), "--reveal", "s", "--by", "Dana")
    before = log.read_bytes()
    file.write_text(
        "stage,sitting,table,game,scores\n"
        'rounds,1,1,1,"6,-1,-2,-3"\nrounds,1,1,2,"7,-1,-2,-3"\nrounds,1,1,1,"6,-1,-2,-3"\nrounds,x,1,3,1\n',
        encoding="utf-8",
    )
    status, _, error = run("enter", str(log), "--results", str(file), "--by", "Sam")
    assert status == 2
    assert [line.split(":")[0].strip() for line in error.splitlines()[1:]] == ["line 3", "line 4", "line 5"]
    assert log.read_bytes() == before


def test_sittings_by_standings_follow_each_other(tmp_path: Path) -> None:
    log = tmp_path / "open.jsonl"
    good("new", str(log), "--name", "Open", "--format", "german", "--by", "Olga")
    (tmp_path / "list.csv").write_text("name\n" + "".join(f"P{n}\n" for n in range(8)), encoding="utf-8")
    good("import", str(log), str(tmp_path / "list.csv"), "--by", "Olga")
    good("check-in", str(log), "--all", "--by", "Chris")
    good("draw", str(log), "--announce", "--seed", "s", "--by", "Dana")
    good("draw", str(log), "--reveal", "s", "--by", "Dana")
    for table in ("1", "2"):
        for game in range(1, 5):
            good("enter", str(log), table, str(game), f"-{game},{6 + game},-2,-4", "--by", "Sam")
    good("sign", str(log), "--all", "--referee", "Rita", "--by", "Rita")
    assert "seat sitting 2 of rounds" in good("status", str(log))
    assert good("seat", str(log), "--by-standings", "--by", "Dana").startswith("Rounds, sitting 2\n")
    assert [line.split()[3] for line in good("standings", str(log)).splitlines()[2:10]] == [
        "4",
        "4",
        "3",
        "3",
        "1",
        "1",
        "0",
        "0",
    ]
    good("withdraw", str(log), "P3", "--reason", "ill", "--by", "Dana")
    status, _, error = run("seat", str(log), "--change", "--reason", "P3 left", "--by", "Dana")
    assert (status, "R75" in error) == (2, True)
    shown = good("seat", str(log))
    assert shown.startswith("Rounds, sitting 2\n")
    assert "empty (P3 left)" in shown
    rack = ("--rack", "2=R10 K3", "--rack", "3=*", "--rack", "4=O9", "--winner", "1")
    shown = good("enter", str(log), "1", "1", *rack, "--by", "Sam")
    assert shown == "table 1, game 1: +122 -13 -100 -9\n"
    assert "the chain holds" in good("verify", str(log))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["new", "LOG", "--name", "Again", "--by", "Olga"], "never overwritten"),
        (["new", "new.jsonl", "--name", "Open"], "--by"),
        (["new", "new.jsonl", "--name", "Open", "--format", "chess", "--by", "Olga"], "wrc_cut"),
        (["import", "LOG", "missing.csv", "--by", "Olga"], "missing.csv"),
        (["check-in", "LOG", "Nobody", "--by", "Chris"], "no entrant “Nobody”"),
        (["check-in", "LOG", "Champion", "--by", "Chris"], "several"),
        (["enter", "LOG", "1", "1", "a,b", "--by", "Sam"], "not a list of scores"),
        (["enter", "LOG", "1", "1", "6,-1,-2,-3", "--by", "Sam", "--as", "display"], "only "),
        (["close", "LOG", "--by", "Dana"], "closed"),
        (["draw", "LOG", "--by", "Dana"], "--announce"),
        (["standings", "missing.jsonl"], "missing.jsonl"),
        (["export", "LOG", "folder", "--as", "public"], "only "),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(event: Path, words: list[str], said: str) -> None:
    status, shown, error = run(*(str(event / "wrc.jsonl") if word == "LOG" else word for word in words))
    assert (status, shown) == (2, "") or (status == 2 and "present" in shown)
    assert said in error
    assert len(error.splitlines()) == 1


def test_every_command_has_help() -> None:
    for name in re.findall(r"^  ([a-z-]+) {2,}\w", good("--help"), re.MULTILINE):
        assert len(good(name, "--help")) > 200


def commands_of(page: str, folder: Path) -> list[tuple[list[str], str]]:
    """The words of every command of a page with what is shown below it; its files are put into a folder."""
    for kind, names in (("csv", ["entrants.csv"]), ("toml", ["club.toml", "open.toml"])):
        found = re.findall(rf"^```{kind}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
        for name, file in zip(names, found, strict=True):
            (folder / name).write_text(file, encoding="utf-8")
    blocks = re.findall(r"^```console\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    parts = re.split(r"^\$ (.*)\n", "".join(blocks), flags=re.MULTILINE)
    return [(shlex.split(words), shown) for words, shown in zip(parts[1::2], parts[2::2], strict=True)]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_page_shows_what_the_commands_print(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    """The whole worked example, in its order, in an empty folder; and once more in French."""
    monkeypatch.chdir(tmp_path)
    commands = commands_of(PAGE.read_text(encoding="utf-8"), tmp_path)
    assert len(commands) > 20
    for words, shown in commands:
        if words[0] == "python3":
            command = [sys.executable, str(VERIFIER), *words[2:]]
            told = subprocess.run(command, capture_output=True, check=False).stdout.decode()
            assert told == shown
            continue
        assert words[:2] == ["meldroom", "championship"]
        if language == "fr":
            words = [*words, "--lang", "fr"]
        _, out, error = run(*words[2:])
        told = re.sub(r"^(last entry: )[0-9a-f]{64}$", r"\1…", out + error, flags=re.MULTILINE)
        assert told
        assert told == shown or language == "fr", words
