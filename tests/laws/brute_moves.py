"""Every move of a position by brute force, in forms that can be compared with what `legal` lists."""

from __future__ import annotations

from collections import Counter

from meldroom.game import actions as act
from meldroom.game.state import State
from meldroom.tiles import Face
from tests.laws.brute_judge import Table, all_tables, judge_turn
from tests.laws.brute_lay_off import Laid, Play, all_plays


def sorted_table(table: Table) -> Table:
    """A table in which order does not matter."""
    return tuple(sorted(tuple(sorted(faces)) for faces in table))


def brute_tables(state: State) -> set[Table]:
    """Every table the player to move can lay: all arrangements of all tiles, judged by brute force."""
    before, rack = state.face_table(), state.faces(state.racks[state.seat])
    melded = state.melded[state.seat]
    must = Counter(face for faces in before for face in faces) if melded else Counter[Face]()
    found = set()
    for laid in all_tables(state.book, must, Counter(rack)):
        after = laid if melded else (*before, *laid)
        if not judge_turn(state.book, before, rack, after, melded).codes:
            found.add(sorted_table(after))
    return found


def play_key(state: State, action: act.Play) -> Play:
    """A Rummy-O play as faces, in the words of the brute enumeration."""
    old, new = action.melds[: len(state.melds)], action.melds[len(state.melds) :]
    continued = tuple(
        faces if meld.reading.is_run else tuple(sorted(faces))
        for meld, faces in zip(state.melds, (state.faces(m.tiles) for m in old), strict=True)
    )
    fresh = []
    for meld in new:
        faces = state.faces(meld.tiles)
        fresh.append((faces if meld.kind == "run" else tuple(sorted(faces)), meld.kind == "run"))
    assert action.discard is not None
    return continued, tuple(sorted(fresh)), state.book.tiles.face_of[action.discard]


def brute_plays(state: State) -> set[Play]:
    """Every Rummy-O play of the player to move."""
    melds = [
        Laid(state.faces(meld.tiles), str(meld.owner), meld.reading.low if meld.reading.is_run else 0)
        for meld in state.melds
    ]
    rack = state.faces(state.racks[state.seat])
    return all_plays(state.book, str(state.seat), melds, rack, state.melded[state.seat])
