"""What people read: whole books, differences, rulings, the documentation, and `meldroom rules`."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

import pytest

from meldroom.i18n import Language, languages, message
from meldroom.rules import describe
from meldroom.rules.book import field_names
from meldroom.rules.labels import field_label
from meldroom.rules.library import BOOK_IDS, book, house_book
from meldroom.rules.rulings import rulings, rulings_of
from meldroom.rules.write_pages import main, pages

DOCS = Path(__file__).parents[2] / "docs" / "rules"
LANGUAGES: tuple[Language, ...] = languages()
PAIRS = list(itertools.permutations(BOOK_IDS, 2))


def one_line(text: str) -> str:
    """Text without its line breaks, so that a sentence can be looked for."""
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("book_id", BOOK_IDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_describe_tells_every_field_that_matters(book_id: str, language: Language) -> None:
    one = book(book_id)
    told = [entry for section in describe.describe(one, language) for entry in section.entries]
    assert [entry.field for entry in told] == [name for name in field_names() if describe.applies(one, name)]
    for entry in told:
        assert entry.label, entry.field
        assert entry.value, entry.field
        assert entry.citations, entry.field


def test_a_field_that_decides_nothing_is_left_out() -> None:
    told = {e.field for section in describe.describe(book("wrc9")) for e in section.entries}
    assert "pool_end.final_turns_start" not in told
    assert "scoring.hand_bonus" not in told
    assert "pool_end.must_play_if_able" in told


@pytest.mark.parametrize("book_id", BOOK_IDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_book_text_holds_clauses_and_rulings_and_fits_the_width(book_id: str, language: Language) -> None:
    one = book(book_id)
    for width in (40, 80, 120):
        text = describe.book_text(one, language, width)
        assert max(map(len, text.splitlines())) <= width
    text = one_line(describe.book_text(one, language))
    for clause in one.clauses:
        assert one_line(clause.text[language]) in text
    for ruling in rulings_of(one):
        assert one_line(ruling.text[language]) in text
    for name in one.option_list:
        assert f"{name} = " in text


def test_book_text_speaks_to_people() -> None:
    english = one_line(describe.book_text(book("wrc11")))
    assert "For 2 to 4 players." in english
    assert "Time for a turn 40 seconds [#7, R24, R26]" in english
    french = one_line(describe.book_text(book("rummyo"), "fr"))
    assert (
        "Pour ouvrir des combinaisons du chevalet valant au moins 50 points [Mise sur table, R55]" in french
    )
    assert "500 points sans joker, 400 avec un, 300 avec 2" in french


def test_book_text_names_chosen_options_and_the_base_of_a_house_book() -> None:
    assert "Options chosen: jokers = 4." in one_line(describe.book_text(book("tml", {"jokers": 4})))
    house = house_book({"id": "kitchen", "version": "1", "base": "tml", "players": {"minimum": 4}})
    text = one_line(describe.book_text(house, "fr"))
    assert "Pour 4 joueurs." in text
    assert "Un livre maison tiré de tml." in text
    assert "règle maison de kitchen, R1" in text


@pytest.mark.parametrize("a", BOOK_IDS)
@pytest.mark.parametrize("b", BOOK_IDS)
def test_differences_are_exactly_the_fields_that_differ(a: str, b: str) -> None:
    ours, theirs = book(a), book(b)
    found = {one.field: (one.value_a, one.value_b) for one in describe.differences(ours, theirs)}
    for name in field_names():
        values = (ours.field(name), theirs.field(name))
        assert found.get(name) == (values if values[0] != values[1] else None)
    for one in describe.differences(ours, theirs):
        assert one.citation_a == ours.cite(one.field)
        assert one.citation_b == theirs.cite(one.field)


def test_wrc9_and_wrc11_differ_in_eight_values() -> None:
    assert [one.field for one in describe.differences(book("wrc9"), book("wrc11"))] == [
        "clock.seconds",
        "penalty.leftovers",
        "pool_end.ending",
        "scoring.joker",
        "scoring.exhausted",
        "match.games",
        "tournament.citizens_only",
        "tournament.not_twice_running",
    ]


def test_wrc11_and_nzrc2024_differ_only_in_name_and_who_may_change_the_rules() -> None:
    ours, theirs = book("wrc11"), book("nzrc2024")
    assert describe.differences(ours, theirs) == ()
    clauses = describe.clause_differences(ours, theirs)
    assert clauses is not None
    assert [one.id for one in clauses] == ["#15"]
    assert describe.ruling_differences(ours, theirs) == ((), ())
    english = describe.diff_text(ours, theirs)
    assert "Identical except for the name and who may change the rules." in english
    assert "Identiques, sauf le nom et celui qui peut modifier les règles." in describe.diff_text(
        ours, theirs, "fr"
    )
    assert english.count("#") == 1


def test_a_book_does_not_differ_from_itself() -> None:
    assert "No differences." in describe.diff_text(book("tml"), book("tml"))
    renamed = house_book({"id": "kitchen", "version": "1", "base": "tml"})
    assert "Identical except for the name." in describe.diff_text(renamed, book("tml"))


def test_a_house_book_differs_by_its_house_rule() -> None:
    house = house_book({"id": "kitchen", "version": "1", "base": "wrc11", "opening": {"points": 40}})
    text = one_line(describe.diff_text(house, book("wrc11")))
    assert "kitchen sets from the rack worth at least 40 points [house rule of kitchen, #4, R7, R8]" in text
    assert "number their clauses differently" not in text


def test_an_option_shows_as_a_difference() -> None:
    text = describe.diff_text(book("wrc11", {"joker_reuse": "any_set"}), book("wrc11"))
    assert "wrc11 joker_reuse=any_set and wrc11" in text
    assert "goes into any set" in text


def test_what_does_not_arise_is_said_without_a_citation() -> None:
    text = one_line(describe.diff_text(book("rummyo"), book("wrc11")))
    assert "Bonus for a Foot Rummy-O 200 points [Foot, R59] WRC 11 not applicable Bonus" in text


@pytest.mark.parametrize(("a", "b"), PAIRS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_text_and_markdown_tell_the_same_differences(a: str, b: str, language: Language) -> None:
    ours, theirs = book(a), book(b)
    text = describe.diff_text(ours, theirs, language)
    table = describe.diff_markdown(ours, theirs, language)
    for found in describe.differences(ours, theirs):
        label = field_label(found.field, language)
        assert f"  {label}\n" in text
        assert f"| {label} |" in table


def test_markdown_of_a_house_name_stays_text() -> None:
    name = "<b>Tom*s_|house"
    house = house_book({"id": "k", "version": "1", "base": "wrc11", "name": name})
    assert "# \\<b\\>Tom\\*s\\_\\|house\n" in describe.book_markdown(house)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_ruling_names_its_books_options_and_basis(language: Language) -> None:
    text = one_line(describe.ruling_text(rulings()["R20"], language))
    assert one_line(rulings()["R20"].text[language]) in text
    assert "WRC 9, WRC 11, NZRC 2024" in text
    assert "joker_reuse" in text
    assert one_line(message("labels.basis.weak", language)) in text


def test_documentation_pages_are_up_to_date() -> None:
    """Those of each language that has some; a new language may come without."""
    published = {path.name.split(".")[1] for path in DOCS.iterdir()}
    assert {"en", "fr"} <= published
    made = {name: text for name, text in pages().items() if name.split(".")[1] in published}
    assert sorted(path.name for path in DOCS.iterdir()) == sorted(made)
    for name, text in made.items():
        assert (DOCS / name).read_text(encoding="utf-8") == text, (
            f"docs/rules/{name} is old: run python -m meldroom.rules.write_pages docs/rules"
        )


def test_pages_are_written_where_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "new" / "rules")]) == 0
    assert len(list((tmp_path / "new" / "rules").iterdir())) == len(LANGUAGES) * (len(BOOK_IDS) + 1)
    assert main([]) == 2
    assert "usage" in capsys.readouterr().err


# The command.


def run(*arguments: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of `meldroom rules`."""
    pytest.importorskip("typer")
    from typer.testing import CliRunner

    from meldroom.cli.app import app

    result = CliRunner().invoke(app(["rules"]), ["rules", *arguments])
    return result.exit_code, result.stdout, result.stderr


def test_command_lists_the_books() -> None:
    status, out, _ = run()
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == ["Book", *BOOK_IDS]
    assert len(json.loads(run("--json")[1])) == len(BOOK_IDS)


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_command_prints_a_book(book_id: str) -> None:
    for language in LANGUAGES:
        status, out, err = run(book_id, "--lang", language)
        assert (status, err) == (0, "")
        assert one_line(out) == one_line(describe.book_text(book(book_id), language))
        assert "\x1b" not in out
        assert run(book_id, "--lang", language, "--markdown")[1] == describe.book_markdown(
            book(book_id), language
        )


def test_command_prints_json() -> None:
    whole = json.loads(run("wrc11", "--json")[1])
    assert whole["fields"]["opening.points"] == {
        "value": 30,
        "text": "sets from the rack worth at least 30 points",
        "clause": "WRC 11 #4",
        "ruling": "R7, R8",
    }
    assert set(whole["fields"]) == set(field_names())
    found = json.loads(run("wrc11", "--diff", "wrc9", "--json")[1])
    assert len(found["fields"]) == 8
    assert found["clauses"] is None
    assert json.loads(run("--ruling", "r20", "--json")[1])["options"] == ["joker_reuse"]


def test_command_shows_differences_options_and_rulings() -> None:
    assert "who may change the rules" in run("wrc11", "--diff", "nzrc2024")[1]
    assert "108" not in run("tml")[1]
    out = run("tml", "--option", "jokers=4", "--option", "strict_declare=false")[1]
    assert "Options chosen: jokers = 4, strict_declare = false." in one_line(out)
    assert run("wrc9", "--ruling", "R30")[1].startswith("R30")


def test_command_reads_a_house_book(tmp_path: Path) -> None:
    file = tmp_path / "kitchen.toml"
    file.write_text(
        'id = "kitchen"\nversion = "1"\nbase = "wrc11"\n[clock]\nseconds = 90\n', encoding="utf-8"
    )
    status, out, _ = run(str(file), "--diff", "wrc11")
    assert status == 0
    assert "90 seconds [house rule of kitchen, #7" in one_line(out)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("wrc12",), "did you mean “wrc11”"),
        (("wrc11", "--diff", "nope"), "no rule book “nope”"),
        (("nowhere.toml",), "nowhere.toml: the file can't be read: No such file"),
        (("tml", "--option", "jokers=3"), "options.jokers: choose 2 or 4"),
        (("tml", "--option", "jokers"), "NAME=VALUE"),
        (("--option", "jokers=4"), "name a book first"),
        (("--diff", "wrc9"), "name a book first"),
        (("--ruling", "R99"), "R1 to R75"),
        (("wrc11", "--ruling", "R30"), "R30 does not serve wrc11"),
        (("wrc11", "--diff", "wrc9", "--ruling", "R1"), "on its own"),
    ],
)
def test_command_refuses_with_status_2(arguments: tuple[str, ...], reason: str) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("meldroom rules: ")
    assert reason in err
