"""What several commands share: their common options and how they refuse a request."""

from __future__ import annotations

from typing import Annotated, NoReturn

import typer

from meldroom.i18n import Language
from meldroom.rules.library import BookError, OptionValue

Lang = Annotated[Language, typer.Option("--lang", help="The language of the answer.")]
JsonLines = Annotated[
    bool, typer.Option("--jsonl", help="Read JSON Lines on standard input, answer in JSON Lines.")
]


def refuse(command: str, message: str) -> NoReturn:
    """One clear line on standard error, and status 2."""
    typer.echo(f"meldroom {command}: {message}", err=True)
    raise typer.Exit(2)


def parse_options(given: list[str] | None) -> dict[str, OptionValue]:
    """`name=value` words as options of a book. Raises BookError."""
    options: dict[str, OptionValue] = {}
    for word in given or []:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise BookError("write an option as name=value", f"--option {word[:40]}")
        options[name] = option_value(value)
    return options


def option_value(text: str) -> OptionValue:
    """A word as what it looks like: yes or no, a whole number, or itself."""
    if text.lower() in ("true", "yes", "on"):
        return True
    if text.lower() in ("false", "no", "off"):
        return False
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text
