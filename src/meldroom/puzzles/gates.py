"""What a position must pass to be a puzzle: gates in order, the cheapest first, each of them counted.

`turn` are positions of players who have opened, `open` those of players who have not, under the rearranging
books; `take`, `leave` and `out` those of Rummy-O (`meldroom.puzzles.laying_off`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from meldroom.puzzles.candidate import Candidate, obvious_home, plain_opening
from meldroom.rules.verify import Turn, verify
from meldroom.solver.opening import can_open

Tally = Counter[tuple[str, str, str]]
"""How many positions came to a gate and passed it, by book, track and gate; `looked_at` counts them all."""

LOOKED_AT = "looked_at"
LEAST_MARGIN = 2
"""So many tiles more than the second best, unless the play goes out."""

T = TypeVar("T")


class Gate(NamedTuple, Generic[T]):
    """A condition with its name."""

    name: str
    passes: Callable[[T], bool]


def _legal_table(candidate: Candidate) -> bool:
    return candidate.book.reader.are_sets(candidate.table)


def _opened(candidate: Candidate) -> bool:
    return candidate.melded


def _not_opened(candidate: Candidate) -> bool:
    return not candidate.melded


def _can_open(candidate: Candidate) -> bool:
    return can_open(candidate.book, candidate.rack)


def _no_obvious_home(candidate: Candidate) -> bool:
    return obvious_home(candidate.book, candidate.table, candidate.rack) is None


def _not_plain(candidate: Candidate) -> bool:
    return plain_opening(candidate.book, candidate.rack) != candidate.best.played


def _playable(candidate: Candidate) -> bool:
    best = candidate.best
    return best.optimal and bool(best.played) and not _faults(candidate)


def _faults(candidate: Candidate) -> bool:
    turn = Turn(candidate.table, candidate.rack, candidate.best.table, candidate.melded)
    return bool(verify(candidate.book, turn))


def _unique(candidate: Candidate) -> bool:
    return candidate.second < candidate.best.tiles


def _margin(candidate: Candidate) -> bool:
    return candidate.goes_out or candidate.best.tiles - candidate.second >= LEAST_MARGIN


def _not_found_by_weak(candidate: Candidate) -> bool:
    return candidate.weak != candidate.best.played


def _found_by_strong(candidate: Candidate) -> bool:
    return candidate.strong == candidate.best.played


TURN: tuple[Gate[Candidate], ...] = (
    Gate("legal_table", _legal_table),
    Gate("opened", _opened),
    Gate("no_obvious_home", _no_obvious_home),
    Gate("playable", _playable),
    Gate("unique", _unique),
    Gate("margin", _margin),
    Gate("not_club", _not_found_by_weak),
    Gate("tournament", _found_by_strong),
)
"""For a player who has opened."""

OPEN: tuple[Gate[Candidate], ...] = (
    Gate("legal_table", _legal_table),
    Gate("not_opened", _not_opened),
    Gate("can_open", _can_open),
    Gate("not_plain", _not_plain),
    Gate("playable", _playable),
    Gate("unique", _unique),
    Gate("margin", _margin),
    Gate("tournament", _found_by_strong),
)
"""For an opening. `club` finds every opening; what must not find it is the eye that takes whole sets."""


def first_failed(
    gates: Sequence[Gate[T]], candidate: T, tally: Tally | None = None, at: tuple[str, str] = ("", "")
) -> str | None:
    """The first gate that a candidate does not pass, None if it passes all; `tally` counts what it passes."""
    if tally is not None:
        tally[*at, LOOKED_AT] += 1
    for gate in gates:
        if not gate.passes(candidate):
            return gate.name
        if tally is not None:
            tally[*at, gate.name] += 1
    return None


def gate_names() -> Mapping[str, tuple[str, ...]]:
    """The gates of each track in order."""
    from meldroom.puzzles.laying_off import LEAVE, OUT, TAKE

    return {
        "turn": tuple(gate.name for gate in TURN),
        "open": tuple(gate.name for gate in OPEN),
        "take": tuple(gate.name for gate in TAKE),
        "leave": tuple(gate.name for gate in LEAVE),
        "out": tuple(gate.name for gate in OUT),
    }
