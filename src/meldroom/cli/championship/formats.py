"""`meldroom championship format`: what a format's day looks like, before anybody is invited."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from meldroom.championship import ChampionshipError
from meldroom.championship.formats.schedule import USUAL_MINUTES, USUAL_PAUSE, schedule
from meldroom.championship.text import line
from meldroom.cli.championship.options import FormatBook, championship, chosen_format
from meldroom.cli.options import Lang, Options


@championship.command("format")
def show_format(
    spec: Annotated[str, typer.Argument(metavar="FORMAT", help="A preset, or a TOML file.")],
    players: Annotated[int, typer.Option("--players", min=2, max=2000, help="How many play.")],
    minutes: Annotated[
        int, typer.Option("--minutes", min=1, max=600, help="Minutes for a game.")
    ] = USUAL_MINUTES,
    pause: Annotated[
        int, typer.Option("--pause", min=0, max=1440, help="Minutes between sittings.")
    ] = USUAL_PAUSE,
    start: Annotated[str, typer.Option("--start", metavar="HH:MM", help="When play begins.")] = "10:00",
    book: FormatBook = None,
    option: Options = None,
    lang: Lang = "en",
) -> None:
    """Show the schedule of a format for a number of players: sittings, tables, times, and how long it takes.

    \b
    Examples:
      meldroom championship format wrc_cut --players 200 --start 09:30
      meldroom championship format club.toml --players 18 --minutes 25 --pause 10
    """
    made = chosen_format(spec, book, option)
    try:
        begins = datetime.strptime(start, "%H:%M").replace(tzinfo=UTC)
    except ValueError:
        raise ChampionshipError("say_what", options="--start HH:MM") from None
    found = schedule(made, players, minutes, pause)
    for one in found:
        times = [(begins + timedelta(minutes=at)).strftime("%H:%M") for at in (one.starts, one.ends)]
        told = line(
            "planned" if one.sittings == 1 else "planned_sitting",
            lang,
            starts=times[0],
            ends=times[1],
            stage=one.name[lang],
            sitting=one.sitting,
            players=one.players,
            tables=one.tables,
            games=one.games,
        )
        short = line("planned_short", lang, count=one.short_tables) if one.short_tables else ""
        typer.echo(told + short)
    hours, rest = divmod(found[-1].ends, 60)
    typer.echo(line("planned_total", lang, hours=hours, minutes=f"{rest:02d}"))
