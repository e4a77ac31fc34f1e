"""`meldroom puzzle`: a puzzle in the terminal."""

from __future__ import annotations

import datetime
import sys
from typing import Annotated

import typer

from meldroom.cli.error_handling import CommandError, about
from meldroom.cli.options import Lang
from meldroom.cli.tile_colours import console, sentence_text, table_text, tiles_text
from meldroom.i18n import Language, message
from meldroom.puzzles import KINDS, THEMES, Puzzle, starter_pack
from meldroom.puzzles.explaining import question, solution, theme_names, title, verdict
from meldroom.puzzles.puzzle import Kind, Theme
from meldroom.puzzles.selector import DIFFICULTIES, Difficulty, Filter, daily, pick
from meldroom.rules.library import BOOK_IDS
from meldroom.solver.kernel import mode
from meldroom.tiles import TileTextError, parse_set

NOBODY = 1500.0
"""Around this rating levels are chosen in the terminal, which keeps no ratings."""


def puzzle(
    id: Annotated[
        str | None, typer.Argument(metavar="ID", help="A puzzle of the pack.", show_default="today's")
    ] = None,
    book: Annotated[
        str | None,
        typer.Option(
            "--book", metavar="BOOK", autocompletion=lambda: list(BOOK_IDS), help="A rule book: its id."
        ),
    ] = None,
    kind: Annotated[
        Kind | None, typer.Option("--kind", help="What is asked for.", autocompletion=lambda: list(KINDS))
    ] = None,
    theme: Annotated[
        Theme | None,
        typer.Option("--theme", help="What the answer is about.", autocompletion=lambda: list(THEMES)),
    ] = None,
    level: Annotated[
        Difficulty | None,
        typer.Option("--level", help="How hard.", autocompletion=lambda: list(DIFFICULTIES)),
    ] = None,
    date: Annotated[
        str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="The puzzle of another day.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="TEXT", help="The same text gives the same puzzle.")
    ] = None,
    show: Annotated[bool, typer.Option("--solution", help="Show the solution at once.")] = False,
    lang: Lang = "en",
) -> None:
    """Solve a puzzle: today's, the same for everyone, or one of a kind, theme and level.

    Type the tiles that you would lay from your rack; where they go is your affair, as long as they can all be
    laid. An empty line shows the solution step by step. The exit status is 0 if you solve it, else 1.

    \b
    Examples:
      meldroom puzzle
      meldroom puzzle --date 2026-12-24 --lang fr
      meldroom puzzle --theme split_run --level harder
      meldroom puzzle --book tml --kind go_out --seed "tuesday 2"
      meldroom puzzle --solution
    """
    mode.for_one_answer()
    chosen = _choose(id, Filter(book, kind, theme), level, date, seed)
    _print(chosen, lang)
    if show or not sys.stdin.isatty():
        _explain(chosen, lang, pause=False)
        return
    solved = _ask(chosen, lang)
    _explain(chosen, lang, pause=not solved)
    if not solved:
        raise typer.Exit(1)


def _choose(
    id: str | None, wanted: Filter, level: Difficulty | None, date: str | None, seed: str | None
) -> Puzzle:
    pack = starter_pack()
    if id is not None:
        found = next((each for each in pack if each.id == id.lower()), None)
        if found is None:
            raise CommandError("puzzle.unknown", "ID", id=id)
        return found
    if wanted.book is not None and wanted.book not in BOOK_IDS:
        raise CommandError("puzzle.book", "--book", book=wanted.book, known=tuple(BOOK_IDS))
    today = datetime.datetime.now(datetime.UTC).date()
    try:
        day = today if date is None else datetime.date.fromisoformat(date)
    except ValueError:
        raise CommandError("puzzle.date", "--date", date=date or "") from None
    if seed is None and level is None:
        return daily(pack, day, wanted)
    return pick(pack, NOBODY, seed or str(day), wanted=wanted, difficulty=level or "normal")


def _print(chosen: Puzzle, language: Language) -> None:
    given = chosen.read()
    rules, screen = given.state.book, console()
    heading = message(
        "puzzles.heading",
        language,
        kind=title(chosen),
        book=rules.label,
        rating=str(chosen.rating),
        id=chosen.id,
    )
    screen.print(heading, style="bold", markup=False)
    screen.print(question(chosen).text(language), markup=False)
    screen.print()
    for number, faces in enumerate(given.table, 1):
        screen.print(f"  {number:2}  ", tiles_text(rules, faces), sep="")
    if not given.table:
        screen.print("  ", table_text(rules, (), language), sep="")
    screen.print()
    screen.print(message("puzzles.rack", language), tiles_text(rules, given.rack), sep="")
    if given.position.discards and given.position.moment == "take":
        last = rules.tiles.face_of[given.position.discards[-1]]
        screen.print(message("puzzles.last_discard", language), tiles_text(rules, (last,)), sep="")
    others = [len(rack) for seat, rack in enumerate(given.position.racks) if seat != given.seat]
    told = ", ".join(map(str, others))
    screen.print(message("puzzles.others", language, tiles=told, count=given.position.pool), style="dim")


def _ask(chosen: Puzzle, language: Language) -> bool:
    """True once the answer is typed; False for an empty line or the end of the input."""
    given = chosen.read()
    tiles = given.state.book.tiles
    while True:
        try:
            typed = input(message("puzzles.prompt", language)).strip()
        except EOFError:
            return False
        if not typed:
            return False
        try:
            laid = parse_set("" if typed == "-" else typed, tiles)
        except TileTextError as error:
            typer.echo(error.message(language))
            continue
        if sorted(laid) == sorted(given.played) or (chosen.kind == "hold" and laid and given.played):
            typer.echo(message("puzzles.solved", language))
            return True
        typer.echo(message("puzzles.not_best", language))


def _explain(chosen: Puzzle, language: Language, *, pause: bool) -> None:
    screen = console()
    told = verdict(chosen)
    if told is not None:
        screen.print(told.text(language), markup=False)
    with about(chosen.id):
        steps = solution(chosen)
    if steps is not None:
        for number, line in enumerate(steps.lines(language), 1):
            screen.print(sentence_text(f"{number}. {line}"))
            if pause and number < len(steps.steps) and sys.stdin.isatty():
                input(message("puzzles.next", language))
    names = ", ".join(each.text(language) for each in theme_names(chosen))
    if names:
        screen.print(message("puzzles.themes", language, themes=names), style="dim", markup=False)
