"""A championship to take away: JSON, CSV files, its log, PDFs."""

from __future__ import annotations

import hashlib
import io
import itertools
import zipfile
from collections.abc import Mapping
from datetime import date

from msgspec.structs import replace

from meldroom.championship.errors import ChampionshipError
from meldroom.championship.log.export import as_csv, document_of, for_spreadsheet
from meldroom.championship.state import ChampionshipState
from meldroom.i18n import Language
from meldroom.papers import KINDS, ChampionshipPapers, Order, print_pdf
from meldroom.papers.deal_sheets import deal_sheets
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.hall.state import Hall
from meldroom.server.championships.pages.publication import HIDDEN, way_of_naming

_MOMENT = (1980, 1, 1, 0, 0, 0)
"""The time of every file in an archive: the same championship gives the same bytes."""


def without_hidden(state: ChampionshipState, hall: Hall) -> ChampionshipState:
    """The championship without the names of those who are hidden, for files that others will read."""
    people = tuple(
        replace(one, entrant=type(one.entrant)(f"{HIDDEN} {one.number}"))
        if way_of_naming(one, hall, state.date) == "hidden"
        else one
        for one in state.participants
    )
    return replace(state, participants=people)


def csv_zip(state: ChampionshipState, hall: Hall, excel: Language | None = None) -> bytes:
    """The championship's CSV files in one archive; with a language as its spreadsheets open them."""
    files = as_csv(without_hidden(state, hall))
    if excel is None:
        return zipped({name: text.encode() for name, text in files.items()})
    return zipped({name: for_spreadsheet(text, excel) for name, text in files.items()})


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Files in one archive."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(name, _MOMENT)
            entry.external_attr = 0o644 << 16  # readable by a web server when it is unpacked
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return data.getvalue()


def championship_code(first_line: bytes) -> str:
    """What tells this championship's sheets from those of any other: the command line prints the same."""
    return hashlib.sha256(first_line).hexdigest()


def deals_pdf(state: ChampionshipState, order: Order, stage: str, seed: str) -> tuple[str, bytes]:
    """The deal sheets of a duplicate stage. Raises HallError."""
    if not seed:
        raise HallError(409, "seed_not_kept", "file")
    occasion = ChampionshipPapers(document_of(state), order).occasion()
    sheets = deal_sheets(state.format, seed, stage, order.language)
    return f"deals-{stage}.pdf", print_pdf(occasion, sheets)


def papers(
    state: ChampionshipState,
    hall: Hall,
    order: Order,
    file: str,
    stage: str | None,
    sitting: int | None,
    day: date | None = None,
) -> tuple[str, bytes]:
    """The name of a file and its bytes: `sheets.pdf` is one PDF, `sheets.zip` or `all.zip` an archive.

    A single PDF without a stage or sitting is that of the sitting being played. With a day, only that day's.
    Raises HallError.
    """
    name, _, ending = file.rpartition(".")
    kinds = KINDS if name == "all" else tuple(kind for kind in KINDS if kind == name)
    if not kinds or ending not in ("pdf", "zip") or (name == "all" and ending == "pdf"):
        raise HallError(404, "no_such_paper", "file", kind=file[:40], kinds=", ".join(KINDS))
    try:
        made = ChampionshipPapers(document_of(without_hidden(state, hall)), order)
        if ending == "pdf" and stage is None and day is None and (played := made.current()) is not None:
            stage, sitting = played
        found = made.all(kinds, stage, sitting, day)
        if ending == "pdf":
            found = itertools.islice(found, 1)
        printed = {f"{each}.pdf": print_pdf(made.occasion(), paper) for each, paper in found}
    except ChampionshipError as error:
        raise HallError.from_below(error, "file") from None
    if not printed:
        raise HallError(409, "no_paper_yet", "file")
    if ending == "pdf":
        return next(iter(printed.items()))
    return file if day is None else f"{name}-{day}.zip", zipped(printed)
