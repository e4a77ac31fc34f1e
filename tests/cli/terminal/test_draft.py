"""Where every tile of a turn would lie: none is lost or doubled, undo restores it, the engine judges it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meldroom.cli.terminal.draft import Draft, DraftError
from meldroom.cli.terminal.judgement import judged
from meldroom.cli.terminal.undo_history import History
from meldroom.game import ActionError, Shuffle, apply, view
from meldroom.game.actions import Action
from meldroom.rules.library import book
from meldroom.tiles import Tile
from tests.cli.terminal.positions import refused, seen, state_of, text_of

WRC11 = book("wrc11")
RUMMYO = book("rummyo")


def tile(draft: Draft, name: str, number: int = 0) -> Tile:
    """The tile of a name on the rack, or else on the table."""
    tiles = draft.book.tiles
    everywhere = (*draft.rack, *(one for each in draft.sets for one in each.tiles))
    return [one for one in everywhere if tiles.face_names[tiles.face_of[one]] == name][number]


def lies(draft: Draft) -> str:
    return text_of(draft.book, [each.tiles for each in draft.sets])


def test_a_tile_finds_its_place_in_a_run() -> None:
    draft = Draft.of(WRC11, seen(WRC11, "R1 R5 K9", "R2 R3 R4"))
    draft = draft.put([tile(draft, "R5"), tile(draft, "R1")], 0)
    assert lies(draft) == "R1 R2 R3 R4 R5"


def test_a_tile_fills_the_place_of_a_joker_which_moves_to_the_end() -> None:
    draft = Draft.of(WRC11, seen(WRC11, "R3", "R2 * R4"))
    assert lies(draft.put([tile(draft, "R3")], 0)) == "R2 R3 R4 *"


def test_a_tile_in_the_middle_of_a_run_parts_it() -> None:
    draft = Draft.of(WRC11, seen(WRC11, "R5", "R3 R4 R5 R6 R7 | K9 B9 O9"))
    assert lies(draft.put([tile(draft, "R5")], 0)) == "R3 R4 R5 | R5 R6 R7 | K9 B9 O9"


def test_several_tiles_become_a_new_set_in_order() -> None:
    draft = Draft.of(WRC11, seen(WRC11, "O9 R5 R3 R4", "K9 B9 R9"))
    draft = draft.new_set([tile(draft, name) for name in ("R5", "R3", "R4")])
    assert lies(draft) == "K9 B9 R9 | R3 R4 R5"


def test_a_set_is_split_and_an_emptied_set_vanishes() -> None:
    draft = Draft.of(WRC11, seen(WRC11, "K1", "R1 R2 R3 R4 R5 R6"))
    parts = draft.split(0, 3)
    assert lies(parts) == "R1 R2 R3 | R4 R5 R6"
    assert lies(parts.put(parts.sets[1].tiles, 0)) == "R1 R2 R3 R4 R5 R6"
    assert not parts.put(parts.sets[1].tiles, 0).touched


def test_table_tiles_stay_on_the_table() -> None:
    draft = Draft.of(WRC11, seen(WRC11, "R4", "R1 R2 R3"))
    grown = draft.put([tile(draft, "R4")], 0)
    assert grown.take_back([tile(grown, "R4")]) == draft
    with refused("stays_on_table"):
        grown.take_back([tile(grown, "R1")])
    with refused("nothing_to_take_back"):
        draft.take_back([tile(draft, "R4")])


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (lambda draft: draft.put([draft.held[0]], 7), "no_such_set"),
        (lambda draft: draft.put([], 0), "nothing_selected"),
        (lambda draft: draft.put([draft.sets[0].tiles[0]], 0), "already_there"),
        (lambda draft: draft.new_set([]), "nothing_selected"),
        (lambda draft: draft.new_set([105]), "unknown_tile"),
        (lambda draft: draft.split(0, 0), "nothing_to_split"),
        (lambda draft: draft.split(3, 1), "no_such_set"),
        (lambda draft: draft.read_otherwise(0), "no_other_reading"),
        (lambda draft: draft.read_otherwise(9), "no_such_set"),
        (lambda draft: draft.arranged([draft.held[:1]]), "unknown_tile"),
    ],
)
def test_what_cannot_be_done_says_why(change: object, key: str) -> None:
    draft = Draft.of(WRC11, seen(WRC11, "R4", "R1 R2 R3"))
    assert callable(change)
    with refused(key):
        change(draft)


def test_a_joker_can_be_read_otherwise() -> None:
    draft = Draft.of(RUMMYO, seen(RUMMYO, "R5 R6 * K1", melded=False))
    draft = draft.new_set([tile(draft, name) for name in ("R5", "R6", "*")])
    assert lies(draft) == "R5 R6 *"
    draft = draft.read_otherwise(0)
    assert lies(draft) == "* R5 R6"
    draft = draft.read_otherwise(0)
    assert lies(draft) == "R5 R6 *"


def test_one_tile_with_two_jokers_is_a_group_or_a_run() -> None:
    draft = Draft.of(RUMMYO, seen(RUMMYO, "R5 * * K1", melded=False))
    draft = draft.new_set([tile(draft, "R5"), tile(draft, "*"), tile(draft, "*", 1)])
    kinds = set()
    for _ in range(5):
        kinds.add(draft.sets[0].kind)
        draft = draft.read_otherwise(0)
    assert kinds == {"run", "group"}


def test_old_melds_keep_their_jokers_in_place() -> None:
    draft = Draft.of(RUMMYO, seen(RUMMYO, "R7 R4 K1", "R5 *  R7", owners=[1]))
    assert lies(draft.put([tile(draft, "R4")], 0)) == "R4 R5 * R7"
    with refused("meld_is_fixed"):
        draft.new_set([tile(draft, "R5")])
    with refused("meld_is_fixed"):
        draft.split(0, 1)


def test_the_tile_a_joker_stands_for_claims_it() -> None:
    draft = Draft.of(RUMMYO, seen(RUMMYO, "R6 K8 K9 K1", "R5 * R7", owners=[1]))
    claimed = draft.put([tile(draft, "R6")], 0)
    assert lies(claimed) == "R5 R6 R7 | *"
    used = claimed.put([tile(claimed, "K8"), tile(claimed, "K9")], 1)
    assert lies(used) == "R5 R6 R7 | K8 K9 *"
    position = seen(RUMMYO, "R6 K8 K9 K1", "R5 * R7", owners=[1])
    assert judged(used, position).outcome == "OPEN_RUMMY"
    assert judged(claimed, position).marks == (True, False)


def test_a_full_group_gives_its_joker_for_the_missing_colour() -> None:
    draft = Draft.of(RUMMYO, seen(RUMMYO, "O5 K1", "K5 R5 B5 *", owners=[1]))
    assert lies(draft.put([tile(draft, "O5")], 0)) == "K5 R5 B5 O5 | *"


def test_history_undoes_and_redoes_and_resets() -> None:
    first = Draft.of(WRC11, seen(WRC11, "R4 R5", "R1 R2 R3"))
    history = History(first)
    with refused("nothing_to_undo"):
        history.undo()
    history.change(first.put([tile(first, "R4")], 0))
    grown = history.draft
    history.change(grown.put([tile(grown, "R5")], 0))
    longest = history.draft
    history.undo()
    assert history.draft == grown
    history.redo()
    assert history.draft == longest
    history.reset()
    assert history.draft == first
    history.undo()
    assert history.draft == longest
    history.undo()
    history.change(grown.split(0, 1))
    with refused("nothing_to_redo"):
        history.redo()


def test_live_judgement_counts_the_opening_and_marks_sets() -> None:
    position = seen(WRC11, "R10 R11 R12 K9 B9", "O1 O2 O3", melded=False)
    draft = Draft.of(WRC11, position)
    pair = draft.new_set([tile(draft, "K9"), tile(draft, "B9")])
    standing = judged(pair, position)
    assert standing.marks == (True, False)
    assert (standing.points, standing.needed, len(standing.unplaced)) == (0, 30, 2)
    run = draft.new_set([tile(draft, name) for name in ("R10", "R11", "R12")])
    standing = judged(run, position)
    assert (standing.points, standing.legal, standing.laid) == (33, True, 3)


# Laws

POSITIONS = (
    (WRC11, "R4 R5 K9 O9 * B7 B8", "R1 R2 R3 | K9 B9 R9 | B3 B4 B5 B6", ()),
    (RUMMYO, "R4 R6 K9 O9 * B7 B8", "R5 * R7 | K9 B9 R9 | B3 B4 B5 B6", (1, 0, 1)),
)


def changed(draft: Draft, choice: Sequence[int]) -> Draft:
    """One change out of four numbers; a change that cannot be made leaves the draft as it is."""
    kind, first, second, third = choice
    tiles = (*draft.held, *(one for each in draft.before for one in each.tiles))
    picked = list(dict.fromkeys((tiles[first % len(tiles)], tiles[second % len(tiles)])))
    index = third % (len(draft.sets) + 1)
    try:
        match kind:
            case 0:
                return draft.put(picked, index)
            case 1:
                return draft.new_set(picked)
            case 2:
                return draft.take_back(picked)
            case 3:
                return draft.split(index, second % 6)
            case _:
                return draft.read_otherwise(index)
    except DraftError:
        return draft


CHANGES = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 40), st.integers(0, 40), st.integers(0, 40)), max_size=25
)


@settings(max_examples=120)
@given(which=st.integers(0, 1), choices=CHANGES)
def test_no_tile_is_ever_lost_or_doubled(which: int, choices: list[tuple[int, int, int, int]]) -> None:
    rules, rack, table, owners = POSITIONS[which]
    first = Draft.of(rules, seen(rules, rack, table, owners=owners))
    everything = sorted((*first.held, *(one for each in first.before for one in each.tiles)))
    old = {one for each in first.before for one in each.tiles}
    draft = first
    for choice in choices:
        draft = changed(draft, choice)
        on_table = [one for each in draft.sets for one in each.tiles]
        assert sorted((*on_table, *draft.rack)) == everything
        assert old <= set(on_table)
        assert rules.family == "laying_off" or all(each.tiles for each in draft.sets)


@settings(max_examples=80)
@given(which=st.integers(0, 1), choices=CHANGES, back=st.integers(0, 25))
def test_undo_restores_exactly(which: int, choices: list[tuple[int, int, int, int]], back: int) -> None:
    rules, rack, table, owners = POSITIONS[which]
    history = History(Draft.of(rules, seen(rules, rack, table, owners=owners)))
    past = [history.draft]
    for choice in choices:
        history.change(changed(history.draft, choice))
        if history.draft != past[-1]:
            past.append(history.draft)
    steps = min(back, len(past) - 1)
    for number in range(steps):
        history.undo()
        assert history.draft == past[-2 - number]
    for number in range(steps):
        history.redo()
        assert history.draft == past[len(past) - steps + number]


@settings(max_examples=80)
@given(which=st.integers(0, 1), choices=CHANGES)
def test_the_engine_judges_a_draft_as_the_live_judgement_does(
    which: int, choices: list[tuple[int, int, int, int]]
) -> None:
    rules, rack, table, owners = POSITIONS[which]
    state = state_of(rules, rack, table, owners=owners)
    draft = Draft.of(rules, view(state, 0))
    for choice in choices:
        draft = changed(draft, choice)
    thrown = None if rules.family == "rearranging" else next(iter(draft.rack), None)
    if thrown is None and rules.family == "laying_off":
        return
    action: Action = draft.as_lay() if thrown is None else draft.as_play(thrown)
    faults = judged(draft, view(state, 0), thrown).faults
    if faults:
        with pytest.raises(ActionError) as refused:
            apply(state, action, Shuffle("any text"))
        assert {fault.code for fault in refused.value.violations} == {fault.code for fault in faults}
    else:
        apply(state, action, Shuffle("any text"))
