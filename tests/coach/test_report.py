"""Reports of whole games: legal, repeatable, and honest about what was better."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from meldroom.api.replay.report import game_report
from meldroom.bots import play
from meldroom.bots.answers import apply_answer
from meldroom.coach.comparison import Gain, gain, is_better
from meldroom.coach.laid_off_games import LaidOffGames
from meldroom.coach.lay_off_choices import choices, compare
from meldroom.coach.lay_off_choices import wins as choice_wins
from meldroom.coach.moves import Move, move_of
from meldroom.coach.report import frees_joker, left_out, report
from meldroom.coach.styles import Watcher
from meldroom.coach.turns import Turn, actions_of, turns_of
from meldroom.game import Shuffle, apply, view
from meldroom.game.actions import Discard, Lay, Play
from meldroom.game.events import Took
from meldroom.game.notation.position import parse_position
from meldroom.record import Record, loads
from meldroom.record.moments import Moment
from meldroom.rules.library import BOOK_IDS
from meldroom.solver import solve
from meldroom.tiles import Face, Tile

FIRST_EDITION = Path(__file__).parent.parent / "fixtures" / "v0.1" / "server" / "meldroom.db"


def made(book_id: str, levels: list[str], seed: str = "report") -> Record:
    return play(book_id, levels, seed=seed)


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_every_play_that_a_report_names_is_legal(book_id: str) -> None:
    record = made(book_id, ["regular", "club", "patient"])
    for seat in range(2):
        found = report(record, seat, games=160)
        for turn, told in zip(turns_of(record, seat), found.turns, strict=True):
            named = [told.most, told.strong, told.better.move if told.better else None]
            for move in named:
                if move is None or move.table is None or turn.state.book.family != "rearranging":
                    continue
                after, _ = apply(turn.state, Lay(seat, table=move.table), Shuffle("unused"))
                laid = set(turn.state.racks[seat]) - set(after.racks[seat])
                assert tuple(sorted(turn.state.faces(tuple(laid)))) == move.laid
        assert [point.step for point in found.curve] == sorted({point.step for point in found.curve})
        for point in found.curve:
            assert sum(point.chances) == pytest.approx(1)
        assert found.curve[-1].chances[seat] in (0.0, 0.5, 1.0)


def test_what_was_done_is_what_happened() -> None:
    """The actions read from a record lead to the same tables again."""
    for book_id in ("wrc11", "rummyo"):
        record = made(book_id, ["club", "tournament"])
        for seat in range(2):
            for turn in turns_of(record, seat):
                state = turn.taking or turn.state
                for action in actions_of(turn):
                    state, _ = apply_answer(state, action, Shuffle("unused"))
                ended = turn.steps[-1].after
                assert state.table == ended.table
                assert [meld.tiles for meld in state.melds] == [meld.tiles for meld in ended.melds]
                did = move_of(turn.state, actions_of(turn))
                assert len(did.laid) + (did.thrown is not None) <= len(turn.state.racks[seat])


def test_the_same_seed_and_games_give_the_same_report() -> None:
    record = made("wrc9", ["club", "patient"])
    assert report(record, 0, games=60, seed="x") == report(record, 0, games=60, seed="x")
    assert report(record, 0, games=60, seed="x").curve != report(record, 0, games=60, seed="y").curve


def test_a_good_hold_is_no_mistake_and_a_missed_way_out_is_one() -> None:
    """A patient player holds most of the game; a casual one overlooks a rack that goes out."""
    held = report(made("wrc11", ["patient", "club"]), 0, games=100)
    assert any(turn.did.kind == "draw" and turn.most for turn in held.turns)
    for turn in held.turns:
        if turn.did.kind == "draw" and turn.strong.kind == "draw":
            assert turn.verdict == "strong" or turn.better is not None
    missed = [
        turn
        for seed in range(3)
        for turn in report(made("wrc11", ["casual", "casual"], f"out {seed}"), 0, games=0).turns
        if turn.better is not None
    ]
    assert missed
    for turn in missed:
        assert turn.better is not None
        assert turn.better.exact
        assert turn.better.theme == "go_out"
        assert turn.verdict == "mistake"


def test_a_gain_must_be_found_twice() -> None:
    sure = Gain(200, 0.2, 0.03)
    assert is_better(sure, sure)
    assert not is_better(sure, Gain(200, 0.05, 0.03))
    assert not is_better(sure, Gain(200, -0.01, 0.03))
    assert not is_better(Gain(200, 0.2, 0.08), sure)
    assert not is_better(Gain(20000, 0.02, 0.001), Gain(20000, 0.02, 0.001))
    few = gain([[0.0, 1.0]] * 5 + [[1.0, 1.0]] * 20, 1, 0)
    assert not few.sureness > 3
    many = gain([[0.0, 1.0]] * 20 + [[1.0, 1.0]] * 20, 1, 0)
    assert many.mean == 0.5
    assert many.sureness > 3


@pytest.mark.parametrize(("rack", "tiles", "frees"), [("R5 K1 K2", 3, True), ("R9 K1 K2", 1, False)])
def test_a_play_frees_the_joker_if_it_cannot_be_made_without_it(rack: str, tiles: int, frees: bool) -> None:
    text = f"wrc11@1 / table R4 * R6 | B9 K9 O9 / racks {rack}, ?x5 / pool 20 / turn 1 / melded 1 2"
    state = parse_position(text).state()
    found = solve(state)
    assert found.tiles == tiles
    assert frees_joker(state, move_of(state, [found.action])) == frees


@pytest.mark.parametrize(
    ("rack", "missed"), [("K3 K4 B9", True), ("K3 K4 B9 O1", False), ("K3 K7 B9", False)]
)
def test_a_discard_that_goes_out_must_not_be_left(rack: str, missed: bool) -> None:
    """Rummy-O: black 5 lies on the pile. Who takes from the stock instead has missed the way out."""
    sides = f"racks {rack}, ?x9 / pool 40 / turn 1 take / melded 1 2 / discards K5"
    taking = parse_position(f"rummyo@1 / melds 1: R10 R11 R12 / {sides}").state()
    drawn = next(
        tile
        for tile in map(Tile, range(106))
        if taking.book.tiles.face_names[taking.book.tiles.face_of[tile]] == "O7"
    )
    held = replace(taking, racks=((*taking.racks[0], drawn), taking.racks[1]), phase="play")
    turn = Turn(held, (), (), taking)
    did = Move("discard", took="stock", thrown=taking.book.tiles.face_of[drawn])
    found = left_out(turn, did)
    assert (found is not None) == missed
    if found is not None:
        assert (found.took, len(found.laid), found.thrown is not None) == ("discard", 3, True)
        assert left_out(turn, replace(did, took="discard")) is None


def lay_off_turn() -> Turn:
    """Rummy-O, on board: red 9 may be added to a meld, and was thrown away."""
    sides = "racks R9 K1 B7, ?x3 / pool 40 / turn 1 play / melded 1 2 / discards O5"
    state = parse_position(f"rummyo@1 / melds 1: R10 R11 R12 / {sides}").state()
    tiles = state.book.tiles
    red = next(tile for tile in state.racks[0] if tiles.face_names[tiles.face_of[tile]] == "R9")
    after, events = apply(state, Discard(0, tile=red), Shuffle("unused"))
    return Turn(state, (Moment(1, events[0], state, after, after, frozenset(), 1),))


def test_going_on_board_and_discarding_are_compared_with_the_same_luck() -> None:
    turn = lay_off_turn()
    strong = solve(turn.state).action
    assert isinstance(strong, Play)
    found = list(choices(turn, [strong]))
    assert [each.theme for each in found] == ["most_tiles"]
    assert not list(choices(turn, actions_of(turn)))
    games = LaidOffGames(view(turn.state, 0), seed="luck")
    one, again = (choice_wins(games, found[0], 0, 0, 6) for _ in range(2))
    assert one == again
    assert choice_wins(games, found[0]._replace(did=strong), 0, 0, 6) == [[row[1]] * 2 for row in one]
    # Too few games say nothing.
    assert not list(compare(found, 0, {}, "seed", 10))


def test_discards_that_are_taken_are_counted() -> None:
    watcher = Watcher(2)
    watcher.see(Took(1, source="stock", tile=Tile(3)), 40)
    watcher.see(Took(1, source="discard", tile=Tile(4)), 39)
    assert [each.took for each in watcher.seen] == [0, 1]


def test_levels_that_a_record_names_are_used() -> None:
    """The same game with another level named for the opponent: other chances, and the same turns."""
    record = made("wrc11", ["club", "patient"])
    curves = []
    for level in ("beginner", "master"):
        tags = {"bots": f"{record.headers.players[1]} ({level})"}
        told = replace(record, headers=replace(record.headers, tags=tags))
        curves.append(report(told, 0, games=0).curve)
    weak, strong = (curve[0].chances[0] for curve in curves)
    assert strong < weak


def test_moves_are_the_same_whatever_the_table_looks_like() -> None:
    one, two, three = Face(1), Face(2), Face(3)
    table, turned = ((Tile(1), Tile(2)),), ((Tile(2), Tile(1)),)
    assert Move("lay", (one, two), 6, table).same(Move("lay", (one, two), 6, turned))
    assert not Move("lay", (one, two)).same(Move("lay", (one, three)))
    assert not Move("discard", thrown=one).same(Move("discard", thrown=two))


def test_a_record_seen_from_one_side_has_a_report_for_that_side() -> None:
    record = made("wrc11", ["club", "club"]).seen_by(0)
    mine, theirs = (report(record, seat, games=20) for seat in range(2))
    assert len(mine.turns) == sum(1 for _ in turns_of(record, 0))
    # All that the other laid is known at the end, and so is a rack that it emptied.
    assert len(theirs.turns) < len(mine.turns) / 4


def test_reports_are_told_in_both_languages() -> None:
    record = made("rummyo", ["club", "master"])
    english, french = (game_report(record, 0, language, 60) for language in ("en", "fr"))
    assert english.curve == french.curve
    assert english.turns[0].did.told.text != french.turns[0].did.told.text
    assert any(part for turn in english.turns for part in turn.did.told.parts if not isinstance(part, str))


def test_records_of_the_first_edition_have_reports() -> None:
    with closing(sqlite3.connect(FIRST_EDITION)) as database:
        (text,) = database.execute("select record from finished_games").fetchone()
    record = loads(text)
    for seat in range(len(record.headers.players)):
        found = report(record, seat, games=40)
        assert len(found.turns) > 1
        assert found.players == record.headers.players
