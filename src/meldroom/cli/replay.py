"""`meldroom replay`: read, verify, print or draw a recorded game."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from meldroom.cli.error_handling import FAILED, CommandError, about, refuse
from meldroom.cli.options import Lang
from meldroom.cli.tile_colours import console, tiles_text
from meldroom.game import events as ev
from meldroom.i18n import Language, message
from meldroom.record import (
    Position,
    Record,
    Step,
    load,
    loads,
    to_json,
    to_svg,
    to_text,
    verify,
)
from meldroom.record import replay as steps_of
from meldroom.record.load import LARGEST_FILE
from meldroom.record.narrate import Line, Narrator, Span, Style
from meldroom.rules.book import RuleBook

STANDARD_INPUT = "-"


def replay(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A record as text or JSON; - reads standard input.")
    ],
    check: Annotated[
        bool,
        typer.Option("--verify", help="Compute legality, shuffle and scores again, and say what is wrong."),
    ] = False,
    svg: Annotated[
        str | None,
        typer.Option(
            "--svg", metavar="OUT", help="Draw the position into OUT.svg, or every turn into the folder OUT."
        ),
    ] = None,
    turn: Annotated[
        int | None, typer.Option("--turn", metavar="N", help="Stop after turn N; 0 is the deal.", min=0)
    ] = None,
    why: Annotated[
        bool, typer.Option("--why", help="Say why each move was made, as far as it shows.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the record as JSON.")] = False,
    text: Annotated[bool, typer.Option("--text", help="Print the record as text.")] = False,
    lang: Lang = "en",
) -> None:
    """Show a recorded game turn by turn, verify it, draw it, or convert it.

    The exit status is 0, 1 if the record does not verify, and 2 if it cannot be read.

    \b
    Examples:
      meldroom replay game.meld
      meldroom replay game.meld --verify
      meldroom replay game.meld --why
      meldroom replay game.meld --svg last.svg
      meldroom replay game.meld --svg turn12.svg --turn 12
      meldroom replay game.meld --svg pictures/
      meldroom replay game.meld --json > game.json
    """
    with about(file):
        record = read_record(file)
        if json:
            sys.stdout.buffer.write(to_json(record))
        if text:
            sys.stdout.buffer.write(to_text(record).encode())
        if svg is not None:
            _draw(record, svg, turn, lang)
        if check:
            _verify(record, file, lang)
        if not (json or text or check or svg is not None):
            print_record(record, lang, turn, whys(record, lang) if why else {})


def read_record(file: str) -> Record:
    """The record in a file, or on standard input."""
    if file == STANDARD_INPUT:
        return loads(sys.stdin.buffer.read(LARGEST_FILE + 1))
    if "\0" in file:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), file)
    return load(file)


def _verify(record: Record, file: str, language: Language) -> None:
    """Says what was computed again. Ends the program with status 1 at the first line that is wrong."""
    report = verify(record)
    checks = ", ".join(check.message(language) for check in report.checked)
    key = "verified" if checks else "nothing_verified"
    typer.echo(message(f"record.narrate.{key}", language, checks=checks))
    for check in report.unchecked:
        typer.echo(message("record.narrate.unchecked", language, check=check.message(language)))
    if not report.ok:
        wrong = report.problems[0].message(language)
        if len(report.problems) > 1:
            more = len(report.problems) - 1
            wrong = message("record.narrate.more", language, message=wrong, count=more)
        refuse("replay", f"{file}: {wrong}", FAILED)


def turns_of(record: Record) -> list[Step]:
    """The last step of each turn, the deal before the first: turn N is the N-th that began."""
    ends: list[Step] = []
    for step in steps_of(record):
        if not step.state.racks:
            continue
        if isinstance(step.event, ev.TurnBegan) or not ends:
            ends.append(step)
        else:
            ends[-1] = step
    return ends


def _draw(record: Record, out: str, turn: int | None, language: Language) -> None:
    ends = turns_of(record)
    last = len(ends) - 1
    if not ends or (turn is not None and turn > last):
        raise CommandError("no_turn", "--turn", turn=str(turn or 0), last=str(max(last, 0)))
    if out.endswith(".svg"):
        _picture(record, ends, last if turn is None else turn, Path(out), language)
        return
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    chosen = range(len(ends)) if turn is None else (turn,)
    for index in chosen:
        _picture(record, ends, index, folder / f"turn-{index:03}.svg", language)
    typer.echo(message("record.narrate.drawn", language, count=len(chosen), folder=out))


def _picture(record: Record, ends: list[Step], index: int, path: Path, language: Language) -> None:
    step = ends[index]
    title = f"{step.state.book.name[language]} · {index}/{len(ends) - 1}"
    position = Position.of(step.state, step.unknown)
    picture = to_svg(position, names=record.headers.players, title=title, language=language)
    path.write_text(picture, encoding="utf-8")


_INDENT = 6
_STYLES: dict[Style, str] = {
    "plain": "",
    "quiet": "dim",
    "strong": "bold",
    "remark": "dim italic",
    "tile": "dim",
}


def whys(record: Record, language: Language) -> dict[int, str]:
    """Why each move was made, by the number of its turn, as far as the position shows it."""
    from meldroom.coach.turns import every_reason

    return {
        found.turn: " ".join(each.message.text(language) for each in found.reasons)
        for found in every_reason(record)
    }


def print_record(
    record: Record,
    language: Language = "en",
    turn: int | None = None,
    reasons: Mapping[int, str] | None = None,
) -> None:
    """The game turn by turn, up to a turn if one is given, and whether it verifies.

    `reasons` are told under the turns that they belong to.
    """
    untold = dict(reasons or {})
    screen = console()
    teller = Narrator(record, language)
    for told in teller.heading():
        screen.print(_in_colour(teller.book, told.spans))
    width = max(map(len, record.headers.players))
    for told in teller.lines(turn):
        for line in _laid_out(teller.book, told, width, max(screen.width, 40)):
            screen.print(line)
        if told.turn in untold:
            screen.print(Text(" " * (_INDENT + width + 2) + untold.pop(told.turn), style="dim italic"))
    if turn is not None:
        return
    report = verify(record)
    screen.print()
    if report.ok:
        checks = ", ".join(check.message(language) for check in report.checked)
        screen.print(Text(message("record.narrate.verified", language, checks=checks), style="green"))
    else:
        wrong = f"{message('record.narrate.wrong', language)}: {report.problems[0].message(language)}"
        screen.print(Text(wrong, style="bold red"))


def _in_colour(book: RuleBook, spans: Iterable[Span]) -> Text:
    text = Text()
    for span in spans:
        if span.face is not None:
            text.append_text(tiles_text(book, (span.face,)))
        else:
            mark = "; " if span.style == "remark" else ""
            text.append(mark + span.text, style=_STYLES[span.style])
    return text


def _laid_out(book: RuleBook, told: Line, name_width: int, width: int) -> Iterator[Text]:
    """A line behind its turn and name; a table in as many lines as it needs."""
    if told.sets:
        yield from _side_by_side(
            [_in_colour(book, each) for each in told.sets], _INDENT + name_width + 2, width
        )
        return
    number = f"{told.turn:>{_INDENT - 2}}  " if told.turn else " " * _INDENT
    line = Text(number, style="dim") if told.spans else Text()
    if told.name:
        line.append(f"{told.name:<{name_width}}  ", style="bold")
    yield line.append_text(_in_colour(book, told.spans))


def _side_by_side(sets: Iterable[Text], indent: int, width: int) -> Iterator[Text]:
    line = Text(" " * indent)
    for each in sets:
        if line.cell_len > indent and line.cell_len + each.cell_len + 3 > width:
            yield line
            line = Text(" " * indent)
        if line.cell_len > indent:
            line.append(" | ", style="dim")
        line.append_text(each)
    yield line
