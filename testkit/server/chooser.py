"""Real moves, quickly found: what a seat does on its own view, by the bots of the ladder."""

from __future__ import annotations

from meldroom.bots import Bot, Clock, make_bot
from meldroom.game.actions import Abandon, Correct, Resign, RuleLeftovers, TimeOut
from meldroom.game.views import View
from meldroom.rooms.protocol.commands import PlayerAction
from meldroom.rules.library import BookLike, OptionValue, find_book, with_options

NO_CLOCK = Clock()


class Chooser:
    """Chooses for one seat of one game; knows only the views it is shown."""

    def __init__(self, named: BookLike, level: str, options: dict[str, OptionValue] | None = None) -> None:
        self.book = with_options(find_book(named), options or {})
        self.level = level
        self._bot: Bot | None = None
        self._game: str | None = None

    def choose(self, view: View) -> PlayerAction:
        """The action of the seat whose view it is."""
        if self._bot is None or self._game != view.commitment:
            self._bot, self._game = make_bot(self.level, self.book, seed=str(view.me)), view.commitment
        action = self._bot.act(view, NO_CLOCK)
        assert not isinstance(action, TimeOut | RuleLeftovers | Correct | Resign | Abandon)
        return action
