"""Advice for the turn at hand under any book. Laying is solved exactly; what to take and discard is judged.

Which tile to take, and which to discard where nobody goes out, depends on tiles nobody has seen: there the
strongest bot is asked, and the hint says that it is an estimate.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from meldroom.bots.interface import Clock
from meldroom.bots.laying_off.base import Seat
from meldroom.bots.laying_off.meld_shapes import smallest_with
from meldroom.bots.levels import make_bot
from meldroom.game.actions import Discard, MeldPlay, Play, Take
from meldroom.game.legal.lay_off import melds_with_tiles
from meldroom.game.views import View
from meldroom.i18n import Message
from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import GOING_OUT
from meldroom.rules.verify import FaceSet
from meldroom.solver.advice import Advice, AdviceLine, rearranging_advice, tiles_like
from meldroom.solver.explanation.movements import DiscardReason, DiscardTile, TakeTile
from meldroom.solver.lay_off.best import LayOffPlay, best_play
from meldroom.solver.lay_off.hints import (
    SECONDS,
    LayOffLadder,
    LayOffRung,
    play_ladder,
    take_ladder,
    what_to_take,
)
from meldroom.tiles import Face

STRONGEST = "master"
ON_BOARD = "tournament"
"""The bot that lays the most tiles and then chooses the discard."""


def advise(book: RuleBook, view: View) -> Advice:
    """The hints for a position as its player sees it at the start of a decision. Slow. Raises SolverError."""
    if book.family == "rearranging":
        return rearranging_advice(book, view)
    return _lay_off_advice(book, view)


class Choice(msgspec.Struct, frozen=True):
    """What to take in a laying-off book, and the best play after it."""

    take: TakeTile
    play: LayOffPlay


def best_take(book: RuleBook, view: View, time_limit: float | None = SECONDS) -> Choice:
    """Which tile to take: the discard if more can be laid with it, else what the strongest bot does."""
    seat = Seat(book, view)
    take, play = what_to_take(book, seat.position, seat.offered, time_limit)
    if take.source == "stock" and seat.offered is not None:
        answer = make_bot(STRONGEST, book).act(view, Clock(time_limit))
        if isinstance(answer, Take) and answer.source == "discard":
            return Choice(TakeTile("discard", seat.offered, beside=_beside(seat, seat.offered)), play)
    return Choice(take, play)


def best_discard(book: RuleBook, view: View, play: LayOffPlay) -> tuple[Face, DiscardReason | None]:
    """The discard after a play that was found, with the reason; without one it is exact, as going out is."""
    seat = Seat(book, view)
    if play.outcome in GOING_OUT or set(seat.left_by(play)) == {book.tiles.joker}:
        return play.discard, None
    level = ON_BOARD if play.tiles else STRONGEST
    answer = make_bot(level, book).act(_held(view, play), Clock(SECONDS))
    match answer:
        case Discard(tile=tile) | Play(discard=tile) if tile is not None:
            face = book.tiles.face_of[tile]
        case _:
            return play.discard, None
    left = seat.left_by(play)
    if face not in left:
        return play.discard, None
    return face, "chances" if _beside(seat, face, left) else "alone"


def strongest_discard(book: RuleBook, view: View, seconds: float | None = SECONDS) -> Face:
    """What the strongest bot would discard from a rack as it is, with nothing more to lay."""
    answer = make_bot(STRONGEST, book).act(replace(view, phase="opening_discard"), Clock(seconds))
    assert isinstance(answer, Discard)
    return book.tiles.face_of[answer.tile]


def goes_with(book: RuleBook, view: View, face: Face) -> FaceSet:
    """The tiles of the rack, besides one of this face, that could lie in a smallest meld with it."""
    seat = Seat(book, view)
    return _beside(seat, face, list(seat.rack))


def _held(view: View, play: LayOffPlay) -> View:
    """The view in which a bot decides: one that has nothing to lay discards as at the beginning."""
    return view if play.tiles or view.phase != "play" else replace(view, phase="opening_discard")


def _beside(seat: Seat, face: Face, rack: FaceSet | list[Face] | None = None) -> FaceSet:
    """The tiles of a rack that could lie in a smallest meld with a face."""
    others = list(seat.rack if rack is None else rack)
    if face in others and rack is not None:
        others.remove(face)
    near = {other for shape in smallest_with(seat.book, face) for other in shape}
    return tuple(sorted(near.intersection(others)))


def _lay_off_advice(book: RuleBook, view: View) -> Advice:
    seat = Seat(book, view)
    if view.phase == "take":
        choice = best_take(book, view)
        ladder = take_ladder(book, seat.position, choice.take, choice.play)
    else:
        play = best_play(book, seat.position, time_limit=SECONDS)
        if view.phase == "opening_discard":
            play = _nothing_laid(seat, play)
        discard, why = best_discard(book, view, play)
        ladder = play_ladder(
            book, seat.position, replace(play, discard=discard), view.phase == "opening_discard", why
        )
    hints = [_lines(seat, ladder, rung) for rung in ladder.rungs]
    if view.phase == "play" and ladder.play.outcome == "ON_BOARD" and _waits(book, view):
        first = hints[0][0]
        hints[0] = (replace(first, says=(*first.says, Message("solver.hint.lay_off.wait"))),)
    return Advice(tuple(hints))


def _waits(book: RuleBook, view: View) -> bool:
    """True if the strongest bot would not go on board yet."""
    return isinstance(make_bot(STRONGEST, book).act(view, Clock(SECONDS)), Discard)


def _nothing_laid(seat: Seat, play: LayOffPlay) -> LayOffPlay:
    """A play that only discards."""
    return replace(
        play, melds=seat.melds, played=(), tiles=0, points=0, outcome="DISCARD_ONLY", value=0, bonus=0
    )


def _lines(seat: Seat, ladder: LayOffLadder, rung: LayOffRung) -> tuple[AdviceLine, ...]:
    """The lines of a rung with what shows them on the table."""
    book, view, take = seat.book, seat.view, ladder.take
    match rung.kind:
        case "nudge":
            return (AdviceLine(says=rung.lines[0]),)
        case "tile" if ladder.tile is not None:
            return (AdviceLine(says=rung.lines[0], tiles=tiles_like(book, view, ladder.tile)),)
        case "tile" | "sets":
            touched = [list(faces) for faces in ladder.told.touched]
            melds = [meld.tiles for meld in view.melds if list(book.tiles.faces_of(meld.tiles)) in touched]
            return (AdviceLine(says=rung.lines[0], tiles=tuple(tile for tiles in melds for tile in tiles)),)
        case "line" if take is not None:
            return (AdviceLine(says=rung.lines[0], take=take.source),)
        case "line":
            return tuple(_step(seat, ladder, index) for index in range(len(rung.lines)))


def _step(seat: Seat, ladder: LayOffLadder, index: int) -> AdviceLine:
    """The melds after a step in physical tiles; the last step has the discard as well."""
    book, view, play = seat.book, seat.view, ladder.play
    step = ladder.told.steps[index]
    wanted = (*step.table, *((face,) for face in step.loose))
    made, discard = melds_with_tiles(book.tiles, view.melds, view.rack, wanted, play.discard)
    melds = tuple(
        MeldPlay(
            tiles,
            int(play.melds[place].owner) if place < len(step.table) else seat.me,
            play.melds[place].readings[0].kind if len(view.melds) <= place < len(step.table) else None,
        )
        for place, tiles in enumerate(made)
    )
    last = isinstance(step.movement, DiscardTile)
    return AdviceLine(says=ladder.rungs[-1].lines[index], melds=melds, discard=discard if last else None)
