"""The page before a game: which book, how many bots and how each of them thinks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from meldroom.bots import LEVELS
from meldroom.cli.terminal.messages import Say, speaker
from meldroom.cli.terminal.series import chairs
from meldroom.cli.terminal.settings import DEFAULT_LEVEL, Settings
from meldroom.i18n import Language
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BOOK_IDS
from meldroom.rules.library import book as published

LABEL = 18


class ChoiceLine(Widget, can_focus=True):
    """A line with one of several choices, changed with the left and right arrows or a click."""

    class Changed(Message):
        """Another choice was made."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", show=False),
        Binding("right,space", "step(1)", show=False),
    ]

    DEFAULT_CSS = """
    ChoiceLine { height: 1; padding: 0 1; }
    ChoiceLine:focus { background: $panel; text-style: bold; color: $accent; }
    """

    def __init__(self, name: str, choices: Sequence[str], chosen: str) -> None:
        super().__init__(id=name)
        self.label = ""
        self.words: dict[str, str] = {}
        self.choices = tuple(choices)
        self.chosen = chosen

    def say(self, label: str, words: dict[str, str]) -> None:
        """Name the line and its choices in a language."""
        self.label, self.words = label, words
        self.refresh()

    def render(self) -> Text:
        """The label, and the choice between arrows."""
        here = "▸ " if self.has_focus else "  "
        text = self.words.get(self.chosen, self.chosen)
        shown = f"◂ {text} ▸" if len(self.choices) > 1 else text
        return Text(f"{here}{self.label:<{LABEL}}{shown}", no_wrap=True, overflow="ellipsis")

    def action_step(self, step: int) -> None:
        """The next choice, or the one before."""
        at = self.choices.index(self.chosen)
        self.chosen = self.choices[(at + step) % len(self.choices)]
        self.refresh()
        self.post_message(self.Changed())

    def on_click(self, event: events.Click) -> None:
        """A click on the left arrow goes back, anywhere else forward."""
        self.action_step(-1 if event.x in (LABEL + 2, LABEL + 3) else 1)


class StartScreen(Screen[Settings]):
    """Gives back the settings that were chosen."""

    CSS = """
    StartScreen { background: $background; }
    StartScreen Static { height: auto; padding: 0 1; }
    StartScreen VerticalScroll { scrollbar-size-vertical: 1; }
    StartScreen .title { text-style: bold; color: $accent; background: $panel; height: 1; }
    StartScreen #about { color: $secondary; padding-left: 21; height: 1; }
    StartScreen #deal { margin: 0 0 0 3; width: auto; link-style: bold reverse; link-color: $accent; }
    StartScreen #levels { margin-top: 1; }
    StartScreen #keys { dock: bottom; background: $panel; height: 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "app.focus_next", show=False),
        Binding("up", "app.focus_previous", show=False),
        Binding("enter", "deal", show=False),
        Binding("q,escape,ctrl+c,ctrl+q", "leave", show=False, priority=True),
    ]

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.language: Language = settings.language
        self.most = max(published(name).players.maximum for name in BOOK_IDS) - 1

    def compose(self) -> ComposeResult:
        """The choices, then every level with how it thinks."""
        levels, default = tuple(LEVELS), self.settings.levels[0] if self.settings.levels else DEFAULT_LEVEL
        yield Static(classes="title", id="title", markup=False)
        with VerticalScroll(can_focus=False):
            yield ChoiceLine("book", BOOK_IDS, self.settings.book.id)
            yield Static(id="about", markup=False)
            numbers = tuple(str(number) for number in range(1, self.most + 1))
            yield ChoiceLine("opponents", numbers, str(len(self.settings.levels)))
            for number in range(1, self.most + 1):
                given = self.settings.levels[number - 1 : number]
                yield ChoiceLine(f"level{number}", levels, given[0] if given else default)
            yield ChoiceLine("hints", ("on", "off"), "on" if self.settings.hints else "off")
            yield ChoiceLine("clock", ("off", "on"), "on" if self.settings.clock else "off")
            yield ChoiceLine("language", ("en", "fr"), self.language)
            yield Static(id="deal")
            yield Static(id="levels", markup=False)
        yield Static(id="keys", markup=False)

    def on_mount(self) -> None:
        """The first line has the focus."""
        self._speak()
        self.query_one("#book").focus()

    def on_choice_line_changed(self) -> None:
        """Words and lines follow the choices."""
        self._speak()

    def _chosen(self, name: str) -> str:
        return self.query_one(f"#{name}", ChoiceLine).chosen

    def _book(self) -> RuleBook:
        chosen = self._chosen("book")
        return self.settings.book if chosen == self.settings.book.id else published(chosen)

    def _speak(self) -> None:
        """Everything in the chosen language."""
        self.language = "fr" if self._chosen("language") == "fr" else "en"
        say, language, book = speaker(self.language), self.language, self._book()
        self.query_one("#title", Static).update(say("start.title"))
        self._say_choices(say, language, book)
        key = "start.about_run" if book.opening.run_required else "start.about"
        tiles = book.tiles
        about = say(
            key,
            points=book.opening.points,
            colours=len(tiles.colours),
            numbers=tiles.numbers,
            jokers=tiles.jokers,
        )
        self.query_one("#about", Static).update(about)
        self.query_one("#deal", Static).update(f"[@click=screen.deal] {say('start.play')} [/]")
        self.query_one("#keys", Static).update(say("start.keys"))
        lines = Text(say("start.levels"), style="bold")
        for level in LEVELS.values():
            lines.append("\n" + say("start.level", name=level.name[language]) + " ", style="bold")
            lines.append(level.thinks[language], style="not bold")
        self.query_one("#levels", Static).update(lines)

    def _say_choices(self, say: Say, language: Language, book: RuleBook) -> None:
        line = {each.id: each for each in self.query(ChoiceLine)}
        line["book"].say(say("start.book"), {name: published(name).name[language] for name in BOOK_IDS})
        line["opponents"].say(say("start.opponents"), {})
        names = chairs(self._person(), [DEFAULT_LEVEL] * self.most)
        for number in range(1, self.most + 1):
            levels = {name: level.name[language] for name, level in LEVELS.items()}
            line[f"level{number}"].say(say("start.opponent", name=names[number].name), levels)
            line[f"level{number}"].display = number <= int(self._chosen("opponents"))
        on_off = {"on": say("start.on"), "off": say("start.off")}
        line["hints"].say(say("start.hints"), on_off)
        seconds = book.clock.seconds
        none = {"on": say("start.no_clock"), "off": say("start.no_clock")}
        timed = {"on": say("start.seconds", seconds=seconds), "off": say("start.off")}
        line["clock"].say(say("start.clock"), timed if seconds else none)
        languages: tuple[Language, ...] = ("en", "fr")
        line["language"].say(
            say("start.language"), {one: speaker(one)("start.language_name") for one in languages}
        )

    def _person(self) -> str:
        return self.settings.name or ""

    def action_deal(self) -> None:
        """Play with what is chosen."""
        book = self._book()
        count = int(self._chosen("opponents"))
        levels = tuple(self._chosen(f"level{number}") for number in range(1, count + 1))
        self.dismiss(
            replace(
                self.settings,
                book=book,
                levels=levels,
                language=self.language,
                hints=self._chosen("hints") == "on",
                clock=self._chosen("clock") == "on" and book.clock.seconds > 0,
            )
        )

    def action_leave(self) -> None:
        """Nothing is played."""
        self.app.exit()
