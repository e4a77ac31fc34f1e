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
from textual.message import Message as TextualMessage
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from meldroom.bots import DEFAULT_LEVEL, LEVELS
from meldroom.bots.levels import listed_as, listed_levels
from meldroom.cli.terminal.series import chairs
from meldroom.cli.terminal.settings import Settings
from meldroom.i18n import Language, Message, languages, locale, message
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BOOK_IDS
from meldroom.rules.library import book as published

LABEL = 18


class ChoiceLine(Widget, can_focus=True):
    """A line with one of several choices, changed with the left and right arrows or a click."""

    class Changed(TextualMessage):
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

    def offer(self, choices: Sequence[str], chosen: str) -> None:
        """Other choices, as after another line was changed."""
        self.choices, self.chosen = tuple(choices), chosen

    def name_as(self, label: str, words: dict[str, str]) -> None:
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
        Binding("q,escape,ctrl+c,ctrl+d,ctrl+q", "leave", show=False, priority=True),
    ]

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.language: Language = settings.language
        self.most = max(published(name).players.maximum for name in BOOK_IDS) - 1

    def compose(self) -> ComposeResult:
        """The choices, then how the chosen levels think."""
        levels, default = (
            listed_levels(self.settings.book),
            self.settings.levels[0] if self.settings.levels else DEFAULT_LEVEL,
        )
        yield Static(classes="title", id="title", markup=False)
        with VerticalScroll(can_focus=False):
            yield ChoiceLine("book", BOOK_IDS, self.settings.book.id)
            yield Static(id="about", markup=False)
            numbers = tuple(str(number) for number in range(1, self.most + 1))
            yield ChoiceLine("opponents", numbers, str(len(self.settings.levels)))
            for number in range(1, self.most + 1):
                given = self.settings.levels[number - 1 : number]
                level = listed_as(given[0] if given else default, self.settings.book)
                yield ChoiceLine(f"level{number}", levels, level)
            yield ChoiceLine("hints", ("on", "off"), "on" if self.settings.hints else "off")
            yield ChoiceLine("clock", ("off", "on"), "on" if self.settings.clock else "off")
            yield ChoiceLine("language", languages(), self.language)
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

    def _levels(self) -> tuple[str, ...]:
        """The levels of the opponents who play."""
        return tuple(self._chosen(f"level{seat}") for seat in range(1, int(self._chosen("opponents")) + 1))

    def _book(self) -> RuleBook:
        chosen = self._chosen("book")
        return self.settings.book if chosen == self.settings.book.id else published(chosen)

    def _speak(self) -> None:
        """Everything in the chosen language."""
        self.language = self._chosen("language")
        language, book = self.language, self._book()
        self.query_one("#title", Static).update(message("terminal.start.title", language))
        self._name_choices(language, book)
        tiles = book.tiles
        about = message(
            "terminal.start.about_run" if book.opening.run_required else "terminal.start.about",
            language,
            points=Message("terminal.points", {"count": book.opening.points}),
            colours=Message("terminal.start.colours", {"count": len(tiles.colours)}),
            numbers=tiles.numbers,
            jokers=Message("terminal.start.jokers", {"count": tiles.jokers}),
        )
        self.query_one("#about", Static).update(about)
        self.query_one("#deal", Static).update(
            f"[@click=screen.deal] {message('terminal.start.play', language)} [/]"
        )
        self.query_one("#keys", Static).update(message("terminal.start.keys", language))
        lines = Text(message("terminal.start.levels", language), style="bold")
        for level in dict.fromkeys(self._levels()):
            name = message("terminal.start.level", language, name=LEVELS[level].name(language))
            lines.append(f"\n{name} ", style="bold")
            lines.append(LEVELS[level].thinks(language, book.family), style="not bold")
        self.query_one("#levels", Static).update(lines)

    def _name_choices(self, language: Language, book: RuleBook) -> None:
        line = {each.id: each for each in self.query(ChoiceLine)}
        line["book"].name_as(
            message("terminal.start.book", language),
            {name: published(name).name[language] for name in BOOK_IDS},
        )
        line["opponents"].name_as(message("terminal.start.opponents", language), {})
        names = chairs(self._person(), [DEFAULT_LEVEL] * self.most)
        for number in range(1, self.most + 1):
            levels = {
                name: f"{level.name(language)}, {level.label(language)}" for name, level in LEVELS.items()
            }
            choice = line[f"level{number}"]
            choice.offer(listed_levels(book), listed_as(choice.chosen, book))
            choice.name_as(message("terminal.start.opponent", language, name=names[number].name), levels)
            line[f"level{number}"].display = number <= int(self._chosen("opponents"))
        on_off = {
            "on": message("terminal.start.on", language),
            "off": message("terminal.start.off", language),
        }
        line["hints"].name_as(message("terminal.start.hints", language), on_off)
        seconds = book.clock.seconds
        none = {
            "on": message("terminal.start.no_clock", language),
            "off": message("terminal.start.no_clock", language),
        }
        timed = {
            "on": message("terminal.start.seconds", language, count=seconds),
            "off": message("terminal.start.off", language),
        }
        line["clock"].name_as(message("terminal.start.clock", language), timed if seconds else none)
        own_names = {one: locale(one).name for one in languages()}
        line["language"].name_as(message("terminal.start.language", language), own_names)

    def _person(self) -> str:
        return self.settings.name or ""

    def action_deal(self) -> None:
        """Play with what is chosen."""
        book = self._book()
        self.dismiss(
            replace(
                self.settings,
                book=book,
                levels=self._levels(),
                language=self.language,
                hints=self._chosen("hints") == "on",
                clock=self._chosen("clock") == "on" and book.clock.seconds > 0,
            )
        )

    def action_leave(self) -> None:
        """Nothing is played."""
        self.app.exit()
