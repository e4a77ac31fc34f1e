"""Writes docs/clauses.md: every clause and ruling, the data and code that enact it, the tests that prove it.

    python -m tests.clauses.clause_map

Code is found, not listed by hand: what reads a field of the book, raises a fault, or names a ruling in its
docstring or a comment. Files and names are given, never lines, so that the page lives through edits.
"""

from __future__ import annotations

import ast
import re
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path

import msgspec

from meldroom.rules.book import Clause, RuleBook, field_names
from meldroom.rules.library import BOOK_IDS, book
from meldroom.rules.rulings import Ruling, rulings
from tests.rules.test_every_field_decides import ASKED

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "clauses.md"
SOURCE = ROOT / "src" / "meldroom"
ENACTING = ("tiles", "rules", "game", "championship", "referee", "rooms")
"""The packages that enact rules; the others show, search or carry."""
NOT_ENACTING = ("describe.py", "write_pages.py", "labels.py", "library.py", "clause_map.py")
"""Files of those packages that show a book or check that one is sound."""
TEST_MODULES = ("test_wrc11", "test_nzrc2024", "test_wrc9", "test_tml", "test_rummyo", "test_rulings")
HALL_MODULES = (
    "championship.test_regulations",
    "championship.test_impossible_scores",
    "championship.test_ending_early",
    "championship.test_unknown_is_not_let_in",
    "championship.test_own_lots",
    "championship.test_seats_stay",
    "rooms.test_start_phase",
)
"""Where rulings of the hall and of online rooms are tested; other tests there prove no ruling."""

Cited = dict[str, list[str]]
"""For a field, code or ruling: the places of the source that enact it, as `file: name`."""

_RULING_LIST = re.compile(r"(?:[(:;,] ?|^# ?|– ?)(R[0-9]+)(?:(–)(R[0-9]+))?(?=[),:;–]|$)")
_TEST = re.compile(r"test_(?:(?P<book>[a-z0-9]+)_rule_(?P<clause>\w+)|r(?P<ruling>[0-9]+)_\w+)\Z")


class Entry(msgspec.Struct, frozen=True):
    """One clause or ruling and everything that belongs to it."""

    id: str
    data: tuple[str, ...]
    see: tuple[str, ...]
    code: tuple[str, ...]
    tests: tuple[str, ...]


def slug(clause_id: str) -> str:
    """How a clause is named in a test: `#9` is 9, `l.70-75` is l70, `Going on Board` is going_on_board."""
    if clause_id.startswith("l."):
        return "l" + clause_id.removeprefix("l.").partition("-")[0]
    return clause_id.removeprefix("#").lower().replace(" ", "_")


# What the source says


def scan() -> Cited:
    """Every field read, fault raised and ruling named, with where."""
    found: dict[str, set[str]] = defaultdict(set)
    for package in ENACTING:
        for path in sorted((SOURCE / package).rglob("*.py")):
            if path.name not in NOT_ENACTING:
                for key, name in _cited_in(path):
                    where = path.relative_to(SOURCE).as_posix()
                    found[key].add(f"{where}: {name}" if name else where)
    return {key: sorted(places) for key, places in found.items()}


def _cited_in(path: Path) -> Iterator[tuple[str, str]]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    spans: list[tuple[int, int, str]] = []
    yield from _walk(tree, "", spans)
    with path.open("rb") as source:
        for token in tokenize.tokenize(source.readline):
            if token.type == tokenize.COMMENT:
                line = token.start[0]
                around = [span for span in spans if span[0] <= line <= span[1]]
                name = min(around, key=lambda span: span[1] - span[0])[2] if around else ""
                for ruling in rulings_in(token.string):
                    yield ruling, name


def _walk(node: ast.AST, inside: str, spans: list[tuple[int, int, str]]) -> Iterator[tuple[str, str]]:
    """Citations of one definition and those within it."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        inside = f"{inside}.{node.name}" if inside else node.name
        spans.append((node.lineno, node.end_lineno or node.lineno, inside))
    if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
        for ruling in rulings_in(ast.get_docstring(node) or ""):
            yield ruling, inside
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Attribute) and isinstance(child.value, ast.Attribute):
            yield f"{child.value.attr}.{child.attr}", inside
        if isinstance(child, ast.Constant) and isinstance(child.value, str) and child.value.isupper():
            yield child.value, inside
        yield from _walk(child, inside, spans)


def rulings_in(text: str) -> list[str]:
    """Rulings named in a sentence: `(R7, R9–R11)`. Tiles such as `R7 R8` are not taken for rulings."""
    found: list[str] = []
    for line in text.splitlines():
        if line.lstrip().startswith((">>>", "...")):
            continue
        for first, dash, last in _RULING_LIST.findall(line):
            start, end = int(first[1:]), int((last if dash else first)[1:])
            found += [f"R{number}" for number in range(start, end + 1)]
    return [ruling for ruling in dict.fromkeys(found) if ruling in rulings()]


# What the books say


def cites(text: str, wanted: str) -> bool:
    """Whether a citation text names a clause or ruling."""
    return wanted in [part.strip() for part in text.split(",")]


def _data(rules: RuleBook, wanted: str) -> tuple[list[str], list[str]]:
    """Fields and faults of a book that rest on a clause or ruling."""
    fields = [name for name in field_names() if cites(rules.cites[name], wanted)]
    codes = [name for name, text in rules.codes.items() if cites(text, wanted)]
    return fields, codes


def _places(found: Mapping[str, list[str]], keys: Iterable[str]) -> tuple[str, ...]:
    every = {
        place for key in keys for place in found.get(key.partition(".")[0] if key.isupper() else key, ())
    }
    return tuple(sorted(every))


def _code_keys(fields: Iterable[str], codes: Iterable[str]) -> list[str]:
    return [*fields, *(code.partition(".")[0] for code in codes)]


def clause_entry(rules: RuleBook, clause: Clause, found: Cited, tests: Mapping[str, list[str]]) -> Entry:
    """A clause with its data, code and tests."""
    fields, codes = _data(rules, clause.id)
    return Entry(
        id=f"{rules.label} {clause.id}",
        data=(*fields, *codes),
        see=clause.rulings,
        code=_places(found, [*clause.rulings, *_code_keys(fields, codes)]),
        tests=tuple(tests.get(f"{rules.id} {clause.id}", ())),
    )


def ruling_entry(ruling: Ruling, found: Cited, tests: Mapping[str, list[str]]) -> Entry:
    """A ruling with its data in every book it serves, its options, code and tests."""
    fields: dict[str, None] = {}
    codes: dict[str, None] = {}
    for book_id in ruling.books:
        more_fields, more_codes = _data(book(book_id), ruling.id)
        fields |= dict.fromkeys(more_fields)
        codes |= dict.fromkeys(more_codes)
    options = [f"option {name}" for name in ruling.options]
    return Entry(
        id=ruling.id,
        data=(*fields, *codes, *options),
        see=tuple(
            f"{book(name).label} {clause.id}"
            for name in ruling.books
            for clause in book(name).clauses
            if ruling.id in clause.rulings
        ),
        code=_places(found, [ruling.id, *_code_keys(fields, codes)]),
        tests=tuple(tests.get(ruling.id, ())),
    )


# What the tests say


def test_names() -> list[str]:
    """Every clause test by name, in the order of its file."""
    names: list[str] = []
    for module in TEST_MODULES:
        loaded = import_module(f"tests.clauses.{module}")
        names += [name for name in vars(loaded) if name.startswith("test_")]
    for module in HALL_MODULES:
        loaded = import_module(f"tests.{module}")
        names += [name for name in vars(loaded) if re.match(r"test_r\d+_", name)]
    return names


def by_clause(names: Iterable[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Tests by clause (`wrc11 #9`) or ruling (`R20`), and the names that fit nothing there is."""
    proved: dict[str, list[str]] = defaultdict(list)
    strays: list[str] = []
    for name in names:
        key = _subject(name)
        if key is None:
            strays.append(name)
        else:
            proved[key].append(name)
    return dict(proved), strays


def _subject(name: str) -> str | None:
    match = _TEST.match(name)
    if match is None:
        return None
    if match["ruling"]:
        key = f"R{match['ruling']}"
        return key if key in rulings() else None
    if match["book"] not in BOOK_IDS:
        return None
    ids = [clause.id for clause in book(match["book"]).clauses]
    fitting = [one for one in ids if match["clause"].startswith(f"{slug(one)}_")]
    return f"{match['book']} {max(fitting, key=lambda one: len(slug(one)))}" if fitting else None


# The page


def entries() -> dict[str, list[Entry]]:
    """Everything, by the title of its part of the page."""
    found = scan()
    tests, _ = by_clause(test_names())
    parts: dict[str, list[Entry]] = {}
    for book_id in BOOK_IDS:
        rules = book(book_id)
        parts[rules.name["en"]] = [clause_entry(rules, clause, found, tests) for clause in rules.clauses]
    parts["Rulings"] = [ruling_entry(ruling, found, tests) for ruling in rulings().values()]
    return parts


def page() -> str:
    """The page as Markdown."""
    lines = [
        "# Clauses, code and tests",
        "",
        "Every clause of every rule book and every ruling, with the data of the book that rests on it",
        "(fields, and the codes of faults), the code that reads that data or names the ruling, and the tests",
        "that prove it.",
        "",
        "This page is generated by `python -m tests.clauses.clause_map`. The tests fail when it is out of",
        "date, when a clause or ruling has no test, and when a test names a clause that does not exist.",
        "WRC 9 is numbered G1–G9 (regulations) and P1–P16 (playing rules), The Mahjong Line by lines,",
        "Rummy-O by headings. Paths are under `src/meldroom/`; every field is proved to decide something",
        "by `tests/rules/test_every_field_decides.py`.",
    ]
    for title, part in entries().items():
        lines += ["", f"## {title}"]
        for entry in part:
            lines += ["", f"### {entry.id}", ""]
            lines += _line("Data", (f"`{name}`" for name in entry.data))
            lines += _line("Clauses" if title == "Rulings" else "Rulings", entry.see)
            lines += _line("Code", (f"`{place}`" for place in entry.code))
            lines += _line("Tests", (f"`{name}`" for name in entry.tests))
    return "\n".join(lines) + "\n"


def _line(label: str, items: Iterable[str]) -> list[str]:
    text = ", ".join(items)
    return [f"- {label}: {text}"] if text else []


def unknown_fields() -> list[str]:
    """Fields that a book cites but no section has: none, if the page can be trusted."""
    known = set(field_names())
    return [f"{name} {field}" for name in BOOK_IDS for field in book(name).cites if field not in known]


def not_enacted(every: Iterable[Entry], found: Cited) -> list[str]:
    """What no code enacts: entries without code, faults nobody raises, fields that nothing proves to decide.

    The proof of a field is its question in `tests/rules/test_every_field_decides.py`.
    """
    missing = []
    for entry in every:
        missing += [f"{entry.id}: no code"] if not entry.code else []
        for name in entry.data:
            if name.partition(".")[0].isupper():
                if not found.get(name.partition(".")[0]):
                    missing.append(f"{entry.id}: nothing raises {name}")
            elif not name.startswith("option ") and name not in ASKED:
                missing.append(f"{entry.id}: nothing reads {name}")
    return missing


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE.relative_to(ROOT)} written\n")


if __name__ == "__main__":
    main()
