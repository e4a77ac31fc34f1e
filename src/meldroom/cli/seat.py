"""`meldroom seat`: seating for a field of players."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.cells import cell_len

from meldroom.championship.seating import Announcement, Seating, SeatingError, announce, drawn, entry, seating
from meldroom.championship.seating.raffle import ApartIn
from meldroom.championship.seating.request import answer
from meldroom.cli.json_lines import answer_lines
from meldroom.cli.options import JsonLines, Lang, refuse
from meldroom.cli.tile_colours import console
from meldroom.game import new_secret
from meldroom.i18n import Language

_NAME_COLUMNS = ("name", "player", "nom", "joueur")

_WORDS = {
    "en": {
        "sitting": "Sitting {number}",
        "table": "table",
        "seat": "seat {number}",
        "out": "sits out: {names}",
        "repeats": "repeated opponents: {repeats} ({proof})",
        "proven": "no seating has fewer",
        "unproven": "the fewest known here; fewer are not excluded",
        "seats": "seats: as even as they can be",
        "uneven": "seats: {number} away from even",
        "revisits": "visits to a table a second time: {number}",
        "threes": "tables of three: {number} at most for one player",
        "seed": "seed: {seed} (the same seed gives the same seating)",
        "announced": "wrote {file}: publish it before the draw, and keep this seed until then\nseed: {seed}",
        "no_players": "give a number of players, their names, or a file of names",
        "no_file": "{file} cannot be read: {reason}",
        "no_writing": "{file} cannot be written: {reason}",
        "no_names": "{file} holds no names",
        "no_column": "{file} has no column “{column}”; there are {columns}",
        "no_seed": "give the seed that was kept: --seed …",
        "bad_announcement": "{file} is no announcement: {reason}",
    },
    "fr": {
        "sitting": "Séance {number}",
        "table": "table",
        "seat": "place {number}",
        "out": "ne joue pas : {names}",
        "repeats": "adversaires retrouvés : {repeats} ({proof})",
        "proven": "aucun placement n’en a moins",
        "unproven": "le moins connu ici ; moins n’est pas exclu",
        "seats": "places : aussi égales que possible",
        "uneven": "places : à {number} de l’égalité",
        "revisits": "retours à une même table : {number}",
        "threes": "tables de trois : {number} au plus pour un joueur",
        "seed": "graine : {seed} (la même graine donne le même placement)",
        "announced": "{file} écrit : à publier avant le tirage ; gardez cette graine\ngraine : {seed}",
        "no_players": "donnez un nombre de joueurs, leurs noms, ou un fichier de noms",
        "no_file": "{file} ne peut être lu : {reason}",
        "no_writing": "{file} ne peut être écrit : {reason}",
        "no_names": "{file} ne contient aucun nom",
        "no_column": "{file} n’a pas de colonne « {column} » ; il y a {columns}",
        "no_seed": "donnez la graine gardée : --seed …",
        "bad_announcement": "{file} n’est pas une annonce : {reason}",
    },
}


def seat(
    players: Annotated[
        list[str] | None, typer.Argument(help="How many players, or their names, or a CSV file of names.")
    ] = None,
    sittings: Annotated[int, typer.Option("--sittings", help="How many sittings.")] = 4,
    seed: Annotated[
        str | None, typer.Option("--seed", help="Any text; the same text gives the same seating.")
    ] = None,
    word: Annotated[
        list[str] | None, typer.Option("--word", help="What somebody in the hall adds to the draw.")
    ] = None,
    apart: Annotated[
        list[str] | None, typer.Option("--apart", metavar="NAME,NAME", help="Players kept apart.")
    ] = None,
    apart_by: Annotated[
        str | None,
        typer.Option("--apart-by", metavar="COLUMN", help="Keep apart who share this in the file."),
    ] = None,
    apart_in: Annotated[
        ApartIn, typer.Option("--apart-in", help="Keep them apart in the first sitting or in all.")
    ] = "all",
    announcement: Annotated[
        Path | None, typer.Option("--announce", help="Write what to publish before the draw, and end.")
    ] = None,
    published: Annotated[
        Path | None, typer.Option("--published", help="Draw for an announcement, with its seed.")
    ] = None,
    lang: Lang = "en",
    jsonl: JsonLines = False,
) -> None:
    """Seat a field of five or more: who sits where, and nobody meets twice where that is possible.

    Tables have four players, or three where the number asks for it. Four sittings of 13 or more repeat no
    opponent.

    \b
    Examples:
      meldroom seat 33
      meldroom seat 16 --sittings 5 --seed "dice: 4 2 6"
      meldroom seat Ada Bo Chi Dee Eve Fay Gus Hal --apart Ada,Bo
      meldroom seat entrants.csv --apart-by country --apart-in first
      meldroom seat entrants.csv --announce draw.json
      meldroom seat --published draw.json --seed "the seed that was kept" --word "4 2 6"
      meldroom seat --jsonl < fields.jsonl
    """
    if jsonl:
        answer_lines(answer, lang)
        return
    words = _WORDS[lang]
    try:
        if published is not None:
            if seed is None:
                refuse("seat", words["no_seed"])
            _print(drawn(_read_announcement(published, lang), seed, word or []), seed, lang)
            return
        field, groups = _field(players or [], apart_by, lang)
        groups += [[name.strip() for name in group.split(",")] for group in apart or []]
        chosen = new_secret() if seed is None else seed
        if announcement is not None:
            _announce(announcement, field, sittings, (groups, apart_in), chosen, lang)
            return
        _print(
            seating(field, sittings, chosen, apart=groups, apart_in=apart_in, words=word or []), chosen, lang
        )
    except SeatingError as error:
        refuse("seat", error.message(lang))


def _field(
    given: Sequence[str], apart_by: str | None, language: Language
) -> tuple[int | list[str], list[list[str]]]:
    """The number or names of players, and the groups that a column of their file makes."""
    if not given:
        refuse("seat", _WORDS[language]["no_players"])
    (first, *others) = given
    if others:
        return list(given), []
    if first.isascii() and first.isdigit() and len(first) < 10:
        return int(first), []
    return _read_names(Path(first), apart_by, language)


def _read_names(file: Path, apart_by: str | None, language: Language) -> tuple[list[str], list[list[str]]]:
    """Names from the column `name`, or else the first, and groups of who share a value of another column."""
    words = _WORDS[language]
    try:
        rows = [row for row in csv.reader(file.read_text(encoding="utf-8-sig").splitlines()) if any(row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        refuse("seat", words["no_file"].format(file=file, reason=reason))
    titles = [title.strip().lower() for title in rows[0]] if rows else []
    named = [place for place, title in enumerate(titles) if title in _NAME_COLUMNS]
    column = named[0] if named else 0
    people = rows[1:] if named else rows
    if not people:
        refuse("seat", words["no_names"].format(file=file))
    names = [row[column].strip() if column < len(row) else "" for row in people]
    if apart_by is None:
        return names, []
    if not named or apart_by.lower() not in titles:
        listed = ", ".join(rows[0] if named else [])
        refuse("seat", words["no_column"].format(file=file, column=apart_by, columns=listed or "–"))
    place = titles.index(apart_by.lower())
    groups: dict[str, list[str]] = {}
    for name, row in zip(names, people, strict=True):
        if place < len(row) and row[place].strip():
            groups.setdefault(row[place].strip(), []).append(name)
    return names, [group for group in groups.values() if len(group) > 1]


def _announce(
    file: Path,
    field: int | list[str],
    sittings: int,
    apart: tuple[list[list[str]], ApartIn],
    seed: str,
    language: Language,
) -> None:
    """Write what is published before the draw, and say which seed to keep."""
    made = announce(entry(field, sittings, *apart), seed)
    try:
        file.write_bytes(msgspec.json.encode(made) + b"\n")
    except OSError as error:
        refuse("seat", _WORDS[language]["no_writing"].format(file=file, reason=error.strerror or error))
    typer.echo(_WORDS[language]["announced"].format(file=file, seed=seed))


def _read_announcement(file: Path, language: Language) -> Announcement:
    words = _WORDS[language]
    try:
        return msgspec.json.decode(file.read_bytes(), type=Announcement)
    except OSError as error:
        refuse("seat", words["no_file"].format(file=file, reason=error.strerror or error))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        refuse("seat", words["bad_announcement"].format(file=file, reason=error))


def _print(found: Seating, seed: str, language: Language) -> None:
    screen, words = console(), _WORDS[language]
    for number, (sitting, out) in enumerate(zip(found.named(), found.sitting_out(), strict=True), start=1):
        screen.print(words["sitting"].format(number=number), style="bold")
        for line in _lines(sitting, words):
            screen.print(line, markup=False)
        if out:
            names = ", ".join(found.players[player] for player in out)
            screen.print(words["out"].format(names=names), markup=False)
        screen.print()
    proof = words["proven"] if found.bound is not None else words["unproven"]
    screen.print(words["repeats"].format(repeats=found.repeats, proof=proof))
    screen.print(words["uneven" if found.seat_deviation else "seats"].format(number=found.seat_deviation))
    screen.print(words["revisits"].format(number=found.table_revisits))
    if found.most_tables_of_three:
        screen.print(words["threes"].format(number=found.most_tables_of_three))
    screen.print(words["seed"].format(seed=seed), markup=False)


def _lines(sitting: Sequence[Sequence[str]], words: Mapping[str, str]) -> list[str]:
    """The tables of a sitting in columns: the table's number, then its seats."""
    seats = range(1, 1 + max(len(table) for table in sitting))
    rows = [
        [words["table"], *(words["seat"].format(number=number) for number in seats)],
        *([str(number), *table] for number, table in enumerate(sitting, start=1)),
    ]
    widths = [max(cell_len(row[place]) for row in rows if place < len(row)) for place in range(len(rows[0]))]
    return [
        "  ".join(_padded(text, width, right=not place) for place, (text, width) in enumerate(cells)).rstrip()
        for cells in (list(zip(row, widths, strict=False)) for row in rows)
    ]


def _padded(text: str, width: int, *, right: bool) -> str:
    """A cell of a column; letters may be wide."""
    space = " " * (width - cell_len(text))
    return space + text if right else text + space
