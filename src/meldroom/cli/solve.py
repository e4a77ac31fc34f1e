"""`meldroom solve`: the best play."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from meldroom.cli.error_handling import about
from meldroom.cli.json_lines import answer_lines
from meldroom.cli.options import Book, House, JsonLines, Lang, Options, house_books, load_book
from meldroom.cli.tile_colours import console, sentence_text, table_text, tiles_text
from meldroom.game.state import Phase
from meldroom.i18n import Language, Message, message
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceTable
from meldroom.solver import Objective, Solution, solve_faces
from meldroom.solver.explanation.movements import TakeTile
from meldroom.solver.kernel import mode
from meldroom.solver.lay_off import LayOffPlay, LayOffPosition, explain_turn, position_on
from meldroom.solver.lay_off import best_play as best_turn
from meldroom.solver.lay_off.hints import ladder_on, what_to_take
from meldroom.tiles import parse_set, parse_table, parse_tile


def solve(
    book: Book = "wrc11",
    table: Annotated[str, typer.Option("--table", help="The table, sets separated by |.")] = "",
    rack: Annotated[str, typer.Option("--rack", help="The player's rack.")] = "",
    unmelded: Annotated[bool, typer.Option("--unmelded", help="The player has not melded yet.")] = False,
    objective: Annotated[Objective, typer.Option("--objective", help="What to play most of.")] = "tiles",
    option: Options = None,
    time_limit: Annotated[
        float | None, typer.Option("--time-limit", help="Seconds; the best play found in time is given.")
    ] = None,
    steps: Annotated[bool, typer.Option(help="Say which tiles to move, one movement a line.")] = True,
    hint: Annotated[
        int | None,
        typer.Option("--hint", min=1, max=4, help="Only a hint: from 1, that something can be played, to 4."),
    ] = None,
    player: Annotated[str, typer.Option("--player", help="Rummy-O: who plays.")] = "A",
    owners: Annotated[
        str | None, typer.Option("--owners", help="Rummy-O: whose each meld is, in order.")
    ] = None,
    last_discard: Annotated[
        str | None,
        typer.Option("--last-discard", help="Rummy-O: the last discard, if no tile has been taken yet."),
    ] = None,
    lang: Lang = "en",
    jsonl: JsonLines = False,
    house: House = None,
) -> None:
    """Find the best legal play: most tiles or most points, proven.

    Tiles are a colour letter (K black, R red, B blue, O orange) and a number; * is a joker;
    sets are separated by |.

    \b
    Examples:
      meldroom solve --table "R1 R2 R3 | K9 B9 O9" --rack "R4 R9 K5"
      meldroom solve --unmelded --rack "R10 R11 R12 K9 *"
      meldroom solve --book tml --objective points --table "O11 * O13" --rack "O12 R13 B13"
      meldroom solve --hint 2 --table "R1 R2 R3 | K9 B9 O9" --rack "R4 R9 K5"
      meldroom solve --book rummyo --table "R5 R6 *" --owners B --rack "R7 K2 K3 O9"
      meldroom solve --book rummyo --table "R5 R6 R7" --rack "K2 K3 O9" --last-discard R8
      meldroom solve --jsonl < positions.jsonl
    """
    if jsonl:
        from meldroom.solver.request import answer

        answer_lines(partial(answer, books=house_books(house)), lang)
        return
    mode.for_one_answer()
    rules = load_book(book, option)
    with about("--table"):
        before = parse_table(table, rules.tiles)
    with about("--rack"):
        held = parse_set(rack, rules.tiles)
    if rules.family == "laying_off":
        whose = ["?"] * len(before) if owners is None else owners.split()
        position = position_on(rules, before, whose, player, held, not unmelded)
        offered = None
        if last_discard is not None:
            with about("--last-discard"):
                offered = parse_tile(last_discard, rules.tiles)
        if hint is not None:
            phase: Phase = "play" if offered is None else "take"
            rungs = ladder_on(rules, position, phase, offered, lang, time_limit)
            console().print(sentence_text(rungs[min(hint, len(rungs)) - 1]))
        elif offered is None:
            turn = best_turn(rules, position, objective, time_limit=time_limit)
            _print_turn(rules, position, turn, None, steps, lang)
        else:
            take, turn = what_to_take(rules, position, offered, time_limit)
            _print_turn(rules, position, turn, take, steps, lang)
        return
    found = solve_faces(rules, before, held, not unmelded, objective, time_limit=time_limit, neat="thorough")
    if hint is not None:
        from meldroom.solver.hints import hint as ladder_of

        ladder = ladder_of(rules, before, held, not unmelded, found)
        console().print(sentence_text(ladder.text(min(hint, len(ladder.rungs)), lang)))
        return
    _print(rules, before if not unmelded else (), found, lang)
    if steps and found.played:
        from meldroom.solver.explanation import explain

        console().print(sentence_text(explain(rules, before, held, found.table).text(lang, tables=True)))


def _print(rules: RuleBook, before: FaceTable, found: Solution, language: Language) -> None:
    screen = console()
    verdict = _verdict(found, language)
    if found.played and before and found.fewest:
        verdict = f"{verdict}, {message('cli.solve.fewest', language)}"
    if not found.played:
        screen.print(f"{rules.title(language)}: {message('cli.solve.nothing', language)} ({verdict})")
        return
    screen.print(message("cli.solve.play", language), tiles_text(rules, found.played), sep="")
    screen.print(message("cli.solve.table", language), table_text(rules, found.table, language), sep="")
    screen.print(f"{rules.title(language)}: {_amount(found, language)} ({verdict})")


def _print_turn(
    rules: RuleBook,
    position: LayOffPosition,
    found: LayOffPlay,
    take: TakeTile | None,
    steps: bool,
    language: Language,
) -> None:
    """A turn of a laying-off book: what is laid, the melds afterwards, the discard, and how it is done."""
    screen = console()
    told = explain_turn(rules, position, found, take)
    if take is not None and take.source == "stock":
        screen.print(sentence_text(told.lines(language)[0]))
        return
    if found.played:
        table = table_text(rules, [meld.faces for meld in found.melds], language)
        screen.print(message("cli.solve.play", language), tiles_text(rules, found.played), sep="")
        screen.print(message("cli.solve.table", language), table, sep="")
    else:
        screen.print(message("cli.solve.nothing", language))
    screen.print(message("cli.solve.discard", language), tiles_text(rules, (found.discard,)), sep="")
    verdict = _verdict(found, language)
    screen.print(f"{rules.title(language)}: {found.outcome}, {_amount(found, language)} ({verdict})")
    if steps:
        screen.print(sentence_text(told.text(language, tables=True)))


def _verdict(found: Solution | LayOffPlay, language: Language) -> str:
    return message("cli.solve.proven" if found.optimal else "cli.solve.found", language)


def _amount(found: Solution | LayOffPlay, language: Language) -> str:
    tiles = Message("cli.solve.tiles", {"count": found.tiles})
    points = Message("cli.solve.points", {"count": found.points})
    return message("cli.solve.amount", language, tiles=tiles, points=points)
