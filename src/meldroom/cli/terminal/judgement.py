"""Judges a draft while it is being made."""

from __future__ import annotations

from meldroom.cli.terminal.draft import Draft
from meldroom.game.actions import MeldPlay
from meldroom.game.judgement import Standing, TurnStart, judge_draft_melds, judge_draft_table
from meldroom.game.views import View
from meldroom.tiles import Tile

__all__ = ["Standing", "judged"]


def judged(draft: Draft, view: View, discard: Tile | None = None) -> Standing:
    """The standing of a draft. A laying-off book's also needs the discard; without one it is left open."""
    start = TurnStart.seen(draft.book, view)
    if draft.book.family == "rearranging":
        return judge_draft_table(start, tuple(each.tiles for each in draft.sets))
    melds = tuple(
        MeldPlay(each.tiles, draft.me if each.owner is None else each.owner, each.kind) for each in draft.sets
    )
    return judge_draft_melds(start, melds, discard)
