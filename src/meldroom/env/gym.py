"""Gymnasium: one learner at a table of bots, or of copies of itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meldroom.bots import Bot, make_bot
from meldroom.bots.levels import LEVELS
from meldroom.env.compiling import compile_first
from meldroom.env.episode import Episode, Settings, position_text, settings
from meldroom.env.errors import EnvError, check_choice
from meldroom.env.spaces import action_space, choices, observation_space, observed
from meldroom.env.versions import OBSERVATION_VERSION
from meldroom.errors import needs
from meldroom.rules.library import BookLike

with needs("env"):
    import gymnasium

RENDER_MODES = ("ansi", "human")

Opponents = str | Sequence[str] | Callable[[int, str], Bot]
"""A level of the ladder, one for each other seat, or a maker of bots from a seat and a seed."""


class MeldroomEnv(gymnasium.Env[Any, Any]):
    """A game of one learner against bots. Between two of its decisions the others play.

    The mask is in `info["action_mask"]` (and `action_masks()`), the features of candidates in
    `info["candidates"]`; with `observation="dict"` both are in the observation as well.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        book: BookLike = "wrc11",
        players: int = 2,
        *,
        opponents: Opponents = "tournament",
        seat: int | None = None,
        illegal: str = "replace",
        codec: str = "candidates",
        slots: int | None = None,
        reward: str = "score",
        shaping: float = 0.0,
        turn_limit: int | None = None,
        observation: str = "array",
        render_mode: str | None = None,
    ) -> None:
        """Settings as in `meldroom.env.episode.settings`; `seat` is the learner's, drawn each game if None.

        A number that the mask forbids is replaced by the lowest allowed one, which `info["illegal"]` tells;
        with `illegal="raise"` it raises EnvError. Raises EnvError or BookError.
        """
        self.settings: Settings = settings(
            book, players, codec=codec, slots=slots, reward=reward, shaping=shaping, turn_limit=turn_limit
        )
        check_choice("illegal", illegal, ("replace", "raise"))
        if render_mode is not None:
            check_choice("render_mode", render_mode, RENDER_MODES)
        if seat is not None and not 0 <= seat < players:
            raise EnvError("seat", "seat", given=str(seat), last=players - 1)
        self.opponents = _makers(opponents, self.settings)
        self.learner = seat
        self.illegal = illegal
        self.form = observation
        self.render_mode = render_mode
        self.metadata = {**self.metadata, **self.settings.metadata}
        self.observation_space = observation_space(self.settings, observation)
        self.action_space = action_space(self.settings)
        compile_first()
        self._episode: Episode | None = None
        self._seat = 0
        self._bots: dict[int, Bot] = {}

    @property
    def episode(self) -> Episode:
        """The game in progress. Raises EnvError before the first reset."""
        if self._episode is None:
            raise EnvError("no_game")
        return self._episode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """A new game, up to the learner's first decision. `options` may say `starter` and `seat`."""
        super().reset(seed=seed)
        chosen = options or {}
        while True:
            self._deal(chosen.get("seat", self.learner), chosen.get("starter"))
            if not self.episode.over:  # In a tiny book a bot can go out before the learner's first turn.
                break
        return observed(self.episode, self._seat, self.form), self._info()

    def _deal(self, asked: int | None, starter: int | None) -> None:
        """One more game by this environment's generator, up to the learner's first decision."""
        secret = f"seed {int(self.np_random.integers(2**62))}"
        drawn = int(self.np_random.integers(self.settings.players))
        self._seat = drawn if asked is None else int(asked)
        if not 0 <= self._seat < self.settings.players:
            raise EnvError("seat", "seat", given=str(self._seat), last=self.settings.players - 1)
        others = [seat for seat in range(self.settings.players) if seat != self._seat]
        self._bots = {
            seat: make(seat, f"{secret} seat {seat}")
            for seat, make in zip(others, self.opponents, strict=True)
        }
        self._episode = Episode(self.settings, secret, starter)
        self._let_others_play()

    def step(self, action: int | np.integer[Any]) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The learner's choice, and everything up to its next one."""
        episode = self.episode
        number, illegal = int(action), False
        if episode.decision is not None and self.illegal == "replace":
            mask = episode.decision.mask
            illegal = not (0 <= number < len(mask) and mask[number])
            number = int(np.argmax(mask)) if illegal else number
        earned = episode.step(number)
        self._let_others_play()
        if episode.over:
            earned += episode.final_rewards()[self._seat]
        info = {**self._info(), "illegal": illegal}
        ended = episode.over
        seen = observed(episode, self._seat, self.form)
        return seen, float(earned), ended and not episode.truncated, ended and episode.truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask as libraries for masked policies ask for it."""
        decision = self.episode.decision
        return np.zeros(self.settings.codec.numbers, bool) if decision is None else decision.mask.astype(bool)

    def _let_others_play(self) -> None:
        """The bots move until it is the learner's turn, or the game is over; judged as anybody is."""
        episode = self.episode
        while not episode.over and episode.seat != self._seat:
            episode.ask(self._bots[episode.seat])

    def _info(self) -> dict[str, Any]:
        episode = self.episode
        info: dict[str, Any] = {**choices(self.settings, episode.decision), "seat": self._seat}
        result = episode.state.result
        if result is not None:
            info |= {"end": result.end, "scores": list(result.scores), "won": self._seat in result.winners}
        return info

    def render(self) -> str | None:
        """The game as the learner sees it: printed (`human`) or returned (`ansi`)."""
        text = position_text(self.episode, self._seat)
        if self.render_mode == "human":
            print(text)  # noqa: T201
            return None
        return text

    def close(self) -> None:
        """Forgets the game."""
        self._episode = None


def _makers(opponents: Opponents, made: Settings) -> list[Callable[[int, str], Bot]]:
    """One maker of bots for each other seat. Raises EnvError."""
    others = made.players - 1
    if callable(opponents):
        return [opponents] * others
    levels = [opponents] * others if isinstance(opponents, str) else list(opponents)
    if len(levels) != others:
        raise EnvError("opponents", "opponents", given=len(levels), count=others)
    for level in levels:
        check_choice("opponents", level, tuple(LEVELS))

    def maker(level: str) -> Callable[[int, str], Bot]:
        return lambda seat, seed: make_bot(level, made.book, seed=seed)

    return [maker(level) for level in levels]


def register() -> list[str]:
    """Makes `gymnasium.make("meldroom/wrc11-v1")` and the like known; returns the ids."""
    from meldroom.rules.library import BOOK_IDS

    ids = []
    for book_id in BOOK_IDS:
        name = f"meldroom/{book_id}-v{OBSERVATION_VERSION}"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="meldroom.env.gym:MeldroomEnv",
                vector_entry_point="meldroom.env.vector:MeldroomVectorEnv",
                kwargs={"book": book_id},
            )
        ids.append(name)
    return ids
