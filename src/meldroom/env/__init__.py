"""Environments for learning programs: PettingZoo, Gymnasium and OpenSpiel, with frozen encodings.

Importing this package loads none of the three; each function loads the one it is about.

>>> env = aec_env("wrc11", players=2)
>>> env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.last()
>>> int(info["action_mask"].sum()) >= 1
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from meldroom.env.errors import EnvError
from meldroom.env.versions import ACTION_VERSION, OBSERVATION_VERSION
from meldroom.errors import MissingExtraError

if TYPE_CHECKING:
    from meldroom.env.gym import MeldroomEnv
    from meldroom.env.petting_zoo import MeldroomAEC
    from meldroom.env.vector import MeldroomVectorEnv
    from meldroom.rules.library import BookLike

__all__ = [
    "ACTION_VERSION",
    "OBSERVATION_VERSION",
    "EnvError",
    "MissingExtraError",
    "aec_env",
    "gym_env",
    "open_spiel_game",
    "vector_env",
]


def aec_env(book: BookLike = "wrc11", players: int = 2, **options: Any) -> MeldroomAEC:
    """A PettingZoo environment; options as in `meldroom.env.petting_zoo.MeldroomAEC`."""
    from meldroom.env.petting_zoo import MeldroomAEC

    return MeldroomAEC(book, players, **options)


def gym_env(book: BookLike = "wrc11", players: int = 2, **options: Any) -> MeldroomEnv:
    """A Gymnasium environment; options as in `meldroom.env.gym.MeldroomEnv`."""
    from meldroom.env.gym import MeldroomEnv

    return MeldroomEnv(book, players, **options)


def vector_env(num_envs: int, book: BookLike = "tml", players: int = 2, **options: Any) -> MeldroomVectorEnv:
    """Gymnasium's vector environment; options as in `meldroom.env.vector.MeldroomVectorEnv`."""
    from meldroom.env.vector import MeldroomVectorEnv

    return MeldroomVectorEnv(num_envs, book, players, **options)


def open_spiel_game(book: BookLike = "wrc11", players: int = 2, **options: Any) -> Any:
    """An OpenSpiel game, registered if need be; options as in `meldroom.env.open_spiel.load`."""
    from meldroom.env.open_spiel import load

    return load(book, players, **options)
