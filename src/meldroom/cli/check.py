"""`meldroom check`: is this turn legal?"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import typer

from meldroom.cli.error_handling import FAILED, about
from meldroom.cli.json_lines import answer_lines
from meldroom.cli.options import Book, House, JsonLines, Lang, Options, house_books, load_book
from meldroom.cli.tile_colours import console, table_text
from meldroom.i18n import Language, message
from meldroom.rules.book import RuleBook
from meldroom.rules.requests import check as answer
from meldroom.tiles import parse_set, parse_table


def check(
    book: Book = "wrc11",
    table: Annotated[str, typer.Option("--table", help="The table before the turn.")] = "",
    rack: Annotated[str, typer.Option("--rack", help="The player's rack before the turn.")] = "",
    after: Annotated[str, typer.Option("--after", help="The table after the turn.")] = "",
    unmelded: Annotated[bool, typer.Option("--unmelded", help="The player has not melded yet.")] = False,
    option: Options = None,
    player: Annotated[str, typer.Option("--player", help="Rummy-O: who plays.")] = "A",
    owners: Annotated[
        str | None, typer.Option("--owners", help="Rummy-O: whose each meld is, in order.")
    ] = None,
    discard: Annotated[str | None, typer.Option("--discard", help="Rummy-O: the tile discarded.")] = None,
    lang: Lang = "en",
    jsonl: JsonLines = False,
    house: House = None,
) -> None:
    """Say whether a turn is legal, and everything that is wrong with it, by clause.

    Tiles are a colour letter (K black, R red, B blue, O orange) and a number; * is a joker;
    sets are separated by |. The exit status is 0 if the turn is legal and 1 if not.

    \b
    Examples:
      meldroom check --table "R1 R2 R3" --rack "R4 K9" --after "R1 R2 R3 R4"
      meldroom check --unmelded --rack "R9 B9 K9 O2" --after "R9 B9 K9"
      meldroom check --book tml --lang fr --table "R7 R8 *" --rack "R9" --after "R7 R8 R9"
      meldroom check --book rummyo --table "B10 B11 B12" --owners A --rack "R2 R3 R4 O9"
                     --after "B10 B11 B12 | R2 R3 R4" --discard O9
      meldroom check --book kitchen.toml --rack "R9 B9 K9" --after "R9 B9 K9"
      meldroom check --jsonl < turns.jsonl
    """
    if jsonl:
        answer_lines(partial(answer, language=lang, books=house_books(house)), lang)
        return
    rules = load_book(book, option)
    extra: dict[str, Any] = {"player": player, "discard": discard}
    if owners is not None:
        extra["owners_before"] = owners.split()
    request = {
        "rulebook": rules.id,
        "table_before": _names(rules, "--table", table),
        "rack": _rack(rules, rack),
        "table_after": _names(rules, "--after", after),
        "has_melded": not unmelded,
        "extra": extra,
    }
    found = answer(request, lang, {rules.id: rules})
    _print(rules, found, after, lang)
    raise typer.Exit(0 if found["legal"] else FAILED)


def _names(rules: RuleBook, place: str, text: str) -> list[list[str]]:
    with about(place):
        return [[rules.tiles.face_names[face] for face in faces] for faces in parse_table(text, rules.tiles)]


def _rack(rules: RuleBook, text: str) -> list[str]:
    with about("--rack"):
        return [rules.tiles.face_names[face] for face in parse_set(text, rules.tiles)]


def _print(rules: RuleBook, found: dict[str, Any], after: str, language: Language) -> None:
    screen = console()
    screen.print(table_text(rules, parse_table(after, rules.tiles), language))
    outcome = f" ({found['outcome']})" if found["outcome"] else ""
    verdict = message("cli.check.legal" if found["legal"] else "cli.check.illegal", language)
    screen.print(
        f"{rules.title(language)}: {verdict}{outcome}", style="green" if found["legal"] else "bold red"
    )
    for fault in found["violations"]:
        where = ", ".join(part for part in (fault["clause"], fault["ruling"]) if part)
        screen.print(f"  {fault['code']}  {fault['message']}  [{where}]", markup=False)
