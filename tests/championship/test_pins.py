"""A referee's PIN: kept as a hash beside the log, asked for when they sign, and told by both verifiers."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from meldroom.championship import ChampionshipError, SetPin, SignSheet, verify
from meldroom.championship.log.entry import decode_entry, line_of
from meldroom.championship.log.lines import read_lines
from meldroom.championship.log.pins import FREE_TRIES, LONGEST_WAIT, Pins, check_pin
from meldroom.server.championships.storage.files import FolderFiles
from meldroom.server.championships.storage.keys import Access, read_access, write_access
from tests.championship.championship_play import NOON
from tests.championship.command_line import run
from tests.championship.outside_verifier import outside

PIN, OTHER = "482193027465", "482193027466"
"""Long enough that no hash has it in it by chance."""


def ready(folder: Path, name: str = "night.jsonl") -> str:
    """A club night of four whose first sheet can be signed, and Rita has a PIN."""
    log = str(folder / name)
    names = ("club-night", log, "--names", "Ada, Ben, Chi, Dev", "--sittings", "1", "--games", "1")
    assert run(*names, "--by", "Olga")[0] == 0
    assert run("enter", log, "1", "1", "60,-10,-20,-30", "--by", "Olga", "--as", "host")[0] == 0
    status, told = run("pin", log, "Rita", "--pin", PIN, "--by", "Rita")
    assert (status, told) == (0, "Rita has a PIN. It is needed whenever Rita signs.\n")
    return log


def sign(log: str, *more: str, referee: str = "Rita") -> tuple[int, str]:
    return run("sign", log, "1", "--referee", referee, "--by", referee, *more)


@pytest.mark.parametrize("bad", ["", "482", "4" * 13, "48a1", "٤٨٢١", "1111", "1234", "4321", "8901"])
def test_what_is_no_pin(bad: str) -> None:
    with pytest.raises(ChampionshipError) as caught:
        check_pin(bad)
    assert caught.value.code == "bad_pin"


def test_wrong_pins_make_one_place_wait_longer_and_longer() -> None:
    pins, now = Pins().with_pin("Rita", PIN), NOON
    for _ in range(FREE_TRIES):
        right, pins = pins.tried("Rita", OTHER, "table 1", now)
        assert not right
    assert pins.wait("table 1", now) == 30
    assert pins.wait("table 1", now - timedelta(hours=1)) == 30  # a clock that was put back
    with pytest.raises(ChampionshipError) as caught:
        pins.tried("Rita", PIN, "table 1", now)
    assert caught.value.code == "pin_wait"
    assert pins.tried("Rita", PIN, "table 2", now)[0]  # the table beside it signs on
    now += timedelta(seconds=30)
    pins = pins.tried("Rita", OTHER, "table 1", now)[1]
    assert pins.wait("table 1", now) == 60
    for _ in range(20):
        now += timedelta(seconds=LONGEST_WAIT)
        pins = pins.tried("Rita", OTHER, "table 1", now)[1]
    assert pins.wait("table 1", now) == LONGEST_WAIT
    right, pins = pins.tried("Rita", PIN, "table 1", now + timedelta(seconds=LONGEST_WAIT))
    assert right
    assert not pins.wrong


def test_the_command_line_asks_for_it_and_both_verifiers_follow(tmp_path: Path) -> None:
    log = ready(tmp_path)
    assert sign(log, "--pin", OTHER) == (2, "meldroom championship: that isn't Rita's PIN.\n")
    assert sign(log, "--pin", PIN)[0] == 0
    text = Path(log).read_text(encoding="utf-8")
    kept = (tmp_path / "night.pins.json").read_text(encoding="utf-8")
    assert PIN not in text
    assert PIN not in kept
    last = decode_entry(read_lines(Path(log))[-1])
    assert last.confirmed == "Rita"
    assert isinstance(last.action, SignSheet)
    assert last.action.referee == "Rita"
    assert verify(read_lines(Path(log)))[1] == []
    run("close", log, "--by", "Olga", "--as", "host")
    run("export", log, str(tmp_path / "out"), "--as", "host")
    status, told = outside(tmp_path / "out")
    assert status == 0, told


def test_a_championship_of_a_server_asks_for_the_pin_that_the_server_keeps(tmp_path: Path) -> None:
    files = FolderFiles(tmp_path)
    write_access(files, Access())
    log = ready(tmp_path, "log.jsonl")
    assert not list(tmp_path.glob("*.pins.json"))
    assert read_access(files).pins.knows("Rita")
    assert sign(log)[0] != 0  # it is asked for, and nobody is there to type it
    assert sign(log, "--pin", OTHER)[0] == 2
    assert read_access(files).pins.wrong["command line"].count == 1
    assert sign(log, "--pin", PIN)[0] == 0
    assert decode_entry(read_lines(Path(log))[-1]).confirmed == "Rita"
    assert not read_access(files).pins.wrong


def test_a_forged_confirmation_is_found_by_both_verifiers(tmp_path: Path) -> None:
    log = ready(tmp_path)
    assert sign(log, referee="Rob")[0] == 0  # who has no PIN signs without one
    run("export", log, str(tmp_path / "out"), "--as", "host")
    lines = read_lines(Path(log))
    entry = decode_entry(lines[-1])
    assert "confirmed" not in json.loads(lines[-1])
    for forged in ("Rob", "Rita"):  # no PIN; not the one who signed
        line = line_of(replace(entry, confirmed=forged))
        assert [fault.line for fault in verify([*lines[:-1], line])[1]] == [len(lines)]
        (tmp_path / "out" / "log.jsonl").write_bytes(b"".join(each + b"\n" for each in [*lines[:-1], line]))
        status, told = outside(tmp_path / "out")
        assert status == 1
        assert f"{forged} cannot have confirmed this with a PIN" in told


def test_a_pin_is_replaced_and_taken_away(tmp_path: Path) -> None:
    log = ready(tmp_path)
    run("pin", log, "Rita", "--pin", "9042", "--by", "Rita")
    assert sign(log, "--pin", PIN)[0] == 2
    status, told = run("pin", log, "Rita", "--remove", "--by", "Olga", "--as", "host", "--lang", "fr")
    assert (status, told) == (0, "Rita n’a plus de code PIN.\n")
    assert run("pin", log, "Rita", "--remove", "--by", "Olga", "--as", "host")[0] == 2
    assert sign(log)[0] == 0
    actions = [decode_entry(line).action for line in read_lines(Path(log))]
    assert actions.count(SetPin("Rita")) == 2
    assert SetPin("Rita", removed=True) in actions
