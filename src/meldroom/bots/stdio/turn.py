"""One turn of a bot in another process: the question, its answers, refusals, and the end of its time."""

from __future__ import annotations

import time

from meldroom.bots.stdio import messages as wire
from meldroom.bots.stdio.answers import as_action
from meldroom.bots.stdio.connection import Link
from meldroom.bots.stdio.failure import AnswerError, BotFailure
from meldroom.bots.stdio.judge import Refusal, refusal
from meldroom.bots.stdio.views import actions_now, format_view
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook


def ask(link: Link, book: RuleBook, view: View, deadline: float) -> Action:
    """The bot's action, one that is legal. Raises BotFailure.

    An illegal answer is never a move, and what it would have laid does not lie there: the bot is asked again,
    a bounded number of times (R68).
    """
    return _Conversation(link, book, view, deadline).action()


class _Conversation:
    """A turn as it goes back and forth."""

    def __init__(self, link: Link, book: RuleBook, view: View, deadline: float) -> None:
        self.link = link
        self.book = book
        self.view = view
        self.begun = time.monotonic()
        self.deadline = deadline
        self.refused: list[tuple[Action, Refusal]] = []
        self.refusals = 0

    def action(self) -> Action:
        """Ask until an answer stands. Raises BotFailure."""
        link = self.link
        link.process.begin_turn()
        link.request += 1
        link.send(
            wire.Turn(
                id=link.request,
                seconds=self.seconds_left(),
                actions=actions_now(self.book, self.view),
                view=format_view(self.book, self.view, link.style),
            )
        )
        errors = 0
        while True:
            try:
                answer = link.hear(self.deadline)
            except AnswerError as error:
                errors += 1
                link.complain(error, errors)
                continue
            if answer is None:
                allowed = self.deadline - self.begun
                raise BotFailure("late", f"{allowed:.3g}", written=link.process.written)
            action = self.weigh(answer)
            if action is not None:
                return action

    def weigh(self, answer: wire.FromBot) -> Action | None:
        """The action if it stands, None if the bot may try again."""
        try:
            action = as_action(self.book, self.view, answer)
        except AnswerError as error:
            self.refuse(answer, Refusal(error.code, error.message(self.link.language), ()))
            return None
        # Judging the same again, a pass where something can be laid for one, could cost us much time.
        known = next((why for other, why in self.refused if other == action), None)
        why = known or refusal(self.book, self.view, action, self.link.language)
        if why is None:
            return action
        self.refused.append((action, why))
        self.refuse(answer, why)
        return None

    def refuse(self, answer: wire.FromBot, why: Refusal) -> None:
        """Say why, and ask again. Raises BotFailure when there were too many."""
        self.refusals += 1
        link = self.link
        again = self.refusals < link.limits.refusals
        link.request += again
        link.send(
            wire.Refused(
                id=link.request if again else None,
                of=answer.id,
                again=again,
                code=why.code,
                message=why.message,
                violations=why.faults,
                seconds=self.seconds_left(),
            )
        )
        if not again:
            raise BotFailure("refused", str(self.refusals), written=link.process.written)

    def seconds_left(self) -> float:
        """For the bot: what is left of its time, to the millisecond."""
        return round(max(0.0, self.deadline - time.monotonic()), 3)
