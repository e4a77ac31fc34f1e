"""`meldroom arena respond`: what beats a bot, and how often."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from meldroom.arena.errors import ArenaError
from meldroom.arena.experiment import Parameter
from meldroom.cli.arena.experiment import compile_first, look_for_classes_in
from meldroom.cli.error_handling import INTERRUPTED, refuse
from meldroom.cli.options import Book, Jobs, Lang, Options, Scheduler, load_book, named_values
from meldroom.i18n import Language, message
from meldroom.rules.library import id_at

FILES = "report.txt, report.json, best.toml"
USUAL_BUDGET = "10m"
UNITS = (3600, 60, 1)
_TIME = re.compile(r"(?:(\d+(?:\.\d+)?)h)?\s*(?:(\d+(?:\.\d+)?)m(?:in)?)?\s*(?:(\d+(?:\.\d+)?)s?)?\Z")


def respond(
    target: Annotated[
        str, typer.Argument(metavar="BOT", help="A level, a class as module:Class, or a program in quotes.")
    ],
    book: Book = "wrc11",
    option: Options = None,
    players: Annotated[int, typer.Option("--players", metavar="N", help="Players at the table.")] = 2,
    budget: Annotated[
        str | None,
        typer.Option("--budget", metavar="TIME", help="Processor time of all processes, 10m if not given."),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option("--games", metavar="N", help="A budget in games: each run is the same."),
    ] = None,
    include: Annotated[
        list[str] | None,
        typer.Option(
            "--include", metavar="CLASS", help="Try this module:Class too, a trained one say; repeatable."
        ),
    ] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the bot; repeat for more."),
    ] = None,
    seed: Annotated[str, typer.Option("--seed", metavar="TEXT", help="Decides every deal.")] = "respond",
    printed: Annotated[
        bool,
        typer.Option(
            "--printed", help="Illegal tables cost the printed penalty, instead of counting as a draw."
        ),
    ] = False,
    width: Annotated[int, typer.Option("--width", metavar="N", help="Candidates a round.")] = 8,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Where to write, results/respond if not given."),
    ] = None,
    jobs: Jobs = None,
    scheduler: Scheduler = None,
    lang: Lang = "en",
) -> None:
    """Look for what beats a bot, and say how often the best of it wins.

    Policies with some twenty parameters (when to open, to lay, to wait, what to keep back) are varied by
    cross-entropy and raced on mirrored deals; the best then play their last moves out against the bot itself.
    Levels of the ladder and your own classes are tried as well. The winner is measured on fresh deals, so the
    figure is not flattered by the choice.

    Everything is kept in the folder: the same command goes on where it was stopped, and with a larger budget
    it searches on. best.toml there is an experiment with the best response against the bot.

    \b
    Examples:
      meldroom arena respond master --budget 30m
      meldroom arena respond patient --players 4 --book tml
      meldroom arena respond master --set effort=0.5 --include my_bot:MyBot
      meldroom arena respond "python3 examples/bots/greedy_bot.py" --games 2000
      meldroom arena respond master --budget 8h --scheduler tcp://10.0.0.7:8786
    """
    from meldroom.arena import respond as search

    folder = Path("results/respond") if out is None else out
    try:
        look_for_classes_in(Path())
        seconds = None if budget is None and games is not None else _seconds(budget or USUAL_BUDGET)
        question = search.Question(
            target=search.target_of(target, _parameters(parameter)),
            book=_book(book, option),
            players=players,
            seed=seed,
            include=tuple(include or ()),
            width=width,
            conduct="printed" if printed else "competition",
        )
        compile_first(lang)
        found = search.respond(
            question,
            search.Budget(seconds, games),
            folder,
            jobs=jobs,
            scheduler=scheduler,
            progress=lambda told: typer.echo(_line(told, lang), err=True),
            language=lang,
        )
    except ArenaError as error:
        refuse("arena respond", error.message(lang))
    except KeyboardInterrupt:
        typer.echo(f"meldroom arena respond: {message('arena.respond.interrupted', lang)}", err=True)
        raise typer.Exit(INTERRUPTED) from None
    typer.echo(found.to_text(lang))
    typer.echo(message("arena.respond.written", lang, folder=str(folder), files=FILES))
    typer.echo(message("arena.respond.again", lang, file=str(folder / "best.toml")))


def _seconds(text: str) -> float:
    """`8h`, `30m`, `1h 30m` or `90s` in seconds. Raises ArenaError."""
    parts = _TIME.match(text.strip())
    named = zip(parts.groups() if parts else (), UNITS, strict=False)
    total = sum(float(part or 0) * unit for part, unit in named)
    if not total:
        raise ArenaError("respond.budget", "--budget")
    return total


def _parameters(given: list[str] | None) -> dict[str, Parameter]:
    return {name: _value(value) for name, value in named_values(given, "--set")}


def _value(text: str) -> Parameter:
    """A word as what it looks like in TOML."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _book(name: str, option: list[str] | None) -> str | dict[str, Any]:
    """The book as an experiment writes it."""
    ref = load_book(name, option).ref
    if ref.house is None and not ref.options:
        return id_at(ref)
    which: dict[str, Any] = {"id": id_at(ref)} if ref.house is None else {"house": ref.house}
    return {**which, **({"options": ref.options} if ref.options else {})}


def _line(told: Any, language: Language) -> str:
    from meldroom.arena.reporting.number_format import percent
    from meldroom.i18n import locale

    return message(
        "arena.respond.round",
        language,
        stage=message(f"arena.respond.stage.{told.stage}", language),
        round=str(told.round),
        tried=locale(language).number(told.tried),
        games=locale(language).number(told.games),
        rate=percent(told.best, language, 0),
        share=percent(told.share, language, 0),
    )
