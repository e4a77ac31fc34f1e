"""Who to play next, from results against the measured ladder."""

import re
from pathlib import Path
from random import Random

import pytest

from meldroom.bots.levels import DEFAULT_LEVEL, LEVELS
from meldroom.cli.play import matched_here
from meldroom.cli.terminal.save_record import save
from meldroom.cli.terminal.series import chairs, from_ladder
from meldroom.cli.terminal.session import Session
from meldroom.coach.matching import Result, expected, ladder, levels_in, match, rating, results_of
from meldroom.game.actions import Draw, Pass
from meldroom.rules.library import BOOK_IDS, book

PAGE = Path(__file__).parents[2] / "docs" / "bots.md"


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_the_ladder_is_the_one_that_was_measured(book_id: str) -> None:
    """The table in docs/bots.md and the figures that the code reads are the same."""
    text = PAGE.read_text(encoding="utf-8")
    table = text.split(f"<!-- ladder-{book_id}: start -->")[1].split(f"<!-- ladder-{book_id}: end -->")[0]
    rows = {found[1]: int(found[2]) for found in re.finditer(r"^\| (\w+) \| (\d+) \|", table, re.MULTILINE)}
    assert ladder(book_id) == rows
    assert set(rows) <= set(LEVELS)


def test_somebody_without_results_plays_the_usual_opponent() -> None:
    for book_id in BOOK_IDS:
        found = match(book_id, [])
        assert found.games == 0
        assert found.level == (DEFAULT_LEVEL if DEFAULT_LEVEL in ladder(book_id) else found.level)


def test_wins_lead_upwards_and_losses_down() -> None:
    rungs = list(ladder("wrc11"))
    usual = rungs.index(match("wrc11", []).level)
    up = match("wrc11", [Result("regular", 1.0)] * 10)
    down = match("wrc11", [Result("regular", 0.0)] * 10)
    assert rungs.index(up.level) > usual > rungs.index(down.level)
    assert rating("wrc11", [Result("regular", 1.0)]) < rating("wrc11", [Result("regular", 1.0)] * 5)


def test_the_latest_games_count() -> None:
    early = [Result("tournament", 1.0)] * 40
    late = [Result("casual", 0.0)] * 40
    assert rating("wrc11", early + late) < rating("wrc11", late + early)


@pytest.mark.parametrize("level", ["casual", "club", "squirrel", "strategist"])
def test_a_player_of_known_strength_is_found(level: str) -> None:
    """Forty simulated games against whoever was matched: the rating ends near the truth."""
    rungs, chance, results = ladder("wrc11"), Random(level), list[Result]()
    for _ in range(40):
        now = match("wrc11", results).level
        won = chance.random() < expected(rungs[level] - rungs[now])
        results.append(Result(now, float(won)))
    assert abs(rating("wrc11", results) - rungs[level]) < 350


def test_a_game_is_a_result_against_whoever_won_or_was_beaten() -> None:
    levels = ("club", "", "master", "beginner")
    assert results_of(1, levels, {1}) == [Result(level, 1.0) for level in ("club", "master", "beginner")]
    assert results_of(1, levels, {2}) == [Result("master", 0.0)]
    assert results_of(1, levels, {1, 0}) == [
        Result("club", 0.5),
        Result("master", 1.0),
        Result("beginner", 1.0),
    ]
    assert results_of(0, ("", "", "club"), {1}) == []


def test_levels_are_read_from_a_records_tag() -> None:
    assert levels_in("Bo (club), Chi (master)", ["Ada", "Bo", "Chi"]) == ("", "club", "master")
    assert levels_in("", ["Ada", "Bo"]) == levels_in("Bo (nobody), Bo", ["Ada", "Bo"]) == ("", "")


def test_the_terminal_matches_with_the_records_of_a_folder(tmp_path: Path) -> None:
    rules = book("wrc11")
    (tmp_path / "broken.meld").write_text("no record")
    assert matched_here(rules, folder=tmp_path).games == 0
    for number in range(2):
        seats = chairs("Ada", ["beginner"])
        session = Session(rules, seats, f"match {number}", from_ladder)
        if number:
            session.abandon("enough")
        play_out(session)
        save(session.record(), tmp_path / f"{number}.meld")
    found = matched_here(rules, folder=tmp_path)
    assert found.games == matched_here(rules, "Ada", tmp_path).games == 1
    assert matched_here(rules, "Somebody else", tmp_path).games == 0
    assert matched_here(book("tml"), folder=tmp_path).games == 0


def play_out(session: Session) -> None:
    """Draw, then pass, until the other has won."""
    while not session.over:
        if session.bot_to_act is None:
            session.play(Draw(session.me) if session.view().pool_size else Pass(session.me))
        else:
            session.answer(session.think())


def test_levels_that_were_not_measured_do_not_count() -> None:
    assert match("rummyo", [Result("keen", 1.0)] * 9) == match("rummyo", [])
