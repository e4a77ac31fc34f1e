"""`meldroom score`: final racks to scores."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import typer

from meldroom.cli.error_handling import CommandError
from meldroom.cli.json_lines import answer_lines
from meldroom.cli.options import Book, House, JsonLines, Lang, Options, house_books, load_book
from meldroom.cli.tile_colours import console
from meldroom.i18n import Language, message
from meldroom.referee import draw_decides, parse_faces
from meldroom.rules.book import RuleBook
from meldroom.rules.requests import score_racks


def score(
    players: Annotated[
        list[str] | None, typer.Argument(metavar="NAME=TILES...", help="Each player's rack at the end.")
    ] = None,
    book: Book = "wrc11",
    winner: Annotated[str | None, typer.Option("--winner", help="Who went out; nobody if left out.")] = None,
    unmelded: Annotated[
        list[str] | None, typer.Option("--unmelded", help="A player who never melded.")
    ] = None,
    last_drawn: Annotated[
        list[str] | None,
        typer.Option(
            "--last-drawn",
            metavar="NAME=TILES",
            help="What an unmelded player drew on their last turn; “Bo=” if nothing.",
        ),
    ] = None,
    decided: Annotated[
        list[str] | None,
        typer.Option(
            "--decided",
            metavar="NAME=POINTS",
            help="The referee's decision where nobody knows what was drawn last.",
        ),
    ] = None,
    going_out: Annotated[str | None, typer.Option("--going-out", help="Rummy-O: open, foot or hand.")] = None,
    winner_tiles: Annotated[str, typer.Option("--winner-tiles", help="Rummy-O: the winner's 14 tiles.")] = "",
    option: Options = None,
    lang: Lang = "en",
    jsonl: JsonLines = False,
    house: House = None,
) -> None:
    """Count the racks at the end of a game, with the reason for every number.

    Without --winner the pool was exhausted. Whether an unmelded player is charged 100 or 200 is decided
    from the rack: could it have opened before the player's last draw? Where that hangs on the last draw, say
    what it was, or what the referee has decided.

    \b
    Examples:
      meldroom score Ada= "Bo=* R3" Chi=K2 Dev=O9 --winner Ada
      meldroom score Ada= "Bo=R10 B10 K10 R1" --winner Ada --unmelded Bo --last-drawn Bo=R1
      meldroom score Ada= "Bo=R10 B10 K10 R1" --winner Ada --unmelded Bo --decided Bo=100
      meldroom score --book wrc9 Ada=R12 Bo=B5 Chi=O9
      meldroom score --jsonl < games.jsonl
    """
    if jsonl:
        answer_lines(partial(score_racks, books=house_books(house)), lang)
        return
    rules = load_book(book, option)
    if not players:
        raise CommandError("no_players", count=rules.players.minimum)
    names, request = _request(rules, players, unmelded or [], last_drawn or [], decided or [])
    if winner is not None and winner not in names:
        raise CommandError("nobody", "--winner", name=winner)
    request |= {
        "rulebook": rules.id,
        "end": "exhausted" if winner is None else "out",
        "winner": None if winner is None else names.index(winner),
        "going_out": going_out,
        "winner_tiles": winner_tiles.split(),
    }
    _print(names, score_racks(request, {rules.id: rules}), lang)


def _named(words: list[str], place: str) -> dict[str, list[str]]:
    named = {}
    for word in words:
        name, equals, tiles = word.partition("=")
        if not equals or not name or name in named:
            raise CommandError("name_tiles", place, word=word)
        named[name] = tiles.split()
    return named


def _request(
    rules: RuleBook, players: list[str], unmelded: list[str], last_drawn: list[str], decided: list[str]
) -> tuple[list[str], dict[str, Any]]:
    racks, drawn = _named(players, ""), _named(last_drawn, "--last-drawn")
    ruled = _named(decided, "--decided")
    for place, names in (("--unmelded", unmelded), ("--last-drawn", drawn), ("--decided", ruled)):
        for name in names:
            if name not in racks:
                raise CommandError("nobody", place, name=name)
    shapes: list[dict[str, Any]] = []
    low, high = rules.scoring.unmelded, rules.scoring.unmelded_able
    for name, rack in racks.items():
        melded = name not in unmelded
        shapes.append({"rack": rack, "melded": melded, "drawn_in_last_turn": drawn.get(name, [])})
        if melded or name in drawn:
            continue
        if name in ruled:
            if ruled[name] not in ([str(low)], [str(high)]):
                raise CommandError("decided", "--decided", name=name, low=low, high=high)
            shapes[-1]["could_have_melded"] = ruled[name] == [str(high)]
        elif draw_decides(rules, parse_faces(rules, rack, name)):
            raise CommandError("last_draw", "--last-drawn", name=name, low=low, high=high)
    return list(racks), {"players": shapes}


def _print(names: list[str], found: dict[str, Any], language: Language) -> None:
    screen = console()
    width = max(map(len, names), default=0)
    for seat, (name, line) in enumerate(zip(names, found["lines"], strict=True)):
        mark = "*" if seat in found["winners"] else " "
        reason = message(
            f"rules.score.{line['reason']}", language, count=line["count"], charge=line["charge"]
        )
        where = ", ".join(part for part in (line["clause"], line["ruling"]) if part)
        screen.print(f"{mark} {name:<{width}}  {line['score']:>+5}  {reason} [{where}]", markup=False)
