"""`meldroom rules`: a rule book with its clauses and rulings, or what differs between two."""

from __future__ import annotations

import shutil
import sys
from typing import Annotated, Any

import msgspec
import typer

from meldroom.i18n import Language
from meldroom.rules import describe as present
from meldroom.rules.book import Citation, RuleBook, field_names
from meldroom.rules.library import BOOK_IDS, BookError, OptionValue, load_book, with_options
from meldroom.rules.library import book as published
from meldroom.rules.rulings import Ruling, rulings, rulings_of

WIDEST = 100


def rules(
    book: Annotated[
        str | None,
        typer.Argument(
            metavar="BOOK", help="A book's id, or the TOML file of a house book.", show_default=False
        ),
    ] = None,
    diff: Annotated[
        str | None,
        typer.Option(
            "--diff", metavar="OTHER", help="Show only what differs from another book.", show_default=False
        ),
    ] = None,
    lang: Annotated[Language, typer.Option("--lang", help="The language of the answer.")] = "en",
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="Choose an option of BOOK; repeat it for more."),
    ] = None,
    ruling: Annotated[
        str | None,
        typer.Option("--ruling", metavar="R20", help="Print one ruling.", show_default=False),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print a rule book with its clauses and rulings, or what differs between two.

    Without BOOK the published books are listed. A value names its clause and,
    where the book is silent, the ruling that decides (R1 to R62).

    \b
    Examples:
      meldroom rules                                     the five books
      meldroom rules wrc11                               one book, whole
      meldroom rules wrc11 --diff wrc9                   what differs
      meldroom rules tml --option jokers=4 --lang fr     with an option, in French
      meldroom rules kitchen.toml --diff wrc11           a house book of your own
      meldroom rules --ruling R20                        one ruling
    """
    try:
        answer = _answer(book, diff, tuple(option or ()), ruling, lang)
    except BookError as error:
        typer.echo(f"meldroom rules: {error}", err=True)
        raise typer.Exit(2) from None
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode(answer.data), indent=2).decode())
    elif markdown:
        typer.echo(present.markdown(answer.blocks), nl=False)
    else:
        _show(answer)


class Answer(msgspec.Struct, frozen=True):
    """What was asked for, to be printed as text, Markdown or JSON."""

    blocks: tuple[present.Block, ...]
    data: Any


def _answer(
    name: str | None, other: str | None, options: tuple[str, ...], ruling: str | None, language: Language
) -> Answer:
    """The page asked for. Raises BookError for anything that does not exist or does not fit together."""
    if ruling is not None:
        if other or options:
            raise BookError("a ruling is printed on its own", "--ruling")
        found = _ruling(ruling)
        if name and found not in rulings_of(load_book(name)):
            raise BookError(
                f"{found.id} does not serve {name}; it serves {', '.join(found.books)}", "--ruling"
            )
        return Answer(present.ruling_blocks(found, language), found)
    if name is None:
        if other or options:
            raise BookError("name a book first", "--diff" if other else "--option")
        return Answer((present.list_block(language),), [_summary(published(one)) for one in BOOK_IDS])
    asked = load_book(name)
    if options:
        asked = with_options(asked, dict(map(_choice, options)))
    if other is None:
        return Answer(present.book_blocks(asked, language), _whole(asked, language))
    second = load_book(other)
    return Answer(present.diff_blocks(asked, second, language), _differences(asked, second))


def _choice(text: str) -> tuple[str, OptionValue]:
    """`jokers=4` as a name and a value. Raises BookError if it has another shape."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise BookError(f"write NAME=VALUE, not “{text[:40]}”", "--option")
    words: dict[str, OptionValue] = {"true": True, "yes": True, "false": False, "no": False}
    word = value.strip()
    known = words.get(word.lower())
    if known is not None:
        return name.strip(), known
    return name.strip(), int(word) if word.isascii() and word.isdigit() and len(word) < 10 else word


def _ruling(text: str) -> Ruling:
    found = rulings().get(text.strip().upper())
    if found is None:
        last = list(rulings())[-1]
        raise BookError(f"no ruling “{text[:20]}”; there are R1 to {last}", "--ruling")
    return found


def _show(answer: Answer) -> None:
    """Text on standard output; with colour when that is a terminal."""
    width = min(shutil.get_terminal_size().columns, WIDEST)
    text = present.plain(answer.blocks, width)
    if not sys.stdout.isatty():
        typer.echo(text, nl=False)
        return
    from rich.console import Console
    from rich.text import Text

    painted = Text(text)
    painted.highlight_regex(r"(?m)^\S.*\n[=-]+$", "bold")
    painted.highlight_regex(r"\[[^\]]*\]", "cyan")
    painted.highlight_regex(r"(?m)^  (#[0-9]+|[GPR][0-9]+|l\.[0-9-]+)(?=\s)", "bold yellow")
    Console().print(painted, end="", soft_wrap=True)


def _cited(citation: Citation) -> dict[str, Any]:
    return {"clause": citation.clause, "ruling": citation.ruling}


def _summary(one: RuleBook) -> dict[str, Any]:
    return {"id": one.id, "version": one.version, "label": one.label, "family": one.family, "name": one.name}


def _whole(one: RuleBook, language: Language) -> dict[str, Any]:
    texts = {
        entry.field: entry.value for section in present.describe(one, language) for entry in section.entries
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
        for found in present.differences(a, b)
    ]
    only_a, only_b = present.ruling_differences(a, b)
    return {
        "a": _summary(a),
        "b": _summary(b),
        "fields": fields,
        "clauses": present.clause_differences(a, b),
        "rulings": {"only_a": [one.id for one in only_a], "only_b": [one.id for one in only_b]},
    }


def _side(value: object, citation: Citation) -> dict[str, Any]:
    return {"value": value, **_cited(citation)}
