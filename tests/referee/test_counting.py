"""Counting at the end of a game: sums by the book, endings, and a result that the log takes."""

from __future__ import annotations

from random import Random

import pytest

from meldroom.bots.game_loop import play_game
from meldroom.bots.levels import make_bot
from meldroom.championship.formats.format import preset
from meldroom.championship.results import check_result
from meldroom.game import Shuffle, new_game
from meldroom.referee import (
    GameAtEnd,
    GameResult,
    Rack,
    RefereeError,
    SeatAtEnd,
    at_end_of,
    count_game,
    count_racks,
)
from meldroom.rules.library import book
from meldroom.tiles import Face, parse_set
from tests.referee.brute_melds import BOX, name

WRC11 = book("wrc11")


def faces(text: str) -> tuple[Face, ...]:
    return parse_set(text, WRC11.tiles)


def seat(text: str = "", *, melded: bool = True, last: str = "") -> SeatAtEnd:
    return SeatAtEnd(faces(text), melded, faces(last))


def test_wrc11_rule_1_11_12_a_game_won_by_going_out() -> None:
    game = GameAtEnd(
        (seat(), seat("R10 *"), seat("R9 B9 K9 O13 O12 O11", melded=False), seat("K5", melded=False)), 0
    )
    count = count_game(WRC11, game)
    assert count.result.scores == (410, -110, -200, -100)
    assert count.result.winners == (0,)
    assert [line.jokers for line in count.lines] == [0, 1, 0, 0]
    assert [line.charge.why for line in count.lines] == ["melded", "melded", "could", "could_not"]
    assert sum(score or 0 for score in count.result.scores) == 0
    assert count.check_message().endswith("add up to 0.")


def test_wrc11_rule_16_the_smallest_rack_wins_with_zero() -> None:
    count = count_game(WRC11, GameAtEnd((seat("R5"), seat("R10 B2"), None, seat("K1", melded=False)), None))
    assert count.result.scores == (0, -7, None, -95)
    assert count.result.winners == (0,)
    assert count.result.end == "exhausted"
    assert "don't add up to 0" in count.check_message("en")
    assert all(line.clause == "WRC 11 #16" for line in count.lines)


def test_the_log_of_a_championship_takes_the_result() -> None:
    made = preset("wrc")
    random = Random(4)
    for number in range(60):
        box = [name(one) for one in random.sample(BOX, len(BOX))]
        racks = [box[14 * place : 14 * place + random.randint(1, 14)] for place in range(4)]
        winner = random.randrange(4) if number % 3 else None
        seats = tuple(
            SeatAtEnd()
            if place == winner
            else seat(" ".join(rack), melded=random.random() < 0.6, last=rack[-1])
            for place, rack in enumerate(racks)
        )
        count = count_game(made.rules(), GameAtEnd(seats, winner))
        result = count.result
        assert check_result(made, result, 4) == result


def test_a_player_without_a_turn_is_charged_100_in_the_log_too() -> None:
    made = preset("wrc")
    held = faces("R10 B10 K10")
    count = count_game(made.rules(), GameAtEnd((SeatAtEnd(), SeatAtEnd(held, False, (), False)), 0))
    assert count.result.scores == (100, -100)
    result = count.result
    assert check_result(made, result, 2) == result


@pytest.mark.parametrize(
    ("game", "code"),
    [
        (GameAtEnd((seat(), seat("R1 R1 R1")), 0), "no_more"),
        (GameAtEnd((seat("K1"), seat("R1")), 0), "winner_rack"),
        (GameAtEnd((seat("K1"), seat()), 0), "winner_rack"),
        (GameAtEnd((seat("K1"), seat()), None), "nobody_out"),
        (GameAtEnd((seat(), seat()), 0), "nobody_out"),
        (GameAtEnd((seat(), None), 0), "players"),
        (GameAtEnd((seat(), seat("K1"), None), 2), "winner"),
        (GameAtEnd((seat(), seat("K1")), 0, (), 106), "full"),
        (GameAtEnd((seat(), seat("K1", melded=False, last="K2")), 0), "drawn"),
    ],
)
def test_what_cannot_be_is_refused(game: GameAtEnd, code: str) -> None:
    with pytest.raises(RefereeError) as refused:
        count_game(WRC11, game)
    assert refused.value.code == code
    assert refused.value.message("fr") != refused.value.message("en")


def test_a_lost_tile_is_noted_and_does_not_stop_the_count() -> None:
    count = count_game(WRC11, GameAtEnd((seat(), seat("K1")), 0, faces("R1 R2 R3"), 101))
    assert [note.code for note in count.notes] == ["TILES_MISSING"]
    assert "1 missing" in count.notes[0].message()
    assert count_game(WRC11, GameAtEnd((seat(), seat("K1")), 0, faces("R1 R2 R3"), 102)).notes == ()


def test_racks_as_they_are_written_down_are_counted() -> None:
    racks = (Rack(), Rack(("R10", "*")), None, Rack(("R9", "B9", "K9", "O13"), False, ("K9",)))
    count = count_racks(WRC11, racks, 0)
    assert count.result == GameResult((210, -110, None, -100), (0,), "out", racks)
    assert count_racks(WRC11, racks[1:2] * 2, None).result.end == "exhausted"


@pytest.mark.parametrize(
    ("racks", "code", "where"),
    [
        ((Rack(), Rack(("R10", "R99"))), "tile", "racks[1].tiles[1]"),
        ((Rack(), Rack(("R10",), False, ("?",))), "tile", "racks[1].drawn_in_last_turn[0]"),
        ((Rack(), Rack(("R10",) * 3)), "no_more", ""),
        ((Rack(), Rack()), "nobody_out", ""),
    ],
)
def test_racks_that_cannot_be_are_refused(racks: tuple[Rack, ...], code: str, where: str) -> None:
    with pytest.raises(RefereeError) as refused:
        count_racks(WRC11, racks, 0)
    assert (refused.value.code, refused.value.where) == (code, where)


def test_a_result_of_the_log_is_counted_as_it_is_written() -> None:
    count = count_racks(WRC11, (Rack(), Rack(("K1",)), Rack()), 0, as_written=True)
    assert count.result.scores == (1, -1, 0)


def test_rummyo_counts_the_winners_own_tiles() -> None:
    rules = book("rummyo")
    own = parse_set("R1 R2 R3 R4 B5 B6 B7 K9 R9 O9 O10 O11 O12 O13", rules.tiles)
    seats = (SeatAtEnd(), SeatAtEnd(parse_set("K1 *", rules.tiles)))
    count = count_game(rules, GameAtEnd(seats, 0, going_out="open", winner_tiles=own))
    assert count.result.scores[1] == -25
    assert count.result.scores[0] == 100 + 10 + 2 + 3 + 4 + 18 + 27 + 40
    with pytest.raises(RefereeError, match="can't be counted"):
        count_game(rules, GameAtEnd(seats, 0))


@pytest.mark.parametrize("book_id", ["wrc11", "wrc9", "tml", "rummyo"])
def test_games_played_here_are_counted_as_they_ended(book_id: str) -> None:
    rules = book(book_id)
    for number in range(6):
        shuffle = Shuffle(f"{book_id} {number}")
        bots = [make_bot("beginner", rules, seed=f"{number} {place}") for place in range(3)]
        state = play_game(rules, bots, shuffle, starter=0).state
        assert state.result is not None
        count = count_game(rules, at_end_of(state))
        assert count.result.scores == state.result.scores
        assert count.result.winners == state.result.winners
        assert count.notes == ()
    fresh, _ = new_game(rules, ["a", "b"], Shuffle("x"), starter=0)
    with pytest.raises(RefereeError, match="not over"):
        at_end_of(fresh)
