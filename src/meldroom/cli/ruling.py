"""`meldroom ruling`: the referee's procedures."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import typer

from meldroom.cli.json_lines import answer_lines
from meldroom.cli.options import JsonLines, option_value, parse_options, refuse
from meldroom.cli.tile_colours import console
from meldroom.rules.library import BookError
from meldroom.rules.requests import PROCEDURES, RequestError
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
    procedure: Annotated[str | None, typer.Argument(help="Which procedure: see below.")] = None,
    given: Annotated[list[str] | None, typer.Argument(metavar="NAME=VALUE...", help="Its input.")] = None,
    book: Annotated[str, typer.Option("--book", help="The rule book's id.")] = "wrc11",
    option: Annotated[list[str] | None, typer.Option("--option", metavar="NAME=VALUE")] = None,
    jsonl: JsonLines = False,
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
      meldroom ruling ranking 'results={"Ada": [[1, 50]], "Bo": [[0, -50]]}'
      meldroom ruling --jsonl < questions.jsonl
    """
    if jsonl:
        answer_lines(answer)
        return
    if procedure is None:
        refuse("ruling", f"name a procedure: {', '.join(PROCEDURES)}")
    try:
        request = {
            "check": procedure,
            "rulebook": book,
            "options": parse_options(option),
            "input": _input(given or []),
        }
        found = answer(request)
    except (BookError, RequestError) as error:
        refuse("ruling", str(error))
    where = ", ".join(part for part in (found["clause"], found["ruling"]) if part)
    console().print(f"{msgspec.json.encode(found['answer']).decode()}  [{where}]", markup=False)


def _input(words: list[str]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise RequestError("bad_request", f"write the input as name=value, not {word[:40]}")
        given[name] = _value(name, value)
    return given


def _value(name: str, text: str) -> Any:
    if text[:1] in ("{", "["):
        try:
            return msgspec.json.decode(text)
        except msgspec.DecodeError as error:
            raise RequestError("bad_json", f"{name}: {error}") from None
    if name in _LISTS:
        return [option_value(word) for word in text.split()]
    return option_value(text)
