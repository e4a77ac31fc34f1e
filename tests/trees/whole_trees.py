"""Whole game trees of tiny books, counted move by move.

`python -m tests.trees.whole_trees` counts the trees of `counts.json` again and writes the numbers into it.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from meldroom.game import Shuffle, apply, legal, new_game
from meldroom.game.actions import Action
from meldroom.game.state import State
from meldroom.rules.library import house_book

COUNTS = Path(__file__).parent / "counts.json"
NAMES = ("Ada", "Bo", "Chi", "Dee")


class Count(NamedTuple):
    """What lies below one position, itself included."""

    nodes: int
    leaves: int
    cut: int
    deepest: int
    endings: Counter[str]
    winners: Counter[str]


class Tree(msgspec.Struct, forbid_unknown_fields=True):
    """One tree of the file: the book, the table, how deep to look (0: to the end), the counts."""

    name: str
    book: dict[str, Any]
    players: int
    secret: str
    depth: int
    nodes: int = 0
    leaves: int = 0
    cut: int = 0
    deepest: int = 0
    endings: dict[str, int] = {}
    winners: dict[str, int] = {}


class Trees(msgspec.Struct, forbid_unknown_fields=True):
    """The file: what is counted, and the trees."""

    counted: list[str]
    trees: list[Tree]


Lister = Callable[[State], Iterable[Action]]


def count(tree: Tree, lister: Lister = legal) -> Count:
    """Counts a tree by listing the legal actions of every position."""
    shuffle = Shuffle(tree.secret)
    known: dict[tuple[State, int], Count] = {}
    root, _ = new_game(house_book(tree.book), NAMES[: tree.players], shuffle, starter=0)

    def below(state: State, left: int) -> Count:
        if state.over:
            assert state.result is not None
            won = "+".join(NAMES[seat] for seat in state.result.winners) or "nobody"
            ending = state.result.going_out or state.result.end
            return Count(1, 1, 0, 0, Counter([ending]), Counter([won]))
        if left == 0:
            return Count(1, 0, 1, 0, Counter(), Counter())
        key = (state, left)
        if key not in known:
            nodes, leaves, cut, deepest = 1, 0, 0, 0
            endings: Counter[str] = Counter()
            winners: Counter[str] = Counter()
            for action in lister(state):
                part = below(apply(state, action, shuffle)[0], left - 1)
                nodes += part.nodes
                leaves += part.leaves
                cut += part.cut
                deepest = max(deepest, part.deepest + 1)
                endings += part.endings
                winners += part.winners
            known[key] = Count(nodes, leaves, cut, deepest, endings, winners)
        return known[key]

    return below(root, tree.depth or -1)


def counted(tree: Tree) -> Tree:
    """The tree with its numbers counted anew."""
    found = count(tree)
    return msgspec.structs.replace(
        tree,
        **{
            **found._asdict(),
            "endings": dict(sorted(found.endings.items())),
            "winners": dict(sorted(found.winners.items())),
        },
    )


def committed() -> Trees:
    """The trees as the file has them."""
    return msgspec.json.decode(COUNTS.read_bytes(), type=Trees)


def main() -> int:
    """Write the file anew; returns the exit status."""
    trees = committed()
    again = Trees(trees.counted, [counted(tree) for tree in trees.trees])
    COUNTS.write_bytes(msgspec.json.format(msgspec.json.encode(again), indent=2) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
