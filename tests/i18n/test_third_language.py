"""A third language is one folder and no code: written here, then used by fresh processes."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from meldroom.championship.formats.format import preset
from meldroom.i18n import DEFAULT, languages, message_ids, template
from meldroom.rules.library import book
from tests.i18n.named_in_source import PACKAGE, python_trees
from tests.i18n.pseudo_language import CODE, marked, write_language

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def locales(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of languages with the new one in it."""
    root = tmp_path_factory.mktemp("locales")
    write_language(root)
    return root


def run(locales: Path, *arguments: str, status: int = 0) -> str:
    """What a fresh process prints that has the language installed."""
    python = os.pathsep.join((str(ROOT / "src"), str(ROOT)))
    environment = os.environ | {"MELDROOM_LOCALES": str(locales), "PYTHONPATH": python, "COLUMNS": "100"}
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, encoding="utf-8", env=environment, cwd=locales
    )
    assert done.returncode == status, done.stderr
    return done.stdout


def flat(text: str) -> str:
    """Text without its line breaks."""
    return " ".join(text.split())


def test_the_language_is_complete_and_installed(locales: Path) -> None:
    shown = run(
        locales,
        "-c",
        "from meldroom.i18n import *\n"
        f"assert languages() == {('en', *sorted({*languages()[1:], CODE}))!r}\n"
        f"assert is_language('{CODE}') and negotiate('qq, {CODE}-AB;q=0.9, en;q=0.5') == '{CODE}'\n"
        f"assert set(message_ids('{CODE}')) == set(message_ids())\n"
        f"print(locale('{CODE}').number(12345.5, 1), locale('{CODE}').list_or(['a', 'b', 'c']))\n"
        "seconds = 'labels.fields.clock.seconds.value'\n"
        f"for count in (1, 2, 5): print(message(seconds, '{CODE}', count=count))\n",
    )
    assert shown.splitlines() == [
        "12·345,5 a, b lüb c",
        "<one> 1 šéçöñd",
        "<few> 2 šéçöñdš",
        "<many> 5 šéçöñdš",
    ]


def test_a_book_is_printed_in_it(locales: Path) -> None:
    wrc11 = book("wrc11")
    shown = flat(run(locales, "-m", "meldroom", "rules", "wrc11", "--lang", CODE))
    assert marked(wrc11.name[DEFAULT]) in shown
    for clause in wrc11.clauses:
        assert flat(marked(clause.text[DEFAULT])) in shown
    for label in (id for id in message_ids() if id.startswith("labels.fields.") and id.endswith(".label")):
        english = str(template(label))
        assert f"{english} " not in shown or english == marked(english), f"{english} is still English"


def test_turns_are_judged_in_it(locales: Path) -> None:
    turn = ("--rack", "R9 B9 K9", "--after", "R9 B9 K9", "--unmelded", "--lang", CODE)
    shown = run(locales, "-m", "meldroom", "check", *turn, status=1)
    english = template("rules.violation.MELD_LT_OPENING")
    assert not isinstance(english, str)
    assert "<many> " + marked(english["other"]).format(count=27, needed=30) in flat(shown)
    assert "WRC 11 #4" in shown


def test_errors_speak_it(locales: Path) -> None:
    shown = run(
        locales,
        "-c",
        "from meldroom.rules.library import load_book, BookError\n"
        "try: load_book('wrc12')\n"
        f"except BookError as error: print(error.message('{CODE}'))\n",
    )
    assert "wrc12" in shown
    assert marked("did you mean") in shown


def test_names_that_books_and_formats_bring_are_in_it(locales: Path) -> None:
    shown = run(
        locales,
        "-c",
        "import msgspec\n"
        "from meldroom.championship.formats.format import preset\n"
        "from meldroom.papers.rules_summary import rules_line\n"
        "from meldroom.rules.library import book, house_book\n"
        f"print(preset('wrc').name['{CODE}'])\n"
        f"print(rules_line(book('wrc11'), '{CODE}')[1][1])\n"
        f"print(book('tml').tiles.colours[0]['{CODE}'])\n"
        f"house = dict(id='k', version='1', base='wrc11', name=dict({CODE}='Küçhñia', fr='Cuisine'))\n"
        f"print(house_book(house).name['{CODE}'], house_book(house).name['en'])\n"
        "print(msgspec.json.encode(book('tml').name).decode())\n",
    )
    lines = shown.splitlines()
    assert lines[0] == marked(preset("wrc").name[DEFAULT])
    assert lines[1].startswith("<many> šétš")
    assert lines[2] == marked("cornflower")
    assert lines[3] == "Küçhñia Küçhñia"
    assert f'"{CODE}":"{marked(book("tml").name[DEFAULT])}"' in lines[4]


SERVER = f"""
import asyncio
from pathlib import Path
from meldroom.server.config import Config
from meldroom.server.run import serving
import httpx

async def main():
    async with serving(Config(data=Path("data"), pages=Path("pages"))) as (url, _):
        async with httpx.AsyncClient(base_url=url) as client:
            wish = {{"Accept-Language": "{CODE};q=0.9, en;q=0.2"}}
            for path, headers in (("?language={CODE}", {{}}), ("", wish)):
                answer = await client.get("/api/v1/catalogue" + path, headers=headers)
                assert answer.status_code == 200, answer.text
                print(answer.json()["books"][1]["name"])
            refused = await client.get("/api/v1/books/wrc99/page?language={CODE}")
            print(refused.json()["error"]["message"])

asyncio.run(main())
"""


def test_the_server_speaks_it(locales: Path) -> None:
    shown = run(locales, "-c", SERVER).splitlines()
    assert shown[:2] == [marked(book("wrc11").name[DEFAULT])] * 2
    assert any(sign in shown[2] for sign in "äéîöûñçš")


def test_no_code_asks_for_a_language_by_its_name() -> None:
    """What depends on the language stands in its folder; only the default has a name in the code."""
    named = {
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path, tree in python_trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and node.value in set(languages()) - {DEFAULT}
    }
    assert sorted(named) == []
