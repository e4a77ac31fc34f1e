"""`meldroom championship` `papers`, `penalise`, `dispute`, `simulate`, `restore`, `erase`, as people type."""

from __future__ import annotations

import filecmp
import sys
from pathlib import Path

import pypdfium2  # type: ignore[import-untyped]
import pytest
from typer.testing import CliRunner

from meldroom.championship import read_lines, read_state, verify
from meldroom.cli.app import app
from meldroom.papers import KINDS
from tests.championship.test_championship_command import verifier
from tests.papers.paper_championship import played


def run(*words: str) -> tuple[int, str, str]:
    """The exit status, standard output and standard error of the command."""
    done = CliRunner().invoke(app(("championship",)), ["championship", *words])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


def good(*words: str) -> str:
    status, shown, error = run(*words)
    assert status == 0, error
    return shown


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """The log of an event after round one."""
    path = tmp_path / "event.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in played("round1").lines))
    return path


def test_papers_of_one_kind(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "papers"
    shown = good("papers", str(log), "--out", str(out), "--kind", "sheets", "--kind", "standings")
    assert shown.startswith("Wrote sheets-round1-1.pdf, standings-round1.pdf to")
    assert sorted(path.name for path in out.iterdir()) == ["sheets-round1-1.pdf", "standings-round1.pdf"]
    with pypdfium2.PdfDocument(out / "sheets-round1-1.pdf") as pdf:
        assert len(pdf) == 9
    again = tmp_path / "again"
    options = ("--kind", "standings", "--printed", "09:30")
    good("papers", str(log), "--out", str(again), *options)
    good("papers", str(log), "--out", str(out), *options)
    assert filecmp.cmp(out / "standings-round1.pdf", again / "standings-round1.pdf", shallow=False)


def test_papers_from_an_export(log: Path, tmp_path: Path) -> None:
    good("export", str(log), str(tmp_path / "export"))
    good("papers", str(tmp_path / "export" / "event.json"), "--out", str(tmp_path / "p"), "--kind", "badges")
    assert (tmp_path / "p" / "badges.pdf").exists()


def test_what_cannot_be_printed_is_said_in_one_line(log: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "papers")
    for words, said in (
        (("--kind", "posters"), "there is no paper “posters”"),
        (("--stage", "nowhere"), "no stage “nowhere”"),
        (("--as", "public"), "only the organiser or the director can export"),
    ):
        status, shown, error = run("papers", str(log), "--out", out, *words)
        assert (status, shown) == (2, "")
        assert said in error
    (tmp_path / "bad.json").write_text("{}", encoding="utf-8")
    status, _, error = run("papers", str(tmp_path / "bad.json"), "--out", out)
    assert status == 2
    assert "not an exported championship" in error
    (tmp_path / "file").write_text("", encoding="utf-8")
    status, _, error = run("papers", str(log), "--out", str(tmp_path / "file" / "x"))
    assert status == 2
    empty = good("papers", str(log), "--out", out, "--kind", "certificates", "--lang", "fr")
    assert empty == "Il n’y a encore rien à imprimer.\n"


def test_penalties_and_disputes_by_command(log: Path) -> None:
    good("draw", str(log), "--announce", "--seed", "s", "--by", "Dana")
    good("draw", str(log), "--reveal", "s", "--by", "Dana")
    who = str(read_state(log).seatings["semifinals", 1].tables[2][1])
    shown = good("penalise", str(log), who, "time_out", "--game", "2", "--pool", "1", "--by", "Rita")
    assert "draw 1 tile (WRC 9 P8, R25, R28)" in shown
    given = read_state(log).penalties[-1].penalty
    assert (given.stage, given.table, given.game, given.tiles) == ("semifinals", 3, 2, 1)
    shown = good("dispute", str(log), "May they?", "No.", "--cite", "G4", "--party", who, "--by", "Rita")
    assert "final and binding: No. (WRC 9 G4)" in shown
    status, _, error = run("dispute", str(log), "May they?", "No.", "--cite", "G99", "--by", "Rita")
    assert status == 2
    assert "“G99” is neither a clause of WRC 9" in error
    number = str(len(read_state(log).penalties))
    assert "cancelled" in good("cancel-penalty", str(log), number, "--reason", "clock", "--by", "Dana")
    listed = good("conduct", str(log))
    assert "cancelled: clock" in listed
    assert "dispute 2: May they? – No. (WRC 9 G4)" in listed
    assert verify(read_lines(log))[1] == []


def test_restore_and_erase_by_command(log: Path, tmp_path: Path) -> None:
    good("export", str(log), str(tmp_path / "one"))
    again = tmp_path / "again.jsonl"
    good("restore", str(again), str(tmp_path / "one" / "event.json"), "--reason", "lost", "--by", "Olga")
    good("export", str(again), str(tmp_path / "two"))
    one, two = ((tmp_path / name / "event.json").read_bytes() for name in ("one", "two"))
    assert one == two
    preview = good("erase", str(log), "Ada Lovelace", "--reason", "request", "--by", "Dana")
    assert "Ada Lovelace would become “Entrant 1”" in preview
    assert "Nothing has been written yet" in preview
    good("erase", str(log), "Ada Lovelace", "--reason", "request", "--by", "Dana", "--confirm")
    assert "Ada Lovelace" not in log.read_text(encoding="utf-8")
    assert "the chain holds" in good("verify", str(log))
    good("export", str(log), str(tmp_path / "three"))
    assert verifier().check(tmp_path / "three").faults == []


@pytest.mark.parametrize(
    ("players", "made"),
    [(32, "wrc"), (33, "wrc"), (13, "wrc_cut"), (20, "german"), (17, "polish"), (16, "japanese")],
)
def test_a_simulated_event_holds(players: int, made: str, tmp_path: Path) -> None:
    folder = tmp_path / "event"
    good("simulate", str(folder), "--players", str(players), "--format", made, "--no-papers", "--seed", "7")
    assert verify(read_lines(folder / "event.jsonl"))[1] == []
    state = read_state(folder / "event.jsonl")
    assert state.stage_of_play() is None
    assert (
        len({number for table in state.seatings[state.format.stages[0].id, 1].tables for number in table})
        == players
    )
    assert verifier().check(folder / "export").faults == []
    diary = (folder / "diary.txt").read_text(encoding="utf-8")
    for said in ("mistyped and refused", "corrected after the signatures", "power cut", "won't sign"):
        assert said in diary, said


def test_a_simulation_has_its_paper_trail(tmp_path: Path) -> None:
    shown = good("simulate", str(tmp_path / "a"), "--players", "9", "--lang", "fr")
    assert shown.startswith("9 joueurs, 3 séances")
    trail = sorted(path.relative_to(tmp_path / "a").as_posix() for path in (tmp_path / "a").rglob("*.pdf"))
    kinds = {
        kind for kind in KINDS for path in trail if path.rpartition("/")[2].startswith(kind.replace("_", "-"))
    }
    assert kinds == set(KINDS)
    assert "papers/1-round1-1-before/sheets-round1-1.pdf" in trail
    assert "partie décisive" in (tmp_path / "a" / "diary.txt").read_text(encoding="utf-8")
    status, _, error = run("simulate", str(tmp_path / "a"))
    assert status == 2
    assert "never overwritten" in error


def test_the_same_seed_gives_the_same_event(tmp_path: Path) -> None:
    for name in ("a", "b"):
        good("simulate", str(tmp_path / name), "--players", "8", "--no-papers", "--seed", "same")
    assert (tmp_path / "a" / "event.jsonl").read_bytes() == (tmp_path / "b" / "event.jsonl").read_bytes()


def test_a_simulation_with_real_games(tmp_path: Path) -> None:
    words = ("--players", "6", "--bots", "tournament", "--no-papers", "--no-faults", "--format", "wrc")
    assert "corrections: 0" in good("simulate", str(tmp_path / "bots"), *words)
    state = read_state(tmp_path / "bots" / "event.jsonl")
    assert all(result.racks for result in state.results.values())
    status, _, error = run("simulate", str(tmp_path / "c"), "--bots", "genius")
    assert status == 2
    assert "there is no bot “genius”" in error


def test_a_simulation_that_fails_leaves_the_folder_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "again"

    def power_off(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("meldroom.cli.championship.simulate.write_export", power_off)
        status, _, error = run("simulate", str(folder), "--players", "6", "--no-papers")
    assert (status, error) == (130, "")
    assert not folder.exists()
    folder.mkdir()
    with monkeypatch.context() as patched:
        patched.setattr("meldroom.cli.championship.simulate.write_export", power_off)
        assert run("simulate", str(folder), "--players", "6", "--no-papers")[0] == 130
    assert list(folder.iterdir()) == []
    good("simulate", str(folder), "--players", "6", "--no-papers")


def test_without_typst_nothing_is_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: Path) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    for words in (("simulate", str(tmp_path / "s")), ("papers", str(log), "--out", str(tmp_path / "p"))):
        status, shown, error = run(*words)
        assert (status, shown) == (2, "")
        assert "run.py prepare papers" in error
    assert not (tmp_path / "s").exists()
    assert not (tmp_path / "p").exists()
