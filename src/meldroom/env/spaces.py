"""Gymnasium spaces for observations and action numbers, and the observation in either shape."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from meldroom.env.codecs.codec import Decision
from meldroom.env.episode import Episode, Settings
from meldroom.env.errors import check_choice
from meldroom.errors import needs

with needs("env"):
    from gymnasium import spaces

Form = Literal["array", "dict"]
FORMS: tuple[Form, ...] = ("array", "dict")


def observation_space(made: Settings, form: str) -> spaces.Space[Any]:
    """A Box, or a Dict with `action_mask` and, with that codec, `candidates` besides. Raises EnvError."""
    check_choice("observation", form, FORMS)
    array = spaces.Box(np.zeros_like(made.observer.high), made.observer.high, dtype=np.float32)
    if form == "array":
        return array
    parts: dict[str, spaces.Space[Any]] = {
        "observation": array,
        "action_mask": spaces.Box(0, 1, (made.codec.numbers,), np.int8),
    }
    if made.codec.feature_names:
        shape = (made.codec.numbers, len(made.codec.feature_names))
        parts["candidates"] = spaces.Box(0, made.codec.feature_bound, shape, np.float32)
    return spaces.Dict(parts)


def action_space(made: Settings) -> spaces.Discrete:
    """All action numbers."""
    return spaces.Discrete(made.codec.numbers)


def choices(made: Settings, decision: Decision | None) -> dict[str, Any]:
    """The mask and, with candidates, their features, as new arrays; zeros for a seat that is not to move."""
    arrays: dict[str, Any] = {
        "action_mask": np.zeros(made.codec.numbers, np.int8) if decision is None else decision.mask
    }
    if made.codec.feature_names:
        features = None if decision is None else decision.features
        shape = (made.codec.numbers, len(made.codec.feature_names))
        arrays["candidates"] = np.zeros(shape, np.float32) if features is None else features
    return arrays


def observed(episode: Episode, seat: int, form: str) -> Any:
    """The observation of a seat in the shape asked for."""
    seen = episode.observe(seat)
    if form == "array":
        return seen
    own = episode.decision if seat == episode.seat else None
    return {"observation": seen, **choices(episode.settings, own)}
