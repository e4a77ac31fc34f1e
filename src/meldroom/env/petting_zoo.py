"""PettingZoo: a game as an AEC environment, every seat an agent."""

from __future__ import annotations

from typing import Any

import numpy as np

from meldroom.env.compiling import compile_first
from meldroom.env.episode import Episode, position_text, settings
from meldroom.env.errors import EnvError, check_choice
from meldroom.env.spaces import action_space, choices, observation_space, observed
from meldroom.env.versions import OBSERVATION_VERSION
from meldroom.errors import needs
from meldroom.rules.library import BookLike

with needs("env"):
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv  # type: ignore[import-untyped]

RENDER_MODES = ("human", "ansi")


class MeldroomAEC(AECEnv):  # type: ignore[misc]
    """A game of two to four agents, `player_0` to `player_3` in seat order.

    The agent to move has its action mask in `infos[agent]["action_mask"]`, and the features of its candidates
    in `infos[agent]["candidates"]`; with `observation="dict"` both are in the observation instead.
    """

    def __init__(
        self,
        book: BookLike = "wrc11",
        players: int = 2,
        *,
        codec: str = "candidates",
        slots: int | None = None,
        reward: str = "score",
        shaping: float = 0.0,
        turn_limit: int | None = None,
        observation: str = "array",
        render_mode: str | None = None,
    ) -> None:
        """Settings as in `meldroom.env.episode.settings`. Raises EnvError or BookError."""
        super().__init__()
        self.settings = settings(
            book, players, codec=codec, slots=slots, reward=reward, shaping=shaping, turn_limit=turn_limit
        )
        if render_mode is not None:
            check_choice("render_mode", render_mode, RENDER_MODES)
        compile_first()
        self.render_mode = render_mode
        self.form = observation
        self.metadata = {
            "name": f"meldroom_{self.settings.book.id}_v{OBSERVATION_VERSION}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            **self.settings.metadata,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.observation_spaces = {
            agent: observation_space(self.settings, observation) for agent in self.possible_agents
        }
        self.action_spaces = {agent: action_space(self.settings) for agent in self.possible_agents}
        self.agents: list[str] = []
        self._random = seeding.np_random(None)[0]
        self._episode: Episode | None = None

    def __str__(self) -> str:
        return str(self.metadata["name"])

    @property
    def episode(self) -> Episode:
        """The game in progress. Raises EnvError before the first reset."""
        if self._episode is None:
            raise EnvError("no_game")
        return self._episode

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's action numbers."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. Everything follows from the seed; without one, from the game before.

        `options={"starter": seat}` says who begins; otherwise tiles are turned over for it.
        """
        if seed is not None:
            self._random = seeding.np_random(seed)[0]
        secret = f"seed {int(self._random.integers(2**62))}"
        self._episode = Episode(self.settings, secret, (options or {}).get("starter"))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._turn_to_move()

    def observe(self, agent: str) -> Any:
        """What an agent sees."""
        return observed(self.episode, self.possible_agents.index(agent), self.form)

    def step(self, action: int | np.integer[Any] | None) -> None:
        """Takes an action number for `agent_selection`; None once it is terminated or truncated.

        Raises EnvError if the mask forbids the number; nothing has happened then.
        """
        episode = self.episode
        if not self.agents:
            raise EnvError("over")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise EnvError("no_action", agent=agent)
        earned = episode.step(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.rewards[agent] = earned
        if episode.over:
            for each, final in zip(self.possible_agents, episode.final_rewards(), strict=True):
                self.rewards[each] += final
                self.terminations[each] = not episode.truncated
                self.truncations[each] = episode.truncated
        self._accumulate_rewards()
        self._turn_to_move()
        if self.render_mode == "human":
            self.render()

    def _turn_to_move(self) -> None:
        """Selects the agent to move and tells it what it may do."""
        episode = self.episode
        if episode.state.result is not None:
            ending = {"end": episode.state.result.end, "scores": list(episode.state.result.scores)}
            self.infos = {agent: dict(ending) for agent in self.agents}
            return
        self.agent_selection = self.possible_agents[episode.seat]
        self.infos = {agent: {} for agent in self.agents}
        if self.form == "array":
            self.infos[self.agent_selection] = choices(self.settings, episode.decision)

    def render(self) -> str | None:
        """The game as the seat to move sees it: printed (`human`) or returned (`ansi`)."""
        text = position_text(self.episode)
        if self.render_mode == "human":
            print(text)  # noqa: T201
            return None
        return text

    def close(self) -> None:
        """Forgets the game."""
        self._episode = None
