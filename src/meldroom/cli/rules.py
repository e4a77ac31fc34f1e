"""`meldroom rules`: a rule book with its clauses and rulings, or what differs between two."""

from __future__ import annotations

import shutil
import sys
from typing import Annotated, Any

import msgspec
import typer

from meldroom.cli.error_handling import CommandError
from meldroom.cli.options import BookArgument, BookChoice, Lang, Options, chosen_book, load_book
from meldroom.cli.tile_colours import console
from meldroom.i18n import Language
from meldroom.rules import describe
from meldroom.rules.book import Citation, RuleBook, field_names
from meldroom.rules.library import BOOK_IDS
from meldroom.rules.library import book as published
from meldroom.rules.rulings import Ruling, rulings, rulings_of

WIDEST = 100


def rules(
    book: BookArgument = None,
    book_option: BookChoice = None,
    diff: Annotated[
        str | None,
        typer.Option(
            "--diff", metavar="OTHER", help="Show only what differs from another book.", show_default=False
        ),
    ] = None,
    lang: Lang = "en",
    option: Options = None,
    ruling: Annotated[
        str | None,
        typer.Option("--ruling", metavar="R20", help="Print one ruling.", show_default=False),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print a rule book with its clauses and rulings, or what differs between two.

    Without BOOK the published books are listed. A value names its clause and,
    where the book is silent, the ruling that decides (R1 to R75).

    \b
    Examples:
      meldroom rules                                     the five books
      meldroom rules wrc11                               one book, whole
      meldroom rules wrc11 --diff wrc9                   what differs
      meldroom rules tml --option jokers=4 --lang fr     with an option, in French
      meldroom rules kitchen.toml --diff wrc11           a house book of your own
      meldroom rules --ruling R20                        one ruling
    """
    answer = _answer(chosen_book(book, book_option), diff, option, ruling, lang)
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode(answer.data), indent=2).decode())
    elif markdown:
        typer.echo(describe.markdown(answer.blocks), nl=False)
    else:
        _show(answer)


class Answer(msgspec.Struct, frozen=True):
    """What was asked for, to be printed as text, Markdown or JSON."""

    blocks: tuple[describe.Block, ...]
    data: Any


def _answer(
    name: str | None, other: str | None, option: list[str] | None, ruling: str | None, language: Language
) -> Answer:
    """The page asked for. Raises BookError or CommandError for what does not exist or fit together."""
    if ruling is not None:
        if other or option:
            raise CommandError("ruling_alone", "--ruling")
        found = _ruling(ruling)
        if name and found not in rulings_of(load_book(name)):
            raise CommandError(
                "ruling_of_others", "--ruling", ruling=found.id, book=name, books=tuple(found.books)
            )
        return Answer(describe.ruling_blocks(found, language), found)
    if name is None:
        if other or option:
            raise CommandError("no_book", "--diff" if other else "--option")
        return Answer((describe.list_block(language),), [_summary(published(one)) for one in BOOK_IDS])
    asked = load_book(name, option)
    if other is None:
        return Answer(describe.book_blocks(asked, language), _whole(asked, language))
    second = load_book(other)
    return Answer(describe.diff_blocks(asked, second, language), _differences(asked, second))


def _ruling(text: str) -> Ruling:
    found = rulings().get(text.strip().upper())
    if found is None:
        raise CommandError("no_ruling", "--ruling", ruling=text, last=list(rulings())[-1])
    return found


def _show(answer: Answer) -> None:
    """Text on standard output; with colour when that is a terminal."""
    width = min(shutil.get_terminal_size().columns, WIDEST)
    text = describe.plain(answer.blocks, width)
    if not sys.stdout.isatty():
        typer.echo(text, nl=False)
        return
    from rich.text import Text

    painted = Text(text)
    painted.highlight_regex(r"(?m)^\S.*\n[=-]+$", "bold")
    painted.highlight_regex(r"\[[^\]]*\]", "cyan")
    painted.highlight_regex(r"(?m)^  (#[0-9]+|[GPR][0-9]+|l\.[0-9-]+)(?=\s)", "bold yellow")
    console().print(painted, end="")


def _cited(citation: Citation) -> dict[str, Any]:
    return {"clause": citation.clause, "ruling": citation.ruling}


def _summary(one: RuleBook) -> dict[str, Any]:
    return {"id": one.id, "version": one.version, "label": one.label, "family": one.family, "name": one.name}


def _whole(one: RuleBook, language: Language) -> dict[str, Any]:
    texts = {
        entry.field: entry.value for section in describe.describe(one, language) for entry in section.entries
    }
    fields = {
        name: {"value": one.field(name), "text": texts.get(name), **_cited(one.cite(name))}
        for name in field_names()
    }
    return {
        **_summary(one),
        "options": one.options,
        "option_list": one.option_list,
        "fields": fields,
        "clauses": one.clauses,
        "rulings": [ruling.id for ruling in rulings_of(one)],
    }


def _differences(a: RuleBook, b: RuleBook) -> dict[str, Any]:
    fields = [
        {
            "field": found.field,
            "a": _side(found.value_a, found.citation_a),
            "b": _side(found.value_b, found.citation_b),
        }
        for found in describe.differences(a, b)
    ]
    only_a, only_b = describe.ruling_differences(a, b)
    return {
        "a": _summary(a),
        "b": _summary(b),
        "fields": fields,
        "clauses": describe.clause_differences(a, b),
        "rulings": {"only_a": [one.id for one in only_a], "only_b": [one.id for one in only_b]},
    }


def _side(value: object, citation: Citation) -> dict[str, Any]:
    return {"value": value, **_cited(citation)}
