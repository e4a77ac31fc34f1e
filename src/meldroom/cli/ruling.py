"""`meldroom ruling`: the referee's procedures."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

import msgspec
import typer

from meldroom.cli.error_handling import CommandError
from meldroom.cli.json_lines import answer_lines
from meldroom.cli.options import (
    Book,
    House,
    JsonLines,
    Lang,
    Options,
    house_books,
    load_book,
    option_value,
)
from meldroom.cli.tile_colours import console
from meldroom.decode import DecodeError
from meldroom.i18n import message
from meldroom.rules.requests import PROCEDURES
from meldroom.rules.requests import ruling as answer

_LISTS = {
    "rack",
    "leftovers",
    "seats",
    "actions",
    "draws",
    "rack_at_end",
    "drawn_in_last_turn",
    "editions_played",
}


def ruling(
    procedure: Annotated[
        str | None,
        typer.Argument(help="Which procedure: see below.", autocompletion=lambda: list(PROCEDURES)),
    ] = None,
    given: Annotated[list[str] | None, typer.Argument(metavar="NAME=VALUE...", help="Its input.")] = None,
    book: Book = "wrc11",
    option: Options = None,
    lang: Lang = "en",
    jsonl: JsonLines = False,
    house: House = None,
) -> None:
    """Answer a referee's question of procedure, with the clause and ruling it rests on.

    Procedures: three_doubles, end_of_time, declared, leftover, final_turns, after_pool_empty,
    first_player, starters, ranking, rummyo_ranking, charge_flag, eligible.

    \b
    Examples:
      meldroom ruling three_doubles "rack=R3 R3 B8 B8 O10 O10 K1 K2"
      meldroom ruling end_of_time touched=yes table_legal=no rack_tile_laid=yes pool=20
      meldroom ruling leftover "leftovers=R5 B9" pool=1 --book wrc9
      meldroom ruling final_turns "seats=Ada Bo Chi Dev" drawer=Bo
      meldroom ruling charge_flag "rack_at_end=R10 B10 K10 R1" drawn_in_last_turn=K10
      meldroom ruling eligible citizen=no editions_played=8 edition=9 --book wrc9
      meldroom ruling ranking 'results={"Ada": [[1, 50]], "Bo": [[0, -50]]}'
      meldroom ruling --jsonl < questions.jsonl
    """
    if jsonl:
        answer_lines(partial(answer, books=house_books(house)), lang)
        return
    if procedure is None:
        raise CommandError("no_procedure", known=", ".join(PROCEDURES))
    rules = load_book(book, option)
    request = {"check": procedure, "rulebook": rules.id, "input": _input(given or [])}
    found = answer(request, {rules.id: rules})
    console().print(f"{msgspec.json.encode(found['answer']).decode()}  [{_where(found)}]", markup=False)
    for one in found.get("conditions", ()):
        state = {True: "met", False: "broken", None: "unknown"}[one["met"]]
        said = message(f"rules.eligible.{one['condition']}.{state}", lang)
        console().print(f"  {said} [{_where(one)}]", markup=False)


def _where(found: Mapping[str, Any]) -> str:
    return ", ".join(part for part in (found["clause"], found["ruling"]) if part)


def _input(words: list[str]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise CommandError("name_value", word=word)
        given[name] = _value(name, value)
    return given


def _value(name: str, text: str) -> Any:
    if text[:1] in ("{", "["):
        try:
            return msgspec.json.decode(text)
        except msgspec.DecodeError as error:
            raise DecodeError.of(error, name) from None
    if name in _LISTS:
        return [option_value(word) for word in text.split()]
    return option_value(text)
