"""Themes of a puzzle, derived from its solution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meldroom.puzzles.features import Features
from meldroom.puzzles.puzzle import THEMES, Theme
from meldroom.solver.explanation import Movement
from meldroom.solver.explanation import movements as hands

LONG_CHAIN = 4
MANY_TILES = 5
MANY_SETS = 4
CROWDED = 14


def themes_of(
    features: Features, moved: Sequence[Movement], *, last_turns: bool = False
) -> tuple[Theme, ...]:
    """What the solution is about, in the order of `THEMES`."""
    found = set(_from_movements(moved)) | set(_from_features(features))
    if last_turns:
        found.add("last_turns")
    return tuple(theme for theme in THEMES if theme in found)


def _from_movements(moved: Sequence[Movement]) -> Iterator[Theme]:
    for each in moved:
        match each:
            case hands.TakeFrom(shape="group"):
                yield "fourth_tile"
            case hands.TakeFrom(shape="run"):
                yield "run_end"
            case hands.Split():
                yield "split_run"
            case hands.Join():
                yield "join_runs"
            case hands.BreakUp():
                yield "take_apart"
            case hands.SwapJoker():
                yield "swap_joker"
            case hands.LiftJoker():
                yield "lift_joker"
            case _:
                pass


def _from_features(features: Features) -> Iterator[Theme]:
    if features.to_group >= 2:
        yield "run_to_group"
    if features.to_run >= 2:
        yield "group_to_run"
    if features.chain >= LONG_CHAIN:
        yield "long_chain"
    if features.tiles == 1:
        yield "one_tile"
    if features.tiles >= MANY_TILES:
        yield "many_tiles"
    if features.disturbed >= MANY_SETS:
        yield "many_sets"
    if features.sets >= CROWDED:
        yield "crowded_table"
