"""The Gymnasium environment passes Gymnasium's checker, plays bots and itself, and keeps to its seed."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from numpy.typing import NDArray

from meldroom.bots import Clock
from meldroom.env import EnvError, gym_env
from meldroom.env.episode import settings
from meldroom.env.gym import MeldroomEnv, register
from meldroom.env.policy_bot import PolicyBot, self_play
from meldroom.game import events as ev
from meldroom.rules.library import BOOK_IDS
from tests.env.tables import SMALL, TINY


def last_allowed(
    observation: NDArray[np.float32], mask: NDArray[np.int8], features: NDArray[np.float32] | None
) -> int:
    """A policy: the last number that the mask allows, so that something is laid."""
    return int(np.flatnonzero(mask)[-1])


def own_kind(book: Any, players: int, **options: Any) -> Any:
    """Opponents that follow the policy above."""
    return self_play(settings(book, players, **options), last_allowed)


def play(env: MeldroomEnv, seed: int) -> tuple[float, dict[str, Any], int]:
    """A game by the policy above: sum of rewards, last info, decisions."""
    observation, info = env.reset(seed=seed)
    total, ended, decisions = 0.0, False, 0
    while not ended:
        assert env.observation_space.contains(observation)
        number = last_allowed(observation, info["action_mask"], None)
        observation, reward, terminated, truncated, info = env.step(number)
        total, ended, decisions = total + reward, terminated or truncated, decisions + 1
    return total, info, decisions


@pytest.mark.parametrize("form", ["array", "dict"])
@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_the_checker_of_gymnasium_finds_nothing(book_id: str, form: str) -> None:
    (name,) = [name for name in register() if f"/{book_id}-" in name]
    check_env(gymnasium.make(name, observation=form).unwrapped)
    check_env(gymnasium.make(name, observation=form, codec="tiles").unwrapped)


@pytest.mark.parametrize(("book_id", "players"), [("wrc11", 2), ("tml", 4), ("rummyo", 3)])
def test_a_learner_plays_bots_to_the_end(book_id: str, players: int) -> None:
    env = gym_env(book_id, players, opponents="tournament", seat=1)
    total, info, _ = play(env, 7)
    assert total == info["scores"][1]
    assert env.episode.state.result is not None
    assert info["won"] == (1 in env.episode.state.result.winners)
    assert not any(isinstance(event, ev.Penalised) for event in env.episode.game.events)
    assert play(env, 7)[0] == total


def test_a_learner_plays_its_own_kind_in_every_book() -> None:
    for book, players in (("rummyo", 2), ("tml", 3), (next(iter(TINY.values())), 2)):
        for codec in ("candidates", "tiles"):
            env = gym_env(book, players, codec=codec, opponents=own_kind(book, players, codec=codec))
            total, info, _ = play(env, 3)
            assert total == info["scores"][info["seat"]]


def test_a_policy_bot_answers_a_view_with_the_same_action_as_the_environment() -> None:
    made = settings(SMALL["the kernel's, new_set"], 2, codec="tiles")
    env = gym_env(made.book, 2, codec="tiles", opponents=self_play(made, last_allowed), seat=0)
    env.reset(seed=1, options={"starter": 0})
    seen = env.episode.view()
    action = PolicyBot(made, last_allowed).act(seen, Clock())
    before = len(env.episode.state.racks[0])
    while env.episode.seat == 0 and sum(env.episode.state.turns) == 0:
        env.step(last_allowed(np.zeros(1, np.float32), env.episode.decision.mask, None))  # type: ignore[union-attr]
    assert action.seat == 0
    assert len(env.episode.state.racks[0]) != before


def test_a_forbidden_number_is_replaced_and_told_or_refused() -> None:
    env = gym_env("wrc11", 2, seat=0)
    _, info = env.reset(seed=1, options={"starter": 0})
    assert info["action_mask"].tolist() == env.action_masks().astype(int).tolist()
    assert env.step(31)[4]["illegal"]
    assert not env.step(0)[4]["illegal"]
    strict = gym_env("wrc11", 2, illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(EnvError, match="the mask allows"):
        strict.step(31)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"opponents": ["club"]}, "1 given, but 2 sit"),
        ({"opponents": "grandmaster"}, "choose one of beginner"),
        ({"seat": 3}, "0 to 2"),
        ({"observation": "list"}, "choose one of array and dict"),
        ({"illegal": "ignore"}, "choose one of replace and raise"),
    ],
)
def test_a_table_that_cannot_be_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(EnvError, match=words):
        gym_env("wrc11", 3, **options)
