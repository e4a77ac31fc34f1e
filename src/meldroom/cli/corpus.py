"""`meldroom corpus`: open data, games of mixed tables as records with statistics."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from meldroom.arena import ArenaError, load
from meldroom.cli.arena.experiment import GamesLeft, compile_first, look_for_classes_in
from meldroom.cli.error_handling import INTERRUPTED, refuse
from meldroom.cli.options import Jobs, Lang, Scheduler
from meldroom.corpus import CorpusError
from meldroom.corpus import check as check_corpus
from meldroom.corpus import write as write_corpus
from meldroom.corpus.writer import LICENCE
from meldroom.i18n import message

corpus = typer.Typer(
    name="corpus",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Open data: games of bots as records that can be replayed, with statistics and a data card.",
)


@corpus.command("write")
def write(
    file: Annotated[
        Path,
        typer.Argument(metavar="EXPERIMENT", help="A TOML file as for the arena: books, bots, deals, seed."),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="Where to write: corpus/ and the file's name if not given."
        ),
    ] = None,
    jobs: Jobs = None,
    scheduler: Scheduler = None,
    licence: Annotated[
        str, typer.Option("--licence", metavar="NAME", help="The licence that the data card names.")
    ] = LICENCE,
    lang: Lang = "en",
) -> None:
    """Play an experiment and write every game: records, Parquet statistics and a data card.

    The same experiment gives the same files, byte for byte, on any number of processes or on a cluster; only
    timing.csv differs. A run that was stopped goes on where it was. The exit status is 0, 2 if the experiment
    cannot be played, and 130 if it was stopped.

    \b
    Examples:
      meldroom corpus write examples/experiments/corpus.toml
      meldroom corpus write mixed.toml --out data --jobs 8
      meldroom corpus write mixed.toml --scheduler tcp://10.0.0.7:8786
    """
    folder = Path("corpus") / file.stem if out is None else out
    shown = GamesLeft(lang)
    try:
        look_for_classes_in(file.parent)
        experiment = load(file)
        compile_first(lang)
        with shown:
            made = write_corpus(
                experiment, folder, jobs=jobs, scheduler=scheduler, licence=licence, progress=shown.update
            )
        typer.echo(
            message("corpus.written", lang, count=made.games, folder=str(folder), files=len(made.sums))
        )
    except ArenaError as error:
        refuse("corpus", f"{file}: {error.message(lang)}" if error.concerns_file else error.message(lang))
    except KeyboardInterrupt:
        stopped = message("arena.progress.interrupted", lang, done=shown.done, count=shown.games)
        typer.echo(f"meldroom corpus: {stopped}", err=True)
        raise typer.Exit(INTERRUPTED) from None


@corpus.command("check")
def check(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a corpus.")],
    lang: Lang = "en",
) -> None:
    """Replay every record of a corpus, and compare it with the statistics and the checksums.

    The exit status is 0, 1 if something is wrong, and 2 if there is no corpus.

    \b
    Examples:
      meldroom corpus check corpus/mixed
    """
    try:
        found = check_corpus(folder)
    except CorpusError as error:
        refuse("corpus", error.message(lang))
    for problem in found.problems:
        typer.echo(problem.text(lang), err=True)
    if not found.sound:
        raise typer.Exit(1)
    typer.echo(message("corpus.sound", lang, count=found.games))
