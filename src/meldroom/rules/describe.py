"""A rule book as people read it, and how two books differ, as text or Markdown."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any, TypeAlias

import msgspec

from meldroom.i18n import Language, Value, message
from meldroom.rules.book import HOUSE_RULE, SECTIONS, Citation, Clause, RuleBook, field_names
from meldroom.rules.labels import field_label, value_text
from meldroom.rules.library import BOOK_IDS, book
from meldroom.rules.rulings import Ruling, rulings, rulings_of

NARROWEST = 40
LONGEST_SHORT_TERM = 9
COLUMNS = ("id", "players", "opening", "clock", "joker", "name")


Citations: TypeAlias = tuple[str, ...]
"""The clauses and rulings that something rests on, each by its name."""

Cited: TypeAlias = tuple[str, Citations]
"""A text and what it rests on."""


class Entry(msgspec.Struct, frozen=True):
    """One field of a book as people read it, with the clauses and rulings it rests on."""

    field: str
    label: str
    value: str
    clauses: tuple[str, ...]
    rulings: tuple[str, ...]

    @property
    def citations(self) -> Citations:
        """Clauses, then rulings."""
        return (*self.clauses, *self.rulings)


class Section(msgspec.Struct, frozen=True):
    """One part of a book."""

    heading: str
    entries: tuple[Entry, ...]


class Difference(msgspec.Struct, frozen=True):
    """A field with two values, and where each book has it from."""

    field: str
    value_a: Any
    value_b: Any
    citation_a: Citation
    citation_b: Citation


class ClauseDifference(msgspec.Struct, frozen=True):
    """A clause that two books share by number but not in what it says; None where a book has none."""

    id: str
    a: Clause | None
    b: Clause | None


def describe(book: RuleBook, language: Language = "en") -> tuple[Section, ...]:
    """The fields of a book in its order, without those that cannot matter under it."""
    return tuple(
        Section(message(f"labels.sections.{section}", language), entries)
        for section in SECTIONS
        if (entries := _entries(book, section, language))
    )


def _entries(book: RuleBook, section: str, language: Language) -> tuple[Entry, ...]:
    names = [name for name in field_names() if name.partition(".")[0] == section and applies(book, name)]
    return tuple(_entry(book, name, language) for name in names)


def _entry(book: RuleBook, name: str, language: Language) -> Entry:
    citation = book.cite(name)
    return Entry(
        field=name,
        label=field_label(name, language),
        value=value_text(book, name, language),
        clauses=clause_names(book, citation, language),
        rulings=citation.rulings,
    )


def applies(book: RuleBook, name: str) -> bool:
    """False for a field that decides nothing under this book, such as a bonus where there is none."""
    if name == "pool_end.final_turns_start":
        return book.pool_end.ending == "final_turns"
    if name == "penalty.conduct":
        return bool(book.penalty.tiles)
    if name == "pool_end.must_play_if_able":
        return book.pool_end.ending != "reshuffle"
    if name == "pool_end.reshuffles":
        return book.pool_end.ending == "reshuffle"
    if name == "scoring.charge_test":
        return book.scoring.unmelded != book.scoring.unmelded_able
    if name == "scoring.exhausted_unopened":
        return book.scoring.exhausted != "all_minus"
    if name in ("scoring.open_bonus", "scoring.foot_bonus", "scoring.hand_bonus"):
        return book.family == "laying_off"
    return True


def clause_names(book: RuleBook, citation: Citation, language: Language) -> tuple[str, ...]:
    """The clauses of a citation as readers know them: by number, or by the heading in their language."""
    known = {clause.id: clause.name(language) for clause in book.clauses}
    names = []
    for cited in citation.clauses:
        if cited.startswith(HOUSE_RULE):
            names.append(_page("house_rule", language, book=cited.removeprefix(HOUSE_RULE)))
        else:
            name = cited.removeprefix(f"{book.label} ")
            names.append(known.get(name, name))
    return tuple(names)


def differences(a: RuleBook, b: RuleBook) -> tuple[Difference, ...]:
    """Exactly the fields whose values differ, in the order of the book."""
    return tuple(
        Difference(name, a.field(name), b.field(name), a.cite(name), b.cite(name))
        for name in field_names()
        if a.field(name) != b.field(name)
    )


def clause_differences(a: RuleBook, b: RuleBook) -> tuple[ClauseDifference, ...] | None:
    """The clauses that say different things; None if the books do not number their clauses alike."""
    ours, theirs = ({clause.id: clause for clause in one.clauses} for one in (a, b))
    if not ours.keys() & theirs.keys():
        return None
    ids = (*ours, *(key for key in theirs if key not in ours))
    pairs = (ClauseDifference(key, ours.get(key), theirs.get(key)) for key in ids)
    return tuple(pair for pair in pairs if pair.a != pair.b)


def ruling_differences(a: RuleBook, b: RuleBook) -> tuple[tuple[Ruling, ...], tuple[Ruling, ...]]:
    """The rulings that serve only the first book, and those that serve only the second."""
    ours, theirs = rulings_of(a), rulings_of(b)
    return (
        tuple(ruling for ruling in ours if ruling not in theirs),
        tuple(ruling for ruling in theirs if ruling not in ours),
    )


def _page(key: str, language: Language, **values: Value) -> str:
    return message(f"labels.page.{key}", language, **values)


# A page is a list of blocks, so that text and Markdown always say the same.


class Heading(msgspec.Struct, frozen=True, tag_field="kind", tag="heading"):
    """A heading; level 1 is the page's title."""

    text: str
    level: int = 2


class Paragraph(msgspec.Struct, frozen=True, tag_field="kind", tag="paragraph"):
    """Running text."""

    text: str


class Facts(msgspec.Struct, frozen=True, tag_field="kind", tag="facts"):
    """Rows of label, value and citations."""

    rows: tuple[tuple[str, str, Citations], ...]
    heads: tuple[str, str, str]


class Items(msgspec.Struct, frozen=True, tag_field="kind", tag="items"):
    """Terms, each with its text and citations."""

    rows: tuple[tuple[str, str, Citations], ...]


class Comparison(msgspec.Struct, frozen=True, tag_field="kind", tag="comparison"):
    """Rows of a label and two values, each value with its citations."""

    rows: tuple[tuple[str, Cited, Cited], ...]
    heads: tuple[str, str, str]


class Table(msgspec.Struct, frozen=True, tag_field="kind", tag="table"):
    """Short cells in columns."""

    rows: tuple[tuple[str, ...], ...]
    heads: tuple[str, ...]


Block: TypeAlias = Heading | Paragraph | Facts | Items | Comparison | Table


def book_blocks(book: RuleBook, language: Language = "en") -> tuple[Block, ...]:
    """A whole book: values by section, options, clauses, rulings."""
    heads = (_page("field", language), _page("value", language), _page("where", language))
    blocks: list[Block] = [Heading(book.name[language], 1), *map(Paragraph, _introduction(book, language))]
    for section in describe(book, language):
        rows = tuple((entry.label, entry.value, entry.citations) for entry in section.entries)
        blocks += [Heading(section.heading), Facts(rows, heads)]
    blocks += [Heading(_page("options", language)), _options(book, language)]
    clauses = tuple((_term(one, language), one.text[language], one.rulings) for one in book.clauses)
    blocks += [Heading(_page("clauses", language)), Items(clauses)]
    decided = tuple(_ruling_row(book, ruling, language) for ruling in rulings_of(book))
    blocks += [Heading(_page("rulings", language)), Items(decided)]
    return tuple(blocks)


def _introduction(book: RuleBook, language: Language) -> list[str]:
    smallest, largest = book.players.minimum, book.players.maximum
    players = (
        _page("players", language, minimum=smallest, maximum=largest)
        if smallest != largest
        else _page("players_exact", language, count=largest)
    )
    version = _page("version", language, version=book.version)
    first = [f"{book.id}, {version}.", players, message(f"labels.families.{book.family}", language)]
    if book.house is not None:
        first.append(_page("house", language, base=book.house["base"]))
    if book.options:
        chosen = ", ".join(f"{name} = {option_text(value)}" for name, value in book.options.items())
        first.append(_page("chosen", language, options=chosen))
    return [" ".join(first), _page("beside", language)]


def option_text(value: str | int | bool) -> str:
    """A choice of an option as it is written on the command line and in TOML."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _options(book: RuleBook, language: Language) -> Block:
    if not book.option_list:
        return Paragraph(_page("no_options", language))
    rows = []
    for name, option in book.option_list.items():
        choices = ", ".join(map(option_text, option.choices))
        text = option.text[language]
        rows.append(
            (
                f"{name} = {choices}",
                text[:1].upper() + text[1:] + ".",
                (option.ruling,) if option.ruling else (),
            )
        )
    return Items(tuple(rows))


def _term(clause: Clause, language: Language) -> str:
    name, at = clause.name(language), clause.lines
    if name != clause.id:
        at = _page("clause_at", language, id=clause.id, lines=at)
    return f"{name} ({at})" if at else name


def _ruling_row(book: RuleBook, ruling: Ruling, language: Language) -> tuple[str, str, Citations]:
    title = ruling.title[language]
    parts = [title if title.endswith("?") else f"{title}.", ruling.text[language]]
    offered = [name for name in ruling.options if name in book.option_list]
    if offered:
        parts.append(_page("option_names", language, options=", ".join(offered)))
    if ruling.basis in ("weak", "none"):
        parts.append(message(f"labels.basis.{ruling.basis}", language))
    return ruling.id, " ".join(parts), ()


def ruling_blocks(ruling: Ruling, language: Language = "en") -> tuple[Block, ...]:
    """One ruling with the books it serves, its options and what it rests on."""
    serves = _page("applies_to", language, books=", ".join(book(book_id).label for book_id in ruling.books))
    notes = [serves, message(f"labels.basis.{ruling.basis}", language)]
    if ruling.options:
        notes.insert(1, _page("option_names", language, options=", ".join(ruling.options)))
    title = Heading(f"{ruling.id} – {ruling.title[language]}")
    return title, Paragraph(ruling.text[language]), Paragraph(" ".join(notes))


def rulings_blocks(language: Language = "en") -> tuple[Block, ...]:
    """All rulings."""
    blocks: list[Block] = [
        Heading(_page("rulings", language), 1),
        Paragraph(_page("rulings_intro", language)),
    ]
    for ruling in rulings().values():
        blocks += ruling_blocks(ruling, language)
    return tuple(blocks)


def diff_blocks(a: RuleBook, b: RuleBook, language: Language = "en") -> tuple[Block, ...]:
    """What differs between two books: values, then clauses, then rulings."""
    first, second = _names_apart(a, b)
    blocks: list[Block] = [Heading(_page("diff", language, first=first, second=second), 1)]
    fields = differences(a, b)
    clauses = clause_differences(a, b)
    if fields:
        rows = tuple(_compared(a, b, found, language) for found in fields)
        blocks.append(Comparison(rows, (_page("field", language), first, second)))
    else:
        blocks.append(Paragraph(_sameness(a, b, clauses or (), language)))
    if clauses is None:
        blocks.append(Paragraph(_page("numbering", language)))
    elif clauses:
        blocks.append(Heading(_page("other_clauses", language)))
        blocks.append(_compared_clauses(clauses, first, second, language))
    for label, only in zip((first, second), ruling_differences(a, b), strict=True):
        if only:
            ids = ", ".join(ruling.id for ruling in only)
            blocks.append(Paragraph(_page("only_rulings", language, book=label, rulings=ids)))
    return tuple(blocks)


def _names_apart(a: RuleBook, b: RuleBook) -> tuple[str, str]:
    """Labels of two books, or their ids, versions and options where the labels would not tell them apart."""
    if a.label != b.label:
        return a.label, b.label
    versions = a.id == b.id and a.version != b.version
    first, second = (
        " ".join(
            (
                f"{one.id}@{one.version}" if versions else one.id,
                *(f"{name}={option_text(value)}" for name, value in one.options.items()),
            )
        )
        for one in (a, b)
    )
    return first, second


def _sameness(a: RuleBook, b: RuleBook, clauses: Sequence[ClauseDifference], language: Language) -> str:
    """One sentence for two books whose values are all the same."""
    if not clauses:
        return _page("same_book" if a.name == b.name else "only_name", language)
    matters = [clause.about for found in clauses if (clause := found.a or found.b) and clause.about]
    if len(matters) < len(clauses):
        return _page("only_clauses", language)
    return _page("only_about", language, about=tuple(about[language] for about in matters))


def _compared(a: RuleBook, b: RuleBook, found: Difference, language: Language) -> tuple[str, Cited, Cited]:
    sides: list[Cited] = []
    for one, citation in ((a, found.citation_a), (b, found.citation_b)):
        if applies(one, found.field):
            citations = (*clause_names(one, citation, language), *citation.rulings)
            sides.append((value_text(one, found.field, language), citations))
        else:
            sides.append((_page("not_applicable", language), ()))
    return field_label(found.field, language), sides[0], sides[1]


def _compared_clauses(
    found: Sequence[ClauseDifference], first: str, second: str, language: Language
) -> Comparison:
    def text(clause: Clause | None) -> Cited:
        return (clause.text[language] if clause else _page("nothing", language)), ()

    rows = tuple((one.id, text(one.a), text(one.b)) for one in found)
    return Comparison(rows, (_page("field", language), first, second))


# Blocks to text.


def plain(blocks: Sequence[Block], width: int = 80) -> str:
    """Blocks as text for a terminal."""
    width = max(width, NARROWEST)
    return "\n\n".join(_plain_block(block, width) for block in blocks) + "\n"


def _plain_block(block: Block, width: int) -> str:
    match block:
        case Heading(text, level):
            return f"{_fill(text, width)}\n{('=' if level == 1 else '-') * min(len(text), width)}"
        case Paragraph(text):
            return _fill(text, width)
        case Facts(rows):
            return _plain_facts(rows, width)
        case Items(rows):
            return _plain_items(rows, width)
        case Comparison(rows, heads):
            return _plain_comparison(rows, heads, width)
        case Table(rows, heads):
            return _plain_table((heads, *rows))


def _with(text: str, citations: Citations) -> str:
    return f"{text} [{', '.join(citations)}]" if citations else text


def _fill(text: str, width: int, first: str = "", rest: str = "") -> str:
    """Wrapped text; a hyphen joins (12-13-joker) and is no place to break."""
    return textwrap.fill(text, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


def _wrapped(first: str, text: str, margin: int, width: int) -> str:
    """Text that hangs at a margin after a first word or label."""
    return _fill(text, width, first.ljust(margin), " " * margin)


def _plain_facts(rows: Sequence[tuple[str, str, Citations]], width: int) -> str:
    margin = max(len(label) for label, _, _ in rows) + 4
    if margin > width // 2:
        lines = (
            _fill(_with(f"{label} – {value}", cited), width, "  ", " " * 6) for label, value, cited in rows
        )
    else:
        lines = (_wrapped(f"  {label}", _with(value, cited), margin, width) for label, value, cited in rows)
    return "\n".join(lines)


def _plain_items(rows: Sequence[tuple[str, str, Citations]], width: int) -> str:
    longest = max(len(term) for term, _, _ in rows)
    if longest <= LONGEST_SHORT_TERM:
        lines = (_wrapped(f"  {term}", _with(text, cited), longest + 4, width) for term, text, cited in rows)
    else:
        lines = (
            f"{_wrapped('', term, 2, width)}\n{_wrapped('', _with(text, cited), 6, width)}"
            for term, text, cited in rows
        )
    return "\n".join(lines)


def _plain_comparison(
    rows: Sequence[tuple[str, Cited, Cited]], heads: tuple[str, str, str], width: int
) -> str:
    margin = max(len(heads[1]), len(heads[2])) + 6
    parts = []
    for label, first, second in rows:
        parts.append(f"  {label}")
        parts += [_wrapped(f"    {heads[1]}", _with(*first), margin, width)]
        parts += [_wrapped(f"    {heads[2]}", _with(*second), margin, width)]
    return "\n".join(parts)


def _plain_table(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    cells = ([cell.ljust(wide) for cell, wide in zip(row, widths, strict=True)] for row in rows)
    return "\n".join("  ".join(row).rstrip() for row in cells)


# Blocks to Markdown.


def markdown(blocks: Sequence[Block]) -> str:
    """Blocks as Markdown."""
    return "\n\n".join(_markdown_block(block) for block in blocks) + "\n"


def _markdown_block(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {_escaped(text)}"
        case Paragraph(text):
            return _escaped(text)
        case Facts(rows, heads):
            return _markdown_table(heads, [(label, value, ", ".join(cited)) for label, value, cited in rows])
        case Items(rows):
            return "\n\n".join(
                f"**{_escaped(term)}** {_escaped(_with(text, cited))}" for term, text, cited in rows
            )
        case Comparison(rows, heads):
            return _markdown_table(heads, [(label, _with(*a), _with(*b)) for label, a, b in rows])
        case Table(rows, heads):
            return _markdown_table(heads, rows)


def _markdown_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    body = [[_escaped(cell) if cell != "---" else cell for cell in line] for line in lines]
    return "\n".join("| " + " | ".join(line) + " |" for line in body)


def _escaped(text: str) -> str:
    for sign in "\\`*_<>|[]":
        text = text.replace(sign, f"\\{sign}")
    return text


def book_text(book: RuleBook, language: Language = "en", width: int = 80) -> str:
    """A whole book for a terminal."""
    return plain(book_blocks(book, language), width)


def book_markdown(book: RuleBook, language: Language = "en") -> str:
    """A whole book as a Markdown page."""
    return markdown(book_blocks(book, language))


def diff_text(a: RuleBook, b: RuleBook, language: Language = "en", width: int = 80) -> str:
    """What differs between two books, for a terminal."""
    return plain(diff_blocks(a, b, language), width)


def diff_markdown(a: RuleBook, b: RuleBook, language: Language = "en") -> str:
    """What differs between two books, as Markdown."""
    return markdown(diff_blocks(a, b, language))


def ruling_text(ruling: Ruling, language: Language = "en", width: int = 80) -> str:
    """One ruling for a terminal."""
    return plain(ruling_blocks(ruling, language), width)


def rulings_markdown(language: Language = "en") -> str:
    """All rulings as a Markdown page."""
    return markdown(rulings_blocks(language))


def list_block(language: Language = "en") -> Table:
    """The published books in a few columns."""
    rows = []
    for book_id in BOOK_IDS:
        one = book(book_id)
        figures = (
            str(one.field(name) or "–") for name in ("opening.points", "clock.seconds", "scoring.joker")
        )
        players = f"{one.players.minimum}–{one.players.maximum}"
        rows.append((book_id, players, *figures, one.name[language]))
    return Table(tuple(rows), tuple(message(f"labels.columns.{column}", language) for column in COLUMNS))
