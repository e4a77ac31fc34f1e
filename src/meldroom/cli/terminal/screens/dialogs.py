"""Short questions, and pages to read, over the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from rich.console import RenderableType
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static


class Choice(NamedTuple):
    """An answer: the keys that give it, the first of them shown, its words, and what it stands for."""

    keys: tuple[str, ...]
    label: str
    answer: str


class Question(ModalScreen[str]):
    """Asks, and gives back the answer chosen by its key or a click.

    Escape is the last answer, and so are Ctrl+C and Ctrl+D where `interrupted` names no other.
    """

    CSS = """
    Question { align: center middle; }
    Question > Vertical {
        width: 72; max-width: 96%; height: auto; padding: 1 2; background: $panel; border: round $accent;
    }
    Question Static { height: auto; }
    Question .answers { margin-top: 1; link-style: bold; link-color: $accent; }
    """

    def __init__(self, text: str, choices: Sequence[Choice], *, interrupted: str | None = None) -> None:
        super().__init__()
        self.text = text
        self.choices = tuple(choices)
        self.interrupted = interrupted or self.choices[-1].answer

    def compose(self) -> ComposeResult:
        """The question, and a line for each answer."""
        with Vertical():
            yield Static(self.text, markup=False)
            lines = (
                f"[@click=screen.answer('{choice.answer}')]{choice.keys[0]}  {choice.label}[/]"
                for choice in self.choices
            )
            yield Static("\n".join(lines), classes="answers")

    def on_key(self, event: events.Key) -> None:
        """A key gives its answer."""
        event.stop()
        event.prevent_default()
        if event.key in ("ctrl+c", "ctrl+d"):
            self.dismiss(self.interrupted)
        elif event.key == "escape":
            self.dismiss(self.choices[-1].answer)
        else:
            for choice in self.choices:
                if event.key in choice.keys:
                    self.dismiss(choice.answer)
                    return

    def action_answer(self, answer: str) -> None:
        """An answer was clicked."""
        self.dismiss(answer)


class Page(ModalScreen[None]):
    """Something to read; any of the closing keys goes back."""

    CSS = """
    Page { align: center middle; }
    Page > Vertical { width: 82; max-width: 100%; height: 100%; background: $panel; }
    Page .title { text-style: bold; color: $accent; padding: 0 1; height: 1; }
    Page VerticalScroll { padding: 0 1; scrollbar-size-vertical: 1; }
    Page VerticalScroll Static { height: auto; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,enter,ctrl+c", "close", show=False),
        Binding("up", "scroll(-1)", show=False),
        Binding("down,space", "scroll(1)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
        Binding("pagedown", "scroll(10)", show=False),
    ]

    def __init__(self, title: str, text: RenderableType) -> None:
        super().__init__()
        self.heading = title
        self.text = text

    def compose(self) -> ComposeResult:
        """The title, and the text in a part that scrolls."""
        with Vertical():
            yield Static(self.heading, classes="title", markup=False)
            with VerticalScroll():
                yield Static(self.text, markup=False)

    def action_close(self) -> None:
        """Back to what was there before."""
        self.dismiss()

    def action_scroll(self, lines: int) -> None:
        """Read on, or back."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)
