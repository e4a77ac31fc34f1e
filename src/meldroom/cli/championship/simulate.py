"""`meldroom championship simulate`: a whole championship that never was, with its complete paper trail."""

from __future__ import annotations

import hashlib
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from random import Random
from typing import Annotated

import typer

from meldroom.championship import ChampionshipError, Found, read_lines, verify
from meldroom.championship.actions import CHECKS
from meldroom.championship.log.export import document_of, write_export
from meldroom.cli.championship.options import FormatBook, FormatOption, championship, chosen_format
from meldroom.cli.championship.simulation.faults import Troubles, check_in, late_entry
from meldroom.cli.championship.simulation.games import BotGames, Games, QuickGames
from meldroom.cli.championship.simulation.hall import Hall
from meldroom.cli.championship.simulation.people import some_people
from meldroom.cli.options import Lang, Options
from meldroom.i18n import Language
from meldroom.papers import ChampionshipPapers, Kind, Order, check_printing, print_pdf

EDITION = 12
DAY = date(2026, 11, 14)
BEFORE: tuple[Kind, ...] = ("sheets", "wall_by_name", "wall_by_table")


class Trail:
    """The folder that keeps everything: log, papers of every sitting, export, diary."""

    def __init__(self, folder: Path, language: Language, papers: bool) -> None:
        self.folder = folder
        self.language: Language = language
        self.papers = papers
        self.printed = 0

    def print(
        self, hall: Hall, kinds: tuple[Kind, ...], place: str, key: tuple[str, int] | None = None
    ) -> None:
        """Some papers into a folder of their own."""
        if not self.papers:
            return
        code = hashlib.sha256(read_lines(hall.path)[0]).hexdigest()
        order = Order(self.language, printed=f"{hall.clock.time:%Y-%m-%d %H:%M}", code=code)
        made = ChampionshipPapers(document_of(hall.state), order)
        stage, sitting = key if key is not None else (None, None)
        folder = self.folder / "papers" / place
        folder.mkdir(parents=True, exist_ok=True)
        for name, paper in made.all(kinds, stage, sitting):
            (folder / f"{name}.pdf").write_bytes(print_pdf(made.occasion(), paper))
            self.printed += 1


def run_championship(hall: Hall, trail: Trail, players: int, seed: str, faults: bool) -> None:
    """The championship from its list of entrants to its champion. Raises ChampionshipError."""
    random = Random(f"{seed} people")
    people = some_people(players, EDITION, DAY, random)
    hall.note("founded", name=hall.state.name, players=players)
    check_in(hall, people, faults)
    if faults:
        late_entry(hall, people)
    trail.print(hall, ("badges", "blank_sheets"), "0-before")
    troubles = Troubles(hall, Random(f"{seed} troubles"))
    for number, stage in enumerate(hall.format.stages, start=1):
        if hall.needs_draw(stage.id):
            hall.draw(stage.id)
        if number == 1:
            trail.print(hall, ("table_cards",), "0-before")
        for sitting in range(1, stage.sittings + 1):
            hall.seat(stage.id, sitting)
            trail.print(hall, BEFORE, f"{number}-{stage.id}-{sitting}-before", (stage.id, sitting))
            hall.clock.later(15 * stage.games)
            _play_sitting(hall, troubles if faults else None, stage.id, sitting)
            trail.print(
                hall, ("sheets", "standings"), f"{number}-{stage.id}-{sitting}-after", (stage.id, sitting)
            )
        hall.close(stage.id)
        if faults and number == 1 and troubles.after_closing(stage.id):
            hall.close(stage.id)
        if faults:
            troubles.between_stages(stage.id)
    hall.note("champion", name=hall.champion())
    kinds: tuple[Kind, ...] = (
        "standings",
        "cross_table",
        "penalties",
        "disputes",
        "certificates",
        "teams",
        "prizes",
        "fees",
        "days",
    )
    trail.print(hall, kinds, "9-after")


def _play_sitting(hall: Hall, troubles: Troubles | None, stage: str, sitting: int) -> None:
    tables = len(hall.state.seatings[stage, sitting].tables)
    last = stage == hall.format.stages[-1].id and tables == 1
    for table in range(1, tables + 1):
        _progress(
            hall.text(
                "progress", stage=hall.name_of_stage(stage), sitting=sitting, table=table, tables=tables
            )
        )
        if troubles is not None:
            troubles.play(stage, sitting, table, last)
            continue
        hall.play_table(stage, sitting, table, lambda _, found: found, lambda _: None)
        hall.sign(stage, sitting, table)


def _progress(text: str) -> None:
    """Where the simulation is, on one line that is written over; only for somebody who watches."""
    if sys.stderr.isatty():
        typer.echo(f"\r\x1b[K{text}", err=True, nl=False)


@contextmanager
def _clean_folder(folder: Path) -> Iterator[None]:
    """A new or empty folder for what is made inside; it is empty again if that does not come to its end."""
    new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise ChampionshipError("file_exists", file=str(folder))
    try:
        yield
    except BaseException:
        for made in folder.iterdir():
            shutil.rmtree(made) if made.is_dir() else made.unlink()
        if new:
            folder.rmdir()
        raise
    finally:
        _progress("")


@championship.command()
def simulate(
    folder: Annotated[Path, typer.Argument(help="A new or empty folder for the paper trail.")],
    players: Annotated[int, typer.Option("--players", min=6, max=2000, help="How many players.")] = 33,
    made: FormatOption = "wrc",
    book: FormatBook = None,
    option: Options = None,
    seed: Annotated[str, typer.Option("--seed", help="The same seed gives the same championship.")] = "1",
    bots: Annotated[
        list[str] | None,
        typer.Option(
            "--bots", help="Real games between bots of this level (club, tournament …); repeat for more."
        ),
    ] = None,
    faults: Annotated[
        bool, typer.Option("--faults/--no-faults", help="Let everything go wrong that does in a hall.")
    ] = True,
    papers: Annotated[bool, typer.Option("--papers/--no-papers", help="Print the PDF files.")] = True,
    lang: Lang = "en",
) -> None:
    """Play a whole championship that never was: to try a format, to train staff, to see every paper.

    The folder gets the log, the papers of every sitting before and after it, the export, and a diary of what
    went wrong: bad lists, refused check-ins, typing mistakes, recounts, corrections, penalties, disputes, a
    power cut, drop-outs, a substitute. With faults the last table is made to end in a tie, so that a deciding
    game is seen. If it is interrupted or fails, the folder is left empty.

    \b
    Examples:
      meldroom championship simulate rehearsal
      meldroom championship simulate big --players 250 --no-papers
      meldroom championship simulate threes --book house.toml
      meldroom championship simulate bots --players 32 --bots tournament --bots club --seed "our club"
    """
    start = time.perf_counter()
    if papers:
        check_printing()
    chosen = chosen_format(made, book, option)
    games = _games(bots, seed)
    with _clean_folder(folder):
        found = Found(chosen.name[lang], EDITION, DAY, chosen, CHECKS)
        hall = Hall(folder / "event.jsonl", found, games, Random(f"{seed} hall"), lang)
        trail = Trail(folder, lang, papers)
        try:
            run_championship(hall, trail, players, seed, faults)
        finally:
            hall.log.close()
        lines = read_lines(hall.path)
        state, wrong = verify(lines)
        if wrong:
            raise wrong[0].error
        write_export(state, lines, folder / "export")
        hall.note("verified", count=len(lines))
        (folder / "diary.txt").write_text("\n".join(hall.diary) + "\n", encoding="utf-8")
    report = hall.text(
        "report",
        players=players,
        sittings=len(state.seatings),
        games=len(state.results),
        penalties=len(state.penalties),
        disputes=len(state.disputes),
        gone=sum(one.status in ("withdrawn", "replaced") for one in state.participants),
        entries=len(lines),
        papers=trail.printed,
        seconds=f"{time.perf_counter() - start:.1f}",
        **hall.count,
    )
    typer.echo(report)
    typer.echo(hall.text("champion", name=hall.champion()))


def _games(bots: list[str] | None, seed: str) -> Games:
    """Real games between bots of these levels, or the quick model. Raises ChampionshipError."""
    if not bots:
        return QuickGames(Random(f"{seed} games"))
    from meldroom.bots.levels import LEVELS

    for level in bots:
        if level not in LEVELS:
            raise ChampionshipError("no_bot", name=level, names=tuple(LEVELS))
    return BotGames(seed, bots)
