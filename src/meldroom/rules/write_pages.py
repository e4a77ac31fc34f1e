"""Writes the rule-book pages of the documentation: `python -m meldroom.rules.write_pages docs/rules`."""

from __future__ import annotations

import sys
from pathlib import Path

from meldroom.i18n import languages, message
from meldroom.rules.describe import book_markdown, rulings_markdown
from meldroom.rules.library import BOOK_IDS, book


def pages() -> dict[str, str]:
    """Every page by its file name: each book and the rulings, in every language."""
    made: dict[str, str] = {}
    for language in languages():
        note = f"\n---\n\n{message('labels.page.pages_note', language)}\n"
        for book_id in BOOK_IDS:
            made[f"{book_id}.{language}.md"] = book_markdown(book(book_id), language) + note
        made[f"rulings.{language}.md"] = rulings_markdown(language) + note
    return made


def main(arguments: list[str]) -> int:
    """Write all pages into the folder named; returns the exit status."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m meldroom.rules.write_pages FOLDER\n")
        return 2
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
