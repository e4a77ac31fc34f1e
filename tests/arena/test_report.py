"""The report is one file that needs nothing else, tells in words what it draws, and stays the same."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from meldroom.arena import Results, read, run
from meldroom.arena.reporting.number_format import duration, number, percent
from meldroom.arena.reporting.plots import curves
from meldroom.arena.reporting.report import report
from tests.arena.small import TABLES, small

VOID = {"meta", "br", "path", "use"}


class Page(HTMLParser):
    """Checks that elements are closed in order, and collects what the tests ask about."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def every(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


@pytest.fixture(scope="module")
def pairs() -> Results:
    return run(small())


def parsed(results: Results) -> Page:
    page = Page()
    page.feed(report(results, results.summary()).decode())
    assert page.open == []
    return page


def test_the_same_results_give_the_same_bytes(pairs: Results) -> None:
    lines = pairs.summary()
    assert report(pairs, lines) == report(pairs, lines)
    assert report(pairs, lines, "fr") != report(pairs, lines)


def test_the_page_is_sound_and_alone(pairs: Results) -> None:
    page = parsed(pairs)
    ids = [str(attributes["id"]) for _, attributes in page.found if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [attributes[key] for _, attributes in page.found for key in ("href", "src") if key in attributes]
    assert all(link is not None and link.removeprefix("#") in ids for link in links)
    assert "Small & “odd” <b>" in page.text
    assert page.every("b") == []


def test_plots_are_told_in_words_and_tables_have_headers(pairs: Results) -> None:
    page = parsed(pairs)
    plots = [div for div in page.every("div") if div.get("role") == "img"]
    assert len(plots) == len(page.every("figure")) == 2 * 3
    assert all("patient" in str(plot["aria-label"]) for plot in plots)
    assert all(head.get("scope") in ("row", "col") for head in page.every("th"))
    assert len(page.every("caption")) == len(page.every("table")) == 2 * 3
    assert page.every("html")[0]["lang"] == "en"


def test_plots_take_their_colours_from_the_page(pairs: Results) -> None:
    text = report(pairs, pairs.summary()).decode()
    drawn = text[text.index("<svg") : text.rindex("</svg>")]
    assert "var(--ink)" in drawn
    assert "#0" not in drawn
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


def test_twenty_lines_are_all_drawn_differently_and_named() -> None:
    names = [f"bot {number}" for number in range(20)]
    rising = [[0.0, number / 20, 1.0] for number in range(20)]
    drawn = curves(names, rising, ("turn", "share"), ("0", "1/4", "1/2", "3/4", "1"), key="a")
    assert all(name in drawn for name in names)
    lines = re.findall(r'clip-path="[^"]*" style="(fill: none; stroke[^"]*)"', drawn)
    assert len(set(lines)) >= len(names)


def test_line_ups_of_three_have_their_report() -> None:
    results = run(read({**TABLES, "deals": 1}))
    page = parsed(results)
    assert "patient / 2 tournament" in page.text
    assert len(page.every("table")) == 2


def test_numbers_for_people() -> None:
    assert (number(-0.04, 1), number(-2.5, 1), number(None, 1)) == ("0.0", "−2.5", "–")
    assert (number(1.5, 2, "fr"), percent(0.125, "fr"), percent(0.125)) == ("1,50", "12,5\u202f%", "12.5%")
    assert [duration(s) for s in (4, 75, 1200, 7260)] == ["4 s", "1 min 15 s", "20 min", "2 h 01 min"]
