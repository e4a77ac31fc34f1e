"""The data card: what the corpus is, how it was made, what its columns mean, and what it cannot tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from meldroom import __version__
from meldroom.arena.experiment import Entrant, Experiment
from meldroom.corpus.tables import COLUMNS, TABLES, Game, pyarrow_version
from meldroom.record import VERSION

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))

_WHAT = {
    "games": "one row for every game",
    "players": "one row for every player of every game",
    "turns": "one row for every turn",
}


class _Sum(msgspec.Struct):
    games: int = 0
    turns: int = 0
    draw_turns: int = 0
    longest_wait: int = 0
    exhausted: int = 0
    won: float = 0.0
    score: int = 0


class Totals:
    """What the card tells of all games: by book, and by book and bot."""

    def __init__(self) -> None:
        self.rows = dict.fromkeys(TABLES, 0)
        self.books: dict[str, _Sum] = {}
        self.bots: dict[tuple[str, int, str], _Sum] = {}

    def add(self, games: Sequence[Game]) -> None:
        """More games."""
        for game in games:
            counted = game.facts.game
            self.rows["games"] += 1
            self.rows["players"] += len(game.facts.players)
            self.rows["turns"] += len(game.facts.turns)
            book = self.books.setdefault(game.book, _Sum())
            book.games += 1
            book.turns += counted.turns
            book.draw_turns += counted.draw_turns
            book.longest_wait = max(book.longest_wait, counted.longest_wait)
            book.exhausted += counted.pool_exhausted
            for player in game.facts.players:
                bot = self.bots.setdefault((game.book, counted.players, game.bots[player.seat]), _Sum())
                bot.games += 1
                bot.turns += player.turns
                bot.draw_turns += player.draw_turns
                bot.longest_wait = max(bot.longest_wait, player.longest_wait)
                bot.won += player.won
                bot.score += player.score


def data_card(experiment: Experiment, totals: Totals, sums: Mapping[str, str], licence: str) -> str:
    """The README of a corpus, with the header that dataset hubs read."""
    title = experiment.title or "Meldroom games"
    games = totals.rows["games"]
    size = next((name for most, name in _SIZES if games < most), "n>1M")
    header = ["---", f"pretty_name: {_quoted(title)}", f"license: {licence.lower()}"]
    header += ["tags:", "- games", "- tile-rummy", "- imperfect-information", "size_categories:", f"- {size}"]
    header.append("configs:")
    for table in TABLES:
        header += [f"- config_name: {table}", f"  data_files: {table}/*.parquet"]
    parts = [
        "\n".join([*header, "---", "", f"# {title}"]),
        f"{games} whole games of tile rummy between bots: each as a record that can be replayed and checked, "
        "and as statistics of the game, its players and its turns.",
        _made(experiment),
        _files(totals, sums),
        *(_columns(table) for table in TABLES),
        _counts(totals),
        _checking(),
        _limits(),
        f"## Licence\n\n{licence}. The records hold no personal data: nobody but programs played.",
    ]
    return "\n\n".join(parts) + "\n"


def _quoted(text: str) -> str:
    return msgspec.json.encode(text).decode()


def _made(experiment: Experiment) -> str:
    lines = [
        "## How it was made",
        "",
        f"By `meldroom corpus write experiment.json` with Meldroom {__version__}, "
        f"records of version {VERSION}, pyarrow {pyarrow_version()}.",
        "",
        f"- **Seed**: {_quoted(experiment.seed)}. The same experiment gives the same files.",
        "- **Deals**: "
        + (
            "every deal is played in every rotation of the seats."
            if experiment.mirrored
            else "each is played once."
        ),
        "- **Books**: " + ", ".join(f"{each.name} ({each.deals} deals)" for each in experiment.books) + ".",
        "- **Tables**: " + "; ".join(" · ".join(each.seats) for each in experiment.line_ups) + ".",
        "",
        "| bot | what it is |",
        "| --- | --- |",
        *(f"| {bot.name} | {_bot(bot)} |" for bot in experiment.bots),
    ]
    return "\n".join(lines)


def _bot(bot: Entrant) -> str:
    if bot.command:
        return f"the program `{' '.join(bot.command)}`, {bot.seconds:g} s a move"
    what = f"the level `{bot.level}`" if bot.level else "a Python class"
    options = ", ".join(f"{name} = {value}" for name, value in bot.parameters.items())
    return f"{what}, {options}" if options else what


def _files(totals: Totals, sums: Mapping[str, str]) -> str:
    lines = ["## Files", "", "| files | what | how many |", "| --- | --- | --- |"]
    kept = sum(name.startswith("records/") for name in sums)
    lines.append(f"| `records/*.meld.gz` | the records, one after the other, as text | {kept} files |")
    for table in TABLES:
        lines.append(f"| `{table}/*.parquet` | {_WHAT[table]} | {totals.rows[table]} rows |")
    lines += [
        "| `experiment.json` | who played what, for `meldroom corpus write` | |",
        "| `SHA256SUMS` | checksums of all of these, for `sha256sum --check` | |",
        "| `timing.csv` | milliseconds a move by book and bot; these differ from run to run | |",
    ]
    return "\n".join(lines)


def _columns(table: str) -> str:
    lines = [f"## Columns of {table}: {_WHAT[table]}", "", "| column | type | what |", "| --- | --- | --- |"]
    lines += [f"| `{name}` | {kind} | {what} |" for name, (kind, what) in COLUMNS[table].items()]
    return "\n".join(lines)


def _counts(totals: Totals) -> str:
    lines = [
        "## The games in numbers",
        "",
        "| book | games | turns a game | turns without laying | longest wait |",
    ]
    lines[-1] += " pool exhausted |"
    lines.append("| --- | --- | --- | --- | --- | --- |")
    for book, each in totals.books.items():
        lines.append(
            f"| {book} | {each.games} | {each.turns / each.games:.1f} "
            f"| {_share(each.draw_turns, each.turns)} | {each.longest_wait} "
            f"| {_share(each.exhausted, each.games)} |"
        )
    lines += [
        "",
        "| book | players | bot | seats | wins | mean score | turns without laying | longest wait |",
    ]
    lines.append("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for (book, players, bot), each in totals.bots.items():
        lines.append(
            f"| {book} | {players} | {bot} | {each.games} | {_share(each.won, each.games)} "
            f"| {each.score / each.games:+.1f} | {_share(each.draw_turns, each.turns)} "
            f"| {each.longest_wait} |"
        )
    return "\n".join(lines)


def _share(part: float, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


def _checking() -> str:
    return """## Reading and checking

```python
import pyarrow.parquet as pq
from meldroom.corpus import read_records
games = pq.read_table("games")  # or .to_pandas()
for record in read_records("records/01-wrc11-00000.meld.gz"):
    print(record.headers.players)
```

`meldroom corpus check FOLDER` replays every record, shuffle, rules and scores included, and compares what it
counts with the tables. A single record, cut out at its first line `meldroom-record`, is a file for
`meldroom replay`."""


def _limits() -> str:
    return """## Known limits

- Programs play, not people: openings, waits and mistakes are the bots', and human games will differ.
- All games on one deal and book share their tiles: for intervals, count deals, not games.
- Bots play without a clock, so a record has no times; `timing.csv` is of the machine that wrote it.
- `tiles_moved` compares two tables; it is not how many movements a hand needs.
- Compressed bytes also depend on the versions of zlib and pyarrow; the records inside do not."""
