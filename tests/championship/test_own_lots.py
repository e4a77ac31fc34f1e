"""R74: lots after the raffle stay secret until they are drawn; each has a commitment of its own."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from meldroom.championship import (
    AddEntrant,
    ChampionshipError,
    ChampionshipLog,
    CheckIn,
    CloseStage,
    DecideTie,
    Entrant,
    Found,
    SeatSitting,
    SignSheet,
    VoidGame,
    preset,
    standings,
    verify,
)
from meldroom.championship.actions import CHECKS, DrawnLot
from meldroom.championship.apply import apply
from meldroom.championship.log.export import write_export
from meldroom.championship.log.lots import SecretsFile, lot_commitment, public_secret, rehearsed
from meldroom.game.shuffle import Shuffle
from tests.championship.championship_play import NOON, Played
from tests.championship.command_line import club, run
from tests.championship.outside_verifier import outside


def tied(checks: int = CHECKS) -> Played:
    """Four in one evening whose games are all void but one, where three lost as much."""
    event = Played.founded(Found("Club", 1, NOON.date(), preset("club_night"), checks))
    event.enter(4)
    event.draw("evening")
    event.play("evening", 1, Random(1))
    return event


def group_of(event: Played) -> tuple[int, ...]:
    """Some players who are level when the results are taken away."""
    for game in (1, 2):
        event.do(VoidGame("evening", 1, 1, game), "the wrong deck")
    (level,) = standings(event.state, "evening").level
    return level


def test_r74_a_lot_does_not_follow_from_a_seed_that_is_public() -> None:
    event = tied()
    level = group_of(event)
    before = public_secret(event.state)
    label = f"lot evening {' '.join(map(str, sorted(level)))}"
    done = event.do(DecideTie("evening", level, "lot"), "no time").action
    assert isinstance(done, DecideTie)
    assert done.lot is not None
    assert lot_commitment(done.lot.seed) == event.entries[0].action.lot  # type: ignore[union-attr]
    assert done.order == Shuffle(done.lot.seed).order(label, sorted(level))
    assert done.lot.seed not in before
    assert event.state.lot == done.lot.next != lot_commitment(done.lot.seed)


def test_r74_each_lot_has_a_commitment_of_its_own() -> None:
    event = Played(preset("german"))
    event.enter(8)
    event.draw("rounds")
    seeds = []
    for sitting in (2, 3, 4):
        event.play("rounds", sitting - 1, Random(sitting))
        done = event.do(SeatSitting("rounds", sitting, "standings")).action
        assert isinstance(done, SeatSitting)
        assert done.lot is not None
        seeds.append(done.lot.seed)
    assert len(set(seeds)) == 3
    assert not verify(event.lines)[1]


def test_another_secret_than_the_one_committed_to_is_refused() -> None:
    event = tied()
    level = group_of(event)
    for lot, code in (
        (DrawnLot("chosen", next="0" * 64), "wrong_lot"),
        (DrawnLot(next="0" * 64), "lot_word"),
        (None, "lot_word"),
    ):
        with pytest.raises(ChampionshipError) as found:
            apply(
                event.state,
                DecideTie("evening", level, "lot", lot),
                author="D",
                role="director",
                time=NOON,
                reason="r",
            )
        assert found.value.code == code


def test_a_fresh_word_of_the_hall_will_do_where_the_secret_is_lost() -> None:
    event = tied()
    level = group_of(event)
    event.secrets = type(event.secrets)()
    with pytest.raises(ChampionshipError, match="dice"):
        event.do(DecideTie("evening", level, "lot"), "no time")
    done = event.do(DecideTie("evening", level, "lot", DrawnLot(word="dice 4 2")), "no time").action
    assert isinstance(done, DecideTie)
    assert done.lot is not None
    assert (done.lot.seed, done.lot.word) == ("", "dice 4 2")
    assert not verify(event.lines)[1]


def test_a_preview_tells_nothing_of_the_lot() -> None:
    event = tied()
    pretended, action = rehearsed(event.state, SeatSitting("evening", 2, "change"))
    assert pretended.lot != event.state.lot
    assert isinstance(action, SeatSitting)
    assert action.lot is not None
    assert lot_commitment(action.lot.seed) == pretended.lot


def test_earlier_logs_are_verified_as_they_were_drawn() -> None:
    event = tied(checks=2)
    level = group_of(event)
    done = event.do(DecideTie("evening", level, "lot"), "no time").action
    label = f"lot evening {' '.join(map(str, sorted(level)))}"
    assert done == DecideTie(
        "evening", Shuffle(public_secret(event.state)).order(label, sorted(level)), "lot"
    )
    assert not verify(event.lines)[1]


def test_verify_and_the_outside_verifier_check_commitment_and_reveal(tmp_path: Path) -> None:
    event = tied()
    event.do(AddEntrant(Entrant("Late")))
    event.do(CheckIn(5))
    event.do(SeatSitting("evening", 2, "change"), "one came")
    level = group_of(event)
    event.do(DecideTie("evening", level, "lot"), "no time")
    write_export(event.state, event.lines, tmp_path / "out")
    status, told = outside(tmp_path / "out")
    assert status == 0, told
    (entry,) = [e for e in event.entries if isinstance(e.action, DecideTie)]
    assert isinstance(entry.action, DecideTie)
    assert entry.action.lot is not None
    forged = [line.replace(entry.action.lot.seed.encode(), b"f" * 64) for line in event.lines]
    assert verify(forged)[1]
    log = tmp_path / "out" / "log.jsonl"
    log.write_bytes(b"".join(line + b"\n" for line in forged))
    status, told = outside(tmp_path / "out")
    assert status == 1
    assert "the secret of the lot does not give its commitment" in told


def test_the_secret_waits_beside_the_log_for_its_owner_alone(tmp_path: Path) -> None:
    log = club(tmp_path)
    path = tmp_path / "club.lots.json"
    assert path.stat().st_mode & 0o077 == 0
    first = json.loads(Path(log).read_text(encoding="utf-8").splitlines()[0])["action"]
    assert lot_commitment(SecretsFile(Path(log)).secret_of(first["lot"])) == first["lot"]
    assert SecretsFile(Path(log)).secret_of(first["lot"]) not in Path(log).read_text(encoding="utf-8")


def test_a_restored_championship_commits_to_a_lot_of_its_own(tmp_path: Path) -> None:
    run("club-night", str(tmp_path / "a.jsonl"), "--names", "Ada, Ben, Chi, Dev, Eve, Fay, Gus")
    run("export", str(tmp_path / "a.jsonl"), str(tmp_path / "out"))
    again = tmp_path / "b.jsonl"
    assert (
        run("restore", str(again), str(tmp_path / "out" / "event.json"), "--reason", "lost", "--by", "O")[0]
        == 0
    )
    with ChampionshipLog.open(again) as log:
        assert SecretsFile(again).secret_of(log.state.lot)
    assert run("verify", str(again))[0] == 0


def test_a_lot_can_be_decided_from_the_command_line(tmp_path: Path) -> None:
    log = str(tmp_path / "a.jsonl")
    run("club-night", log, "--names", "Ada, Ben, Chi, Dev", "--sittings", "1", "--games", "1")
    run("enter", log, "1", "1", "0,0,0,0", "--exhausted", "--by", "S")
    run("sign", log, "1", "--referee", "R", "--by", "R")
    os_told = run(
        "decide", log, "1", "2", "3", "4", "--lot", "--word", "dice 1 2", "--reason", "late", "--by", "D"
    )
    assert os_told[0] == 0, os_told
    assert run("verify", log)[0] == 0
    assert '"word":"dice 1 2"' in Path(log).read_text(encoding="utf-8")


def test_closing_needs_no_lot() -> None:
    event = tied()
    event.do(SignSheet("evening", 1, 1, "Rita")) if ("evening", 1, 1) not in event.state.sheets else None
    assert replace(event.state) == event.state
    with pytest.raises(ChampionshipError):
        event.do(CloseStage("evening"))
