"""The choices of a turn under a laying-off book: what to take, what to lay, what to discard."""

from __future__ import annotations

from collections import Counter
from itertools import islice

from msgspec.structs import replace

from meldroom.env.codecs.choices import Choice, Gathering, Kind, without
from meldroom.game.actions import Action, Discard
from meldroom.game.from_view import state_from_view
from meldroom.game.legal.lay_off import Draft, as_play, first_draft, is_legal, steps
from meldroom.game.state import State
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet
from meldroom.solver.errors import TooLargeError
from meldroom.solver.lay_off import LayOffPosition, position_of
from meldroom.solver.lay_off.best import LayOffPlay, Objective, best_play, going_out, on_board
from meldroom.tiles import Face

SEARCH_NODES = 4_000
"""How long each search of the solver may go on: deterministic, unlike a limit in seconds."""

MOST_STEPS = 400
"""How many single steps, and how many second steps, are looked at."""

_OBJECTIVES: tuple[tuple[Kind, Objective], ...] = (("most_tiles", "tiles"), ("most_points", "points"))


def take_choices(view: View) -> tuple[Choice, ...]:
    """The stock, and the last discard where there is one (R52)."""
    stock = Choice(("take_stock",))
    return (stock, Choice(("take_discard",))) if view.discards else (stock,)


def play_choices(book: RuleBook, view: View, most: int, *, second_steps: bool = False) -> tuple[Choice, ...]:
    """Laying nothing first, then up to `most - 1` different plays, each with some legal discard.

    With `second_steps`, plays made of two single steps are looked for as well, joker claims among them.
    """
    state = state_from_view(book, view)
    position = position_of(book, view)
    position = replace(position, rack=tuple(sorted(position.rack)))
    gathered = Gathering(position.rack)
    _solved(book, position, gathered)
    if position.on_board:
        _stepped(book, state, gathered, second_steps)
    plays = (choice for choice in gathered.all() if discards(state, choice.draft))
    return (Choice(("no_play",)), *islice(plays, most - 1))


def discards(state: State, draft: Draft | None) -> list[Face]:
    """The faces that may be discarded after a play, or without one."""
    if draft is None:
        return sorted(set(state.faces(state.racks[state.seat])))
    return [face for face in sorted(set(draft.rack)) if is_legal(state, draft, face)]


def discard_choices(book: RuleBook, view: View, draft: Draft | None) -> tuple[Choice, ...]:
    """Every face that may be discarded after a play, or without one, in the order of faces."""
    return tuple(Choice(("discard",), (face,)) for face in discards(state_from_view(book, view), draft))


def turn(book: RuleBook, view: View, draft: Draft | None, discard: Face) -> Action:
    """The action that makes a play, if any, and discards."""
    if draft is not None:
        return as_play(state_from_view(book, view), draft, discard)
    tile = next(tile for tile in view.rack if book.tiles.face_of[tile] == discard)
    return Discard(view.own_seat, tile=tile)


def _solved(book: RuleBook, position: LayOffPosition, gathered: Gathering) -> None:
    """The plays that the solver finds: largest, dearest, ways on board, the way out, jokers kept."""
    joker = book.tiles.joker
    for kind, objective in _OBJECTIVES:
        _add(gathered, kind, position, best_play(book, position, objective, nodes=SEARCH_NODES))
    if not len(gathered):
        return
    try:
        out = going_out(book, position, nodes=SEARCH_NODES)
        if out is not None:
            _add(gathered, "goes_out", position, out)
        openings = None if position.on_board else on_board(book, position, nodes=SEARCH_NODES)
        if openings is not None:
            _add(gathered, "fewest", position, openings.smallest)
            _add(gathered, "most_value", position, openings.most_points)
    except TooLargeError:
        pass  # Some ways fewer; the largest play is there.
    rest = without(position.rack, joker)
    if joker in position.rack and rest:
        kept = best_play(book, replace(position, rack=rest), nodes=SEARCH_NODES)
        _add(gathered, "keep_jokers", position, kept)


def _add(gathered: Gathering, kind: Kind, position: LayOffPosition, play: LayOffPlay) -> None:
    if play.played:
        left = Counter(position.rack) - Counter(play.played)
        _gather(gathered, kind, Draft(play.melds, tuple(sorted(left.elements()))))


def _gather(gathered: Gathering, kind: Kind, draft: Draft) -> None:
    """Adds a draft. Plays of the same tiles are the same choice: the first found stands for them."""
    faces = tuple(sorted((Counter(gathered.rack) - Counter(draft.rack)).elements()))
    kinds: tuple[Kind, ...] = (kind, "goes_out") if len(draft.rack) == 1 and kind != "goes_out" else (kind,)
    gathered.add(Choice(kinds, faces, draft=draft))


def _stepped(book: RuleBook, state: State, gathered: Gathering, second_steps: bool) -> None:
    """One tile added or one meld laid, the dearest first; then perhaps one thing more."""
    start = first_draft(state)
    first = list(islice(steps(state, start), MOST_STEPS))
    for draft in sorted(first, key=lambda draft: _dearest_first(book, gathered.rack, draft)):
        if draft.rack and not draft.claimed:
            _gather(gathered, "single" if len(draft.melds) == len(start.melds) else "one_set", draft)
    if second_steps:
        second = (later for draft in first for later in steps(state, draft))
        for draft in islice(second, MOST_STEPS):
            if draft.rack and not draft.claimed:
                _gather(gathered, "hold", draft)


def _dearest_first(book: RuleBook, rack: FaceSet, draft: Draft) -> tuple[int, int, FaceSet]:
    """Few jokers first, then the most points off the rack."""
    laid = tuple(sorted((Counter(rack) - Counter(draft.rack)).elements()))
    return laid.count(book.tiles.joker), -sum(book.values[face] for face in laid), laid
