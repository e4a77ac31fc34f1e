"""The player whose parameters the search varies: a bot of the arena like any other.

`python = "meldroom.arena.respond.policy:Response"` with the parameters of `Habits`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from random import Random

import msgspec

from meldroom.arena.experiment import Parameter
from meldroom.arena.respond import endgame
from meldroom.arena.respond.space import ALWAYS_WAITS, Habits
from meldroom.bots import make_bot
from meldroom.bots.interface import Bot, Clock
from meldroom.bots.rearranging.base import Seat
from meldroom.bots.rearranging.small_openings import small_openings
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet
from meldroom.solver.best import Solution

CLASS = "meldroom.arena.respond.policy:Response"
IMAGINED_DEALS = 6
DEALS_HELPED = 3
MOVES_WEIGHED = 10
"""Waiting moves that are compared where it is not simply the smallest."""


class Response:
    """Holds until its whole rack goes out, or whatever its habits say. Rearranging books only.

    `effort` is how much `master` thinks where turns are left to it.
    """

    def __init__(
        self, book: RuleBook, seed: str = "", *, effort: float = 1.0, **parameters: Parameter
    ) -> None:
        if book.family != "rearranging":
            raise ValueError(f"{book.id} is not a rearranging book")
        self.book = book
        self.habits = msgspec.convert(parameters, Habits)
        self.seed = seed
        self.waits = 0
        self.layers = Layers()
        levels = {self.habits.early, self.habits.final} & {"patient", "master"}
        levels |= {"master"} if self.habits.master_pool else set()
        thinks = {"master": {"effort": effort}}
        self.levels: dict[str, Bot] = {
            level: make_bot(level, book, seed=seed, **thinks.get(level, {})) for level in sorted(levels)
        }

    def act(self, view: View, clock: Clock) -> Action:
        """Out if it can be; else what the habits say."""
        seat = Seat(self.book, view)
        self.layers.see(view)
        best = seat.best()
        if best.tiles == len(seat.rack):
            return seat.lay(best.table)
        if view.pool_size == 0:
            return self._final(seat, best, clock)
        fight = view.pool_size <= self.habits.fight_pool
        if self.habits.early != "rules" and not (fight and seat.melded):
            return self.levels[self.habits.early].act(view, clock)
        if not best.played:
            return seat.wait()
        if seat.melded and view.pool_size <= self.habits.master_pool:
            return self.levels["master"].act(view, clock)
        if not seat.melded:
            return self._unopened(seat, best, fight)
        return self._fight(seat, best) if fight else self._middle(seat, best)

    def _unopened(self, seat: Seat, best: Solution, fight: bool) -> Action:
        habits, view = self.habits, seat.view
        others = [player for player in self._others(view) if view.melded[player]]
        if fight and habits.open_as_wait:
            return seat.wait() if self._draws_well(view) else self._open(seat, best)
        if (
            view.pool_size <= habits.open_at_pool
            or any(view.rack_sizes[player] <= habits.open_at_rack for player in others)
            or (habits.open_after_others and others)
            or (habits.open_to_go_out and self._then_out(seat))
        ):
            return self._open(seat, best)
        return seat.wait()

    def _open(self, seat: Seat, best: Solution) -> Action:
        if self.habits.open_large:
            return seat.lay(best.table)
        return seat.lay((*seat.table, *small_openings(self.book, seat.rack)[0].sets))

    def _then_out(self, seat: Seat) -> bool:
        """True if the rest goes out next turn, should nobody change the table."""
        if not endgame.goes_out(self.book, seat.table, seat.rack):
            return False
        opening = small_openings(self.book, seat.rack)[0]
        rest = endgame.without(seat.rack, opening.played)
        return endgame.goes_out(self.book, (*seat.table, *opening.sets), rest)

    def _others(self, view: View) -> list[int]:
        seats = range(len(view.players))
        return [player for player in seats if player != view.me and not view.withdrawn[player]]

    def _middle(self, seat: Seat, best: Solution) -> Action:
        habits, view = self.habits, seat.view
        enough = habits.lay_tiles_to_layers if self.layers.any_of(self._others(view)) else habits.lay_tiles
        closest = min((view.rack_sizes[each] for each in self._others(view) if view.melded[each]), default=99)
        left = len(seat.rack) - best.tiles
        worthwhile = view.pool_size <= habits.lay_pool and (best.tiles >= enough or left <= habits.lay_left)
        if worthwhile or closest <= habits.threat:
            return seat.lay((seat.best("points") if habits.lay_points else best).table)
        return seat.wait()

    def _draws_well(self, view: View) -> bool:
        """True if a draw now leads to the place in the last draws that it wants."""
        players = len(self._others(view)) + 1
        return (view.pool_size - 1) % players == self.habits.place % players

    def _fight(self, seat: Seat, best: Solution) -> Action:
        habits, view = self.habits, seat.view
        if self._draws_well(view) or self.waits >= habits.most_waits:
            return seat.wait()
        moves = list(
            islice(endgame.waiting_moves(seat, habits.wait_tiles, habits.wait_jokers), MOVES_WEIGHED)
        )
        if view.pool_size > 2 and len(moves) <= habits.waits_kept:
            return seat.wait()
        if moves and habits.wait_margin > ALWAYS_WAITS and self._lead(seat) < habits.wait_margin:
            return seat.wait()
        if habits.risk < 1 and moves:
            deals = self._imagined(seat)
            moves = [move for move in moves if endgame.danger(seat, move.table, deals) <= habits.risk]
        if not moves and habits.lay_out:
            moves = [best]
        if not moves:
            return seat.wait()
        self.waits += 1
        return seat.lay(self._chosen(seat, moves).table)

    def _imagined(self, seat: Seat) -> list[list[FaceSet]]:
        """Racks by seat, dealt a few times; the same ones for all questions of a turn."""
        chance = Random(f"{self.seed} {sum(seat.view.turns)}")
        return [endgame.deal(seat, chance) for _ in range(IMAGINED_DEALS)]

    def _lead(self, seat: Seat) -> float:
        """How many more single tiles I can wait with than the next player, who holds some of the unseen."""
        hidden = endgame.unseen(seat)
        view = seat.view
        following = endgame.next_opened(seat)
        share = 0.0 if following is None else view.rack_sizes[following] / max(1, len(hidden))
        theirs = endgame.fitting(self.book, seat.table, hidden) * share
        return endgame.fitting(self.book, seat.table, seat.rack) - theirs

    def _chosen(self, seat: Seat, moves: list[Solution]) -> Solution:
        order = self.habits.wait_order
        if order == "smallest" or len(moves) == 1:
            return moves[0]
        if order == "cheapest":
            return min(moves, key=lambda move: endgame.points(self.book, move.played))
        if order == "dearest":
            return max(moves, key=lambda move: endgame.points(self.book, move.played))
        if order == "least_help":
            deals = self._imagined(seat)[:DEALS_HELPED]
            return min(moves, key=lambda move: endgame.help_given(seat, move.table, deals))
        hidden = sorted(set(endgame.unseen(seat)))

        def worth(move: Solution) -> int:
            mine = endgame.without(seat.rack, move.played)
            own = 0 if order == "fewest_replies" else endgame.fitting(self.book, move.table, mine)
            theirs = 0 if order == "keeps_own" else endgame.fitting(self.book, move.table, hidden)
            return own - theirs

        return max(moves, key=worth)

    def _final(self, seat: Seat, best: Solution, clock: Clock) -> Action:
        habits, view = self.habits, seat.view
        if not best.played:
            return seat.wait()
        if habits.final == "master":
            return self.levels["master"].act(view, clock)
        if habits.final == "tiles":
            return seat.lay(best.table)
        alone = len(view.queue) <= 1 if view.queue is not None else True
        if habits.final == "points" or len(view.players) != 2 or alone:
            return seat.lay(seat.best("points").table)
        return self._with_foresight(seat)

    def _with_foresight(self, seat: Seat) -> Action:
        """Two players: the other rack is known, and so is what it costs after the last turn."""
        (other,) = [player for player in range(2) if player != seat.me]
        theirs = tuple(endgame.unseen(seat))
        opened = seat.view.melded[other]

        def worth(table: tuple[FaceSet, ...], played: FaceSet) -> int:
            mine = endgame.points(self.book, endgame.without(seat.rack, played))
            if opened and endgame.goes_out(self.book, table, theirs):
                return -1000 - mine
            return endgame.left_after(self.book, table, theirs, opened) - mine

        plays = endgame.final_plays(seat)
        worths = [worth(play.table, play.played) for play in plays]
        if worth(seat.table, ()) > max(worths, default=-9999):
            return seat.wait()
        return seat.lay(plays[worths.index(max(worths))].table)


class Layers:
    """Who lays whatever fits, told by what the racks did since the opening."""

    def __init__(self) -> None:
        self.sizes: tuple[int, ...] = ()
        self.melded: tuple[bool, ...] = ()
        self.balance: dict[int, int] = {}

    def see(self, view: View) -> None:
        """Takes note of a view at the beginning of my turn."""
        if len(self.sizes) == len(view.rack_sizes):
            for seat, (now, before) in enumerate(zip(view.rack_sizes, self.sizes, strict=True)):
                if self.melded[seat] and now != before:
                    self.balance[seat] = self.balance.get(seat, 0) + (2 if now < before else -1)
        self.sizes, self.melded = view.rack_sizes, view.melded

    def any_of(self, seats: Sequence[int]) -> bool:
        """True if one of these players lays more often than every third turn."""
        return any(self.balance.get(seat, 0) > 0 for seat in seats)
