"""Regulations of a hall: two editions running, late entrants, first starters, families (R63–R66)."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from meldroom.championship import (
    AddEntrant,
    ChampionshipError,
    CheckIn,
    CloseStage,
    DecideTie,
    Entrant,
    SeatSitting,
    preset,
    read_state,
    standings,
    verify,
)
from meldroom.championship.eligibility import verdicts
from meldroom.championship.entrants import parse_entrants
from meldroom.championship.formats.format import Conditions, read_format
from meldroom.championship.log.export import document_of
from meldroom.championship.log.restore import state_of
from meldroom.championship.seating.raffle import draw
from meldroom.championship.sittings import groups_before, prepare_draw
from meldroom.papers import ChampionshipPapers, Order
from meldroom.rules.library import book
from tests.championship.championship_play import NOON, Played, without_conditions
from tests.championship.command_line import club, run
from tests.championship.outside_verifier import outside

TWICE = Conditions(not_twice_running=True)


@pytest.mark.parametrize("name", ["wrc", "wrc_cut"])
def test_the_world_championship_is_played_by_wrc_9_unless_another_book_is_named(
    name: str, tmp_path: Path
) -> None:
    rules = preset(name).rules()
    assert (rules.id, rules.clock.seconds, rules.scoring.joker) == ("wrc9", 60, 50)
    assert preset(name, book("wrc11")).book == "wrc11"
    based = read_format({"base": name, "id": "own", "version": "1"})
    assert (based.book, based.conditions) == ("wrc9", preset(name).conditions)
    for number, words in enumerate(([], ["--option", "strict_declare=true"], ["--book", "wrc11"])):
        log = tmp_path / f"{number}.jsonl"
        status, told = run("new", str(log), "--name", "World", "--by", "Olga", "--format", name, *words)
        assert status == 0, told
        played = read_state(log).format
        assert played.book == ("wrc11" if words[:1] == ["--book"] else "wrc9")
        assert played.conditions.citizens_only is (played.book == "wrc9")  # WRC 11 says nothing of it


@pytest.mark.parametrize(
    ("entrant", "met"),
    [
        (Entrant("A", "GBR", editions=(11,), last_country="GBR"), False),
        (Entrant("A", "GBR", editions=(11,), last_country="FRA"), True),
        (Entrant("A", "GBR", editions=(11,)), None),
        (Entrant("A", "GBR", editions=(9,)), True),
        (Entrant("A", "GBR"), None),
    ],
)
def test_r63_two_in_a_row_is_about_the_country(entrant: Entrant, met: bool | None) -> None:
    (found,) = verdicts(entrant, TWICE, 12, NOON.date())
    assert found.met is met
    assert "R63" in found.clause


def test_r63_the_list_asks_for_the_country_of_the_last_edition() -> None:
    for title in ("country of last edition", "pays de la dernière édition"):
        found = parse_entrants(f"name;country;editions;{title}\nAda;GBR;11;FRA\n")
        assert found.faults == ()
        assert found.entrants[0].last_country == "FRA"


def late(players: int = 11) -> Played:
    event = Played(without_conditions(preset("german")))
    event.enter(players)
    event.draw("rounds")
    event.do(AddEntrant(Entrant("Late")))
    event.do(CheckIn(players + 1))
    return event


def test_r64_a_late_entrant_draws_an_open_place_also_when_play_has_begun() -> None:
    event = late(10)
    before = event.state.seatings["rounds", 1].tables
    short = [place for place, table in enumerate(before) if len(table) == 3]
    assert len(short) == 2
    done = event.do(SeatSitting("rounds", 1, "late"), "came late").action
    assert isinstance(done, SeatSitting)
    (at,) = [place for place, table in enumerate(done.tables) if 11 in table]
    assert at in short
    assert done.tables[at] == (*before[at], 11)
    assert [t for p, t in enumerate(done.tables) if p != at] == [t for p, t in enumerate(before) if p != at]
    assert verify(event.lines)[1] == []


def test_r64_nobody_joins_a_table_that_has_played() -> None:
    event = late(11)
    event.play("rounds", 1, Random(1), sign=False)
    with pytest.raises(ChampionshipError) as caught:
        event.do(SeatSitting("rounds", 1, "late"), "came late")
    assert caught.value.code == "no_open_seat"


def test_r66_the_seat_that_starts_twice_is_drawn_and_recorded(tmp_path: Path) -> None:
    seen = set()
    for seed in ("a", "b", "c", "d"):
        event = Played(without_conditions(preset("german")))
        event.enter(11)
        event.draw("rounds", seed)
        seated = event.state.seatings["rounds", 1]
        (place,) = [place for place, table in enumerate(seated.tables) if len(table) == 3]
        seen.add(seated.starters[place])
        assert [first for at, first in enumerate(seated.starters) if at != place] == [0, 0]
    assert len(seen) > 1
    assert state_of(document_of(event.state)).seatings["rounds", 1].starters == seated.starters
    sheets = dict(ChampionshipPapers(document_of(event.state), Order("en")).all(["sheets"]))
    printed = sheets["sheets-rounds-1"].sheets[place].starters  # type: ignore[union-attr]
    assert printed == tuple((seated.starters[place] + game) % 3 for game in range(4))
    assert verify(event.lines)[1] == []


def test_families_are_kept_apart_again_without_retyping(tmp_path: Path) -> None:
    made = read_format({"base": "wrc", "id": "c", "version": "1", "conditions": {}})
    event = Played(made)
    event.enter(16)
    event.draw("round1", apart=((1, 2), (3, 4, 5)))
    event.play("round1", 1, Random(3))
    for group in standings(event.state, "round1").level:
        event.do(DecideTie("round1", group, "lot"), "no time")
    event.do(CloseStage("round1"))
    kept = groups_before(event.state, "semifinals")
    assert sorted(map(sorted, kept)) == [[1, 2], [3, 4, 5]]
    numbers, entry = prepare_draw(event.state, "semifinals", kept)
    assert sorted(sorted(numbers[place] for place in group) for group in entry.apart) == [[1, 2], [3, 4, 5]]


def test_the_semi_finals_avoid_opponents_and_a_second_table_of_three(tmp_path: Path) -> None:
    made = tmp_path / "two.toml"
    stages = "".join(
        f'[[stages]]\nid = "{name}"\nname = "{name}"\nsittings = 1\ngames = 1\nseating = "raffle"\n'
        for name in ("round1", "semifinals")
    )
    made.write_text(f'base = "german"\nid = "two"\nversion = "1"\n{stages}', encoding="utf-8")
    log = club(tmp_path, " ".join(f"P{number}" for number in range(1, 15)), str(made))
    for command in (("--announce", "--seed", "s"), ("--reveal", "s")):
        assert run("draw", log, *command, "--by", "Dana")[0] == 0
    before = read_state(Path(log)).seatings["round1", 1].tables
    for table, losers in enumerate((len(players) - 1 for players in before), start=1):
        scores = ",".join([str(5 * losers + table), *["-5"] * (losers - 1), str(-5 - table)])
        assert run("enter", log, str(table), "1", scores, "--by", "Sam")[0] == 0
    assert run("sign", log, "--all", "--by", "Rita")[0] == 0
    assert run("close", log, "--by", "Dana")[0] == 0
    options = ("--new-opponents", "--one-short")
    assert run("draw", log, "--announce", "--seed", "t", *options, "--by", "Dana")[0] == 0
    assert run("draw", log, "--reveal", "t", "--by", "Dana")[0] == 0
    state = read_state(Path(log))
    entry, tables = state.draws["semifinals"].entry, state.seatings["semifinals", 1].tables
    assert entry.met
    assert len(entry.short or ()) == 6
    short = {number for table in before if len(table) == 3 for number in table}
    assert not short.intersection(number for table in tables if len(table) == 3 for number in table)
    met = sum(len(set(table) & set(earlier)) > 1 for table in tables for earlier in before)
    plain = draw(replace(entry, met=UNSET, short=UNSET), "t")
    assert met <= 4  # 14 players at four tables cannot all be new to each other
    assert plain != draw(entry, "t")
    assert entry.digest != replace(entry, short=UNSET).digest
    run("export", log, str(tmp_path / "out"))
    status, told = outside(tmp_path / "out")
    assert status == 0, told
    # A draw that names others than sat at short tables does not go past the other verifier.
    lines = (tmp_path / "out" / "log.jsonl").read_text(encoding="utf-8")
    forged = lines.replace(f'"short":{msgspec.json.encode(entry.short).decode()}', '"short":[0]')
    assert forged != lines
    (tmp_path / "out" / "log.jsonl").write_text(forged, encoding="utf-8")
    assert "sat at a short table" in outside(tmp_path / "out")[1]


def test_a_late_entrant_at_the_command_line_and_before_another_verifier(tmp_path: Path) -> None:
    log = club(tmp_path, "Ada Ben Chi Dev Eve Fay Gus")
    run("draw", log, "--announce", "--seed", "s", "--by", "Dana")
    run("draw", log, "--reveal", "s", "--by", "Dana")
    run("late", log, "Hal", "--by", "Chris")
    run("check-in", log, "Hal", "--by", "Chris")
    told = run("status", log)[1]
    assert "Hal sits out sitting 1" in told
    status, told = run("seat", log, "--late", "--reason", "came late", "--by", "Dana")
    assert status == 0, told
    assert "8 Hal" in told
    assert "sits out" not in run("status", log)[1]
    run("export", log, str(tmp_path / "out"))
    status, told = outside(tmp_path / "out")
    assert status == 0, told


def test_by_hand_means_the_sitting_being_played(tmp_path: Path) -> None:
    log = club(tmp_path, "Ada Ben Chi Dev Eve Fay Gus Hal")
    run("draw", log, "--announce", "--seed", "s", "--by", "Dana")
    run("draw", log, "--reveal", "s", "--by", "Dana")
    status, told = run("seat", log, "--by-hand", "1 2 3 4 / 5 6 7 8", "--reason", "wish", "--by", "Dana")
    assert status == 0
    assert "sitting 1" in told


def test_a_format_needs_no_french_name() -> None:
    made = read_format({"base": "german", "id": "c", "version": "1", "name": {"en": "Club"}})
    assert made.name["fr"] == "Club"


def test_the_best_of_a_rating_list_get_a_table_each(tmp_path: Path) -> None:
    names = [f"P{number}" for number in range(1, 13)]
    log = club(tmp_path, " ".join(names))
    listed = [{"name": name, "mu": 30.0, "sigma": 2.0, "games": 9} for name in ("p7", "Nobody", "P3", "P12")]
    ratings = tmp_path / "ratings.json"
    ratings.write_bytes(msgspec.json.encode({"players": listed, "format": "meldroom-ratings/1"}))
    options = ("--seeds", str(ratings), "--apart-in", "first")
    assert run("draw", log, "--announce", "--seed", "s", *options, "--by", "Dana")[0] == 0
    assert run("draw", log, "--reveal", "s", "--by", "Dana")[0] == 0
    tables = read_state(Path(log)).seatings["rounds", 1].tables
    assert [len({3, 7, 12} & set(table)) for table in tables] == [1, 1, 1]
