"""Chances to win against positions whose answer is known, and against themselves."""

from fractions import Fraction
from itertools import pairwise

import pytest

from meldroom.bots import play
from meldroom.coach import Forecast, estimates, win_probability
from meldroom.coach.at_sight import at_sight
from meldroom.coach.imagined_games import ImaginedGames
from meldroom.coach.styles import OF_LEVEL, STYLES, Behaviour, Watcher, certain, mixture, strength
from meldroom.coach.turns import turns_of
from meldroom.game import view
from meldroom.game.events import Laid
from meldroom.game.notation.position import parse_position
from meldroom.record import Record
from meldroom.rules.library import book
from meldroom.solver.kernel import mode
from meldroom.tiles import Tile

WAITS = next(place for place, style in enumerate(STYLES) if style.id == "waits")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # All goes out at once.
        ("wrc11@1 / table R1 R2 R3 / racks R4, K9 / pool 20 / turn 1 / melded 1 2", (1.0, 0.0)),
        # The other's last tile fits, mine does not, and these are the last turns.
        ("wrc11@1 / table R1 R2 R3 / racks K9, R4 / pool 0 / turn 1 / melded 1 2 / final 2", (0.0, 1.0)),
        # Nothing fits; the fewest points win, a tie is shared.
        ("wrc11@1 / table R1 R2 R3 / racks K5, K9 / pool 0 / turn 1 / melded 1 2 / final 2", (1.0, 0.0)),
        ("wrc11@1 / table R1 R2 R3 / racks K9, B9 / pool 0 / turn 1 / melded 1 2 / final 2", (0.5, 0.5)),
    ],
)
def test_what_is_certain(text: str, expected: tuple[float, float]) -> None:
    known = {0: certain(WAITS), 1: certain(WAITS)}
    assert win_probability(text, known=known, games=12).chances == expected


def test_a_hidden_tile_wins_as_often_as_can_be_counted() -> None:
    """The other holds one unseen tile in the last turn: it wins with a lower one, or one that goes out."""
    text = "wrc11@1 / table R1 R2 R3 / racks K5, ?x1 / pool 0 / turn 1 / melded 1 2 / final 2"
    tiles = book("wrc11").tiles
    shown = parse_position(text)
    seen = [tiles.face_of[tile] for tile in (*shown.table[0], shown.racks[0][0])]
    won, every = Fraction(0), 0
    for face in tiles.every_face:
        count = tiles.limits[face] - seen.count(face)
        number = face % tiles.numbers + 1
        goes_out = face == tiles.joker or tiles.face_names[face] == "R4"
        share = Fraction(1) if goes_out or number < 5 else Fraction(1, 2) if number == 5 else Fraction(0)
        won, every = won + count * share, every + count
    expected = float(won / every)
    found = win_probability(text, known={1: certain(WAITS)}, games=3000)
    assert found.chances[1] == pytest.approx(expected, abs=4 * (0.25 / 3000) ** 0.5)
    assert found.intervals[1][0] <= expected <= found.intervals[1][1] or found.doubt < 0.02
    assert sum(found.chances) == pytest.approx(1)


@pytest.fixture(scope="module")
def mixed() -> Record:
    return play("wrc11", ["club", "patient"], seed="coach")


def test_game_n_follows_from_the_seed_alone(mixed: Record) -> None:
    turn = list(turns_of(mixed, 0))[12]
    shown = view(turn.state, 0)
    once = Forecast(shown, turn.seen, seed="a").more(40)
    twice = Forecast(shown, turn.seen, seed="a")
    twice.more(13)
    assert twice.more(27) == once
    games = [ImaginedGames(shown, turn.seen, seed=seed).play(0, 60, [None]) for seed in ("a", "b")]
    assert games[0] != games[1]


def test_intervals_tighten_until_they_are_good_enough(mixed: Record) -> None:
    turn = list(turns_of(mixed, 0))[-2]
    first = next(estimates(view(turn.state, 0), turn.seen, precision=0.0))
    wanted = 0.7 * first.doubt
    found = list(estimates(view(turn.state, 0), turn.seen, precision=wanted))
    assert found[0] == first
    assert found[-1].doubt <= wanted < found[-2].doubt
    assert all(after.games > before.games for before, after in pairwise(found))
    for low, high in found[-1].intervals:
        assert 0 <= low <= high <= 1
    late = list(estimates(view(turn.state, 0), turn.seen, precision=1e-9, seconds=0.0))
    assert len(late) == 1


def test_the_games_are_the_same_compiled_and_interpreted(mixed: Record) -> None:
    pytest.importorskip("numba")
    turn = list(turns_of(mixed, 1))[-3]
    moves = [None, (), turn.state.faces(turn.state.racks[1])[:1]]
    found, before = [], mode.current()
    for wish in ("compiled", "interpreted"):
        mode.choose(wish)
        found.append(ImaginedGames(view(turn.state, 1), turn.seen, seed="m").play(0, 4, moves[:2]))
    mode.choose(before)
    assert found[0] == found[1]


def test_moves_of_one_game_meet_the_same_luck(mixed: Record) -> None:
    """Twice the same move in one comparison: the same winners, game by game."""
    turn = list(turns_of(mixed, 0))[15]
    for one, other in ImaginedGames(view(turn.state, 0), turn.seen).play(0, 24, [(), ()]):
        assert one == other


def test_what_somebody_did_tells_how_they_play() -> None:
    waits = mixture(Behaviour(draws=20, early=True))
    lays = mixture(Behaviour(lays=9, single=3, wide=2, draws=11, early=True))
    spares = mixture(Behaviour(lays=9, single=9, wide=4, draws=14, early=True))
    alone = mixture(Behaviour(lays=5, single=1, own=4, draws=15, early=True))
    late = mixture(Behaviour(early=False, unopened=20))
    assert max(range(len(STYLES)), key=waits.__getitem__) == OF_LEVEL["patient"]
    assert waits[OF_LEVEL["tournament"]] < 0.05 < 0.1 < lays[OF_LEVEL["tournament"]]
    assert max(range(len(STYLES)), key=spares.__getitem__) == OF_LEVEL["canny"]
    assert max(range(len(STYLES)), key=late.__getitem__) == OF_LEVEL["master"]
    assert max(range(len(STYLES)), key=alone.__getitem__) == OF_LEVEL["beginner"]
    assert strength(alone) < strength(mixture(Behaviour())) < strength(spares) < strength(late)
    for told in (waits, lays, spares, late, alone):
        assert sum(told) == pytest.approx(1)


def test_a_watcher_tells_sets_laid_beside_from_sets_that_were_touched() -> None:
    """An opening, a set beside it, a tile added to one set, and a tile for which two sets are changed."""
    watcher = Watcher(1)
    old = (Tile(1), Tile(2), Tile(3)), (Tile(10), Tile(11), Tile(12))
    beside = (*old, (Tile(20), Tile(21), Tile(22)))
    added = ((Tile(1), Tile(2), Tile(3), Tile(4)), *beside[1:])
    moved = ((Tile(1), Tile(2), Tile(3)), (Tile(4), Tile(10), Tile(11), Tile(12), Tile(13)), *beside[2:])
    before: tuple[tuple[Tile, ...], ...] = ()
    for table in (old, beside, added, moved):
        new = {tile for tiles in table for tile in tiles} - {tile for tiles in before for tile in tiles}
        watcher.see(Laid(0, table=table, tiles=tuple(new)), 30)
        before = table
    assert watcher.seen[0] == Behaviour(lays=3, single=2, wide=1, own=1, early=True, drew=False)


def test_known_levels_count_for_more_than_guesses(mixed: Record) -> None:
    """Somebody who is known to be a master has better chances than somebody known to be a beginner."""
    turn = next(iter(turns_of(mixed, 0)))
    shown = view(turn.state, 0)
    found = [at_sight(turn.state.book, shown, turn.seen, {1: certain(place)})[1] for place in (0, 7)]
    guessed = at_sight(turn.state.book, shown, turn.seen)[1]
    assert found[0] < guessed < found[1]


def test_a_watcher_sees_no_hidden_tile(mixed: Record) -> None:
    """What it counts is the same in a record as one seat saw the game."""
    for record in (mixed, mixed.seen_by(0)):
        watcher = Watcher(2)
        for event in record.events:
            watcher.see(event, 30)
        assert watcher.seen[1].draws + watcher.seen[1].lays > 5
        last = watcher.seen
    assert last == [*last]
    whole = Watcher(2)
    for event in mixed.events:
        whole.see(event, 30)
    assert whole.seen == last


@pytest.mark.parametrize("book_id", ["wrc9", "rummyo"])
def test_chances_at_sight_add_up(book_id: str) -> None:
    record = play(book_id, ["club", "tournament", "patient"], seed="sight")
    for seat in range(3):
        for turn in list(turns_of(record, seat))[::4]:
            found = at_sight(turn.state.book, view(turn.state, seat), turn.seen)
            assert sum(found) == pytest.approx(1)
            assert all(0 < chance < 1 for chance in found)


def test_rummy_o_is_played_on_by_bots() -> None:
    """The first sight counts for some games; whoever can go out wins most of those that are played on."""
    text = (
        "rummyo@1 / melds 1: R10 R11 R12 / racks {} B9, {} / pool 60 / turn 1 play / melded 1 2 / discards K5"
    )
    near, far = (text.format(rack, "B1 B5 O9 K13 R2 R6") for rack in ("R9 R13", "K1 R4 O7 B12 O3"))
    chances = [win_probability(each, games=6, seed="o").chances[0] for each in (near, far)]
    assert chances[0] == 1.0
    assert chances[1] < 1.0
    assert win_probability(far, games=6, seed="o") == win_probability(far, games=6, seed="o")


def test_rummy_o_has_estimates_that_get_surer() -> None:
    record = play("rummyo", ["club", "patient"], seed="sight")
    turn = next(iter(turns_of(record, 0)))
    found = estimates(view(turn.state, 0), turn.seen)
    first, second = next(found), next(found)
    assert 0 < first.games < second.games
    assert sum(second.chances) == pytest.approx(1)
