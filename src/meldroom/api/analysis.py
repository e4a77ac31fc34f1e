"""What each turn of a player could have been: the solver's best play beside what was laid."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import msgspec

from meldroom.api.schemas import TurnAnalysis
from meldroom.api.steps import Moment, moments
from meldroom.game import events as ev
from meldroom.game.actions import Discard, Lay, Play, TileSets
from meldroom.game.notation.svg import as_read
from meldroom.game.state import State
from meldroom.i18n import Language, Message, Value, message
from meldroom.record import Record, replay
from meldroom.rules.book import RuleBook
from meldroom.solver import BestPlay, SolverError, solve
from meldroom.tiles import Face, Tile

LONGEST_SEARCH = 2.0
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


class Turn(msgspec.Struct, frozen=True):
    """A turn of one player: the state in which it was decided, and the steps it led to."""

    state: State
    steps: tuple[Moment, ...]


def analysis(
    record: Record, seat: int, language: Language, first: int = 0, count: int | None = None
) -> tuple[TurnAnalysis, ...]:
    """Turns of one seat, each beside what was possible: `count` of them, or all, from `first` on."""
    last = None if count is None else first + count
    return tuple(_turn(turn, seat, language) for turn in islice(turns_of(record, seat), first, last))


def turns_of(record: Record, seat: int) -> Iterator[Turn]:
    """The turns of a seat in which something could be laid: Rummy-O's from the tile taken on."""
    states = {index: step.state for index, step in enumerate(replay(record))}
    steps = list(moments(record))
    by_turn: dict[int, list[Moment]] = {}
    for moment in steps:
        by_turn.setdefault(moment.turn, []).append(moment)
    turn = 0
    for index, event in enumerate(record.events):
        if not isinstance(event, ev.TurnBegan):
            continue
        turn += 1
        own = [m for m in by_turn.get(turn, ()) if getattr(m.event, "seat", None) == seat]
        if (
            event.seat != seat
            or not own
            or isinstance(own[0].event, ev.RedealGranted | ev.Withdrew | ev.Resigned)
        ):
            continue
        taken = next((m.after for m in own if isinstance(m.event, ev.Took)), None)
        decided = taken if taken is not None else states[index]
        if decided.phase in ("turn", "play"):
            yield Turn(decided, tuple(own))


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
    step = turn.steps[-1].number
    try:
        best = best_of(turn.state)
    except SolverError as error:
        text = message("games.analysis.unsolved", language, reason=error.as_message())
        return TurnAnalysis(step, len(laid), points, len(laid), points, None, text)
    better = (best.tiles, best.points) > (len(laid), points)
    text = " ".join(_sentences(turn, seat, (len(laid), points), best, language))
    if not better:
        return TurnAnalysis(step, len(laid), points, len(laid), points, None, text)
    return TurnAnalysis(step, len(laid), points, best.tiles, best.points, best.table, text)


def _sentences(turn: Turn, seat: int, made: tuple[int, int], best: Best, language: Language) -> Iterator[str]:
    """How the turn ended if not by playing, what was laid, and what could have been."""
    kinds = [type(moment.event) for moment in turn.steps]
    if ev.Penalised in kinds:
        yield message("games.analysis.penalised", language)
    elif ev.TimedOut in kinds:
        yield message("games.analysis.time", language)
    yield _comparison(turn.state, seat, made, best, language)
    if (best.tiles, best.points) > made:
        if best.outcome in GOING_OUT:
            yield message("games.analysis.out_outcome", language, outcome=outcome_name(best.outcome))
        elif best.out:
            yield message("games.analysis.out", language)
    if not best.optimal:
        yield message("games.analysis.unproven", language)


def outcome_name(outcome: str) -> str:
    """Rummy-O's names for going out, as the book has them."""
    return outcome.replace("_", " ").title()


def _comparison(state: State, seat: int, made: tuple[int, int], best: Best, language: Language) -> str:
    laid, points = made
    book, opened = state.book, state.melded[seat]
    if not best.tiles and not laid:
        if opened:
            return message("games.analysis.nothing", language)
        return message("games.analysis.no_opening", language, needed=book.opening.points)
    details: dict[str, Value] = {
        "laid": Message("games.tiles", {"count": laid}),
        "points": Message("games.points", {"count": points}),
        "best": Message("games.tiles", {"count": best.tiles}),
        "best_points": Message("games.points", {"count": best.points}),
        "tiles": faces_text(book, best.played),
    }
    if (best.tiles, best.points) <= made:
        return message("games.analysis.best", language, **details)
    if not laid:
        return message("games.analysis.held" if opened else "games.analysis.could_open", language, **details)
    return message(
        "games.analysis.more" if best.tiles > laid else "games.analysis.dearer", language, **details
    )


def faces_text(book: RuleBook, faces: tuple[Face, ...]) -> str:
    """Tiles as people read them, in the order of the box."""
    return book.tiles.faces_text(sorted(faces))
