"""`meldroom puzzles`: puzzles as data, mined from games, rated and proven again."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from meldroom.arena import ArenaError, load
from meldroom.cli.arena.experiment import GamesLeft, compile_first, look_for_classes_in
from meldroom.cli.error_handling import INTERRUPTED, refuse
from meldroom.cli.options import Jobs, Lang, Scheduler
from meldroom.corpus.puzzles import (
    PUZZLES,
    REPORT,
    compressed,
    mine_experiment,
    mine_records,
    report,
    tally_of,
)
from meldroom.decode import DecodeError, decode_json
from meldroom.game.notation.errors import NotationError
from meldroom.i18n import Language, message
from meldroom.puzzles import Puzzle, PuzzleError, load_puzzles, starter_pack
from meldroom.puzzles.certification import recertify, rerate
from meldroom.puzzles.pack import choose_pack
from meldroom.puzzles.ratings import Attempt, Ledger

puzzles = typer.Typer(
    name="puzzles",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Puzzles as data: mined from games, certified, rated. To solve one: meldroom puzzle.",
)

Out = Annotated[Path | None, typer.Option("--out", metavar="PATH", help="Where to write.")]
File = Annotated[
    Path | None,
    typer.Argument(
        metavar="FILE", show_default="the starter pack", help="JSON Lines of puzzles, .gz if compressed."
    ),
]


@puzzles.command("mine")
def mine(
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="EXPERIMENT|RECORDS...",
            help="An experiment (TOML), records of games, or a server's database.",
        ),
    ],
    out: Out = None,
    games: Annotated[
        int | None, typer.Option("--games", metavar="N", min=1, help="Stop after about so many games.")
    ] = None,
    jobs: Jobs = None,
    scheduler: Scheduler = None,
    lang: Lang = "en",
) -> None:
    """Play an experiment, or read records, and write every position that is a puzzle.

    Tables are as they stood in the game. Each position goes through the gates, the cheapest first; REPORT.md
    says how many passed each. A run that was stopped goes on where it was, and the same experiment gives the
    same puzzles. Of a server's database those games are read whose table allows it. The exit status is 0, 2
    if something cannot be read, and 130 if it was stopped.

    \b
    Examples:
      meldroom puzzles mine examples/experiments/puzzles.toml --out mined
      meldroom puzzles mine mixed.toml --games 2000 --jobs 8
      meldroom puzzles mine mixed.toml --scheduler tcp://10.0.0.7:8786
      meldroom puzzles mine corpus/mixed/records/*.meld.gz --out mined
      meldroom puzzles mine /srv/games/meldroom.db --out mined
    """
    first = sources[0]
    folder = Path("puzzles") / first.stem if out is None else out
    shown = GamesLeft(lang)
    try:
        compile_first(lang)
        if len(sources) == 1 and first.suffix in (".toml", ".json"):
            look_for_classes_in(first.parent)
            experiment = load(first)
            with shown:
                made = mine_experiment(
                    experiment,
                    folder,
                    jobs=jobs,
                    scheduler=scheduler,
                    most_games=games,
                    progress=shown.update,
                )
            count = made.puzzles
        else:
            found = mine_records(sources)
            folder.mkdir(parents=True, exist_ok=True)
            text = report(found.puzzles, tally_of(found.counts), len(sources))
            (folder / PUZZLES).write_bytes(compressed(found.puzzles))
            (folder / REPORT).write_text(text, encoding="utf-8")
            count = len(found.puzzles)
        typer.echo(message("puzzles.mined", lang, count=count, folder=str(folder)))
    except ArenaError as error:
        refuse("puzzles", f"{first}: {error.message(lang)}" if error.concerns_file else error.message(lang))
    except NotationError as error:
        refuse("puzzles", error.message(lang))
    except (OSError, EOFError) as error:
        refuse("puzzles", message("puzzles.error.unreadable", lang, reason=str(error)))
    except KeyboardInterrupt:
        stopped = message("arena.progress.interrupted", lang, done=shown.done, count=shown.games)
        typer.echo(f"meldroom puzzles: {stopped}", err=True)
        raise typer.Exit(INTERRUPTED) from None


@puzzles.command("pack")
def pack(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="JSON Lines of puzzles.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where to write the pack.")],
    count: Annotated[int, typer.Option("--count", metavar="N", min=1, help="How many puzzles.")] = 2400,
    lang: Lang = "en",
) -> None:
    """Choose a mixed pack: every book, kind and level in turn, no more from one game than need be.

    \b
    Examples:
      meldroom puzzles pack mined/puzzles.jsonl.gz --count 2400 --out pack.jsonl.gz
    """
    every = {puzzle.id: puzzle for file in files for puzzle in _load(file, lang)}
    chosen = choose_pack(every.values(), count)
    out.write_bytes(compressed(chosen))
    typer.echo(message("puzzles.packed", lang, count=len(chosen), file=str(out)))


@puzzles.command("verify")
def verify(
    file: File = None,
    sample: Annotated[
        int | None, typer.Option("--sample", metavar="N", min=1, help="Only every so many-th puzzle.")
    ] = None,
    lang: Lang = "en",
) -> None:
    """Prove puzzles again from their positions: legal, unique, by enough, not found by club.

    The exit status is 0, 1 if a puzzle does not hold, and 2 if the file cannot be read.

    \b
    Examples:
      meldroom puzzles verify
      meldroom puzzles verify mined/puzzles.jsonl.gz --sample 10
    """
    every = _load(file, lang)
    compile_first(lang)
    failed: Counter[str] = Counter()
    chosen = every[:: sample or 1]
    for puzzle in chosen:
        fault = recertify(puzzle)
        if fault is not None:
            failed[fault] += 1
            typer.echo(message("puzzles.fails", lang, id=puzzle.id, gate=fault), err=True)
    if failed:
        raise typer.Exit(1)
    typer.echo(message("puzzles.sound", lang, count=len(chosen)))


@puzzles.command("rate")
def rate(
    file: File = None,
    attempts: Annotated[
        Path | None,
        typer.Option("--attempts", metavar="FILE", help="JSON Lines of attempts, in order."),
    ] = None,
    out: Out = None,
    lang: Lang = "en",
) -> None:
    """Rate puzzles: the prior anew from their solutions, or, with attempts, what players have shown.

    Each attempt is a Glicko-2 game between a player and a puzzle; only a player's first at a puzzle counts.

    \b
    Examples:
      meldroom puzzles rate mined/puzzles.jsonl.gz --out rated.jsonl.gz
      meldroom puzzles rate --attempts attempts.jsonl --out rated.jsonl.gz
    """
    every = _load(file, lang)
    if attempts is None:
        compile_first(lang)
        rated = [rerate(puzzle) for puzzle in every]
        counted = 0
    else:
        ledger = Ledger({puzzle.id: puzzle.rating for puzzle in every})
        counted = ledger.add_all(_attempts(attempts, lang))
        rated = [_with_rating(puzzle, round(ledger.puzzles[puzzle.id].rating.rating)) for puzzle in every]
    if out is not None:
        out.write_bytes(compressed(rated))
    changed = sum(old.rating != new.rating for old, new in zip(every, rated, strict=True))
    typer.echo(message("puzzles.rated", lang, count=len(rated), changed=changed, attempts=counted))


def _with_rating(puzzle: Puzzle, rating: int) -> Puzzle:
    from msgspec.structs import replace

    return replace(puzzle, rating=rating)


def _attempts(file: Path, language: Language) -> list[Attempt]:
    try:
        lines = file.read_bytes().splitlines()
        return [decode_json(line, Attempt) for line in lines if line.strip()]
    except (DecodeError, OSError) as error:
        refuse("puzzles", f"{file}: {error.message(language) if isinstance(error, DecodeError) else error}")


def _load(file: Path | None, language: Language) -> tuple[Puzzle, ...]:
    if file is None:
        return starter_pack()
    try:
        return load_puzzles(file)
    except PuzzleError as error:
        refuse("puzzles", f"{file}: {error.message(language)}")
    except OSError as error:
        refuse("puzzles", message("puzzles.error.unreadable", language, reason=str(error)))
