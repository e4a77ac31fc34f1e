"""Whole game trees of tiny books: the committed counts, and the same trees listed by brute force."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from meldroom.game import actions as act
from meldroom.game.state import State
from tests.laws.brute_judge import Table
from tests.laws.brute_moves import brute_tables
from tests.trees.whole_trees import committed, count, counted

TREES = {tree.name: tree for tree in committed().trees}


@pytest.mark.parametrize("name", TREES)
def test_a_whole_tree_has_as_many_nodes_leaves_and_results_as_committed(name: str) -> None:
    assert counted(TREES[name]) == TREES[name]


def test_the_committed_numbers_add_up() -> None:
    for tree in TREES.values():
        assert tree.leaves == sum(tree.endings.values()) == sum(tree.winners.values())
        assert tree.leaves + tree.cut < tree.nodes
        assert tree.depth or not tree.cut
        assert not tree.depth or tree.deepest <= tree.depth


def brute_actions(state: State) -> Iterator[act.Action]:
    """Every legal action of a rearranging book by brute force, the table's tiles used before the rack's."""
    yield act.Draw(state.seat) if state.pool else act.Pass(state.seat)
    for table in sorted(brute_tables(state)):
        yield act.Lay(state.seat, table=_with_tiles(state, table))


def _with_tiles(state: State, table: Table) -> act.TileSets:
    at_hand = [*(tile for tiles in state.table for tile in tiles), *state.racks[state.seat]]
    sets = []
    for faces in table:
        tiles = []
        for face in faces:
            tile = next(tile for tile in at_hand if state.book.tiles.face_of[tile] == face)
            at_hand.remove(tile)
            tiles.append(tile)
        sets.append(tuple(tiles))
    return tuple(sets)


SMALL = [name for name, tree in TREES.items() if not tree.depth and tree.nodes < 3_000]


@pytest.mark.parametrize("name", SMALL)
def test_the_tree_listed_by_brute_force_has_the_same_counts(name: str) -> None:
    tree, found = TREES[name], count(TREES[name], brute_actions)
    assert (found.nodes, found.leaves) == (tree.nodes, tree.leaves)
    assert (dict(found.endings), dict(found.winners)) == (tree.endings, tree.winners)


def test_the_new_set_rule_only_takes_moves_away() -> None:
    """The same box and deal with and without the new-set rule: the wider rule has the larger tree."""
    strict = next(tree for tree in TREES.values() if tree.book["id"] == "tree-new-set")
    free = next(tree for tree in TREES.values() if tree.book["id"] == "tree-any-set")
    assert strict.book["tiles"] == free.book["tiles"]
    assert strict.secret == free.secret
    assert strict.nodes < free.nodes
