"""Tiles on a terminal: coloured where there is colour, and always with the colour's letter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from meldroom.i18n import Language, message
from meldroom.rules.book import RuleBook
from meldroom.tiles import Face

_TERMINAL_INKS = {"K": "bold", "R": "bold red", "B": "bold blue", "O": "bold yellow"}


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise  # the group of commands ends the program, with the same status for every command


def console(*, soft_wrap: bool = True) -> Console:
    """The standard output, plain when it is not a terminal."""
    return _Console(highlight=False, soft_wrap=soft_wrap)


def tiles_text(rules: RuleBook, faces: Iterable[Face]) -> Text:
    """Some tiles, separated by spaces."""
    text = Text()
    for index, face in enumerate(faces):
        if index:
            text.append(" ")
        name = rules.tiles.face_names[face]
        text.append(name, style=_TERMINAL_INKS.get(name[0], "bold magenta"))
    return text


def sentence_text(sentence: str) -> Text:
    """A sentence with the tiles it names in their colours."""
    text = Text(sentence)
    for letter, ink in _TERMINAL_INKS.items():
        text.highlight_regex(rf"\b{letter}[0-9]+\b", ink)
    text.highlight_regex(r"\*", "bold magenta")
    return text


def table_text(rules: RuleBook, table: Sequence[Sequence[Face]], language: Language) -> Text:
    """A table: sets separated by bars."""
    if not table:
        return Text(message("cli.table.empty", language), style="dim")
    return Text(" | ", style="dim").join(tiles_text(rules, faces) for faces in table)
