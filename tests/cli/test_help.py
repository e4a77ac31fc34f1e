"""The help of every command: a sentence for each option, and examples."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command

from meldroom.cli.app import app


def walk(command: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every command that does something, by its words."""
    subcommands = getattr(command, "commands", None)
    if subcommands is None:
        yield path, command
        return
    for name, each in subcommands.items():
        yield from walk(each, f"{path} {name}".strip())


COMMANDS = dict(walk(get_command(app())))


def test_there_are_many_commands() -> None:
    assert len(COMMANDS) > 30


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_a_help_text(name: str) -> None:
    bare = [each.opts for each in COMMANDS[name].params if not getattr(each, "help", None)]
    assert not bare


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_examples_of_itself(name: str) -> None:
    assert "Example" in COMMANDS[name].help
    said = "arena" if name == "arena run" else name  # an experiment is played without saying `run`
    assert f"meldroom {said}" in COMMANDS[name].help


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_takes_a_language(name: str) -> None:
    assert any("--lang" in each.opts for each in COMMANDS[name].params)
