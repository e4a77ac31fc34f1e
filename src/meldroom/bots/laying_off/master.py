"""Master: weighs every way the rack could yet go out, what the others may use, and when to go on board."""

from __future__ import annotations

import time
from typing import cast

from meldroom.bots.interface import Bot, Clock
from meldroom.bots.laying_off.base import Seat
from meldroom.bots.laying_off.discard_risk import Risks
from meldroom.bots.laying_off.loose_tiles import promise
from meldroom.bots.laying_off.memory import Memory
from meldroom.bots.laying_off.prospects import Chances, Prospects
from meldroom.bots.laying_off.threat import patience, turns_left
from meldroom.bots.levels import Aim
from meldroom.game.actions import Action, Discard, Play
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import Exposed
from meldroom.solver.kernel import mode
from meldroom.solver.lay_off import LayOffPlay, LayOffPosition, best_play, going_out
from meldroom.tiles import Face

LOOKS = 1.5
"""Tiles a turn to choose from: one of the stock, and the discard, which is of use half as often."""
GAIN = 1.1
"""With few tiles missing a discard is taken if it makes the chances so much better than they are."""
NEAR = 2
"""So many missing tiles are few: beyond, chances tell discards apart, but not taking from drawing."""
NODES = 300_000
NODES_A_SECOND: dict[mode.Mode, int] = {"compiled": 100_000_000, "interpreted": 300_000}
TURNS_A_TILE = 2.0
"""About how many turns a missing tile takes."""
LUCK = 0.5
"""Rounds are won more often than the nearest ways out alone promise: small chances are raised."""
SHARED = 0.4
"""What is left of the chances on board, where the others can add to the own melds."""
DEAR = 250
"""A tile of so many points would be kept whatever chances it costs: the winner's tiles count for the total by
which a game of several rounds is won. No fewer rounds are won for it."""
FAR = 4
"""With so many missing tiles chances are only good for comparing discards."""


class Master:
    """Stays off board for hand or foot as long as that pays, and discards what helps everybody least."""

    def __init__(self, book: RuleBook, aim: Aim, effort: float) -> None:
        self.book, self.aim, self.effort = book, aim, effort
        self.memory = Memory()

    def act(self, view: View, clock: Clock) -> Action:
        """What to take; or the whole rack, the melds to go on board with, and the discard."""
        seat = Seat(self.book, view)
        thought = _Thought(self, seat, clock)
        if view.phase == "take":
            self.memory.look(view)
            return seat.take(thought.takes())
        action = thought.play()
        discarded = action.tile if isinstance(action, Discard) else action.discard
        if discarded is not None:
            self.memory.discarded(view, discarded)
        return action


class _Thought:
    """One decision: the seat, the time it has, and the chances it has worked out."""

    def __init__(self, master: Master, seat: Seat, clock: Clock) -> None:
        self.book, self.seat, self.memory = master.book, seat, master.memory
        self.aim, self.effort = master.aim, master.effort
        self.deadline = None if clock.seconds is None else time.monotonic() + clock.seconds / 2
        self.patience = patience(seat)
        self.prospects = self._prospects(seat.melds)
        self.risks = Risks(seat, master.memory)

    def _prospects(self, melds: tuple[Exposed, ...]) -> Prospects:
        return Prospects(self.book, melds, self.seat.unseen, LOOKS, self.patience)

    def _nodes(self, most: int) -> int:
        """How many steps a search may take: by effort, and by the time that is left."""
        most = int(most * self.effort)
        if self.deadline is None:
            return most
        return max(0, min(most, int((self.deadline - time.monotonic()) * NODES_A_SECOND[mode.current()])))

    def _left(self) -> float | None:
        """The seconds an exact search may take."""
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    def takes(self) -> bool:
        """True if the last discard is better than a tile from the stock."""
        seat, offered = self.seat, self.seat.offered
        if offered is None or seat.long_game:
            return False
        if offered == self.book.tiles.joker or self._goes_out_with(offered):
            return True
        chances = self.prospects.after_each((*seat.rack, offered), self._nodes(NODES))
        if chances.away > NEAR or offered not in chances.worth:
            return self._lays_more_with(offered)
        others = [worth for face, worth in chances.worth.items() if face != offered]
        return max(others, default=0.0) > GAIN * chances.worth[offered]

    def _lays_more_with(self, face: Face) -> bool:
        """True if more of the rack could be laid with a tile, once on board."""
        with_it, without = self.seat.with_tile(face, True), self.seat.seen_as(True)
        return self._laid(with_it) > self._laid(without)

    def _laid(self, position: LayOffPosition) -> int:
        return best_play(self.book, position, time_limit=self._left()).tiles

    def _goes_out_with(self, face: Face) -> bool:
        play = best_play(self.book, self.seat.with_tile(face), time_limit=self._left())
        return play.bonus > 0

    def play(self) -> Play | Discard:
        """Go out, go on board, or only discard."""
        seat = self.seat
        if seat.view.phase == "opening_discard":
            return seat.discard(self._discard(seat.rack))
        play = best_play(self.book, seat.position, "points", time_limit=self._left())
        if play.bonus:
            return seat.lay(going_out(self.book, seat.position) or play)
        if play.played and (seat.melded or self._boards(play)):
            return seat.lay(play, self._discard_on_board(play))
        return seat.discard(self._discard(seat.rack))

    def _boards(self, play: LayOffPlay) -> bool:
        """True if going on board is better than holding everything.

        Whatever can be laid on board can be laid off board at the end, so that waiting wins no less often
        and scores more; only the charge for never having gone on board speaks against it.
        """
        if self.seat.last_turn:
            return True
        if self.aim == "wins":
            return False
        return self._score_on_board(play) > self._score_off_board()

    def _score_off_board(self) -> float:
        """What holding everything will score on average."""
        rules, rack = self.book.scoring, self.seat.rack
        chances = self.prospects.after_each(rack, self._nodes(NODES))
        alone = self._prospects(()).after_each(rack, self._nodes(NODES))
        jokers = min(rack.count(self.book.tiles.joker), len(rules.hand_bonus) - 1)
        bonus = rules.hand_bonus[jokers] if alone.away <= chances.away else rules.foot_bonus
        tiles = sum(self.book.values[face] for face in rack) * self.book.deal.tiles / len(rack)
        win = self._in_time(chances)
        return win * (tiles + bonus) - (1 - win) * rules.unmelded

    def _score_on_board(self, play: LayOffPlay) -> float:
        """What going on board now will score on average."""
        left = self.seat.left_by(play)
        chances = self._prospects(play.melds).after_each(left, self._nodes(NODES))
        win = SHARED * self._in_time(chances)
        tiles = sum(self.book.values[face] for face in self.seat.rack)
        kept = sum(self.book.values[face] for face in left) - max(self.book.values[face] for face in left)
        return win * (tiles + self.book.scoring.open_bonus) - (1 - win) * kept

    def _in_time(self, chances: Chances) -> float:
        """The chance to go out first, and before the stock is used up."""
        needed = TURNS_A_TILE * max(1, chances.away)
        first = min(1.0, max(chances.best, self.patience**needed if chances.away >= FAR else 0.0))
        return float(first**LUCK) * min(1.0, turns_left(self.seat) / needed)

    def _discard_on_board(self, play: LayOffPlay) -> Face:
        """The discard after laying: the chances to go out with the rest, and what a dear tile would cost."""
        left, values = self.seat.left_by(play), self.book.values
        if len(left) == 1:
            return left[0]
        chances = self._prospects(play.melds).after_each(left, self._nodes(NODES))
        most = sum(values) / len(values) * self.book.deal.tiles + self.book.scoring.open_bonus

        def score(face: Face) -> float:
            win = chances.worth.get(face, 0.0) * (1 - self.risks.danger(face))
            return win * most + (1 - win) * values[face]

        return max(left, key=lambda face: (face != self.book.tiles.joker, score(face), -face))

    def _discard(self, rack: tuple[Face, ...]) -> Face:
        """The discard that leaves the best chances, the next player's included, and dear tiles off board."""
        seat, values = self.seat, self.book.values
        chances = self.prospects.after_each(rack, self._nodes(NODES))
        dear = 1 if seat.melded else -1  # on board what is left costs its points, off board all racks alike
        if not chances.worth:
            return min(rack, key=lambda face: (promise(seat, face, rack), -dear * values[face], face))

        def leaves(face: Face) -> float:
            kept = 1.0 if seat.melded else 1 - values[face] / DEAR
            return chances.worth[face] * (1 - self.risks.danger(face)) * kept

        return max(chances.worth, key=lambda face: (leaves(face), dear * values[face], -face))


def make(book: RuleBook, seed: str, aim: str = "wins", effort: float = 1.0) -> Bot:
    """The bot for one seat; nothing in it is random."""
    return Master(book, cast(Aim, aim), effort)
