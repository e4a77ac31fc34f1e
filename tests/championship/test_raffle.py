"""The raffle: fixed by the seed, bound by the commitment, computed again by the script of the docs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from meldroom.championship.seating import Announcement, Entry, SeatingError, announce, drawn, entry, seating
from meldroom.championship.seating.raffle import ApartIn
from tests.championship.independent import verify

PAGE = Path(__file__).resolve().parents[2] / "docs" / "seating.md"


def names(players: int) -> list[str]:
    return [f"Ünal “{number}” ☺" for number in range(players)]


def teams(players: int, size: int) -> list[list[str]]:
    return [names(players)[first : first + size] for first in range(0, players - size + 1, size)]


def together(sittings: tuple[tuple[tuple[str, ...], ...], ...], groups: list[list[str]]) -> int:
    """How often two of a group share a table."""
    tables = [table for sitting in sittings for table in sitting]
    return sum(len(set(group) & set(table)) > 1 for group in groups for table in tables)


def test_the_same_seed_gives_the_same_seating_and_another_does_not() -> None:
    assert seating(33, 4, "a") == seating(33, 4, "a")
    assert seating(33, 4, "a") != seating(33, 4, "b")
    assert seating(33, 4, "a", words=("4 2 6",)) != seating(33, 4, "a")
    assert seating(names(33), 4, "a").order != seating(33, 4, "a").order


def test_every_player_draws_every_number_about_equally_often() -> None:
    drawn_first = Counter(seating(8, 1, f"seed {number}").order[0] for number in range(1600))
    assert set(drawn_first) == set(range(8))
    assert all(150 <= times <= 250 for times in drawn_first.values())


def test_a_revealed_seed_gives_the_announced_seating() -> None:
    announced = announce(entry(names(33)), "secret")
    assert drawn(announced, "secret") == seating(names(33), 4, "secret")
    sent = msgspec.json.decode(msgspec.json.encode(announced), type=Announcement)
    assert drawn(sent, "secret", ["dice"]) == seating(names(33), 4, "secret", words=["dice"])


def changed(made: Entry, what: str) -> Entry:
    """An announcement that somebody has tampered with."""
    match what:
        case "name":
            return msgspec.structs.replace(made, entrants=("Zoe", *made.entrants[1:]))
        case "order":
            return msgspec.structs.replace(made, entrants=made.entrants[::-1])
        case "plan":
            return msgspec.structs.replace(made, plan=made.plan[::-1])
        case "apart":
            return msgspec.structs.replace(made, apart=())
        case _:
            return msgspec.structs.replace(made, apart_in="first")


@pytest.mark.parametrize("what", ["name", "order", "plan", "apart", "sittings"])
def test_a_changed_announcement_fails_the_commitment(what: str) -> None:
    announced = announce(entry(names(16), apart=teams(16, 2)[:1]), "secret")
    forged = msgspec.structs.replace(announced, entry=changed(announced.entry, what))
    with pytest.raises(SeatingError, match="commitment"):
        drawn(forged, "secret")


def test_a_changed_seed_fails_the_commitment() -> None:
    with pytest.raises(SeatingError, match="commitment"):
        drawn(announce(entry(16), "secret"), "secret ")


def test_a_plan_that_seats_somebody_twice_is_refused() -> None:
    made = entry(16)
    twice = msgspec.structs.replace(made, plan=(made.plan[0], (made.plan[0][0],) * 4))
    with pytest.raises(SeatingError, match="plan"):
        drawn(announce(twice, "secret"), "secret")


def script(folder: Path) -> Path:
    """The stand-alone script as the page prints it."""
    (text,) = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert "meldroom" not in text
    (folder / "redraw.py").write_text(text, encoding="utf-8")
    return folder / "redraw.py"


def recompute(folder: Path, announced: Announcement, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "draw.json").write_bytes(msgspec.json.encode(announced))
    return subprocess.run(
        [sys.executable, "-I", "-X", "utf8", str(script(folder)), "draw.json", *words],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("players", "size", "apart_in", "words"),
    [
        (33, 0, "all", []),
        (47, 0, "all", ["4 2 6", "« mot »"]),
        (5, 0, "all", []),
        (16, 4, "all", []),
        (24, 6, "all", ["5 5"]),
        (33, 3, "all", []),
        (32, 8, "first", []),
    ],
)
def test_the_printed_script_computes_the_same_draw(
    tmp_path: Path, players: int, size: int, apart_in: ApartIn, words: list[str]
) -> None:
    groups = teams(players, size) if size else []
    made = entry(names(players), 4, groups, apart_in)
    done = recompute(tmp_path, announce(made, "the seed"), "the seed", *words)
    assert done.returncode == 0, done.stderr
    expected = seating(names(players), 4, "the seed", apart=groups, apart_in=apart_in, words=words).named()
    assert json.loads(done.stdout) == json.loads(msgspec.json.encode(expected))


def test_the_printed_script_refuses_a_changed_list(tmp_path: Path) -> None:
    announced = announce(entry(names(33)), "the seed")
    forged = msgspec.structs.replace(announced, entry=changed(announced.entry, "name"))
    done = recompute(tmp_path, forged, "the seed")
    assert done.returncode == 1
    assert "commitment" in done.stderr


@pytest.mark.parametrize(
    ("players", "size"), [(16, 4), (24, 6), (32, 2), (33, 3), (47, 6), (64, 4), (128, 8)]
)
def test_team_mates_are_kept_apart_in_all_sittings(players: int, size: int) -> None:
    for seed in range(5):
        found = seating(names(players), 4, str(seed), apart=teams(players, size))
        assert together(found.named(), teams(players, size)) == 0
        verdict = verify(names(players), found.named())
        assert not verdict.faults
        assert (verdict.repeats, verdict.uneven_seats) == (0, 0)


@pytest.mark.parametrize(("players", "size"), [(12, 3), (13, 4), (16, 4), (33, 9), (100, 25)])
def test_compatriots_are_kept_apart_in_the_first_sitting(players: int, size: int) -> None:
    found = seating(names(players), 4, "first", apart=teams(players, size), apart_in="first")
    assert together(found.named()[:1], teams(players, size)) == 0


def test_a_group_larger_than_the_tables_is_refused_with_its_names() -> None:
    with pytest.raises(SeatingError, match="at 4 tables") as error:
        seating(names(16), apart=[names(16)[:5]], apart_in="first")
    assert error.value.code == "group_too_large"


def test_keeping_apart_whom_the_plan_must_bring_together_is_refused() -> None:
    with pytest.raises(SeatingError, match="first sitting only") as error:
        seating(names(16), 5, apart=[names(16)[:2]])
    assert error.value.code == "too_many_apart"


def test_a_draw_that_is_not_found_names_who_stays_together() -> None:
    with pytest.raises(SeatingError, match="The closest one seats these together") as error:
        seating(names(13), apart=teams(13, 3))
    assert error.value.code == "not_kept_apart"


def test_names_must_be_names_and_must_differ() -> None:
    with pytest.raises(SeatingError, match="two entrants"):
        seating(["Ada", "Bo", "Chi", "Dee", "Ada"])
    with pytest.raises(SeatingError, match="entrant 2"):
        seating(["Ada", " ", "Chi", "Dee", "Eve"])
    with pytest.raises(SeatingError, match="entrant 5"):
        seating(["Ada", "Bo", "Chi", "Dee", "E\nve"])
    with pytest.raises(SeatingError, match="Zoe"):
        seating(["Ada", "Bo", "Chi", "Dee", "Eve"], apart=[["Zoe", "Ada"]])
