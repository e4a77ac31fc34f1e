"""A state that looks like a view: enough to ask what the player to move could lay."""

from __future__ import annotations

from meldroom.game.draft_judgement import seat_of
from meldroom.game.state import State
from meldroom.game.views import View
from meldroom.rules.book import RuleBook


def state_of(book: RuleBook, view: View) -> State:
    """A state with the viewer's own rack, the table and nothing that he does not see."""
    me = seat_of(view)
    return State(
        book=book,
        players=view.players,
        phase=view.phase,
        seat=me,
        racks=tuple(view.rack if seat == me else () for seat in range(len(view.players))),
        table=view.table,
        melds=view.melds,
        melded=view.melded,
        withdrawn=view.withdrawn,
    )
