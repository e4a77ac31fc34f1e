"""A response that asks the bot it plays against: moves of the last draws, played out with that bot itself.

`python = "meldroom.arena.respond.play_outs:PlayOuts"`, with `against`, a bot as JSON, and the parameters of
the policy that it follows otherwise.
"""

from __future__ import annotations

import copy
from itertools import islice, zip_longest
from random import Random

import msgspec

from meldroom.arena.bots import seated
from meldroom.arena.experiment import Entrant, Parameter
from meldroom.arena.respond import endgame
from meldroom.arena.respond.policy import Response
from meldroom.bots.answers import apply_answer
from meldroom.bots.game_loop import NO_CLOCK
from meldroom.bots.interface import Bot, Clock
from meldroom.bots.rearranging.base import Seat
from meldroom.game import Shuffle, State
from meldroom.game import view as seen_by
from meldroom.game.actions import Action, Lay
from meldroom.game.from_view import fill_hidden, state_from_view
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.solver.best import Solution

CLASS = "meldroom.arena.respond.play_outs:PlayOuts"
MOST_STEPS = 200
MOST_FOUND = 16
QUICK = 0.2
"""How much a level thinks in an imagined game, where it may think more or less."""
UNLIKELY = 0.7
"""How often a deal is refused in which another player could have gone out."""


class PlayOuts:
    """Follows a policy, and near the end plays its moves out against the real bot in a few imagined deals.

    `worlds` are the deals, `moves` the most moves compared, `from_pool` the tiles in the pool at which it
    begins. It changes the policy's move only for one that wins more of the same deals.
    """

    def __init__(
        self,
        book: RuleBook,
        seed: str = "",
        *,
        against: str,
        worlds: int = 4,
        moves: int = 5,
        from_pool: int = 4,
        **parameters: Parameter,
    ) -> None:
        self.book = book
        self.seed = seed
        self.worlds = worlds
        self.moves = moves
        self.from_pool = from_pool
        self.against = msgspec.convert({"name": "against", **msgspec.json.decode(against)}, Entrant)
        self.policy = Response(book, seed, effort=1.0, **parameters)
        self.quick = Response(book, seed, effort=QUICK, **parameters)
        self.others: dict[int, Bot] = {}

    def act(self, view: View, clock: Clock) -> Action:
        """The policy's move, or a better one."""
        usual = self.policy.act(view, clock)
        self.quick.act(view, clock)  # It must remember the same game.
        self._let_others_see(view)
        seat = Seat(self.book, view)
        if view.pool_size > self.from_pool or not seat.melded:
            return usual
        moves = self._moves(seat, usual)
        if len(moves) == 1:
            return usual
        chance = Random(f"{self.seed} {sum(view.turns)}")
        worlds = [self._dealt(seat, chance) for _ in range(self.worlds)]
        wins = [sum(self._played(world, move) for world in worlds) for move in moves]
        return moves[wins.index(max(wins))]

    def _moves(self, seat: Seat, usual: Action) -> list[Action]:
        """The usual move first, then a draw, small plays and large ones; going out has no alternative."""
        if isinstance(usual, Lay) and sum(map(len, usual.table)) == sum(map(len, (*seat.table, seat.rack))):
            return [usual]
        found = list(islice(endgame.waiting_moves(seat, 5, jokers=False), MOST_FOUND))
        plays = _of_every_size(found)[: self.moves]
        if seat.view.pool_size == 0:
            plays = endgame.final_plays(seat)[: self.moves]
        plays += [play for play in (seat.best("points"), seat.best("tiles")) if play.played]
        actions = [usual, seat.wait()]
        actions += [seat.lay(play.table) for play in {play.played: play for play in plays}.values()]
        return list({msgspec.json.encode(action): action for action in actions}.values())

    def _dealt(self, seat: Seat, chance: Random) -> State:
        """A state that looks like this view; one in which another player could be out already is unlikely."""
        others = [player for player in range(len(seat.view.players)) if player != seat.me]
        for _ in range(4):
            state = fill_hidden(state_from_view(self.book, seat.view), chance)
            ready = any(
                seat.view.melded[player]
                and endgame.goes_out(self.book, seat.table, state.faces(state.racks[player]))
                for player in others
            )
            if not ready or chance.random() > UNLIKELY:
                break
        return state

    def _let_others_see(self, view: View) -> None:
        """The others' bots see their last turns as far as these are public, so that they can remember."""
        chance = Random(f"{self.seed} {sum(view.turns)} others")
        state = fill_hidden(state_from_view(self.book, view), chance)
        for player in range(len(view.players)):
            if player == view.me or view.withdrawn[player]:
                continue
            if player not in self.others:
                self.others[player], _ = seated(self.against, self.book, f"{self.seed} {player}")
            self.others[player].act(seen_by(msgspec.structs.replace(state, seat=player), player), NO_CLOCK)

    def _played(self, state: State, move: Action) -> float:
        """My share of the win when this move is played and everybody goes on."""
        me = state.seat
        memo = {id(self.book): self.book}
        bots: dict[int, Bot] = {player: copy.deepcopy(bot, dict(memo)) for player, bot in self.others.items()}
        bots[me] = copy.deepcopy(self.quick, dict(memo))
        shuffle = Shuffle(self.seed)
        state, _ = apply_answer(state, move, shuffle)
        for _ in range(MOST_STEPS):
            if state.over:
                break
            answer = bots[state.seat].act(seen_by(state, state.seat), NO_CLOCK)
            state, _ = apply_answer(state, answer, shuffle)
        winners = state.result.winners if state.result is not None else ()
        return 1 / len(winners) if me in winners else 0.0


def _of_every_size(plays: list[Solution]) -> list[Solution]:
    """The plays with their sizes in turn: one tile, two, three, one tile again."""
    by_size: dict[int, list[Solution]] = {}
    for play in plays:
        by_size.setdefault(len(play.played), []).append(play)
    return [play for row in zip_longest(*by_size.values()) for play in row if play is not None]
