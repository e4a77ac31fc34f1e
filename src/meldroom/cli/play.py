"""`meldroom play`: a game in the terminal against bots."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from meldroom.bots import LEVELS
from meldroom.cli.options import Lang, parse_options, refuse
from meldroom.cli.terminal.messages import Say, speaker
from meldroom.cli.terminal.settings import DEFAULT_LEVEL, PACE, Settings
from meldroom.game.apply import LONGEST_NAME
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BookError, load_house_book, with_options
from meldroom.rules.library import book as published

DEFAULT_BOOK = "wrc11"


def play(
    book: Annotated[
        str | None,
        typer.Argument(metavar="BOOK", help="A book's id; without it you can choose.", show_default=False),
    ] = None,
    bot: Annotated[
        list[str] | None,
        typer.Option("--bot", metavar="LEVEL", help="An opponent's level; repeat it for more opponents."),
    ] = None,
    players: Annotated[
        int | None, typer.Option("--players", metavar="N", help="How many play, you included (2 to 4).")
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="Your name in the record.")] = None,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="TEXT", help="The same text gives the same deal.")
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="Choose an option of the book.")
    ] = None,
    house: Annotated[
        Path | None, typer.Option("--house", metavar="FILE", help="Play by the house book in a TOML file.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option("--record", metavar="FILE", help="Where the game's record is written.")
    ] = None,
    hints: Annotated[bool, typer.Option("--hints/--no-hints", help="With or without hints.")] = True,
    clock: Annotated[bool, typer.Option("--clock", help="Play with the book's clock.")] = False,
    pace: Annotated[
        float,
        typer.Option("--pace", metavar="SECONDS", min=0, max=10, help="A bot's move takes at least this."),
    ] = PACE,
    lang: Lang = "en",
) -> None:
    """Play against bots in the terminal, with the keyboard or the mouse. Press ? there for all keys.

    Without BOOK you choose book, opponents and their levels on a first page. The levels are beginner,
    club, tournament, patient and master. A finished game is written to a file that
    "meldroom replay FILE --verify" can check.

    \b
    Examples:
      meldroom play
      meldroom play wrc11 --bot master
      meldroom play tml --players 4 --bot beginner --bot club
      meldroom play rummyo --bot tournament --lang fr
      meldroom play wrc9 --clock --no-hints --record sunday.meld
      meldroom play wrc11 --option joker_reuse=any_set --seed "tuesday 2"
    """
    say = speaker(lang)
    try:
        rules = _book(book, house, option, say)
    except BookError as error:
        refuse("play", str(error))
    settings = Settings(
        book=rules,
        levels=_levels(rules, players, bot or [], say),
        name=_name(name, say),
        seed=_seed(seed, say),
        language=lang,
        record=_record(record, say),
        hints=hints,
        clock=_clock(rules, clock, say),
        pace=pace,
    )
    _run(settings, choose=book is None and house is None and not bot, say=say)


def _book(name: str | None, house: Path | None, option: list[str] | None, say: Say) -> RuleBook:
    """The book to play by. Raises BookError."""
    if name is not None and house is not None:
        refuse("play", say("play.book_and_house"))
    base = load_house_book(house) if house is not None else published(name or DEFAULT_BOOK)
    options = parse_options(option)
    return with_options(base, options) if options else base


def _levels(rules: RuleBook, players: int | None, bots: list[str], say: Say) -> tuple[str, ...]:
    """A level for each opponent; the last one given serves for those without."""
    for level in bots:
        if level not in LEVELS:
            refuse("play", say("play.no_level", level=level, levels=", ".join(LEVELS)))
    count = players if players is not None else max(2, len(bots) + 1)
    least, most = rules.players.minimum, rules.players.maximum
    if not least <= count <= most:
        refuse("play", say("play.bad_players", book=rules.label, minimum=least, maximum=most, count=count))
    if len(bots) > count - 1:
        refuse("play", say("play.too_many_bots", count=len(bots), room=count - 1, players=count))
    last = bots[-1] if bots else DEFAULT_LEVEL
    return (*bots, *[last] * (count - 1 - len(bots)))


def _name(name: str | None, say: Say) -> str | None:
    if name is not None and not (name.strip() and name.isprintable() and len(name) <= LONGEST_NAME):
        refuse("play", say("play.bad_name", longest=LONGEST_NAME))
    return name


def _seed(seed: str | None, say: Say) -> str | None:
    if seed is not None and not (seed.strip() and seed.isprintable()):
        refuse("play", say("play.bad_seed"))
    return seed


def _record(record: Path | None, say: Say) -> Path | None:
    if record is not None and record.exists():
        refuse("play", say("play.record_exists", file=str(record)))
    return record


def _clock(rules: RuleBook, clock: bool, say: Say) -> bool:
    if clock and not rules.clock.seconds:
        refuse("play", say("play.no_clock", book=rules.label))
    return clock


def _run(settings: Settings, *, choose: bool, say: Say) -> None:
    """Open the screen; say afterwards where the record is."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        refuse("play", say("play.no_terminal"))
    try:
        from meldroom.cli.terminal.app import PlayApp
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("textual"):
            raise
        refuse("play", say("play.no_textual"))
    app = PlayApp(settings, choose=choose)
    app.run()
    if app.saved is not None:
        typer.echo(speaker(app.settings.language)("play.saved", file=str(app.saved)))
