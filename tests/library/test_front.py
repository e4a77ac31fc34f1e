"""The library as `import meldroom` offers it: positions, legal actions, views, records, short reprs, text."""

from __future__ import annotations

import copy
import inspect
import random
from collections.abc import Iterator
from typing import get_type_hints

import msgspec
import pytest

import meldroom as mr
from meldroom.game.judgement import TurnStart
from meldroom.game.state import conserved

LINE = "wrc11@2 / table R1 R2 R3 / racks K9 R4, ?x14 / pool 87 / turn 1 / melded 1"


def states(name: str, seed: int, players: int = 3) -> Iterator[mr.State]:
    """The states of a random game."""
    shuffle, chance = mr.Shuffle(f"{name} {seed}"), random.Random(seed)
    state, _ = mr.new_game(mr.book(name), ["Ada", "Bo", "Chi"][:players], shuffle)
    yield state
    while not state.over:
        state, _ = state.apply(state.legal.sample(chance), shuffle)
        yield state


@pytest.mark.parametrize("name", mr.BOOK_IDS)
def test_a_position_and_a_state_are_two_ways_to_say_the_same(name: str) -> None:
    for state in states(name, 1):
        line = str(state)
        again = mr.State.from_position(line)
        assert str(again) == line
        assert conserved(again)
        assert mr.State.from_position(state.position).racks == again.racks
        if state.over:
            continue
        assert (again.seat, again.phase, again.melded) == (state.seat, state.phase, state.melded)
        assert len(repr(state)) < 60


@pytest.mark.parametrize("name", mr.BOOK_IDS)
def test_what_is_legal_in_a_state_is_legal_in_its_position(name: str) -> None:
    chance = random.Random(name)
    for number, state in enumerate(states(name, 2)):
        if state.over or number % 7:
            continue
        again = mr.State.from_position(str(state))
        action = state.legal.sample(chance)
        assert action in state.legal
        # Equal tiles may be other copies, so the position's own actions are looked at.
        assert again.legal.sample(random.Random(1)) in again.legal


def test_a_state_stays_open_about_what_the_line_does_not_say() -> None:
    state = mr.State.from_position(LINE)
    assert str(state) == LINE
    assert state.racks[1] == (mr.HIDDEN,) * 14
    after, events = state.apply(mr.Draw(0))
    assert [state.describe(event) for event in events] == ['"Player 1" draws ?', 'turn "Player 2"']
    assert str(after) == ("wrc11@2 / table R1 R2 R3 / racks K9 R4 ?, ?x14 / pool 86 / turn 2 / melded 1")
    with pytest.raises(mr.ActionError, match="unknown"):
        list(after.legal)
    with pytest.raises(mr.ActionError, match="unknown"):
        mr.Draw(1) in after.legal  # noqa: B015


def test_hidden_tiles_can_be_filled_in() -> None:
    state = mr.State.from_position(LINE)
    whole = mr.fill_hidden(state)
    assert mr.HIDDEN not in whole.racks[1]
    assert conserved(whole)
    assert whole.racks[0] == state.racks[0]
    drawn = {mr.fill_hidden(state, random.Random(seed)).racks[1] for seed in range(5)}
    assert len(drawn) == 5
    assert mr.fill_hidden(whole) is whole


def test_the_last_tile_can_be_laid_though_the_other_racks_are_unknown() -> None:
    state = mr.State.from_position("wrc11 / table R1 R2 R3 / racks R4, ?x14 / turn 1 / melded 1")
    (lay,) = (action for action in state.legal if isinstance(action, mr.Lay))
    assert lay in state.legal
    with pytest.raises(mr.ActionError) as caught:
        state.apply(lay)
    assert caught.value.code == "hidden_tiles"
    assert mr.fill_hidden(state).apply(lay)[0].over


def test_legal_actions_are_counted_up_to_a_limit() -> None:
    state = mr.State.from_position("tml / table R1 R2 R3 / racks R4 R5 B1 B2 B3, ?x14 / turn 1 / melded 1")
    every = [state.describe(action) for action in state.legal]
    assert state.legal.count() == len(every) > 5
    assert state.legal.count(3) == 3
    assert "lay R4 -> R1 R2 R3 R4" in every
    assert bool(state.legal)
    assert not list(next(s for s in states("tml", 5) if s.over).legal)
    with pytest.raises(mr.BudgetSpentError):
        mr.LegalActions(state, budget=3).count()


def test_a_view_becomes_a_state_with_the_same_view() -> None:
    for name in mr.BOOK_IDS:
        for number, state in enumerate(states(name, 3)):
            if number % 5:
                continue
            for seat in range(3):
                seen = state.view(seat)
                again = mr.state_from_view(state.book, seen)
                assert again.view(seat) == seen
                assert mr.fill_hidden(again).view(seat) == seen
                assert conserved(again)
                assert str(seen) == str(again)
    assert repr(seen).startswith("<View of seat 3, rummyo turn ")
    assert repr(state.view(None)).startswith("<View of a spectator, ")
    with pytest.raises(mr.ActionError):
        state.view(9)
    with pytest.raises(mr.ActionError):
        _ = state.view(None).own_seat


def test_passing_is_judged_by_what_the_caller_knows() -> None:
    book = mr.house_book(
        {"id": "strict", "version": "1", "base": "tml", "pool_end": {"must_play_if_able": True}}
    )
    line = "strict@1 / table R1 R2 R3 / racks K9 R4, K1 / pool 0 / turn 1 / melded 1 / final 2"
    state = mr.State.from_position(line, book)
    assert str(state) == line
    assert mr.Pass(0) not in state.legal
    from meldroom.game.apply import apply

    shuffle = mr.Shuffle("x")
    with pytest.raises(mr.ActionError) as caught:
        apply(state, mr.Pass(0), shuffle)
    assert caught.value.code == "must_play"
    assert apply(state, mr.Pass(0), shuffle, can_lay=False)[0].seat == 1
    with pytest.raises(mr.ActionError):
        apply(mr.State.from_position(line.replace("K9 R4", "K9"), book), mr.Pass(0), shuffle, can_lay=True)


def test_a_record_plays_prints_and_verifies() -> None:
    record = mr.play("wrc11", ["beginner", "beginner"], seed=7)
    assert mr.loads(str(record)) == record
    assert repr(record) == f"<Record wrc11: beginner 1 – beginner 2, {len(record.events)} events>"
    assert record.verify()
    assert str(record.verify()).startswith("verified: legality of ")
    *_, last = record.states()
    assert last.over
    assert record.result is not None
    assert last.result is not None
    assert record.result.scores == last.result.scores
    assert f"seat 1 {last.result.scores[0]:+}" in str(last.result)
    assert f"seat 1: {last.result.scores[0]:+}" in str(mr.score_sheet(last))
    changed = msgspec.structs.replace(record, events=(*record.events[:-1], record.events[-2]))
    assert not changed.verify()
    assert "does not verify" in str(changed.verify())


def test_a_position_is_solved_and_explained() -> None:
    state = mr.State.from_position(LINE)
    play = mr.solve(state)
    assert play.action in state.legal
    assert state.describe(play.action) == "lay R4 -> R1 R2 R3 R4"
    assert str(mr.explain(play)).startswith("1. Add R4")
    assert mr.solve(LINE).action == mr.solve(state.view(0)).action == play.action


def test_every_error_is_one_of_ours_and_survives_a_process() -> None:
    errors = [getattr(mr, name) for name in mr.__all__ if name.endswith("Error")]
    assert len(errors) > 10
    assert {kind for kind in errors if not issubclass(kind, mr.MeldroomError)} <= {mr.BotError}
    for wrong in ("nonsense", "wrc11 / racks R99, - / turn 1", "wrc11@7 / racks -, -"):
        with pytest.raises(mr.NotationError) as caught:
            mr.State.from_position(wrong)
        assert isinstance(caught.value, mr.MeldroomError)
        again = copy.copy(caught.value)
        assert (str(again), again.column) == (str(caught.value), caught.value.column)
    with pytest.raises(mr.TileTextError) as text:
        mr.parse_set("R1 Q9", mr.book("wrc11").tiles)
    assert str(text.value) == "no such colour (this set has K, R, B, O): “Q9” at character 4"
    assert text.value.message("fr").startswith("cette couleur n’existe pas")


def test_every_public_name_is_there_and_has_a_docstring() -> None:
    assert sorted(mr.__all__) == sorted({*mr.__all__})
    for name in mr.__all__:
        value = getattr(mr, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), name
    with pytest.raises(AttributeError):
        _ = mr.no_such_name


def test_values_print_short_and_readable() -> None:
    book = mr.book("wrc11", {"joker_reuse": "any_set"})
    assert (str(book), repr(book)) == ("WRC 11", "<RuleBook wrc11@2 joker_reuse=any_set>")
    wrc11 = mr.book("wrc11")
    (fault,) = mr.verify(wrc11, mr.Turn.from_text(wrc11, "", "R9 B9 K9", "R9 B9 K9", melded=False))
    assert str(fault) == fault.message("en") == "Your opening is worth 27 points; you need at least 30."
    state = mr.State.from_position(LINE)
    assert repr(state.legal) == "<LegalActions of <State wrc11, seat 1 to move>>"
    assert repr(state.position) == f"<Position {LINE}>"
    assert mr.to_svg(state).startswith("<svg")
    assert state.view(0)._repr_svg_() == state._repr_svg_() == mr.to_svg(state.position)


def test_tiles_and_faces_are_two_types() -> None:
    assert get_type_hints(mr.Turn)["rack"] == tuple[mr.Face, ...]
    assert get_type_hints(TurnStart)["rack"] == tuple[mr.Tile, ...]
    for value, field in ((mr.Lay, "table"), (mr.View, "rack"), (mr.Position, "racks"), (mr.Meld, "tiles")):
        fields = {each.name: each.type for each in msgspec.structs.fields(value)}
        assert "Tile" in str(fields[field]), value
    state = mr.State.from_position(LINE)
    decoded = msgspec.json.decode(msgspec.json.encode(state.racks), type=tuple[tuple[mr.Tile, ...], ...])
    assert decoded == state.racks


def test_a_rack_of_tiles_is_no_position() -> None:
    state = mr.State.from_position(LINE)
    for wrong in (state.racks[0], state.faces(state.racks[0]), None, 7):
        with pytest.raises(mr.SolverError):
            mr.solve(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        mr.solve(state.book, (), state.racks[0])  # type: ignore[call-arg, arg-type]
