"""The page after a game: scores with their reasons, the shuffle revealed, where the record is."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from meldroom.cli.terminal.result_text import Finish
from meldroom.cli.terminal.screens.themes import PLAIN, Inks
from meldroom.game import Match, MatchStanding
from meldroom.i18n import message


class FinalScreen(ModalScreen[str]):
    """Gives back `again`, `quit` or `look`."""

    CSS = """
    FinalScreen { align: center middle; }
    FinalScreen > Vertical { width: 100; max-width: 100%; height: 100%; background: $panel; }
    FinalScreen .title { text-style: bold; color: $accent; padding: 0 1; height: 1; }
    FinalScreen VerticalScroll { padding: 0 1; scrollbar-size-vertical: 1; }
    FinalScreen VerticalScroll Static { height: auto; }
    FinalScreen .keys { height: 1; padding: 0 1; link-style: bold; link-color: $accent; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("a", "answer('again')", show=False),
        Binding("q,ctrl+c,ctrl+d,ctrl+q", "answer('quit')", show=False, priority=True),
        Binding("escape", "answer('look')", show=False),
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
        Binding("pagedown,space", "scroll(10)", show=False),
    ]

    def __init__(
        self,
        finish: Finish,
        match: Match | None,
        standing: MatchStanding | None,
        file: Path,
        failure: str | None,
    ) -> None:
        super().__init__()
        self.finish = finish
        self.match = match
        self.standing = standing
        self.file = file
        self.failure = failure

    def compose(self) -> ComposeResult:
        """Title, the page, and the keys that lead on."""
        finish, inks = self.finish, Inks(self.finish.book, self.app.theme == PLAIN)
        lines = [_hanging(inks.sentence(line)) for line in finish.lines(self.match, self.standing)]
        lines += map(Text, ("", *finish.shuffle_lines()))
        lines += map(Text, ("", *finish.saved_lines(self.file, self.failure)))
        with Vertical():
            yield Static(finish.title(self.match), classes="title", markup=False)
            with VerticalScroll():
                yield Static(Group(*lines), markup=False)
            yield Static(self._keys(), classes="keys")

    def _keys(self) -> str:
        going_on = "again"
        if self.match is not None:
            going_on = "new_match" if self.match.over else "next"
        keys = (("again", going_on), ("look", "look"), ("quit", "quit"))
        language = self.finish.language
        return "   ".join(
            f"[@click=screen.answer('{answer}')]{message(f'terminal.final.{key}', language)}[/]"
            for answer, key in keys
        )

    def action_answer(self, answer: str) -> None:
        """Go on, look at the table, or leave."""
        self.dismiss(answer)

    def action_scroll(self, lines: int) -> None:
        """Read on, or back."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)


def _hanging(line: Text) -> RenderableType:
    """A line whose further rows begin where its first one does."""
    indent = len(line.plain) - len(line.plain.lstrip())
    return Padding(line[indent:], (0, 0, 0, indent)) if indent > 2 else line
