"""`meldroom championship club-night`: from a few names to tables in one step."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from meldroom.championship import ChampionshipLog, Found
from meldroom.championship.actions import CHECKS
from meldroom.championship.club_night import begin, club_format, names_in
from meldroom.championship.roles import HOST
from meldroom.championship.text import format_sitting, line
from meldroom.cli.championship.options import By, FormatBook, Log, championship, show, text_of
from meldroom.cli.options import Lang, Options, load_book
from meldroom.game.shuffle import new_secret
from meldroom.i18n import locale
from meldroom.rules.requests import DEFAULT_BOOK


@championship.command("club-night")
def club_night(
    file: Log,
    names: Annotated[
        str, typer.Option("--names", help="Who is here, with commas between; @FILE reads a list.")
    ],
    name: Annotated[str, typer.Option("--name", help="What the night is called.")] = "",
    sittings: Annotated[int, typer.Option("--sittings", min=1, max=12, help="How often tables change.")] = 3,
    games: Annotated[int, typer.Option("--games", min=1, max=12, help="Games at each table.")] = 2,
    book: FormatBook = None,
    option: Options = None,
    by: By = "host",
    lang: Lang = "en",
) -> None:
    """Begin a club night in one step: enter everybody, check them in, draw all tables.

    One person runs it and may do everything: set MELDROOM_ROLE=host, or say --as host, in the commands
    that follow.

    \b
    Examples:
      meldroom championship club-night tuesday.jsonl --names "Ada, Ben, Chi, Dev, Eve, Fay, Gus"
      meldroom championship club-night tuesday.jsonl --names @here.txt --sittings 4 --games 1 --book tml
    """
    people = names_in(text_of(Path(names[1:])) if names.startswith("@") else names)
    rules = load_book(book or DEFAULT_BOOK, option) if book or option else None
    made = club_format(rules, sittings, games)
    day = datetime.now(UTC).date()
    title = name or line("club_night", lang, date=locale(lang).date(day))
    log = ChampionshipLog.create(file, Found(title, 1, day, made, CHECKS), author=by, role=HOST)
    try:
        begin(log, people, author=by, seed=new_secret())
    except BaseException:
        log.close()
        file.unlink()  # it exists whole, or not at all
        raise
    with log:
        typer.echo(line("club_begun", lang, file=str(file), name=title, count=len(people)))
        for sitting in range(1, sittings + 1):
            show(format_sitting(log.state, (made.stages[0].id, sitting), lang))
