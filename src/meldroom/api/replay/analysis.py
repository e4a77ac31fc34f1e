"""What each turn of a player could have been: the solver's best play beside what was laid."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import msgspec

from meldroom.api.schemas import JudgedChoice, TurnAnalysis
from meldroom.bots.advice import best_take, goes_with, strongest_discard
from meldroom.coach.turns import Turn, turns_of
from meldroom.game import events as ev
from meldroom.game.actions import Discard, Lay, Play, TileSets
from meldroom.game.notation.svg import as_read
from meldroom.game.state import State
from meldroom.game.views import view
from meldroom.i18n import Language, Message, TilePart, Value, joined
from meldroom.record import Record
from meldroom.rules.book import RuleBook
from meldroom.solver import BestPlay, SolverError, solve
from meldroom.solver.explanation.text import tile_part
from meldroom.tiles import Face, Tile

LONGEST_SEARCH = 2.0
LONGEST_THOUGHT = 0.5
GOING_OUT = ("OPEN_RUMMY", "FOOT", "HAND")


class Best(msgspec.Struct, frozen=True):
    """The best play of a position, in physical tiles. `discard` and `outcome` are Rummy-O's."""

    tiles: int
    points: int
    played: tuple[Face, ...]
    table: TileSets
    optimal: bool
    out: bool
    outcome: str = ""
    discard: Tile | None = None


def analysis(
    record: Record, seat: int, language: Language, first: int = 0, count: int | None = None
) -> tuple[TurnAnalysis, ...]:
    """Turns of one seat, each beside what was possible: `count` of them, or all, from `first` on."""
    last = None if count is None else first + count
    return tuple(_turn(turn, seat, language) for turn in islice(turns_of(record, seat), first, last))


def best_of(state: State) -> Best:
    """The best play of the player to move: most tiles, then most points. Raises SolverError."""
    return in_tiles(state, solve(state, time_limit=LONGEST_SEARCH))


def in_tiles(state: State, found: BestPlay) -> Best:
    """A best play in physical tiles."""
    book, action = state.book, found.action
    if book.family == "rearranging":
        table = action.table if isinstance(action, Lay) else state.table
        sets = tuple(as_read(book, tiles) for tiles in table)
        return Best(
            found.tiles, found.points, found.played, sets, found.optimal, found.tiles == len(found.rack)
        )
    return Best(
        found.tiles,
        found.points,
        found.played,
        tuple(meld.tiles for meld in (action.melds if isinstance(action, Play) else state.melds)),
        found.optimal,
        found.outcome in GOING_OUT,
        found.outcome or "",
        action.discard if isinstance(action, Play) else action.tile if isinstance(action, Discard) else None,
    )


def _turn(turn: Turn, seat: int, language: Language) -> TurnAnalysis:
    """One turn in numbers and in words."""
    book = turn.state.book
    laid = [tile for m in turn.steps if isinstance(m.event, ev.Laid | ev.Played) for tile in m.event.tiles]
    points = sum(book.values[face] for face in turn.state.faces(tuple(laid)))
    made = (len(laid), points)
    step = turn.steps[-1].number
    best: Best | None = None
    if turn.state.phase == "opening_discard":
        said = [Message("games.analysis.first_discard")]
    else:
        try:
            best = best_of(turn.state)
            said = list(_sentences(turn, seat, made, best))
        except SolverError as error:
            said = [Message("games.analysis.unsolved", {"reason": error.as_message()})]
    better = best if best is not None and (best.tiles, best.points) > made else None
    return TurnAnalysis(
        step,
        *made,
        better.tiles if better else len(laid),
        better.points if better else points,
        better.table if better else None,
        " ".join(each.text(language) for each in said),
        joined(each.parts(language) for each in said),
        _judged_take(turn, seat, language),
        _judged_discard(turn, seat, language),
    )


def _judged_take(turn: Turn, seat: int, language: Language) -> JudgedChoice | None:
    """What was taken, beside what the player could know to be better; None where there was no choice."""
    taken = next((m for m in turn.steps if isinstance(m.event, ev.Took)), None)
    if taken is None or not taken.before.discards:
        return None
    assert isinstance(taken.event, ev.Took)
    book, source = turn.state.book, taken.event.source
    try:
        take = best_take(book, view(taken.before, seat), LONGEST_THOUGHT).take
    except SolverError:
        return None
    good, exact = take.source == source, take.plays > 0
    kind = ("plays" if take.plays else "good") if good else ("missed" if take.plays else "other")
    offered = tile_part(taken.before.faces(taken.before.discards[-1:]), book.tiles)
    values: dict[str, Value] = {"tile": offered, "count": take.plays}
    return _judged(good, exact, Message(f"games.analysis.take.{source}.{kind}", values), language)


def _judged_discard(turn: Turn, seat: int, language: Language) -> JudgedChoice | None:
    """What was discarded, beside what the strongest bot would have; None for the last tile of a rack."""
    thrown = next((m for m in turn.steps if isinstance(m.event, ev.Discarded)), None)
    if thrown is None or len(thrown.before.racks[seat]) < 2:
        return None
    assert isinstance(thrown.event, ev.Discarded)
    book, seen = turn.state.book, view(thrown.before, seat)
    better = strongest_discard(book, seen, LONGEST_THOUGHT)
    made = book.tiles.face_of[thrown.event.tile]
    key = "good" if made == better else "other" if goes_with(book, seen, better) else "alone"
    values: dict[str, Value] = {
        "tile": tile_part((made,), book.tiles),
        "better": tile_part((better,), book.tiles),
    }
    return _judged(made == better, False, Message(f"games.analysis.discard.{key}", values), language)


def _judged(good: bool, exact: bool, said: Message, language: Language) -> JudgedChoice:
    return JudgedChoice(good, exact, said.text(language), said.parts(language))


def _sentences(turn: Turn, seat: int, made: tuple[int, int], best: Best) -> Iterator[Message]:
    """How the turn ended if not by playing, what was laid, and what could have been."""
    kinds = [type(moment.event) for moment in turn.steps]
    if ev.Penalised in kinds:
        competition = turn.state.book.penalty.conduct == "competition"
        yield Message(f"games.analysis.{'as_drawn' if competition else 'penalised'}")
    elif ev.TimedOut in kinds:
        yield Message("games.analysis.time")
    yield _comparison(turn.state, seat, made, best)
    if (best.tiles, best.points) > made:
        if best.outcome in GOING_OUT:
            yield Message("games.analysis.out_outcome", {"outcome": outcome_name(best.outcome)})
        elif best.out:
            yield Message("games.analysis.out")
    if not best.optimal:
        yield Message("games.analysis.unproven")


def outcome_name(outcome: str) -> str:
    """Rummy-O's names for going out, as the book has them."""
    return outcome.replace("_", " ").title()


def _comparison(state: State, seat: int, made: tuple[int, int], best: Best) -> Message:
    laid, points = made
    book, opened = state.book, state.melded[seat]
    if not best.tiles and not laid:
        if opened:
            return Message("games.analysis.nothing")
        return Message("games.analysis.no_opening", {"needed": book.opening.points})
    details: dict[str, Value] = {
        "laid": Message("games.tiles", {"count": laid}),
        "points": Message("games.points", {"count": points}),
        "best": Message("games.tiles", {"count": best.tiles}),
        "best_points": Message("games.points", {"count": best.points}),
        "tiles": in_order(book, best.played),
    }
    if (best.tiles, best.points) <= made:
        return Message("games.analysis.best", details)
    if not laid:
        return Message("games.analysis.held" if opened else "games.analysis.could_open", details)
    return Message("games.analysis.more" if best.tiles > laid else "games.analysis.dearer", details)


def in_order(book: RuleBook, faces: tuple[Face, ...]) -> TilePart:
    """Tiles as people read them, in the order of the box."""
    return tile_part(tuple(sorted(faces)), book.tiles)
