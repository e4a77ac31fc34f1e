"""Results as tables for the terminal; they fit 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from meldroom.arena.reporting.number_format import estimate, number, percent, share_text
from meldroom.arena.reporting.statistics import Estimate
from meldroom.arena.reporting.summary import Line, Results
from meldroom.i18n import Language, message

if TYPE_CHECKING:
    from rich.table import Table

MOST_IN_A_CROSS = 7
"""A cross table of more bots would not fit; their pairings are listed instead."""


def tables(results: Results, lines: Sequence[Line], language: Language = "en") -> Iterator[tuple[str, Table]]:
    """For every book everybody, then who did what to whom; at the end the times. Each with its heading."""
    pairs = results.experiment.format == "pairs"
    for entry in results.experiment.books:
        overall = [line for line in lines if line.book == entry.name and line.scope == "book"]
        seated = [line for line in lines if line.book == entry.name and line.scope == "table"]
        yield message("arena.head.overall", language, book=entry.name), _overall(overall, language)
        yield message("arena.head.play", language, book=entry.name), _play(overall, language)
        if pairs and 2 < len(overall) <= MOST_IN_A_CROSS:
            cross = _cross(seated, [line.bot for line in overall], language)
            yield message("arena.head.against", language, book=entry.name), cross
        elif not pairs or len(overall) > 2:
            yield message("arena.head.line_ups", language, book=entry.name), _line_ups(seated, language)
    yield message("arena.head.times", language), _times(results, language)


def _table(heads: Sequence[str], left: int = 1) -> Table:
    """An empty table; so many of its columns are text."""
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for place, head in enumerate(heads):
        made.add_column(head, justify="left" if place < left else "right", overflow="fold")
    return made


def _heads(language: Language, *keys: str) -> list[str]:
    return [message(f"arena.head.{key}", language) for key in keys]


def _wins(found: Estimate, language: Language) -> str:
    return " ".join(share_text(found, language)).strip()


def _score(found: Estimate, language: Language) -> str:
    return " ".join(estimate(found, language)).strip()


def _overall(lines: Sequence[Line], language: Language) -> Table:
    heads = _heads(language, "bot", "games", "wins", "score", "rating")
    made = _table(heads)
    for line in lines:
        rating = line.rating
        shown = f"{number(rating.mu, 1, language)} ± {number(rating.sigma, 1, language)}" if rating else "–"
        wins, score = _wins(line.wins, language), _score(line.score, language)
        made.add_row(line.bot, str(line.games), wins, score, shown)
    return made


def _play(lines: Sequence[Line], language: Language) -> Table:
    made = _table(_heads(language, "bot", "turns", "opening", "never", "tiles", "faults"))
    for line in lines:
        made.add_row(
            line.bot,
            number(line.turns, 1, language),
            number(line.opening, 2, language),
            percent(line.never, language),
            number(line.tiles, 2, language),
            number(line.faults, 2, language),
        )
    return made


def _cross(lines: Sequence[Line], bots: Sequence[str], language: Language) -> Table:
    """Everybody against everybody."""
    found: dict[tuple[str, str], Line] = {}
    for line in lines:
        for other in lines:
            if other.table == line.table and other.bot != line.bot:
                found[line.bot, other.bot] = line
    made = _table(["", *bots])
    for bot in bots:
        cells = [found.get((bot, other)) for other in bots]
        made.add_row(bot, *("" if cell is None else percent(cell.wins.mean, language) for cell in cells))
    return made


def _line_ups(lines: Sequence[Line], language: Language) -> Table:
    heads = _heads(language, "table", "bot", "wins", "score")
    made = _table(heads, left=2)
    before = ""
    for line in lines:
        table = line.table if line.table != before else ""
        made.add_row(table, line.bot, _wins(line.wins, language), _score(line.score, language))
        before = line.table
    return made


def _times(results: Results, language: Language) -> Table:
    heads = _heads(language, "book", "bot", "mean", "p99", "max")
    made = _table(heads, left=2)
    for (book, bot), times in results.times.items():
        taken = (times.mean, times.percentile(0.99), times.longest)
        made.add_row(book, bot, *(number(1000 * one, 2, language) for one in taken))
    return made
