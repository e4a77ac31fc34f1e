"""Duplicate events: the same deals everywhere, points against the field, secret until all is played."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from meldroom.championship import (
    AnnounceDeals,
    ChampionshipError,
    CloseStage,
    CorrectResult,
    DecideTie,
    GameResult,
    RevealDeals,
    preset,
    read_lines,
    read_state,
    standings,
    verify,
)
from meldroom.championship.actions import Action
from meldroom.championship.duplicate.deals import all_deals, deal, deal_secret, deals_commitment, tile_names
from meldroom.championship.duplicate.scoring import field_points
from meldroom.championship.formats.format import Format, read_format
from meldroom.championship.log.export import as_json, write_export
from meldroom.championship.log.restore import decode_document, state_of
from meldroom.championship.rank_bounds import rank_bounds
from meldroom.game import Shuffle, new_game
from meldroom.rules.procedures import three_doubles
from tests.championship.championship_play import Played, without_conditions
from tests.championship.command_line import club, run
from tests.championship.outside_verifier import outside

STAGE = "duplicate"


def games(*tables: Sequence[int | None]) -> dict[int, GameResult]:
    return {place: GameResult(tuple(scores), (0,)) for place, scores in enumerate(tables, start=1)}


def points(found: dict[int, GameResult], kind: str = "matchpoints") -> dict[tuple[int, int], int]:
    return {(each.table, each.seat): each.points for each in field_points(kind, found)}  # type: ignore[arg-type]


def test_matchpoints_are_two_for_each_beaten_and_one_for_each_equalled() -> None:
    found = points(games((60, -10, -20, -30), (-5, 40, -20, -15), (60, -10, -30, -20)))
    assert [found[table, 0] for table in (1, 2, 3)] == [3, 0, 3]
    assert [found[table, 1] for table in (1, 2, 3)] == [1, 4, 1]
    assert [found[table, 2] for table in (1, 2, 3)] == [3, 3, 0]
    assert sum(found.values()) == 4 * 6


def test_the_difference_is_from_the_mean_of_the_others() -> None:
    found = points(games((60, -60), (0, 0), (-31, 31)), "difference")
    assert [found[table, 0] for table in (1, 2, 3)] == [76, -15, -61]


def test_seats_with_fewer_results_are_scaled_and_one_alone_has_half() -> None:
    found = points(games((60, -10, -20, -30), (-5, 40, None, -35), (50, -10, -10, -30), (30, -10, -20)))
    assert found[1, 2] == 0
    assert found[3, 2] == 4
    assert [found[4, seat] for seat in range(3)] == [2, 2, 2]
    assert points(games((60, -60)), "difference") == {(1, 0): 0, (1, 1): 0}


def test_a_deal_is_what_a_room_with_its_secret_deals_and_nobody_may_refuse_it() -> None:
    made = preset("duplicate")
    rules = made.rules()
    for sitting, game in ((1, 1), (2, 3)):
        found = deal(made, "seed", STAGE, sitting, game)
        secret = deal_secret(made, "seed", STAGE, sitting, game)
        room, _ = new_game(rules, ["A", "B", "C", "D"], Shuffle(secret), found.starter, game)
        assert list(map(sorted, room.racks)) == list(map(sorted, found.racks))
        assert room.pool == found.pool
    every = list(all_deals(made, "seed", STAGE))
    assert len({each.racks for each in every}) == 16
    assert sorted(sum(every[0].racks, every[0].pool)) == sorted(rules.tiles.every_tile)
    for each in every:
        for rack in each.racks:
            assert not three_doubles(rules, [rules.tiles.face_of[tile] for tile in rack])


def event(made: Format | None = None, players: int = 16) -> Played:
    played = Played(without_conditions(made or preset("duplicate")))
    played.enter(players)
    played.draw(STAGE)
    played.do(AnnounceDeals(STAGE, deals_commitment(STAGE, "secret")))
    return played


def play_on(played: Played) -> None:
    for sitting in range(1, 5):
        played.play(STAGE, sitting, Random(sitting))


def refused(played: Played, action: Action, reason: str = "") -> str:
    with pytest.raises(ChampionshipError) as caught:
        played.do(action, reason)
    return caught.value.code


@pytest.mark.parametrize(("players", "kind"), [(16, "matchpoints"), (11, "difference")])
def test_from_the_announcement_to_the_verified_end(players: int, kind: str, tmp_path: Path) -> None:
    stage = {"id": STAGE, "sittings": 4, "games": 4, "duplicate": kind}
    own = read_format({"base": "duplicate", "id": "own", "stages": [stage]})
    played = event(own, players)
    assert not any(seated.starters for seated in played.state.seatings.values())
    played.play(STAGE, 1, Random(1))
    assert set(rank_bounds(played.state, STAGE).values()) == {rank_bounds(played.state, STAGE)[1]}
    assert refused(played, RevealDeals(STAGE, "secret")) == "deals_too_early"
    for sitting in range(2, 5):
        played.play(STAGE, sitting, Random(sitting))
    for group in standings(played.state, STAGE).level:
        played.do(DecideTie(STAGE, group, "lot"), "no time")
    assert refused(played, CloseStage(STAGE)) == "deals_hidden"
    assert refused(played, RevealDeals(STAGE, "another")) == "wrong_deals_seed"
    played.do(RevealDeals(STAGE, "secret"))
    played.do(CloseStage(STAGE))
    if kind == "matchpoints" and players == 16:
        assert sum(row.points for row in standings(played.state, STAGE).rows) == 16 * 4 * 12
    assert verify(played.lines)[1] == []
    write_export(played.state, played.lines, tmp_path / "out")
    status, told = outside(tmp_path / "out")
    assert status == 0, told
    assert "16 deals" in told
    assert as_json(state_of(decode_document(as_json(played.state)))) == as_json(played.state)


def test_a_corrected_result_changes_points_at_the_other_tables() -> None:
    played = event()
    played.play(STAGE, 1, Random(1))
    before = {row.number: row.points for row in standings(played.state, STAGE).rows}
    played.do(CorrectResult(STAGE, 1, 1, 1, GameResult((600, -100, -200, -300), (0,))), "recount")
    after = {row.number: row.points for row in standings(played.state, STAGE).rows}
    at_table = played.state.seatings[STAGE, 1].tables[0]
    assert any(after[number] != before[number] for number in before if number not in at_table)
    assert sum(after.values()) == sum(before.values())


def test_deals_are_fixed_before_play_and_a_second_announcement_is_told(tmp_path: Path) -> None:
    played = event()
    again = AnnounceDeals(STAGE, deals_commitment(STAGE, "better"))
    assert refused(played, again) == "deals_again"
    played.do(again, "a box was dropped")
    assert played.state.deals[STAGE].replaced[0].why == "a box was dropped"
    played.play(STAGE, 1, Random(1))
    assert refused(played, again, "I like these more") == "deals_played"
    write_export(played.state, played.lines, tmp_path / "out")
    assert "were announced again: a box was dropped" in outside(tmp_path / "out")[1]
    other = Played(without_conditions(preset("club_night")))
    other.enter(8)
    assert refused(other, AnnounceDeals("evening", "0" * 64)) == "not_duplicate"


def test_the_outside_verifier_finds_another_deal(tmp_path: Path) -> None:
    played = event()
    play_on(played)
    played.do(RevealDeals(STAGE, "secret"))
    write_export(played.state, played.lines, tmp_path / "out")
    file = tmp_path / "out" / "deals.csv"
    with file.open(newline="") as source:
        first = next(csv.DictReader(source))["tiles"]
    file.write_text(file.read_text().replace(first, " ".join(reversed(first.split()))))
    status, told = outside(tmp_path / "out")
    assert status == 1
    assert "is not what the seed gives" in told


def test_a_duplicate_stage_must_rank_by_points() -> None:
    stage = replace(preset("duplicate").stages[0], ranking=("wins",))
    with pytest.raises(ChampionshipError) as caught:
        Played(replace(preset("duplicate"), stages=(stage,)))
    assert caught.value.code == "bad_format"


def test_on_the_command_line(tmp_path: Path) -> None:
    log = club(tmp_path, "Ada Ben Chi Dev Eve Fay Gus Hal", "duplicate")
    for words, said in [
        (("draw", log, "--announce", "--seed", "s", "--by", "Dana"), "commitment"),
        (("draw", log, "--reveal", "s", "--by", "Dana"), "Duplicate, sitting 1"),
        (("duplicate", "announce", log, "--seed", "deals", "--by", "Dana"), "seed: deals"),
        (("enter", log, "1", "1", "60,-10,-20,-30", "--by", "Sam"), "table 1"),
        (("enter", log, "2", "1", "-5,40,-20,-15", "--by", "Sam"), "table 2"),
        (("duplicate", "field", log, "--game", "1"), "+60"),
        (("duplicate", "sheets", log, str(tmp_path / "deals.pdf"), "--seed", "deals"), "16"),
        (("standings", log), "points"),
    ]:
        status, told = run(*words)
        assert status == 0, told
        assert said in told
    assert (tmp_path / "deals.pdf").read_bytes().startswith(b"%PDF")
    assert run("duplicate", "sheets", log, str(tmp_path / "x.pdf"), "--seed", "other")[0] != 0
    assert run("duplicate", "reveal", log, "deals", "--by", "Dana")[0] != 0
    assert verify(read_lines(Path(log)))[1] == []
    names = tile_names(read_state(Path(log)).format, deal(preset("duplicate"), "deals", STAGE, 1, 1).racks[0])
    assert len(names) == 14
