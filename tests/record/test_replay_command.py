"""`meldroom replay` at the command line: what it prints, where, and with which status."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from meldroom.cli.app import app
from meldroom.cli.replay import turns_of
from meldroom.record import load, loads, to_json

RECORDS = Path(__file__).parents[2] / "examples" / "records"
MATCHBOX = str(RECORDS / "matchbox.meld")


def run(*arguments: str, given: bytes | str | None = None) -> Result:
    return CliRunner().invoke(app(["replay"]), ["replay", *arguments], input=given)


def refused(found: Result, status: int) -> str:
    """The one line on standard error of a run that failed without a traceback."""
    assert found.exit_code == status, found.output
    assert found.exception is None or isinstance(found.exception, SystemExit)
    assert found.stderr.count("\n") == 1
    return found.stderr.strip()


@pytest.mark.parametrize("path", sorted(RECORDS.iterdir()), ids=lambda path: path.name)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_example_is_told(path: Path, lang: str) -> None:
    found = run(str(path), "--lang", lang)
    assert found.exit_code == 0
    assert "\x1b" not in found.stdout
    assert ("verified: legality" if lang == "en" else "vérifié : légalité") in found.stdout
    assert max(map(len, found.stdout.splitlines())) < 200


def test_a_game_is_told_turn_by_turn() -> None:
    found = run(MATCHBOX).stdout
    for line in (
        "Ada · Bo, game 1, 40 seconds a turn",
        "turned over: Ada K5, Bo K2",
        "   1  Ada  draws K1",
        "   3  Ada  takes 3 penalty tiles for running out of time: R4 B1 K1 SET_INVALID MELD_LT_8",
        "; one tile lay alone when the clock ran out",
        "   4  Bo   opens with K2 R1 R2 R2 R4 B2 * (0 left)",
        "K2 R2 B2 | R1 R2 * R4",
        "* Bo    +100",
    ):
        assert line in found, line


def test_telling_stops_at_a_turn() -> None:
    found = run(MATCHBOX, "--turn", "2").stdout
    assert "   2  Bo   draws *" in found
    assert "penalty" not in found


def test_a_sound_record_verifies() -> None:
    found = run(MATCHBOX, "--verify")
    assert found.exit_code == 0
    assert found.stdout.startswith("verified: legality of ")
    assert "shuffle: game 1 start 1, game 1 deal 1, scores" in found.stdout
    assert not found.stderr


def test_a_record_that_does_not_verify_has_status_1() -> None:
    text = Path(MATCHBOX).read_text(encoding="utf-8").replace("Ada -100, Bo 100", "Ada -10, Bo 10")
    line = text[: text.index("end out")].count("\n") + 1
    said = refused(run("-", "--verify", given=text), 1)
    assert said.startswith(f"meldroom replay: -: line {line}: the count gives")
    assert "does not verify: line" in run("-", given=text).stdout
    assert refused(run("-", "--verify", "--lang", "fr", given=text), 1).startswith(
        f"meldroom replay: -: ligne {line}: le compte donne"
    )


BROKEN = {
    "utf-8": (b"meldroom-record 1\n\xff", "line 2, column 1"),
    "truncated": (Path(MATCHBOX).read_bytes()[:100], "line 3: the record ends in its headers"),
    "unknown tile": (Path(MATCHBOX).read_bytes().replace(b"draws K1'", b"draws K9"), "line 16, column 11"),
    "third copy": (Path(MATCHBOX).read_bytes().replace(b"draws K1'", b"draws K1''"), "line 16, column 11"),
    "unknown event": (Path(MATCHBOX).read_bytes().replace(b"Bo draws", b"Bo eats"), "line 17, column 4"),
    "long line": (Path(MATCHBOX).read_bytes() + b"x" * 300_000, "line 22, column 200001"),
    "deep json": (b'{"a":' * 200_000, "nested too deeply"),
    "cut json": (to_json(load(MATCHBOX))[:500], "isn't JSON"),
    "nothing": (b"", "line 1, column 1"),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("options", [(), ("--verify",), ("--json",), ("--svg", "x.svg")])
def test_what_cannot_be_read_has_status_2_and_one_line(name: str, options: tuple[str, ...]) -> None:
    data, place = BROKEN[name]
    said = refused(run("-", *options, given=data), 2)
    assert said.startswith("meldroom replay: -: ")
    assert place in said
    assert len(said) < 400


def test_a_file_that_is_not_there_has_status_2(tmp_path: Path) -> None:
    assert "No such file" in refused(run(str(tmp_path / "none.meld")), 2)
    assert refused(run(str(tmp_path)), 2)
    assert refused(run("a\0b"), 2)


def test_text_and_json_are_converted_both_ways() -> None:
    as_json = run(MATCHBOX, "--json")
    assert loads(as_json.stdout) == load(MATCHBOX)
    as_text = run("-", "--text", given=as_json.stdout)
    assert loads(as_text.stdout) == load(MATCHBOX)
    assert as_text.stdout.startswith("meldroom-record 1\n")


def test_the_last_position_is_drawn(tmp_path: Path) -> None:
    out = tmp_path / "last.svg"
    assert run(MATCHBOX, "--svg", str(out)).exit_code == 0
    picture = out.read_text(encoding="utf-8")
    ET.fromstring(picture)
    assert "K2 R2 B2&#x27; | R1&#x27; R2&#x27; * R4" in picture


def test_one_turn_is_drawn(tmp_path: Path) -> None:
    out = tmp_path / "turn.svg"
    assert run(MATCHBOX, "--svg", str(out), "--turn", "1").exit_code == 0
    assert "the table is empty" in out.read_text(encoding="utf-8")
    assert "turns 0 to 4" in refused(run(MATCHBOX, "--svg", str(out), "--turn", "99"), 2)


def test_every_turn_is_drawn_into_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    found = run(str(RECORDS / "rummyo.meld"), "--svg", str(folder), "--lang", "fr")
    turns = turns_of(load(RECORDS / "rummyo.meld"))
    names = sorted(path.name for path in folder.iterdir())
    assert names == [f"turn-{number:03}.svg" for number in range(len(turns))]
    assert re.match(rf"{len(turns)} images dans ", found.stdout)
    last = (folder / names[-1]).read_text(encoding="utf-8")
    assert "a ouvert" in last


def test_a_picture_that_cannot_be_written_has_status_2(tmp_path: Path) -> None:
    assert refused(run(MATCHBOX, "--svg", str(tmp_path / "no" / "folder" / "x.svg")), 2)


def test_turns_are_counted_from_the_deal() -> None:
    turns = turns_of(load(MATCHBOX))
    assert len(turns) == 5
    assert not turns[0].state.table
    assert turns[-1].state.over


def test_a_redeal_belongs_to_the_turn_it_was_asked_for_in() -> None:
    """Pictures and told turns have the same numbers."""
    lines = [
        "starter Ada",
        "racks unknown",
        "Bo shows R1 R1 B1 B1 O1 O1",
        "racks unknown",
        "Ada draws",
        "Bo draws",
    ]
    head = "meldroom-record 1\nbook: wrc11 1\nseat 1: Ada\nseat 2: Bo\n\n"
    text = head + "\n".join(lines) + "\n"
    told = run("-", given=text).stdout
    assert "   1  Bo   shows R1 R1" in told
    assert "   2  Ada  draws ?" in told
    turns = turns_of(loads(text))
    assert [(step.state.deals, sum(step.state.turns)) for step in turns] == [
        (1, 0),
        (2, 0),
        (2, 1),
        (2, 2),
        (2, 2),
    ]
    assert turns[-1].state.phase == "turn"
