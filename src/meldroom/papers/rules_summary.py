"""The rules that are played, in a few lines: what every score sheet says."""

from __future__ import annotations

from meldroom.i18n import Language, message
from meldroom.rules.book import RuleBook
from meldroom.rules.labels import field_label, value_text

_FIELDS = (
    "opening.points",
    "clock.seconds",
    "penalty.tiles",
    "penalty.leftovers",
    "scoring.joker",
    "scoring.unmelded",
    "scoring.unmelded_able",
    "scoring.exhausted",
)


def rules_line(book: RuleBook, language: Language) -> tuple[tuple[str, str], ...]:
    """The book with its version, then what differs from book to book: pairs that read one after the other.

    >>> from meldroom.rules.library import book
    >>> rules_line(book("wrc11"), "en")[5]
    ('A joker left on the rack costs', '100 points')
    """
    lines = [(book.name[language], message("labels.page.version", language, version=book.version))]
    if book.options:
        chosen = ", ".join(f"{name} = {str(value).lower()}" for name, value in book.options.items())
        lines.append((message("labels.page.chosen", language, options=chosen).rstrip("."), ""))
    lines += [
        (field_label(name, language), value_text(book, name, language))
        for name in _FIELDS
        if name != "scoring.unmelded_able" or book.scoring.unmelded_able != book.scoring.unmelded
    ]
    return tuple(lines)


def zero_sum(book: RuleBook) -> bool:
    """Whether the scores of a game won by going out add up to 0 (R39)."""
    return book.scoring.winner == "opponents"


def charges(book: RuleBook) -> tuple[int, ...]:
    """What who never melded may be charged, to tick on a sheet."""
    return tuple(sorted({book.scoring.unmelded, book.scoring.unmelded_able} - {0}))
