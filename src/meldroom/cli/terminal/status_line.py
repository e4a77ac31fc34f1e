"""The one line under the table: what the player most needs to know now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from meldroom.cli.terminal.draft import DraftError
from meldroom.cli.terminal.judgement import judged
from meldroom.cli.terminal.turn_editor import TurnEditor
from meldroom.i18n import Language, Message, message
from meldroom.rules.verify import set_points
from meldroom.tiles import Tile

Tone = Literal["act", "wait", "good", "bad"]


class Status(NamedTuple):
    """A line and how it is meant."""

    text: str
    tone: Tone


def status(editor: TurnEditor, language: Language) -> Status:
    """The status line for the turn as it is now."""
    view = editor.view
    if view.phase == "over":
        return Status(message("terminal.status.over", language), "act")
    if not editor.my_turn:
        return Status(message("terminal.status.thinking", language, name=view.players[view.seat]), "wait")
    if editor.typed:
        return Status(message("terminal.status.typed", language, number=editor.typed), "act")
    if editor.book.family == "laying_off":
        return _laying_off(editor, language)
    if not editor.draft.touched:
        return Status(_selected(editor, language) or _your_turn(editor, language), "act")
    return _draft(editor, language)


def names(editor: TurnEditor, tiles: Iterable[Tile]) -> str:
    """Tiles by their faces."""
    tile_set = editor.book.tiles
    return " ".join(tile_set.face_names[tile_set.face_of[tile]] for tile in tiles)


def _selected(editor: TurnEditor, language: Language) -> str:
    if not editor.selected:
        return ""
    tiles, faces = names(editor, editor.selected), editor.book.tiles.faces_of(editor.selected)
    if editor.may_draft and editor.book.reader.is_set(faces) and set(editor.selected) <= set(editor.rack):
        return message(
            "terminal.status.selected_set",
            language,
            tiles=tiles,
            points=_points(set_points(editor.book, faces)),
        )
    return message("terminal.status.selected", language, tiles=tiles)


def _your_turn(editor: TurnEditor, language: Language) -> str:
    view = editor.view
    needed = 0 if view.melded[editor.draft.me] else editor.book.opening.points
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


def _progress(editor: TurnEditor, language: Language) -> list[str]:
    """Points towards the opening, tiles not yet placed, and otherwise the first fault."""
    standing = editor.standing
    parts = []
    if standing.needed and standing.points < standing.needed:
        parts.append(
            message(
                "terminal.status.points", language, reached=standing.points, points=_points(standing.needed)
            )
        )
    if standing.unplaced:
        parts.append(message("terminal.status.unplaced", language, tiles=names(editor, standing.unplaced)))
    if not parts and standing.faults:
        parts.append(standing.faults[0].message(language))
    if parts and len(standing.faults) > 1:
        parts.append(message("terminal.status.faults", language, count=len(standing.faults)))
    return parts


def _draft(editor: TurnEditor, language: Language) -> Status:
    said = _progress(editor, language)
    if said:
        return Status(" · ".join(said), "bad")
    if not editor.rack:
        return Status(message("terminal.status.ready_out", language), "good")
    laid = editor.standing.laid
    ready = message("terminal.status.ready", language, count=laid)
    points = _reached(editor, language)
    return Status(" · ".join([*points, ready]), "good")


def _reached(editor: TurnEditor, language: Language) -> list[str]:
    standing = editor.standing
    if not standing.needed:
        return []
    return [
        message("terminal.status.points", language, reached=standing.points, points=_points(standing.needed))
    ]


def _laying_off(editor: TurnEditor, language: Language) -> Status:
    view = editor.view
    if view.phase == "take":
        if not view.discards:
            return Status(message("terminal.status.take_stock", language), "act")
        return Status(
            message("terminal.status.take", language, tile=names(editor, view.discards[-1:])), "act"
        )
    discarded = _to_discard(editor)
    if discarded is not None:
        outcome = None
        if view.phase == "play":
            found = judged(editor.draft, view, discarded)
            if found.faults:
                return Status(
                    " · ".join(_progress(editor, language))
                    or message("terminal.draft.choose_discard", language),
                    "bad",
                )
            outcome = found.outcome
        tile = names(editor, (discarded,))
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
                    *_reached_if_laid(editor, language),
                    message("terminal.status.discarding", language, tile=tile),
                ]
            ),
            "good",
        )
    if view.phase == "opening_discard":
        return Status(message("terminal.status.opening_discard", language), "act")
    if not editor.draft.touched:
        needed = 0 if view.melded[editor.draft.me] else editor.book.opening.points
        waiting = (
            message("terminal.status.play_off_board", language, points=_points(needed))
            if needed
            else message("terminal.status.play", language)
        )
        return Status(_selected(editor, language) or waiting, "act")
    said = _progress(editor, language)
    if said:
        return Status(" · ".join(said), "bad")
    return Status(message("terminal.status.choose_discard", language, count=editor.standing.laid), "good")


def _points(count: int) -> Message:
    return Message("terminal.points", {"count": count})


def _reached_if_laid(editor: TurnEditor, language: Language) -> list[str]:
    return _reached(editor, language) if editor.draft.touched else []


def _to_discard(editor: TurnEditor) -> Tile | None:
    """The tile that would be discarded away now, if one is chosen."""
    try:
        return editor.discard()
    except DraftError:
        return None
