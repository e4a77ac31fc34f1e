"""What several commands share: their common options, and the rule books those name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer

from meldroom.cli.error_handling import LANGUAGE_KEY, CommandError, refuse
from meldroom.i18n import DEFAULT, Language, is_language, languages, locale
from meldroom.rules import library
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BOOK_IDS, OptionValue, load_house_book

__all__ = [
    "Book",
    "BookArgument",
    "BookChoice",
    "House",
    "Jobs",
    "JsonLines",
    "Lang",
    "Options",
    "Scheduler",
    "chosen_book",
    "house_books",
    "load_book",
    "named_values",
    "option_value",
    "parse_options",
    "refuse",
    "system_language",
]

LANGUAGE_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
JSON_OPTIONS = ("jsonl", "as_json")


def system_language(variables: Mapping[str, str] = os.environ) -> Language:
    """The language of the user's system if it is installed, else English.

    >>> system_language({"LANG": "fr_CH.UTF-8"}), system_language({"LC_ALL": "C", "LANG": "fr_FR"})
    ('fr', 'en')
    """
    wanted = next(filter(None, map(variables.get, LANGUAGE_VARIABLES)), "")
    code = wanted.replace(".", "_").partition("_")[0].lower()
    return code if is_language(code) else DEFAULT


def _language(context: typer.Context, parameter: typer.CallbackParam, value: str) -> Language:
    """The language given, or else the system's; answers in JSON are English unless told otherwise."""
    source = context.get_parameter_source(parameter.name or "")
    if source is None or source.name not in ("COMMANDLINE", "ENVIRONMENT"):
        value = DEFAULT if any(map(context.params.get, JSON_OPTIONS)) else system_language()
    if not is_language(value):
        known = locale(DEFAULT).list_or(languages())
        raise typer.BadParameter(f"{value[:20]!r} is not installed; choose {known}.")
    context.meta[LANGUAGE_KEY] = value
    return value


def _books(incomplete: str) -> list[str]:
    """Ids of books, and TOML files, that begin like this."""
    files = (str(path) for path in Path(incomplete or ".").parent.glob("*.toml"))
    return [name for name in (*BOOK_IDS, *files) if name.startswith(incomplete)]


_BOOK_HELP = "A rule book: its id (wrc11@1 for an earlier version), or the TOML file of a house book."

Lang = Annotated[
    Language,
    typer.Option(
        "--lang",
        metavar="|".join(languages()),
        envvar="MELDROOM_LANG",
        show_envvar=False,
        callback=_language,
        autocompletion=languages,
        show_default="your system's, else en",
        help="The language of the answer.",
    ),
]
Book = Annotated[str, typer.Option("--book", metavar="BOOK", autocompletion=_books, help=_BOOK_HELP)]
BookArgument = Annotated[
    str | None, typer.Argument(metavar="BOOK", autocompletion=_books, show_default=False, help=_BOOK_HELP)
]
BookChoice = Annotated[
    str | None,
    typer.Option(
        "--book", metavar="BOOK", autocompletion=_books, help="The same as BOOK.", show_default=False
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="Choose an option of the book; repeat for more."),
]
JsonLines = Annotated[
    bool, typer.Option("--jsonl", help="Read JSON Lines on standard input, answer in JSON Lines.")
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", metavar="N", help="Processes: one for each processor if not given."),
]
Scheduler = Annotated[
    str | None,
    typer.Option("--scheduler", metavar="ADDRESS", help="Play on a dask cluster: tcp://host:port."),
]
House = Annotated[
    list[str] | None,
    typer.Option(
        "--house",
        metavar="FILE",
        help="With --jsonl: a house book that requests may name by its id; repeat for more.",
    ),
]


def load_book(name: str, option: list[str] | None = None) -> RuleBook:
    """A published book by id or a house book by its file, with `name=value` options. Raises BookError."""
    return library.load_book(name, parse_options(option))


def chosen_book(argument: str | None, option: str | None) -> str | None:
    """The book named as an argument or by --book. Raises CommandError if both are given."""
    if argument is not None and option is not None:
        raise CommandError("two_books")
    return argument if argument is not None else option


def house_books(files: Iterable[str] | None) -> dict[str, RuleBook]:
    """House books by id. Raises BookError."""
    return {found.id: found for found in map(load_house_book, files or ())}


def parse_options(given: list[str] | None) -> dict[str, OptionValue]:
    """`name=value` words as options of a book. Raises CommandError."""
    return {name: option_value(value) for name, value in named_values(given, "--option")}


def named_values(given: list[str] | None, option: str) -> Iterator[tuple[str, str]]:
    """The names and values of `name=value` words. Raises CommandError."""
    for word in given or ():
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise CommandError("name_value", option, word=word)
        yield name.strip(), value.strip()


def option_value(text: str) -> OptionValue:
    """A word as what it looks like: yes or no, a whole number, or itself."""
    if text.lower() in ("true", "yes", "on"):
        return True
    if text.lower() in ("false", "no", "off"):
        return False
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text
