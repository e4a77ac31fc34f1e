"""Gymnasium's vector environment: many games at once in the kernel, each as `MeldroomEnv` plays it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meldroom.env.episode import Settings, settings
from meldroom.env.errors import EnvError, check_choice
from meldroom.env.kernel_games import OPPONENTS, KernelGames
from meldroom.env.spaces import action_space, observation_space
from meldroom.errors import needs
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BookLike
from meldroom.solver.kernel.engine import fits

with needs("env"):
    from gymnasium.utils import seeding
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

_ROOM = 160
_MOST = 2


class MeldroomVectorEnv(VectorEnv[Any, Any, Any]):
    """Many games of one learner each. The same seeds and actions give what `MeldroomEnv` gives, game by game.

    After a game has ended the next step deals a new one and uses no action (`AutoresetMode.NEXT_STEP`).
    """

    def __init__(
        self,
        num_envs: int = 64,
        book: BookLike = "tml",
        players: int = 2,
        *,
        opponents: str | Sequence[str] = "tournament",
        seat: int | None = None,
        slots: int | None = None,
        reward: str = "score",
        shaping: float = 0.0,
        observation: str = "array",
        threads: int = 1,
    ) -> None:
        """Settings as in `MeldroomEnv`; numbers that a mask forbids are replaced by the lowest allowed one.

        `threads` changes how fast games are stepped, and nothing else. Raises EnvError or BookError.
        """
        self.settings: Settings = settings(book, players, slots=slots, reward=reward, shaping=shaping)
        check_book(self.settings.book)
        if num_envs < 1 or threads < 1:
            raise EnvError(
                "count", "num_envs" if num_envs < 1 else "threads", given=str(min(num_envs, threads))
            )
        if seat is not None and not 0 <= seat < players:
            raise EnvError("seat", "seat", given=str(seat), last=players - 1)
        self.num_envs = num_envs
        self.learner = seat
        self.form = observation
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, **self.settings.metadata}
        self.single_observation_space = observation_space(self.settings, observation)
        self.single_action_space = action_space(self.settings)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._levels = _levels(opponents, players)
        self._random: list[np.random.Generator] = [seeding.np_random(None)[0] for _ in range(num_envs)]
        self._over = np.ones(num_envs, bool)
        self._games = KernelGames(self.settings, num_envs, threads)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """New games up to each learner's first decision; each game's seed is one more than the one before."""
        seeds = [seed + game for game in range(self.num_envs)] if isinstance(seed, int) else seed
        for game, given in enumerate(seeds if seeds is not None else [None] * self.num_envs):
            if given is not None:
                self._random[game] = seeding.np_random(given)[0]
        self._over[:] = True
        chosen = options or {}
        self._play(np.ones(self.num_envs, bool), chosen.get("seat"), chosen.get("starter"))
        return self._seen(), self._info()

    def _play(self, fresh: NDArray[np.bool_], seat: int | None = None, starter: int | None = None) -> None:
        """Deals some games, and plays on in all; a game that ends before its learner moves is dealt again."""
        asked = self.learner if seat is None else seat
        waiting = fresh.copy()
        while True:
            for game in np.flatnonzero(waiting).tolist():
                self._deal(game, asked, starter)
            self._games.run()
            self._over = self._games.over()
            waiting &= self._over
            if not waiting.any():
                return

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """One choice in each game, and everything up to the next one."""
        games, fresh = self._games, self._over.copy()
        illegal = np.zeros(self.num_envs, bool)
        for game, number in enumerate(np.asarray(actions).tolist()):
            if not fresh[game]:
                illegal[game] = not games.act(game, number)
        self._play(fresh)
        rewards = np.zeros(self.num_envs)
        for game in range(self.num_envs):
            if not fresh[game]:
                rewards[game] = self._reward(game)
        info = self._info()
        if not fresh.all():
            info |= {"illegal": illegal, "_illegal": ~fresh}
        return self._seen(), rewards, self._over.copy(), np.zeros(self.num_envs, bool), info

    def _deal(self, game: int, seat: int | None, starter: int | None) -> None:
        """A new game by the game's own generator, as `MeldroomEnv.reset` deals it."""
        chance, players = self._random[game], self.settings.players
        secret = f"seed {int(chance.integers(2**62))}"
        drawn = int(chance.integers(players))
        learner = drawn if seat is None else int(seat)
        if not 0 <= learner < players:
            raise EnvError("seat", "seat", given=str(learner), last=players - 1)
        self._games.deal(game, secret, learner, starter, self._levels)

    def _reward(self, game: int) -> float:
        earned = self.settings.shaping * self._games.earned(game)
        if self._over[game]:
            scores, won, learner = self._games.result(game)
            if self.settings.reward == "score":
                earned += scores[learner]
            elif won[learner]:
                earned += 1 / sum(won)
        return earned

    def _seen(self) -> Any:
        games = self._games
        if self.form == "array":
            return games.seen.copy()
        return {"observation": games.seen.copy(), **self._choices()}

    def _choices(self) -> dict[str, Any]:
        games = self._games
        return {"action_mask": games.mask.copy(), "candidates": games.features.copy()}

    def _info(self) -> dict[str, Any]:
        """What `MeldroomEnv` tells, in arrays; `_key` says which games have a key."""
        everywhere = np.ones(self.num_envs, bool)
        info: dict[str, Any] = {**self._choices(), "seat": self._games.learners()}
        info |= {f"_{key}": everywhere.copy() for key in tuple(info)}
        if self._over.any():
            ends, sheets = np.full(self.num_envs, None, object), np.full(self.num_envs, None, object)
            wins = np.zeros(self.num_envs, bool)
            for game in np.flatnonzero(self._over).tolist():
                scores, won, learner = self._games.result(game)
                ends[game] = self._games.ending(game)
                sheets[game], wins[game] = scores, won[learner]
            for key, values in (("end", ends), ("scores", sheets), ("won", wins)):
                info |= {key: values, f"_{key}": self._over.copy()}
        return info

    def action_masks(self) -> NDArray[np.bool_]:
        """The masks as libraries for masked policies ask for them."""
        return self._games.mask.astype(bool)

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the threads."""
        self._games.close()


def check_book(book: RuleBook) -> None:
    """Raises EnvError for a book that the kernel does not play."""
    tiles = book.tiles
    exact = (
        book.family == "rearranging"
        and book.jokers.reuse == "any_set"
        and fits(book)
        and tiles.copies <= _MOST
        and tiles.jokers <= _MOST
        and tiles.size + tiles.size // book.sets.shortest <= _ROOM
        and not book.opening.run_required
        and book.opening.joker_value == "represented"
        and book.scoring.winner == "opponents"
        and book.scoring.exhausted != "all_minus"
    )
    if not exact:
        raise EnvError("vector_book", "book", book=book.id)


def _levels(opponents: str | Sequence[str], players: int) -> list[int]:
    """The kernel's number of each opponent's level. Raises EnvError."""
    names = [opponents] * (players - 1) if isinstance(opponents, str) else list(opponents)
    if len(names) != players - 1:
        raise EnvError("opponents", "opponents", given=len(names), count=players - 1)
    for name in names:
        check_choice("opponents", name, OPPONENTS)
    return [OPPONENTS.index(name) for name in names]
