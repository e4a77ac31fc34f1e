"""Which message ids the source names: whole ones, and those put together from parts.

A text is known if it is a string of the source, or fits an f-string whose holes are filled by known texts:
`f"rules.score.{reason}"` names `rules.score.rack` because `"rack"` is a string somewhere. The browser's
template strings count alike. What comes from data (clauses, fields, options) is in `data_words`.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from meldroom.i18n import languages
from meldroom.rules.book import field_names
from meldroom.rules.library import BOOK_IDS, book
from meldroom.rules.rulings import rulings

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "meldroom"
WEB = ROOT / "web" / "src"

DECODER_TYPES = ("int", "float", "str", "bool", "array", "object", "null")
"""The types that the decoder's own text names (`meldroom.decode`)."""

_HOLE = "\0"
_DEEPEST = 4
_CALLS = ("message", "Message", "of_message", "template", "has_message")
_JS_STRING = re.compile(r"""(?<=['"`])[\w.-]+(?=['"`])""")
_JS_TEMPLATE = re.compile(r"`([\w.-]*(?:\$\{[^`]*?\}[\w.-]*)+)`")
_JS_HOLE = re.compile(r"\$\{.*?\}")


class Names:
    """Strings, and patterns of strings with holes."""

    def __init__(self, strings: Iterable[str], patterns: Iterable[str]) -> None:
        self.strings = frozenset(strings)
        parts = [tuple(pattern.split(_HOLE)) for pattern in sorted(set(patterns))]
        self.patterns = [one for one in parts if any(map(str.isalnum, "".join(one)))]
        # f"{code}.{variant}" may fill a hole; by itself it names only what begins with a dotted string.
        self._joins = ("", ".", "") in parts
        self.inner = [*self.patterns, ("", ".", "")] if self._joins else self.patterns
        self._known: dict[str, bool] = {}

    def know(self, text: str, depth: int = 0) -> bool:
        """True if the source has this text, or can put it together."""
        before, _, last = text.rpartition(".")
        if text in self.strings or ("." in before and {before, last} <= self.strings and self._joins):
            return True
        if depth > _DEEPEST or not text:
            return False
        if text not in self._known:
            self._known[text] = False
            self._known[text] = any(
                text.startswith(first) and self._fills(text[len(first) :], rest, depth)
                for first, *rest in (self.inner if depth else self.patterns)
            )
        return self._known[text]

    def _fills(self, text: str, rest: Sequence[str], depth: int) -> bool:
        """True if the text is a hole that the source can fill, the next part, and so on."""
        if not rest:
            return not text
        part = rest[0]
        if not part and len(rest) == 1:
            return self.know(text, depth + 1)
        place = text.find(part, 1)
        while place > 0:
            if self._fills(text[place + len(part) :], rest[1:], depth) and self.know(text[:place], depth + 1):
                return True
            place = text.find(part, place + 1)
        return False


def data_words() -> Iterator[str]:
    """Parts of ids that come from data: books, clauses, options, colours, fields, rulings."""
    yield from (*BOOK_IDS, *field_names(), *rulings(), *DECODER_TYPES)
    for book_id in BOOK_IDS:
        rules = book(book_id)
        yield from (clause.id for clause in rules.clauses)
        yield from rules.option_list
        yield from rules.tiles.letters


@cache
def python_trees() -> tuple[tuple[Path, ast.Module], ...]:
    """Every module of the package, parsed."""
    return tuple(
        (path, ast.parse(path.read_text(encoding="utf-8"))) for path in sorted(PACKAGE.rglob("*.py"))
    )


@cache
def python_names() -> Names:
    """What the package's Python names. A class's `domain` begins the ids of its errors."""
    strings, patterns = set(data_words()), set()
    for _, tree in python_trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                strings.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                patterns.add(_pattern(node))
    patterns |= {f"{domain}.{_HOLE}" for domain in error_domains().values()}
    for path in PACKAGE.rglob("*.toml"):
        if "locales" not in path.parts:
            strings |= set(re.findall(r"[\w.-]+", path.read_text(encoding="utf-8")))
    for path in PACKAGE.rglob("*.typ"):
        strings |= set(re.findall(r"[\w-]+", path.read_text(encoding="utf-8")))
    return Names(strings, patterns)


def _pattern(node: ast.JoinedStr) -> str:
    return "".join(str(part.value) if isinstance(part, ast.Constant) else _HOLE for part in node.values)


@cache
def python_classes() -> tuple[ast.ClassDef, ...]:
    """Every class of the package."""
    nodes = (node for _, tree in python_trees() for node in ast.walk(tree))
    return tuple(node for node in nodes if isinstance(node, ast.ClassDef))


@cache
def error_domains() -> dict[str, str]:
    """The catalogue domain of each class of errors, its own or its base's."""
    classes = {node.name: node for node in python_classes()}

    def domain(name: str) -> str | None:
        node = classes.get(name)
        if node is None:
            return None
        for line in node.body:
            if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "domain":
                return str(ast.literal_eval(line.value))
        bases = (domain(ast.unparse(base)) for base in node.bases)
        return next((found for found in bases if found is not None), None)

    return {name: found for name in classes if (found := domain(name)) is not None}


def named_outright() -> Iterator[tuple[str, str]]:
    """Ids that the source names whole, with the place: `message("…")`, and errors raised by their code."""
    for path, tree in python_trees():
        domains = error_domains() | _shadowed(tree)
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and node.args and _text(node.args[0])):
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
            place = f"{path.relative_to(PACKAGE)}:{node.lineno}"
            if called in _CALLS:
                yield _text(node.args[0]), place
            elif domains.get(called) and _takes_code(called):
                yield f"{domains[called]}.{_text(node.args[0])}", place


def _shadowed(tree: ast.Module) -> dict[str, str]:
    """Classes of a module that only share their name with an error of another one."""
    own = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return {node.name: "" for node in own if not any("Error" in ast.unparse(base) for base in node.bases)}


@cache
def _takes_code(name: str) -> bool:
    """True where the first argument of an error is its code: where `__init__` is the base's, or says so."""
    for node in python_classes():
        for made in node.body if node.name == name else ():
            if isinstance(made, ast.FunctionDef) and made.name == "__init__":
                arguments = [*made.args.posonlyargs, *made.args.args]
                return len(arguments) > 1 and arguments[1].arg in ("code", "key")
    return True


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


@cache
def browser_names() -> Names:
    """What the browser's source names; words of the published schemas fill the holes of its templates."""
    strings, patterns = set(languages()), set()
    for path in (
        *WEB.rglob("*.ts"),
        *WEB.rglob("*.svelte"),
        *WEB.parent.glob("*.ts"),
        *WEB.parent.glob("*.py"),
    ):
        if "locales" in path.parts:
            continue
        text = path.read_text(encoding="utf-8")
        strings |= set(_JS_STRING.findall(text))
        patterns |= {_JS_HOLE.sub(_HOLE, found) for found in _JS_TEMPLATE.findall(text)}
    for schema in (ROOT / "docs").glob("*.schema.json"):
        strings |= set(_words(json.loads(schema.read_text(encoding="utf-8"))))
    return Names(strings | set(python_names().strings), patterns)


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _words(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _words(inner)
    elif isinstance(value, str):
        yield value
