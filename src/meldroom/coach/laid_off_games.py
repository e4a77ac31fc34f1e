"""Imagined games of a laying-off book: hidden tiles are dealt at random, and quick bots play on.

Slower than the kernel's games by far, a few dozen in a second: an estimate, not a verdict on a move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import msgspec

from meldroom.bots.answers import apply_answer
from meldroom.bots.interface import Bot, Clock
from meldroom.bots.levels import make_bot
from meldroom.coach.styles import STYLES
from meldroom.game.actions import Action
from meldroom.game.notation.position import Position
from meldroom.game.shuffle import Shuffle
from meldroom.game.state import State
from meldroom.game.views import View, view
from meldroom.rules.library import resolve
from meldroom.tiles import HIDDEN, Tile

QUICK = ("beginner", "club", "tournament")
"""Who plays on, from the weakest: levels that need no thought."""
LONGEST_GAME = 400


class LaidOffGames:
    """Games from one position; game n follows from the seed and n alone.

    `known` are the styles of seats about which there is no doubt; who else plays how is drawn for each game.
    """

    def __init__(
        self, position: View | Position, known: Mapping[int, Sequence[float]] | None = None, *, seed: str = ""
    ) -> None:
        given = (
            position if isinstance(position, Position) else Position.seen(position, resolve(position.book))
        )
        self.start = given.state()
        self.seed = seed
        tiles = given.book.tiles
        out = [*given.discards, *(tile for meld in given.melds for tile in meld.tiles)]
        shown = {tile for tile in (*out, *(tile for rack in given.racks for tile in rack)) if tile != HIDDEN}
        self._unseen = [tile for tile in map(Tile, range(tiles.size)) if tile not in shown]
        self._known = {
            seat: max(range(len(STYLES)), key=styles.__getitem__) for seat, styles in (known or {}).items()
        }

    def play(self, game: int) -> tuple[int, ...]:
        """Who wins a game; nobody if it does not end."""
        chance = Random(f"{self.seed} {game}")
        state = self._dealt(chance)
        players = [self._bot(seat, chance) for seat in range(len(state.players))]
        return self._played_on(state, players, Shuffle(f"{self.seed} {game}"))

    def after(self, game: int, action: Action) -> tuple[int, ...]:
        """Who wins a game that begins with an action of whoever is to move, who goes on as a strong player.

        Racks, stock and the other players of a game are the same for every action.
        """
        chance = Random(f"{self.seed} {game}")
        state = self._dealt(chance)
        players = [self._bot(seat, chance) for seat in range(len(state.players))]
        players[state.seat] = make_bot(QUICK[-1], self.start.book, seed=f"{self.seed} {state.seat}")
        shuffle = Shuffle(f"{self.seed} {game}")
        state, _ = apply_answer(state, action, shuffle)
        return self._played_on(state, players, shuffle)

    def _played_on(self, state: State, players: Sequence[Bot], shuffle: Shuffle) -> tuple[int, ...]:
        for _ in range(LONGEST_GAME):
            if state.over:
                break
            action = players[state.seat].act(view(state, state.seat), Clock())
            state, _ = apply_answer(state, action, shuffle)
        return () if state.result is None else state.result.winners

    def _bot(self, seat: int, chance: Random) -> Bot:
        style = self._known.get(seat)
        place = chance.randrange(len(QUICK)) if style is None else style * len(QUICK) // len(STYLES)
        return make_bot(QUICK[place], self.start.book, seed=f"{self.seed} {seat}")

    def _dealt(self, chance: Random) -> State:
        """The position with tiles in place of the hidden ones."""
        pile = list(self._unseen)
        chance.shuffle(pile)
        racks = tuple(
            tuple(pile.pop() if tile == HIDDEN else tile for tile in rack) for rack in self.start.racks
        )
        pool = tuple(pile.pop() for _ in self.start.pool)
        return msgspec.structs.replace(self.start, racks=racks, pool=pool)
