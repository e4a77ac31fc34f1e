"""What people type: players by number or name, scores of a sheet, tables, and files of results."""

from __future__ import annotations

import csv
import io

import msgspec

from meldroom.championship.actions import SeatsAt, Tables
from meldroom.championship.entrants import LineFault
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.formats.closing import unfinished
from meldroom.championship.state import ChampionshipState, GameKey
from meldroom.i18n import languages, message

RESULT_COLUMNS = ("stage", "sitting", "table", "game", "scores")
_EXHAUSTED = "exhausted"


class SheetLine(msgspec.Struct, frozen=True):
    """One game of a file of results."""

    line: int
    key: GameKey
    scores: tuple[int | None, ...]
    exhausted: bool | None = None
    """Whether the pool ran out; None where the file does not say."""


def find(state: ChampionshipState, text: str) -> int:
    """A player by number, by name, or by the beginning of a name that fits no other.

    Raises ChampionshipError.
    """
    wanted = text.strip().casefold()
    if wanted.isascii() and wanted.isdigit():
        return state.participant(int(wanted[:6])).number
    known = [(one.entrant.name.casefold(), one.number) for one in state.participants]
    same = [number for name, number in known if name == wanted]
    fitting = same or [number for name, number in known if wanted and name.startswith(wanted)]
    if len(fitting) != 1:
        raise ChampionshipError("no_entrant" if not fitting else "several_entrants", name=text)
    return fitting[0]


def parse_scores(text: str) -> tuple[int | None, ...]:
    """Scores by seat, separated by commas or spaces; a dash for an empty seat. Raises ChampionshipError."""
    found: list[int | None] = []
    for word in text.replace(",", " ").split():
        digits = word.removeprefix("-").removeprefix("+")
        if word in ("-", "–"):
            found.append(None)
        elif digits.isascii() and digits.isdigit() and len(digits) < 8 and len(word) <= len(digits) + 1:
            found.append(int(word))
        else:
            raise ChampionshipError("bad_scores", text=text)
    if not found:
        raise ChampionshipError("bad_scores", text=text)
    return tuple(found)


def parse_tables(state: ChampionshipState, text: str) -> Tables:
    """Tables by the players' numbers, as in “1 2 3 4 / 5 6 7”. Raises ChampionshipError."""
    tables = [table.replace(",", " ").split() for table in text.split("/")]
    if not all(tables) or not all(word.isascii() and word.isdigit() for table in tables for word in table):
        raise ChampionshipError("bad_tables", text=text)
    return tuple(tuple(find(state, word) for word in table) for table in tables)


def parse_seats(state: ChampionshipState, text: str) -> SeatsAt:
    """Who sat at a table, as in “5=7 12 3 9”. Raises ChampionshipError."""
    table, equals, players = text.partition("=")
    if not equals or not (table.strip().isascii() and table.strip().isdigit()):
        raise ChampionshipError("bad_seats", text=text)
    (found,) = parse_tables(state, players.replace("/", " "))
    return SeatsAt(int(table.strip()[:6]), found)


def current(
    state: ChampionshipState, stage: str | None = None, sitting: int | None = None
) -> tuple[str, int]:
    """The stage and sitting that are meant: if not said, those being played. Raises ChampionshipError."""
    named = stage or state.stage_of_play() or state.format.stages[-1].id
    if sitting is not None:
        return named, sitting
    state.format.place(named)
    open_sittings = [key[1] for key in unfinished(state, named) if key[2]]
    seated = [key[1] for key in state.seatings if key[0] == named]
    return named, min(open_sittings, default=max(seated, default=1))


def to_set_by_hand(
    state: ChampionshipState, stage: str | None = None, sitting: int | None = None
) -> tuple[str, int]:
    """The sitting to set by hand: if not said, the one being played, or the next if that is over.

    Raises ChampionshipError.
    """
    named, place = current(state, stage, sitting)
    over = not any(key[1] == place for key in unfinished(state, named))
    return to_seat(state, stage, sitting) if over else (named, place)


def to_seat(
    state: ChampionshipState, stage: str | None = None, sitting: int | None = None
) -> tuple[str, int]:
    """The sitting to seat next: if not said, the first that has no seats yet, or else the one being played.

    Raises ChampionshipError.
    """
    named, place = current(state, stage, sitting)
    empty = [key[1] for key in unfinished(state, named) if not key[2]]
    return named, place if sitting is not None or not empty else min(empty)


def parse_results(text: str) -> tuple[list[SheetLine], list[LineFault]]:
    """Results from CSV text with the columns of `RESULT_COLUMNS`; every bad line is reported."""
    rows = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    titles = [title.strip().lower() for title in next(rows, [])]
    if sorted(title for title in titles if title != _EXHAUSTED) != sorted(RESULT_COLUMNS):
        error = ChampionshipError("result_columns", columns=", ".join(RESULT_COLUMNS))
        return [], [LineFault(1, error)]
    found: list[SheetLine] = []
    faults: list[LineFault] = []
    for row in rows:
        if not any(cell.strip() for cell in row):
            continue
        try:
            if len(row) != len(titles):
                raise ChampionshipError("wrong_cells", cells=len(row), columns=len(titles))
            cells = {title: cell.strip() for title, cell in zip(titles, row, strict=True)}
            for column in RESULT_COLUMNS[1:4]:
                if not (cells[column].isascii() and cells[column].isdigit() and len(cells[column]) < 6):
                    raise ChampionshipError("bad_number", column=column, text=cells[column])
            key = (cells["stage"], int(cells["sitting"]), int(cells["table"]), int(cells["game"]))
            found.append(SheetLine(rows.line_num, key, parse_scores(cells["scores"]), _yes(cells)))
        except ChampionshipError as error:
            faults.append(LineFault(rows.line_num, error))
    return found, faults


def _yes(cells: dict[str, str]) -> bool | None:
    """What the column says about the pool, in any installed language. Raises ChampionshipError."""
    word = cells.get(_EXHAUSTED, "").casefold()
    for language in languages():
        for answer, means in (("yes", True), ("no", False)):
            if word in message(f"championship.said.{answer}", language).split():
                return means
    if word:
        raise ChampionshipError("bad_yes", text=word)
    return None
