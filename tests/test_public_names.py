"""The public library: every name is there, and so is every action and event that a program may meet."""

from __future__ import annotations

from typing import get_args

import pytest

import meldroom
from meldroom.game.actions import Action
from meldroom.game.events import Event


@pytest.mark.parametrize("name", [name for name in meldroom.__all__ if name != "__version__"])
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(meldroom, name) is not None


@pytest.mark.parametrize("kind", get_args(Action))
def test_every_action_is_public(kind: type) -> None:
    assert kind.__name__ in meldroom.__all__
    assert getattr(meldroom, kind.__name__) is kind


@pytest.mark.parametrize("kind", get_args(Event))
def test_every_event_is_public(kind: type) -> None:
    assert getattr(meldroom.events, kind.__name__) is kind


def test_the_first_paragraph_names_no_extra() -> None:
    """Everything that the library needs is installed with it."""
    assert "meldroom[" not in (meldroom.__doc__ or "")
    assert "extra" not in (meldroom.__doc__ or "")
