"""An experiment is read strictly; whatever is wrong, the answer is one clear error that names the key."""

from __future__ import annotations

import string
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import meldroom
from meldroom.arena import ArenaError, load, loads, read
from meldroom.arena.experiment import Entrant, LineUp, configuration, to_json
from meldroom.i18n import Language, Message, message_ids, template
from meldroom.i18n.catalogue import Template
from tests.arena.small import CONFIGURATION, NO_JOKERS, TABLES, small

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES: tuple[Language, Language] = ("en", "fr")


def test_pairs_are_everybody_against_everybody() -> None:
    experiment = small()
    assert [line_up.seats for line_up in experiment.line_ups] == [
        ("tiles", "points"),
        ("tiles", "patient"),
        ("points", "patient"),
    ]
    assert experiment.entrant("points") == Entrant("points", "tournament", {"objective": "points"})
    assert experiment.games == (2 + 1) * 3 * 2


def test_tables_are_line_ups_and_the_same_bot_may_sit_twice() -> None:
    experiment = read(TABLES)
    assert experiment.line_ups == (LineUp("patient / 2 tournament", ("patient", "tournament", "tournament")),)
    assert experiment.line_ups[0].players == ("patient", "tournament 1", "tournament 2")
    assert experiment.games == 2 * 3
    assert read({**TABLES, "mirrored": False}).games == 2


def test_books_come_with_options_from_files_and_as_house_books(tmp_path: Path) -> None:
    (tmp_path / "dry.toml").write_text('id = "dry"\nversion = "1"\nbase = "wrc11"\ntiles.jokers = 0\n')
    (tmp_path / "experiment.toml").write_text(
        'bots = ["tournament", "patient"]\ndeals = 3\nseed = 1\n'
        '[[books]]\nfile = "dry.toml"\n[[books]]\nid = "tml"\noptions = { jokers = 4 }\n'
    )
    experiment = load(tmp_path / "experiment.toml")
    assert [entry.name for entry in experiment.books] == ["dry", "tml jokers=4"]
    assert [entry.book().tiles.jokers for entry in experiment.books] == [0, 4]
    assert (
        experiment.books[0] == read({**CONFIGURATION, "books": [{"house": NO_JOKERS}], "deals": 3}).books[0]
    )


@pytest.mark.parametrize("given_", [CONFIGURATION, TABLES])
def test_the_copy_in_the_output_folder_reads_as_the_same_experiment(given_: dict[str, Any]) -> None:
    experiment = read(given_)
    assert loads(to_json(experiment, meldroom.__version__).decode(), json=True) == experiment


@pytest.mark.parametrize("path", sorted((ROOT / "examples/experiments").glob("*.toml")), ids=lambda p: p.stem)
def test_the_examples_can_be_read(path: Path) -> None:
    assert load(path).games > 100


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"deal": 3}, "error.unknown_key", "deal"),
    ({"deals": "many"}, "need.deals", "deals"),
    ({"deals": 0}, "need.deals", "deals"),
    ({"deals": 10**30}, "need.deals", "deals"),
    ({"deals": 1_000_000, "bots": [*"ab"]}, "need.level", "bots[0]"),
    ({"seed": []}, "need.seed", "seed"),
    ({"seed": 10**90}, "need.seed", "seed"),
    ({"seed": "two\nlines"}, "need.seed", "seed"),
    ({"title": 3}, "need.title", "title"),
    ({"mirrored": 1}, "need.mirrored", "mirrored"),
    ({"format": "circle"}, "need.format", "format"),
    ({"books": []}, "need.books", "books"),
    ({"books": "wrc11"}, "need.books", "books"),
    ({"books": [3]}, "need.book", "books[0]"),
    ({"books": ["wrc12"]}, "error.book", "books[0]"),
    ({"books": [{}]}, "need.one_of", "books[0]"),
    ({"books": [{"id": "tml", "file": "x"}]}, "need.one_of", "books[0]"),
    ({"books": [{"idd": "tml"}]}, "error.unknown_key", "books[0].idd"),
    ({"books": [{"id": 3}]}, "need.id", "books[0].id"),
    ({"books": [{"id": "tml", "deals": -1}]}, "need.deals", "books[0].deals"),
    ({"books": [{"id": "tml", "name": " "}]}, "need.name", "books[0].name"),
    ({"books": [{"id": "tml", "options": {"jokers": 1.5}}]}, "need.options", "books[0].options"),
    ({"books": [{"id": "tml", "options": {"joker": 4}}]}, "error.book", "books[0]"),
    ({"books": [{"file": "no-such-book.toml"}]}, "error.book", "books[0]"),
    ({"books": [{"house": {**NO_JOKERS, "name": float("nan")}}]}, "error.book", "books[0]"),
    ({"books": ["tml", "tml"]}, "error.same_book", "books[1]"),
    ({"bots": 3}, "need.bots", "bots"),
    ({"bots": ["patient"]}, "error.two_bots", "bots"),
    ({"bots": ["patient", "patient"]}, "error.same_bot", "bots[1]"),
    ({"bots": {"a b": {}}}, "need.bot_name", "bots.a b"),
    ({"bots": {"me": {}}}, "need.level_or_command", "bots.me"),
    ({"bots": {"me": {"level": "x"}}}, "need.level", "bots.me.level"),
    ({"bots": {"me": 3}}, "need.bot", "bots.me"),
    ({"bots": {"patient": {"aim": "wins"}}}, "error.no_parameter", "bots.patient.aim"),
    ({"bots": {"master": {"effort": float("inf")}}}, "need.parameter", "bots.master.effort"),
    ({"bots": {"me": {"command": "python"}}}, "need.command", "bots.me.command"),
    ({"bots": {"me": {"command": ["x"], "seconds": 0}}}, "need.seconds", "bots.me.seconds"),
    ({"bots": {"me": {"command": ["x"], "level": "patient"}}}, "error.unknown_key", "bots.me.level"),
    ({"tables": [["patient", "tiles"]]}, "error.unused_tables", "tables"),
    ({"format": "tables"}, "need.tables", "tables"),
    ({"format": "tables", "tables": [["patient"]]}, "need.seats", "tables[0]"),
    ({"format": "tables", "tables": [{"seats": [3]}]}, "need.seats", "tables[0].seats[0]"),
    ({"format": "tables", "tables": [["patient", "nobody"]]}, "error.no_such_bot", "tables[0]"),
    ({"format": "tables", "tables": [["patient"] * 5]}, "error.players", "tables[0]"),
    ({"format": "tables", "tables": [["patient"] * 2] * 2}, "error.same_table", "tables[1]"),
    ({"deals": 1_000_000, "books": ["wrc9", "wrc11"]}, "error.too_many_games", "deals"),
]


@pytest.mark.parametrize(("changes", "code", "place"), WRONG)
def test_a_wrong_key_is_named_with_what_would_be_right(
    changes: dict[str, Any], code: str, place: str
) -> None:
    with pytest.raises(ArenaError) as refused:
        read({**CONFIGURATION, **changes})
    assert (refused.value.code, refused.value.where) == (code, place)
    for language in LANGUAGES:
        assert refused.value.message(language).startswith(f"{place}: ")


@pytest.mark.parametrize("key", ["books", "bots", "deals", "seed"])
def test_a_missing_key_is_named_with_what_it_needs(key: str) -> None:
    with pytest.raises(ArenaError, match=f"^{key}: is missing; needed: "):
        read({name: value for name, value in CONFIGURATION.items() if name != key})


def test_a_near_miss_is_guessed() -> None:
    with pytest.raises(ArenaError) as refused:
        small(deal=3)
    assert "did you mean “deals”?" in str(refused.value)
    assert "vouliez-vous « deals »" in refused.value.message("fr")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"deals = = 3", "toml"),
        (b"\xff", "utf8"),
        (b"a = " + b"[" * 9999, "deep"),
    ],
)
def test_a_file_that_is_no_toml_says_so(tmp_path: Path, data: bytes, code: str) -> None:
    (tmp_path / "x.toml").write_bytes(data)
    with pytest.raises(ArenaError) as refused:
        load(tmp_path / "x.toml")
    reason = refused.value.details["reason"]
    assert isinstance(reason, Message)
    assert (refused.value.code, reason.id) == ("error.file", f"decode.{code}")


def test_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="cannot be read"):
        load(tmp_path / "x.toml")


def test_both_languages_say_the_same_things() -> None:
    english, french = (
        {id for id in message_ids(language) if id.startswith("arena.")} for language in LANGUAGES
    )
    assert english == french
    for key in english:
        fields = [_fields(template(key, language)) for language in LANGUAGES]
        assert fields[0] == fields[1], key


def _fields(text: Template) -> set[str]:
    forms = [text] if isinstance(text, str) else text.values()
    return {name for form in forms for _, name, _, _ in string.Formatter().parse(form) if name}


scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.dates()
    | st.datetimes()
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
book_keys = st.sampled_from(["id", "file", "house", "options", "name", "deals"])
bot_keys = st.sampled_from(["level", "command", "seconds", "aim", "effort", "objective"])
house_keys = st.sampled_from(["id", "version", "base", "name", "tiles", "deal", "options", "opening"])
likely = {
    "books": st.lists(
        st.sampled_from(["wrc11", "rummyo"])
        | st.dictionaries(book_keys, values | st.dictionaries(house_keys, values), max_size=3),
        max_size=2,
    ),
    "bots": st.dictionaries(st.text(max_size=6), st.dictionaries(bot_keys, values, max_size=3), max_size=2),
    "tables": st.lists(st.lists(st.sampled_from(["tiles", "patient"]) | values, max_size=3), max_size=2),
    "format": st.sampled_from(["pairs", "tables"]),
}


@settings(max_examples=300)
@given(
    st.dictionaries(st.sampled_from([*CONFIGURATION, "format", "tables", "mirrored", "meldroom"]), values),
    st.fixed_dictionaries({}, optional=likely),
)
@example({"title": "\ud800"}, {})
@example({}, {"books": [{"house": {**NO_JOKERS, "tiles": {"jokers": 10**40}}}]})
def test_no_value_gives_anything_but_an_experiment_or_the_clear_error(
    wild: dict[str, Any], mild: dict[str, Any]
) -> None:
    try:
        experiment = read({**CONFIGURATION, **wild, **mild})
    except ArenaError as error:
        sentences = [error.message(language) for language in LANGUAGES]
    else:
        sentences = []
        assert loads(to_json(experiment, "0").decode(), json=True) == experiment
    assert all(sentences)


@settings(max_examples=200)
@given(st.text(max_size=60) | st.text("[]={}\"'.#\n deals7", max_size=40), st.booleans())
def test_no_text_gives_anything_but_an_experiment_or_the_clear_error(text: str, json: bool) -> None:
    with pytest.raises(ArenaError):
        loads(text, json=json)


def test_a_table_of_four_with_long_names_can_be_sent_to_a_worker() -> None:
    """Its own name is made of the seats' and travels with the configuration."""
    bots = [f"a-bot-with-quite-a-long-name-{number}" for number in range(4)]
    text = f'books = ["wrc11"]\ndeals = 1\nseed = 1\nformat = "tables"\ntables = [{bots}]\n'
    text += "".join(f'[bots.{bot}]\nlevel = "patient"\n' for bot in bots)
    experiment = loads(text)
    assert loads(to_json(experiment, "1").decode(), json=True) == experiment


def test_a_stored_experiment_keeps_the_version_of_its_books() -> None:
    """R37: one that was stored before there were two versions of a book is by the first."""
    given = {
        "books": ["wrc11", {"id": "wrc11@1", "name": "first"}, {"house": NO_JOKERS}],
        "bots": ["beginner", "club"],
        "deals": 1,
        "seed": "x",
    }
    experiment = read(given)
    versions = [entry.book().scoring.exhausted_unopened for entry in experiment.books]
    assert versions == ["counts", "cannot_win", "counts"]
    stored = configuration(experiment, "1")
    assert [entry.get("id") for entry in stored["books"]] == ["wrc11@2", "wrc11@1", None]
    assert read(stored) == experiment
    for entry in stored["books"]:
        if "id" in entry:
            entry["id"] = entry["id"].partition("@")[0]
        else:
            del entry["house"]["base_version"]
    del stored["conduct"]
    old = read(stored)
    assert [entry.book().scoring.exhausted_unopened for entry in old.books] == ["cannot_win"] * 3
    assert (experiment.conduct, old.conduct) == ("competition", "printed")  # R68
