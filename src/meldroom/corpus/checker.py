"""Checks a corpus: checksums, every record replayed and judged, every statistic counted again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from meldroom.corpus.errors import CorpusError
from meldroom.corpus.records import texts_in
from meldroom.corpus.statistics import facts
from meldroom.corpus.tables import TABLES, Game, from_parquet, rows_of
from meldroom.corpus.writer import CARD, SUMS, read_sums
from meldroom.errors import MeldroomError
from meldroom.i18n import Message
from meldroom.record import loads, verify

MOST_PROBLEMS = 20
Progress = Callable[[int, int], None]


class Checked(msgspec.Struct, frozen=True):
    """How many games were replayed, and the first things that are wrong with the corpus."""

    games: int
    problems: tuple[Message, ...]

    @property
    def sound(self) -> bool:
        """True if nothing is wrong."""
        return not self.problems


def check(folder: Path | str, progress: Progress = lambda done, all_games: None) -> Checked:
    """Replay every record of a corpus and compare it with the tables. Raises CorpusError if there is none."""
    here = Path(folder)
    if not (here / CARD).is_file() or not (here / SUMS).is_file():
        raise CorpusError("no_corpus", str(folder), folder=str(folder))
    sums = read_sums(here)
    problems = list(_sum_problems(here, sums))
    files = sorted(Path(name).name.removesuffix(".meld.gz") for name in sums if name.startswith("records/"))
    games = 0
    for number, file in enumerate(files):
        progress(number, len(files))
        if any(problem.values.get("file") in _files_of(file) for problem in problems):
            continue
        for problem in _file_problems(here, file):
            if isinstance(problem, int):
                games += problem
            elif len(problems) < MOST_PROBLEMS:
                problems.append(problem)
    progress(len(files), len(files))
    return Checked(games, tuple(problems[:MOST_PROBLEMS]))


def _files_of(file: str) -> tuple[str, ...]:
    return (f"records/{file}.meld.gz", *(f"{table}/{file}.parquet" for table in TABLES))


def _sum_problems(folder: Path, sums: Mapping[str, str]) -> Iterator[Message]:
    for name, digest in sums.items():
        try:
            data = (folder / name).read_bytes()
        except OSError as error:
            yield Message("corpus.problem.missing", {"file": name, "reason": error.strerror or str(error)})
            continue
        if sha256(data).hexdigest() != digest:
            yield Message("corpus.problem.sum", {"file": name})


def _file_problems(folder: Path, file: str) -> Iterator[Message | int]:
    """What is wrong with one file of records and its tables; at the end how many games it has."""
    records = f"records/{file}.meld.gz"
    try:
        texts = list(texts_in(folder / records))
        tables = {table: from_parquet(folder / table / f"{file}.parquet") for table in TABLES}
    except (OSError, EOFError, ValueError) as error:
        yield Message("corpus.problem.unreadable", {"file": records, "reason": str(error)})
        return
    if len(texts) != len(tables["games"]):
        counts = {"file": records, "records": len(texts), "rows": len(tables["games"])}
        yield Message("corpus.problem.count", counts)
        return
    counted: list[Game] = []
    for number, (text, row) in enumerate(zip(texts, tables["games"], strict=True)):
        try:
            record = loads(text)
            report = verify(record)
            tags = record.headers.tags
            same_game = (tags.get("deal"), tags.get("rotation")) == (str(row["deal"]), str(row["rotation"]))
            if report.problems or not same_game:
                reason = str(report.problems[0]) if report.problems else Message("corpus.problem.other_game")
                yield Message("corpus.problem.record", {"file": records, "number": number, "reason": reason})
                return
            bots = tuple(row["bots"])
            who = (row["game"], row["book"], row["table"], row["deal"], row["rotation"])
            counted.append(Game(*who, bots, facts(record)))
        except (MeldroomError, ValueError, AssertionError) as error:
            yield Message("corpus.problem.record", {"file": records, "number": number, "reason": str(error)})
            return
    made = rows_of(counted, f"{file}.meld.gz")
    for table in TABLES:
        yield from _differences(table, f"{table}/{file}.parquet", made[table], tables[table])
    yield len(counted)


def _differences(
    table: str, file: str, made: list[tuple[Any, ...]], there: list[Mapping[str, Any]]
) -> Iterator[Message]:
    if len(made) != len(there):
        yield Message("corpus.problem.count", {"file": file, "records": len(made), "rows": len(there)})
        return
    for number, (row, found) in enumerate(zip(made, there, strict=True)):
        if tuple(found.values()) != row:
            column = next(
                (name for name, value in zip(found, row, strict=False) if found[name] != value), table
            )
            yield Message("corpus.problem.row", {"file": file, "row": number, "column": column})
            return
