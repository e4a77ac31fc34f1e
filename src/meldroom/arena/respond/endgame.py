"""The last draws and the final turns: waiting moves, replies to them, and who could go out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from random import Random

from meldroom.bots.rearranging.base import Seat, best_or_none
from meldroom.game.from_view import fill_hidden, state_from_view
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet, FaceTable
from meldroom.solver.best import Solution
from meldroom.solver.opening import sets_within
from meldroom.tiles import Face

MOST_PAIRS = 150
"""Two tiles that fit only together are sought among so many pairs."""


def unseen(seat: Seat) -> list[Face]:
    """The faces that lie in the pool or on other racks, in order."""
    known = Counter(seat.rack)
    known.update(chain.from_iterable(seat.table))
    tiles = seat.book.tiles
    return [face for face in tiles.every_face for _ in range(tiles.limits[face] - known[face])]


def deal(seat: Seat, chance: Random) -> list[FaceSet]:
    """The racks by seat, what is hidden dealt at random."""
    state = fill_hidden(state_from_view(seat.book, seat.view), chance)
    return [state.faces(rack) for rack in state.racks]


def waiting_moves(seat: Seat, largest: int, jokers: bool) -> Iterator[Solution]:
    """Plays of up to so many tiles, smallest first: single tiles, pairs, sets from the rack."""
    book = seat.book
    joker = book.tiles.joker
    mine = sorted(face for face in seat.rack if jokers or face != joker)
    if largest >= 1:
        yield from _laid(seat, [(face,) for face in dict.fromkeys(mine)])
    sets: list[FaceSet] = []
    if largest >= 3:
        counts = [mine.count(face) for face in book.tiles.every_face]
        sets = sorted(sets_within(book, counts), key=len)
        yield from _laid(seat, [faces for faces in sets if len(faces) == 3])
    if largest >= 2:
        pairs = dict.fromkeys(combinations(mine, 2))
        yield from _laid(seat, [pair for pair in pairs if _near(book, *pair)][:MOST_PAIRS])
    yield from _laid(seat, [faces for faces in sets if 3 < len(faces) <= largest])
    if largest >= 6:
        best = best_or_none(book, seat.table, tuple(mine))
        if best.played and len(best.played) <= largest:
            yield best


def _near(book: RuleBook, one: Face, other: Face) -> bool:
    """True for two tiles that could lie beside each other in a set."""
    tiles = book.tiles
    if tiles.joker in (one, other) or tiles.number_of[one] == tiles.number_of[other]:
        return True
    return one // tiles.numbers == other // tiles.numbers and abs(one - other) <= 2


def _laid(seat: Seat, plays: Sequence[FaceSet]) -> Iterator[Solution]:
    for faces in plays:
        found = best_or_none(seat.book, seat.table, faces)
        if found.played and len(found.played) == len(faces):
            yield found


def without(rack: Sequence[Face], played: Sequence[Face]) -> FaceSet:
    """The rack after these tiles have left it."""
    return tuple((Counter(rack) - Counter(played)).elements())


def fitting(book: RuleBook, table: FaceTable, faces: Sequence[Face]) -> int:
    """How many of the tiles can be laid alone: what there is to wait with."""
    counts = Counter(faces)
    return sum(count for face, count in counts.items() if best_or_none(book, table, (face,)).played)


def goes_out(book: RuleBook, table: FaceTable, rack: FaceSet) -> bool:
    """True if the whole rack can be laid."""
    return bool(rack) and best_or_none(book, table, rack).tiles == len(rack)


def next_opened(seat: Seat) -> int | None:
    """The next player who has opened; None if nobody else has."""
    view = seat.view
    players = len(view.players)
    order = ((seat.me + step) % players for step in range(1, players))
    return next((each for each in order if view.melded[each] and not view.withdrawn[each]), None)


def help_given(seat: Seat, table: FaceTable, deals: Sequence[Sequence[FaceSet]]) -> int:
    """How many tiles the next opened player could lay on this table, in all deals together."""
    following = next_opened(seat)
    if following is None:
        return 0
    return sum(best_or_none(seat.book, table, racks[following]).tiles for racks in deals)


def danger(seat: Seat, table: FaceTable, deals: Sequence[Sequence[FaceSet]]) -> float:
    """The share of imagined deals in which the next opened player goes out on this table."""
    following = next_opened(seat)
    if following is None or not deals:
        return 0.0
    return sum(goes_out(seat.book, table, racks[following]) for racks in deals) / len(deals)


def final_plays(seat: Seat) -> list[Solution]:
    """What may be laid with the pool empty: all, most points, one tile, a set, or all but one tile."""
    book, rack = seat.book, seat.rack
    plays = [seat.best("points"), seat.best("tiles")]
    if seat.melded:
        plays += waiting_moves(seat, 3, jokers=True)
    for face in sorted(set(rack)):
        fewer = list(rack)
        fewer.remove(face)
        plays.append(best_or_none(book, seat.table, tuple(fewer), seat.melded, "points"))
    return list({play.played: play for play in plays if play.played}.values())


def left_after(book: RuleBook, table: FaceTable, rack: FaceSet, melded: bool) -> int:
    """What a rack costs once its player has laid most points."""
    best = best_or_none(book, table, rack, melded, "points")
    return points(book, without(rack, best.played))


def points(book: RuleBook, faces: Sequence[Face]) -> int:
    """What tiles cost on a rack."""
    return sum(book.values[face] for face in faces)
