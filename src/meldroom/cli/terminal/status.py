"""The one line under the table: what the player most needs to know now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from meldroom.cli.terminal.desk import Desk
from meldroom.cli.terminal.draft import DraftError
from meldroom.cli.terminal.judgement import judged
from meldroom.cli.terminal.messages import Say
from meldroom.i18n import Language
from meldroom.rules.verify import set_points
from meldroom.tiles import Tile

Tone = Literal["act", "wait", "good", "bad"]


class Status(NamedTuple):
    """A line and how it is meant."""

    text: str
    tone: Tone


def status(desk: Desk, say: Say, language: Language) -> Status:
    """The line for the desk as it is."""
    view = desk.view
    if view.phase == "over":
        return Status(say("status.over"), "act")
    if not desk.my_turn:
        return Status(say("status.thinking", name=view.players[view.seat]), "wait")
    if desk.typed:
        return Status(say("status.typed", number=desk.typed), "act")
    if desk.book.family == "laying_off":
        return _laying_off(desk, say, language)
    if not desk.draft.touched:
        return Status(_selected(desk, say) or _your_turn(desk, say), "act")
    return _draft(desk, say, language)


def names(desk: Desk, tiles: Iterable[Tile]) -> str:
    """Tiles by their faces."""
    tile_set = desk.book.tiles
    return " ".join(tile_set.face_names[tile_set.face_of[tile]] for tile in tiles)


def _selected(desk: Desk, say: Say) -> str:
    if not desk.selected:
        return ""
    tiles, faces = names(desk, desk.selected), desk.book.tiles.faces_of(desk.selected)
    if desk.may_draft and desk.book.reader.is_set(faces) and set(desk.selected) <= set(desk.rack):
        return say("status.selected_set", tiles=tiles, points=set_points(desk.book, faces))
    return say("status.selected", tiles=tiles)


def _your_turn(desk: Desk, say: Say) -> str:
    view = desk.view
    needed = 0 if view.melded[desk.draft.me] else desk.book.opening.points
    if view.pool_size:
        return say("status.opening", needed=needed) if needed else say("status.turn")
    if needed:
        return say("status.opening_pass", needed=needed)
    return say("status.last_turn" if view.queue is not None else "status.turn_pass")


def _progress(desk: Desk, say: Say, language: Language) -> list[str]:
    """Points towards the opening, tiles not yet placed, and otherwise the first fault."""
    standing = desk.standing
    said = []
    if standing.needed and standing.points < standing.needed:
        said.append(say("status.points", points=standing.points, needed=standing.needed))
    if standing.unplaced:
        said.append(say("status.unplaced", tiles=names(desk, standing.unplaced)))
    if not said and standing.faults:
        said.append(standing.faults[0].message(language))
    if said and len(standing.faults) > 1:
        said.append(say("status.faults", count=len(standing.faults)))
    return said


def _draft(desk: Desk, say: Say, language: Language) -> Status:
    said = _progress(desk, say, language)
    if said:
        return Status(" · ".join(said), "bad")
    if not desk.rack:
        return Status(say("status.ready_out"), "good")
    laid = desk.standing.laid
    ready = say("status.ready", count=laid) if laid != 1 else say("status.ready_one")
    points = _reached(desk, say)
    return Status(" · ".join([*points, ready]), "good")


def _reached(desk: Desk, say: Say) -> list[str]:
    standing = desk.standing
    if not standing.needed:
        return []
    return [say("status.points", points=standing.points, needed=standing.needed)]


def _laying_off(desk: Desk, say: Say, language: Language) -> Status:
    view = desk.view
    if view.phase == "take":
        if not view.discards:
            return Status(say("status.take_stock"), "act")
        return Status(say("status.take", tile=names(desk, view.discards[-1:])), "act")
    thrown = _thrown(desk)
    if thrown is not None:
        outcome = None
        if view.phase == "play":
            found = judged(desk.draft, view, thrown)
            if found.faults:
                return Status(
                    " · ".join(_progress(desk, say, language)) or say("draft.choose_discard"), "bad"
                )
            outcome = found.outcome
        tile = names(desk, (thrown,))
        if outcome in ("OPEN_RUMMY", "FOOT", "HAND"):
            return Status(say("status.going_out", tile=tile, way=say(f"way.{outcome}")), "good")
        return Status(" · ".join([*_reached_if_laid(desk, say), say("status.discarding", tile=tile)]), "good")
    if view.phase == "opening_discard":
        return Status(say("status.opening_discard"), "act")
    if not desk.draft.touched:
        needed = 0 if view.melded[desk.draft.me] else desk.book.opening.points
        waiting = say("status.play_off_board", needed=needed) if needed else say("status.play")
        return Status(_selected(desk, say) or waiting, "act")
    said = _progress(desk, say, language)
    if said:
        return Status(" · ".join(said), "bad")
    return Status(say("status.choose_discard", count=desk.standing.laid), "good")


def _reached_if_laid(desk: Desk, say: Say) -> list[str]:
    return _reached(desk, say) if desk.draft.touched else []


def _thrown(desk: Desk) -> Tile | None:
    """The tile that would be thrown away now, if one is chosen."""
    try:
        return desk.discard()
    except DraftError:
        return None
