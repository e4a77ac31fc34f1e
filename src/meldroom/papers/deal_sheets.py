"""Deal sheets: what lies in every box of a duplicate stage, for whoever prepares them."""

from __future__ import annotations

from collections.abc import Sequence

from meldroom.championship.duplicate.deals import Deal, all_deals, tile_names
from meldroom.championship.formats.format import Format
from meldroom.i18n import Language, message
from meldroom.papers.values import DealSheet, DealSheets

_COLOURS = {"K": "#1d1d1f", "R": "#c0392b", "B": "#1f5fbf", "O": "#c77700", "*": "#6b3fa0"}


def deal_sheets(
    made: Format, seed: str, stage: str, language: Language, sitting: int | None = None
) -> DealSheets:
    """A page for every deal of a stage, or of one sitting of it. Whoever holds them knows the deals."""
    sheets = [
        _sheet(made, each, language)
        for each in all_deals(made, seed, stage)
        if sitting in (None, each.sitting)
    ]
    return DealSheets(tuple(sheets), message("papers.deals_note", language), _COLOURS)


def _sheet(made: Format, each: Deal, language: Language) -> DealSheet:
    own = made.stage(each.stage)
    where = message("papers.sitting", language, sitting=each.sitting, sittings=own.sittings)
    game = message("papers.in_game", language, game=each.game)
    return DealSheet(
        f"{own.name[language]}, {where}, {game}",
        message("papers.deal_starter", language, seat=each.starter + 1),
        tuple(_sorted(tile_names(made, rack)) for rack in each.racks),
        tile_names(made, each.pool),
    )


def _sorted(names: Sequence[str]) -> tuple[str, ...]:
    """A rack by colour and number, jokers last, so that it is quickly laid out."""
    order = "KRBO*"
    return tuple(sorted(names, key=lambda name: (order.index(name[0]), int(name[1:] or 0))))
