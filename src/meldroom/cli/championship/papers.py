"""`meldroom championship papers`: score sheets, lists, cards and certificates as PDF files."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from meldroom.championship import ChampionshipError, read_lines, read_state
from meldroom.championship.log.export import Document as Championship
from meldroom.championship.log.export import document_of
from meldroom.championship.log.restore import decode_document
from meldroom.championship.roles import may, not_allowed
from meldroom.championship.text import line
from meldroom.cli.championship.options import As, SittingOption, championship
from meldroom.cli.options import Lang, refuse
from meldroom.papers import (
    KINDS,
    ChampionshipPapers,
    Document,
    Order,
    check_printing,
    names_without_type,
    print_pdf,
    signs_without_type,
    without_font,
)
from meldroom.papers.values import PaperSize

Source = Annotated[
    Path, typer.Argument(metavar="LOG", help="The championship's log, or its exported event.json.")
]


def read_source(file: Path) -> tuple[Championship, str]:
    """An exported document, and what tells its sheets from others'. Raises ChampionshipError."""
    if file.suffix == ".json":
        try:
            return decode_document(file.read_bytes()), ""
        except OSError as error:
            raise ChampionshipError("no_file", file=str(file), why=error.strerror or str(error)) from None
    return document_of(read_state(file)), hashlib.sha256(read_lines(file)[0]).hexdigest()


@championship.command()
def papers(
    file: Source,
    out: Annotated[Path, typer.Option("--out", help="The folder for the files; it is made if needed.")],
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--kind", help=f"What to print, also several times: {', '.join(KINDS)}. Else everything."
        ),
    ] = None,
    stage: Annotated[str | None, typer.Option("--stage", help="Only this stage.")] = None,
    sitting: SittingOption = None,
    day: Annotated[
        datetime | None,
        typer.Option("--day", formats=["%Y-%m-%d"], help="Only the sittings of this day of the schedule."),
    ] = None,
    current: Annotated[bool, typer.Option("--current", help="Only the sitting being played.")] = False,
    address: Annotated[
        str,
        typer.Option("--address", help="Where the championship's pages are, for QR codes: http://host:8000"),
    ] = "",
    place: Annotated[str, typer.Option("--where", help="The place, for headings and certificates.")] = "",
    blank: Annotated[int, typer.Option("--blank", min=1, max=500, help="How many emergency sheets.")] = 8,
    full_names: Annotated[
        bool, typer.Option("--full-names", help="Minors with their names on lists for the wall, too.")
    ] = False,
    printed: Annotated[str, typer.Option("--printed", help="The time on every page; now if not given.")] = "",
    size: Annotated[PaperSize, typer.Option("--paper", help="The paper's size.")] = "a4",
    fonts: Annotated[
        Path | None, typer.Option("--fonts", help="A folder with fonts, for scripts such as Hangul.")
    ] = None,
    role: As = "director",
    lang: Lang = "en",
) -> None:
    """Print a championship's papers as PDF files: sheets, lists, cards, standings, reports, certificates.

    Files of the same name are replaced: papers can be printed again at any time. Minors stand on lists for
    the wall with their initials.

    \b
    Examples:
      meldroom championship papers open.jsonl --out papers
      meldroom championship papers open.jsonl --out papers --current --kind sheets --kind wall_by_name
      meldroom championship papers open.jsonl --out papers --address http://192.168.1.5:8000 --lang fr
      meldroom championship papers open.jsonl --out sunday --day 2026-11-16
      meldroom championship papers results/event.json --out papers --kind certificates --where Berlin
    """
    for each in kind or ():
        if each not in KINDS:
            refuse("championship", line("no_kind", lang, kind=each, kinds=", ".join(KINDS)))
    check_printing()
    if not may(role, "export"):
        raise not_allowed(role, "export")
    document, code = read_source(file)
    now = datetime.now().astimezone()
    order = Order(
        language=lang,
        paper=size,
        printed=printed or now.strftime("%Y-%m-%d %H:%M"),
        where=place,
        address=address,
        code=code,
        minors="names" if full_names else "initials",
        zone=now.tzinfo or Order().zone,
        blank=blank,
    )
    made = ChampionshipPapers(document, order)
    people = (one.entrant.name for one in document.entrants)
    strange = without_font(signs_without_type([document.event.name, place, *people]), fonts)
    if strange:
        typer.secho(line("no_type", lang, signs=strange[:40]), err=True, fg="red")
        for one in document.entrants:
            for name, missing in names_without_type([one.entrant.name], fonts):
                told = line("no_type_in", lang, number=one.number, name=name, signs=missing)
                typer.secho(told, err=True, fg="red")
    if current and (now_played := made.current()) is not None:
        stage, sitting = now_played
    chosen = [each for each in KINDS if kind is None or each in kind]
    names = _write(
        made, out, list(made.all(chosen, stage, sitting, None if day is None else day.date())), fonts
    )
    listed = line("exported", lang, files=", ".join(names), folder=str(out))
    typer.echo(listed if names else line("no_papers", lang))


def _write(
    made: ChampionshipPapers, out: Path, found: Sequence[tuple[str, Document]], fonts: Path | None
) -> list[str]:
    """Every paper into the folder; the names of the files."""
    occasion = made.occasion()
    out.mkdir(parents=True, exist_ok=True)
    names = []
    for name, paper in found:
        (out / f"{name}.pdf").write_bytes(print_pdf(occasion, paper, fonts=fonts))
        names.append(f"{name}.pdf")
    return names
