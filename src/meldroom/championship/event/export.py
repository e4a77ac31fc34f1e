"""An event for others: JSON, CSV files of players, seating, games and standings, and the log itself."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from meldroom.championship.event.errors import ChampionshipError
from meldroom.championship.event.standings import final_ranking, standings
from meldroom.championship.event.state import EventState

FORMAT = "meldroom-championship/1"


def as_json(state: EventState) -> bytes:
    """The event as one JSON document with sorted keys; the same state gives the same bytes."""
    document: dict[str, Any] = {
        "format": FORMAT,
        "event": {"name": state.name, "edition": state.edition, "date": state.date, "format": state.format},
        "entrants": state.participants,
        "seating": [
            {"stage": stage, "sitting": sitting, "how": seated.how, "tables": seated.tables}
            for (stage, sitting), seated in state.history()
        ],
        "games": [
            {"stage": key[0], "sitting": key[1], "table": key[2], "game": key[3], "result": result}
            for key, result in sorted(state.results.items())
        ],
        "standings": [standings(state, stage) for stage in _begun(state)],
        "ranking": [{"place": place, "number": number} for place, number in final_ranking(state)],
    }
    return msgspec.json.format(msgspec.json.encode(document, order="deterministic"), indent=1) + b"\n"


def _begun(state: EventState) -> list[str]:
    return [stage.id for stage in state.format.stages if any(key[0] == stage.id for key in state.seatings)]


def as_csv(state: EventState) -> dict[str, str]:
    """CSV files by name."""
    names = {one.number: one.entrant.name for one in state.participants}
    return {
        "players.csv": _csv(
            ("number", "name", "country", "team", "status"),
            (
                (one.number, one.entrant.name, one.entrant.country, one.entrant.team, one.status)
                for one in state.participants
            ),
        ),
        "seating.csv": _csv(
            ("stage", "sitting", "table", "seat", "number", "name"),
            (
                (*key, place, seat, number, names[number])
                for key, seated in state.history()
                for place, table in enumerate(seated.tables, start=1)
                for seat, number in enumerate(table, start=1)
            ),
        ),
        "games.csv": _csv(
            ("stage", "sitting", "table", "game", "seat", "number", "name", "score", "won", "end"),
            (
                (*key, seat + 1, number, names[number], score, int(seat in result.winners), result.end)
                for key, result in sorted(state.results.items())
                for seat, (number, score) in enumerate(
                    zip(state.seatings[key[:2]].tables[key[2] - 1], result.scores, strict=True)
                )
                if score is not None
            ),
        ),
        "standings.csv": _csv(
            ("stage", "place", "number", "name", "wins", "points", "score", "games", "decided_by"),
            (
                (
                    stage,
                    row.place,
                    row.number,
                    names[row.number],
                    row.wins,
                    row.points,
                    row.score,
                    row.games,
                    row.decided_by,
                )
                for stage in _begun(state)
                for row in standings(state, stage).rows
            ),
        ),
        "ranking.csv": _csv(
            ("place", "number", "name"),
            ((place, number, names[number]) for place, number in final_ranking(state)),
        ),
    }


def _csv(titles: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(titles)
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    return text.getvalue()


def _safe(cell: object) -> object:
    """Text that a spreadsheet would take for a formula gets an apostrophe before it."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@")) else cell


def write_export(state: EventState, lines: Iterable[bytes], folder: Path) -> list[str]:
    """Everything into an empty or new folder; the names of the files. Raises ChampionshipError."""
    files = {"event.json": as_json(state), "log.jsonl": b"".join(line + b"\n" for line in lines)}
    files |= {name: text.encode() for name, text in as_csv(state).items()}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise ChampionshipError("file_exists", file=str(folder))
        for name, data in files.items():
            (folder / name).write_bytes(data)
    except OSError as error:
        raise ChampionshipError("no_file", file=str(folder), why=error.strerror or str(error)) from None
    return list(files)
