"""A policy that chooses numbers as a bot that answers with actions: for self-play, and for the arena."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meldroom.bots import Bot, Clock
from meldroom.env.codecs.codec import Decision
from meldroom.env.episode import Settings
from meldroom.env.errors import EnvError
from meldroom.env.observation import Array
from meldroom.game import View
from meldroom.game.actions import Action

Policy = Callable[[Array, NDArray[np.int8], "NDArray[np.float32] | None"], "int | np.integer[Any]"]
"""Chooses a number from an observation, a mask and, with candidates, their features."""


class PolicyBot:
    """Asks a policy as often as a turn needs it."""

    def __init__(self, made: Settings, policy: Policy) -> None:
        self._settings, self._policy = made, policy

    def act(self, view: View, clock: Clock) -> Action:
        """The action that the policy's numbers come to."""
        following: Decision | Action = self._settings.codec.begin(view)
        for _ in range(self._settings.codec.longest_turn):
            if isinstance(following, Action):
                return following
            seen = self._settings.observer.observe(view, following)
            number = self._policy(seen, following.mask, following.features)
            following = following.after(int(number))
        if isinstance(following, Action):
            return following
        raise EnvError("endless_turn")


def self_play(made: Settings, policy: Policy) -> Callable[[int, str], Bot]:
    """Opponents that all follow one policy, for `opponents=` of the Gymnasium environment."""
    return lambda seat, seed: PolicyBot(made, policy)
