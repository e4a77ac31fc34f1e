"""`meldroom report`: how a recorded game went for one player, and what a strong player would have done."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated

import msgspec
import typer
from rich.text import Text

from meldroom.api.replay.report import GameReport, ReportTurn, game_report
from meldroom.cli.error_handling import CommandError, about
from meldroom.cli.options import Lang
from meldroom.cli.replay import read_record
from meldroom.cli.tile_colours import console
from meldroom.i18n import Language, message
from meldroom.record import Record
from meldroom.rules.library import resolve

BARS = "▁▂▃▄▅▆▇█"
_STYLES = {"strong": "green", "fine": "", "mistake": "red", "none": "dim"}


def report(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A record as text or JSON; - reads standard input.")
    ],
    seat: Annotated[int, typer.Option("--seat", metavar="N", help="Whose report, from 1.", min=1)] = 1,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            metavar="N",
            help="Imagine N games: more are surer and take longer.",
            min=0,
            max=1_000_000,
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    lang: Lang = "en",
) -> None:
    """Show how a game went: chances to win, turning points, and each turn beside a strong player's, with why.

    A play is called better only if it won more imagined games than chance explains, twice.

    \b
    Examples:
      meldroom report game.meld --seat 2
      meldroom report game.meld --games 20000
      meldroom report game.meld --json > report.json
    """
    with about(file):
        record = read_record(file)
        if seat > len(record.headers.players):
            raise CommandError("no_seat", "--seat", seat=str(seat), last=str(len(record.headers.players)))
        found = game_report(record, seat - 1, lang, games)
        if as_json:
            sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")
            return
        screen = console()
        for line in _lines(record, found, lang):
            screen.print(line)


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f} %"


def _lines(record: Record, found: GameReport, lang: Language) -> Iterator[Text]:
    """The report line by line."""
    players, seat = record.headers.players, found.seat
    book = resolve(record.headers.created.book)
    yield Text(message("coach.report.title", lang, name=players[seat], book=book.name[lang]), style="bold")
    if not found.turns:
        yield Text(message("coach.report.empty", lang))
        return
    width = max(map(len, players))
    for place, name in enumerate(players):
        bars = "".join(
            BARS[min(len(BARS) - 1, int(point.chances[place] * len(BARS)))] for point in found.curve
        )
        yield Text(f"  {name:<{width}}  {bars}")
    how = message("coach.report.games", lang, count=found.games) if found.games else ""
    yield Text(how or message("coach.report.sight", lang), style="dim")
    for point in found.turning:
        yield Text(
            message(
                "coach.report.turning",
                lang,
                step=point.step,
                before=_percent(point.before),
                after=_percent(point.after),
            )
        )
    for kind in found.mistakes:
        yield Text(message("coach.report.mistakes", lang, theme=kind.name, count=kind.count))
    if found.practise is not None:
        name = message(f"coach.theme.{found.practise}", lang)
        yield Text(message("coach.report.practise", lang, theme=name), style="bold")
    yield Text()
    for turn in found.turns:
        yield from _turn(turn, lang)


def _turn(turn: ReportTurn, lang: Language) -> Iterator[Text]:
    """What was done, and under it what a strong player does and why."""
    line = Text(f"{turn.number:>4}  {_percent(turn.chance):>5}  ")
    line.append(turn.did.told.text, style=_STYLES[turn.verdict])
    yield line
    indent = " " * 13
    if turn.better is not None:
        key = "out" if turn.better.exact else "better"
        said = message(
            f"coach.report.{key}", lang, move=turn.better.move.told.text, gain=_percent(turn.better.gain)
        )
        yield Text(indent + said, style="red")
    why = turn.strong_why.text if turn.strong_why is not None else ""
    if turn.verdict == "strong":
        yield Text(indent + why, style="dim")
    elif turn.verdict != "none":
        yield Text(indent + message("coach.report.strong", lang, why=why), style="dim")
