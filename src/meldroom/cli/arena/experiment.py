"""`meldroom arena FILE`: an experiment is played, with statistics."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Annotated, Self

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from meldroom.arena import ArenaError, Experiment, Results, load, run
from meldroom.arena.reporting.number_format import duration, number
from meldroom.arena.reporting.summary import lost_games
from meldroom.arena.reporting.terminal import tables
from meldroom.cli.error_handling import INTERRUPTED, refuse
from meldroom.cli.options import Jobs, Lang, Scheduler
from meldroom.cli.tile_colours import console
from meldroom.i18n import Language, Message, message
from meldroom.solver.kernel import mode

FILES = "report.html, summary.csv, results.csv, results.parquet, timing.csv"
SECONDS_BETWEEN_LINES = 30


def play_experiment(
    file: Annotated[
        Path, typer.Argument(metavar="EXPERIMENT", help="A TOML file: books, bots, deals, seed.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="Where to write: results/ and the file's name if not given."
        ),
    ] = None,
    jobs: Jobs = None,
    scheduler: Scheduler = None,
    records: Annotated[bool, typer.Option("--records", help="Write a record of every game.")] = False,
    lang: Lang = "en",
) -> None:
    """Bots against bots: mirrored deals, wins and scores with 95 % intervals, ratings, a report.

    The same experiment gives the same files, byte for byte, on any number of processes or on a cluster; only
    timing.csv differs. A run that was stopped goes on where it was. The exit status is 0, 2 if the experiment
    cannot be played, and 130 if it was stopped.

    \b
    An experiment:
      books = ["wrc11", "tml"]
      bots = ["tournament", "patient"]
      deals = 100
      seed = "any text"

    \b
    Examples:
      meldroom arena examples/experiments/quick.toml
      meldroom arena ladder.toml --out ladder --jobs 8
      meldroom arena ladder.toml --records
      meldroom arena ladder.toml --scheduler tcp://10.0.0.7:8786

    meldroom arena respond BOT looks for what beats a bot; see meldroom arena respond --help.
    """
    folder = Path("results") / file.stem if out is None else out
    shown = GamesLeft(lang)
    try:
        experiment = load(file)
        look_for_classes_in(file.parent)
        source = file.read_bytes() if file.suffix != ".json" else None
        compile_first(lang)
        begun = time.monotonic()
        with shown:
            results = run(
                experiment,
                folder,
                jobs=jobs,
                scheduler=scheduler,
                records=records,
                progress=shown.update,
                language=lang,
                source=source,
            )
        _print(results, lang)
        _print_end(experiment, folder, time.monotonic() - begun, records, lang)
    except ArenaError as error:
        refuse("arena", f"{file}: {error.message(lang)}" if error.concerns_file else error.message(lang))
    except KeyboardInterrupt:
        stopped = message("arena.progress.interrupted", lang, done=shown.done, count=shown.games)
        typer.echo(f"meldroom arena: {stopped}", err=True)
        raise typer.Exit(INTERRUPTED) from None


def look_for_classes_in(folder: Path) -> None:
    """Bots written as Python classes may lie beside the experiment or in the current folder."""
    for place in (str(Path.cwd()), str(folder.resolve())):
        if place not in sys.path:
            sys.path.append(place)  # The processes of a pool have the same path.


def compile_first(language: Language) -> None:
    """Thousands of games are worth half a minute of compilation; each of its steps is told."""

    def tell(step: str) -> None:
        place = step.partition(" ")[0]
        typer.echo(message("arena.progress.compiling", language, place=place), err=True)

    mode.for_long_work(tell)


def _print(results: Results, language: Language) -> None:
    screen = console(soft_wrap=False)
    for heading, table in tables(results, results.summary(), language):
        screen.print(heading, style="bold", markup=False)
        screen.print(table)
        screen.print()
    for place, entry in enumerate(results.experiment.books):
        for bot, (count, why) in lost_games(results, place).items():
            games = Message("arena.respond.games", {"count": count})
            lost = message("arena.report.lost", language, bot=bot, games=games, why=why)
            typer.echo(f"{entry.name}: {lost}")


def _print_end(
    experiment: Experiment, folder: Path, seconds: float, records: bool, language: Language
) -> None:
    deals = sum(entry.deals for entry in experiment.books)
    took = duration(seconds)
    dealt = Message("arena.deals", {"count": deals})
    typer.echo(message("arena.progress.played", language, count=experiment.games, deals=dealt, time=took))
    files = f"{FILES}, records/" if records else FILES
    typer.echo(message("arena.progress.written", language, folder=str(folder), files=files))


class GamesLeft:
    """Games done and the time left, on standard error: a bar in a terminal, else a line now and then."""

    def __init__(self, language: Language) -> None:
        self.language: Language = language
        self.done = 0
        self.games = 0
        self._at_start: int | None = None
        self._begun = self._last_line = time.monotonic()
        self._screen = Console(stderr=True, highlight=False, soft_wrap=True)
        self._bar = Progress(
            BarColumn(bar_width=24),
            TextColumn("{task.description}"),
            console=self._screen,
            transient=True,
            disable=not self._screen.is_terminal,
        )
        self._task = self._bar.add_task("", total=None)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def update(self, done: int, games: int) -> None:
        """So many games are done now."""
        now = time.monotonic()
        self.done, self.games = done, games
        if self._at_start is None:
            self._at_start, self._begun = done, now
            if done:
                self._screen.print(message("arena.progress.resumed", self.language, done=done, count=games))
        text = self._text(now - self._begun)
        self._bar.update(self._task, total=games, completed=done, description=text)
        if self._bar.disable and now - self._last_line >= SECONDS_BETWEEN_LINES:
            self._screen.print(text)
            self._last_line = now

    def _text(self, seconds: float) -> str:
        """`120 of 400 games, 58 games/s, 5 s left`; what an earlier run did says nothing of the speed."""
        played = self.done - (self._at_start or 0)
        progress = message("arena.progress.games", self.language, done=self.done, count=self.games)
        if not played or seconds <= 0:
            return f"{progress}, {message('arena.progress.estimating', self.language)}"
        speed = played / seconds
        games = number(speed, 1 if speed < 10 else 0, self.language)
        rate = message("arena.progress.rate", self.language, rate=games)
        left = message("arena.progress.left", self.language, time=duration((self.games - self.done) / speed))
        return f"{progress}, {rate}, {left}"
