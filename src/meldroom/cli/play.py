"""`meldroom play`: a game in the terminal against bots."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from meldroom.bots import DEFAULT_LEVEL, LEVELS
from meldroom.cli.error_handling import CommandError
from meldroom.cli.options import BookArgument, BookChoice, Lang, Options, chosen_book, load_book
from meldroom.cli.terminal.save_record import SUFFIX
from meldroom.cli.terminal.settings import PACE, Settings
from meldroom.coach.matching import Match, Result, levels_in, results_of
from meldroom.coach.matching import match as match_level
from meldroom.game.apply import LONGEST_NAME
from meldroom.i18n import message
from meldroom.record import NotationError, loads
from meldroom.rules.book import RuleBook

DEFAULT_BOOK = "wrc11"
MOST_RECORDS = 200
"""So many of the latest records of a folder are read for `--match`."""


def play(
    book: BookArgument = None,
    book_option: BookChoice = None,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            "--bot",
            metavar="LEVEL",
            autocompletion=lambda: list(LEVELS),
            help="An opponent's level; repeat for more opponents.",
        ),
    ] = None,
    match: Annotated[
        bool,
        typer.Option("--match", help="Opponents close to your results in the games kept in this folder."),
    ] = False,
    players: Annotated[
        int | None, typer.Option("--players", metavar="N", help="How many play, you included (2 to 4).")
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="Your name in the record.")] = None,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="TEXT", help="The same text gives the same deal.")
    ] = None,
    option: Options = None,
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

    Without BOOK you choose book, opponents and their levels on a first page. The levels go from
    beginner to master; that page says how each plays. A finished game is written to a file that
    "meldroom replay FILE --verify" can check.

    \b
    Examples:
      meldroom play
      meldroom play wrc11 --bot master
      meldroom play wrc11 --match
      meldroom play tml --players 4 --bot beginner --bot club
      meldroom play rummyo --bot tournament --lang fr
      meldroom play wrc9 --clock --no-hints --record sunday.meld
      meldroom play wrc11 --option joker_reuse=any_set --seed "tuesday 2"
      meldroom play kitchen.toml
    """
    name_of_book = chosen_book(book, book_option)
    rules = load_book(name_of_book or DEFAULT_BOOK, option)
    called = _name(name)
    bots = bot or []
    if match:
        if bots:
            raise CommandError("play.match_and_bot", "--match")
        found = matched_here(rules, called)
        bots = [found.level]
        level, count = message(f"bots.level.{found.level}.name", lang), found.games
        typer.echo(message("cli.play.matched", lang, level=level, rating=found.rating, count=count))
    settings = Settings(
        book=rules,
        levels=_levels(rules, players, bots),
        name=called,
        seed=_seed(seed),
        language=lang,
        record=_record(record),
        hints=hints,
        clock=_clock(rules, clock),
        pace=pace,
    )
    _run(settings, choose=name_of_book is None and not bots)


def matched_here(rules: RuleBook, name: str | None = None, folder: Path = Path()) -> Match:
    """The level closest to the results in a folder: records of one person against bots by a book.

    With a name only the games of that player count.
    """
    results: list[Result] = []
    files = sorted((file.stat().st_mtime_ns, file) for file in folder.glob(f"*{SUFFIX}"))
    for _, file in files[-MOST_RECORDS:]:
        try:
            record = loads(file.read_bytes())
        except (OSError, NotationError):
            continue
        headers, result = record.headers, record.result
        levels = levels_in(headers.tags.get("bots", ""), headers.players)
        people = [seat for seat, level in enumerate(levels) if not level]
        if headers.book.id != rules.id or result is None or len(people) != 1:
            continue
        if name is None or headers.players[people[0]] == name:
            results += results_of(people[0], levels, result.winners)
    return match_level(rules.id, results)


def _levels(rules: RuleBook, players: int | None, bots: list[str]) -> tuple[str, ...]:
    """A level for each opponent; the last one given serves for those without."""
    for level in bots:
        if level not in LEVELS:
            raise CommandError("play.no_level", "--bot", level=level, levels=tuple(LEVELS))
    count = players if players is not None else max(2, len(bots) + 1)
    least, most = rules.players.minimum, rules.players.maximum
    if not least <= count <= most:
        raise CommandError("play.players", book=rules.title(), minimum=least, maximum=most, count=count)
    if len(bots) > count - 1:
        raise CommandError("play.too_many_bots", count=len(bots), room=count - 1, players=count)
    last = bots[-1] if bots else DEFAULT_LEVEL
    return (*bots, *[last] * (count - 1 - len(bots)))


def _name(name: str | None) -> str | None:
    if name is not None and not (name.strip() and name.isprintable() and len(name) <= LONGEST_NAME):
        raise CommandError("play.name", "--name", longest=LONGEST_NAME)
    return name


def _seed(seed: str | None) -> str | None:
    if seed is not None and not (seed.strip() and seed.isprintable()):
        raise CommandError("play.seed", "--seed")
    return seed


def _record(record: Path | None) -> Path | None:
    if record is not None and record.exists():
        raise CommandError("play.record_exists", "--record", file=str(record))
    return record


def _clock(rules: RuleBook, clock: bool) -> bool:
    if clock and not rules.clock.seconds:
        raise CommandError("play.no_clock", "--clock", book=rules.title())
    return clock


def _run(settings: Settings, *, choose: bool) -> None:
    """Open the screen; say afterwards where the record is."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CommandError("play.no_terminal")
    from meldroom.cli.terminal.app import PlayApp

    app = PlayApp(settings, choose=choose)
    app.run()
    if app.hung_up:
        raise CommandError("play.hung_up")
    if app.saved is not None:
        typer.echo(message("cli.play.saved", app.settings.language, file=str(app.saved)))
