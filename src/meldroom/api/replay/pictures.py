"""Positions as pictures for pages and posts: on the usual cloth, or on a darker one for dark pages."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from meldroom.game.notation.svg import CLOTH, CLOTH_EDGE
from meldroom.i18n import Language
from meldroom.record import Position, to_svg
from meldroom.tiles import HIDDEN

_DARK = {CLOTH: "#101a17", CLOTH_EDGE: "#26352f"}


def picture(
    position: Position,
    language: Language,
    *,
    names: Sequence[str] = (),
    title: str = "",
    dark: bool = False,
    eyes: int | None = None,
) -> str:
    """The position as an SVG document; with `eyes`, as the player on that seat saw it."""
    if eyes is not None:
        position = seen_from(position, eyes)
    drawn = to_svg(position, names=names, title=title, language=language)
    if dark:
        for usual, darker in _DARK.items():
            drawn = drawn.replace(usual, darker)
    return drawn


def seen_from(position: Position, seat: int) -> Position:
    """The same position with the other racks face down."""
    racks = tuple(
        rack if index == seat else (HIDDEN,) * len(rack) for index, rack in enumerate(position.racks)
    )
    return replace(position, racks=racks)
