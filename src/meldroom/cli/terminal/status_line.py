"""The one line under the table: what the player most needs to know now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from meldroom.cli.terminal.desk import Desk
from meldroom.cli.terminal.draft import DraftError
from meldroom.cli.terminal.judgement import judged
from meldroom.i18n import Language, Message, message
from meldroom.rules.verify import set_points
from meldroom.tiles import Tile

Tone = Literal["act", "wait", "good", "bad"]


class Status(NamedTuple):
    """A line and how it is meant."""

    text: str
    tone: Tone


def status(desk: Desk, language: Language) -> Status:
    """The line for the desk as it is."""
    view = desk.view
    if view.phase == "over":
        return Status(message("terminal.status.over", language), "act")
    if not desk.my_turn:
        return Status(message("terminal.status.thinking", language, name=view.players[view.seat]), "wait")
    if desk.typed:
        return Status(message("terminal.status.typed", language, number=desk.typed), "act")
    if desk.book.family == "laying_off":
        return _laying_off(desk, language)
    if not desk.draft.touched:
        return Status(_selected(desk, language) or _your_turn(desk, language), "act")
    return _draft(desk, language)


def names(desk: Desk, tiles: Iterable[Tile]) -> str:
    """Tiles by their faces."""
    tile_set = desk.book.tiles
    return " ".join(tile_set.face_names[tile_set.face_of[tile]] for tile in tiles)


def _selected(desk: Desk, language: Language) -> str:
    if not desk.selected:
        return ""
    tiles, faces = names(desk, desk.selected), desk.book.tiles.faces_of(desk.selected)
    if desk.may_draft and desk.book.reader.is_set(faces) and set(desk.selected) <= set(desk.rack):
        return message(
            "terminal.status.selected_set",
            language,
            tiles=tiles,
            points=_points(set_points(desk.book, faces)),
        )
    return message("terminal.status.selected", language, tiles=tiles)


def _your_turn(desk: Desk, language: Language) -> str:
    view = desk.view
    needed = 0 if view.melded[desk.draft.me] else desk.book.opening.points
    if view.pool_size:
        return (
            message("terminal.status.opening", language, points=_points(needed))
            if needed
            else message("terminal.status.turn", language)
        )
    if needed:
        return message("terminal.status.opening_pass", language, points=_points(needed))
    key = "last_turn" if view.queue is not None else "turn_pass"
    return message(f"terminal.status.{key}", language)


def _progress(desk: Desk, language: Language) -> list[str]:
    """Points towards the opening, tiles not yet placed, and otherwise the first fault."""
    standing = desk.standing
    parts = []
    if standing.needed and standing.points < standing.needed:
        parts.append(
            message(
                "terminal.status.points", language, reached=standing.points, points=_points(standing.needed)
            )
        )
    if standing.unplaced:
        parts.append(message("terminal.status.unplaced", language, tiles=names(desk, standing.unplaced)))
    if not parts and standing.faults:
        parts.append(standing.faults[0].message(language))
    if parts and len(standing.faults) > 1:
        parts.append(message("terminal.status.faults", language, count=len(standing.faults)))
    return parts


def _draft(desk: Desk, language: Language) -> Status:
    said = _progress(desk, language)
    if said:
        return Status(" · ".join(said), "bad")
    if not desk.rack:
        return Status(message("terminal.status.ready_out", language), "good")
    laid = desk.standing.laid
    ready = message("terminal.status.ready", language, count=laid)
    points = _reached(desk, language)
    return Status(" · ".join([*points, ready]), "good")


def _reached(desk: Desk, language: Language) -> list[str]:
    standing = desk.standing
    if not standing.needed:
        return []
    return [
        message("terminal.status.points", language, reached=standing.points, points=_points(standing.needed))
    ]


def _laying_off(desk: Desk, language: Language) -> Status:
    view = desk.view
    if view.phase == "take":
        if not view.discards:
            return Status(message("terminal.status.take_stock", language), "act")
        return Status(message("terminal.status.take", language, tile=names(desk, view.discards[-1:])), "act")
    discarded = _to_discard(desk)
    if discarded is not None:
        outcome = None
        if view.phase == "play":
            found = judged(desk.draft, view, discarded)
            if found.faults:
                return Status(
                    " · ".join(_progress(desk, language))
                    or message("terminal.draft.choose_discard", language),
                    "bad",
                )
            outcome = found.outcome
        tile = names(desk, (discarded,))
        if outcome in ("OPEN_RUMMY", "FOOT", "HAND"):
            return Status(
                message(
                    "terminal.status.going_out",
                    language,
                    tile=tile,
                    way=message(f"terminal.way.{outcome}", language),
                ),
                "good",
            )
        return Status(
            " · ".join(
                [
                    *_reached_if_laid(desk, language),
                    message("terminal.status.discarding", language, tile=tile),
                ]
            ),
            "good",
        )
    if view.phase == "opening_discard":
        return Status(message("terminal.status.opening_discard", language), "act")
    if not desk.draft.touched:
        needed = 0 if view.melded[desk.draft.me] else desk.book.opening.points
        waiting = (
            message("terminal.status.play_off_board", language, points=_points(needed))
            if needed
            else message("terminal.status.play", language)
        )
        return Status(_selected(desk, language) or waiting, "act")
    said = _progress(desk, language)
    if said:
        return Status(" · ".join(said), "bad")
    return Status(message("terminal.status.choose_discard", language, count=desk.standing.laid), "good")


def _points(count: int) -> Message:
    return Message("terminal.points", {"count": count})


def _reached_if_laid(desk: Desk, language: Language) -> list[str]:
    return _reached(desk, language) if desk.draft.touched else []


def _to_discard(desk: Desk) -> Tile | None:
    """The tile that would be discarded away now, if one is chosen."""
    try:
        return desk.discard()
    except DraftError:
        return None
