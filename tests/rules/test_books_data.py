"""The five rule books and the rulings as data: complete, cited, in two languages, and true to their texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from meldroom.i18n import Language, languages, message_ids
from meldroom.rules.book import SECTIONS, BookRef, RuleBook, field_names
from meldroom.rules.labels import value_text
from meldroom.rules.library import (
    BOOK_IDS,
    BookError,
    book,
    house_book,
    load_book,
    load_house_book,
    resolve,
    versions,
    with_options,
)
from meldroom.rules.rulings import rulings, rulings_of

# What the comparison of the five books says, field by field.
ALL: dict[str, Any] = {
    "tiles.numbers": 13,
    "tiles.copies": 2,
    "tiles.jokers": 2,
    "players.minimum": 2,
    "players.maximum": 4,
    "start.first_player": "highest_tile",
    "start.direction": "clockwise",
    "start.later_games": "left",
    "deal.tiles": 14,
    "sets.shortest": 3,
}
REARRANGING: dict[str, Any] = {
    "deal.starter_tiles": 14,
    "sets.one_after_highest": False,
    "opening.points": 30,
    "opening.run_required": False,
    "opening.joker_value": "represented",
    "penalty.tiles": 3,
    "scoring.values": "number",
    "scoring.winner": "opponents",
    "scoring.open_bonus": 0,
    "scoring.foot_bonus": 0,
    "scoring.hand_bonus": (),
}
CHAMPIONSHIP: dict[str, Any] = {
    "redeal.doubles": 3,
    "jokers.reuse": "new_set",
    "penalty.strict_declare": False,
    "scoring.unmelded": 100,
    "scoring.unmelded_able": 200,
    "scoring.charge_test": "own_turns",
    "tiles.spare_jokers": 0,
    "tiles.blanks": 0,
    "match.winner": "most_wins",
    "tournament.rounds": 3,
    "tournament.games_per_round": 4,
    "tournament.table_size": 4,
    "tournament.finalists": 4,
    "tournament.cut_after_round_1": False,
    "tournament.seating": "raffle",
}
WRC11: dict[str, Any] = {
    "clock.seconds": 40,
    "penalty.leftovers": "rack",
    "pool_end.ending": "final_turns",
    "pool_end.final_turns_start": "next",
    "scoring.joker": 100,
    "scoring.exhausted": "deduct_smallest",
    "tournament.citizens_only": False,
    "tournament.not_twice_running": False,
}
FACTS: dict[str, dict[str, Any]] = {
    "wrc11": ALL | REARRANGING | CHAMPIONSHIP | WRC11,
    "nzrc2024": ALL | REARRANGING | CHAMPIONSHIP | WRC11,
    "wrc9": ALL
    | REARRANGING
    | CHAMPIONSHIP
    | {
        "clock.seconds": 60,
        "penalty.leftovers": "under_pool",
        "pool_end.ending": "all_pass",
        "pool_end.must_play_if_able": False,
        "scoring.joker": 50,
        "scoring.exhausted": "differences",
        "scoring.exhausted_unopened": "counts",
        "match.games": 4,
        "tournament.citizens_only": True,
        "tournament.not_twice_running": True,
    },
    "tml": ALL
    | REARRANGING
    | {
        "tiles.spare_jokers": 2,
        "tiles.blanks": 4,
        "redeal.doubles": 0,
        "jokers.reuse": "any_set",
        "clock.seconds": 0,
        "penalty.strict_declare": True,
        "penalty.leftovers": "none",
        "pool_end.ending": "all_pass",
        "pool_end.must_play_if_able": False,
        "scoring.joker": 30,
        "scoring.exhausted": "differences",
        "scoring.exhausted_unopened": "counts",
        "scoring.unmelded": 0,
        "scoring.unmelded_able": 0,
        "match.games": 1,
    },
    "rummyo": ALL
    | {
        "tiles.spare_jokers": 0,
        "tiles.blanks": 0,
        "deal.starter_tiles": 15,
        "redeal.doubles": 0,
        "sets.one_after_highest": True,
        "opening.points": 50,
        "opening.run_required": True,
        "opening.joker_value": "fixed",
        "jokers.reuse": "own_meld",
        "clock.seconds": 0,
        "penalty.tiles": 0,
        "penalty.strict_declare": False,
        "penalty.leftovers": "none",
        "pool_end.ending": "reshuffle",
        "pool_end.reshuffles": 1,
        "scoring.values": "court",
        "scoring.joker": 15,
        "scoring.winner": "own_tiles",
        "scoring.exhausted": "all_minus",
        "scoring.exhausted_unopened": "counts",
        "scoring.unmelded": 100,
        "scoring.unmelded_able": 100,
        "scoring.open_bonus": 100,
        "scoring.foot_bonus": 200,
        "scoring.hand_bonus": (500, 400, 300),
        "match.games": 4,
        "match.winner": "highest_total",
    },
}

CLAUSES = {
    "wrc11": [f"#{n}" for n in range(1, 17)],
    "nzrc2024": [f"#{n}" for n in range(1, 17)],
    "wrc9": [f"G{n}" for n in range(1, 10)] + [f"P{n}" for n in range(1, 17)],
    "tml": [
        *(
            "l.25-31",
            "l.37-40",
            "l.42-51",
            "l.57",
            "l.59",
            "l.60",
            "l.61",
            "l.62",
            "l.63",
            "l.64",
            "l.65",
            "l.66",
        ),
        *("l.67-68", "l.70-75", "l.76", "l.77", "l.78", "l.79", "l.80", "l.82", "l.84", "l.86"),
    ],
    "rummyo": [
        *("The Tiles", "Number of Players", "Dealing the Tiles", "The Play", "Runs", "Groups"),
        *("Scoring Value of Tiles", "Going on Board", "Adding On", "Claiming a Joker", "Going Out"),
        *("Open Rummy", "Foot", "Hand", "Scoring a Round"),
    ],
}

# The clause that each book gives for what players ask most often.
STANDS: list[tuple[str, str, str]] = [
    ("wrc11", "opening.points", "WRC 11 #4"),
    ("wrc11", "clock.seconds", "WRC 11 #7"),
    ("wrc11", "scoring.joker", "WRC 11 #11"),
    ("wrc11", "redeal.doubles", "WRC 11 #14"),
    ("wrc11", "scoring.exhausted", "WRC 11 #16"),
    ("nzrc2024", "scoring.unmelded", "NZRC 2024 #12"),
    ("wrc9", "clock.seconds", "WRC 9 G6"),
    ("wrc9", "penalty.leftovers", "WRC 9 P9"),
    ("wrc9", "match.winner", "WRC 9 G8"),
    ("wrc9", "tournament.not_twice_running", "WRC 9 G2"),
    ("wrc9", "MELD_LT_OPENING", "WRC 9 P4"),
    ("tml", "penalty.strict_declare", "The Mahjong Line l.77"),
    ("tml", "tiles.blanks", "The Mahjong Line l.84"),
    ("tml", "scoring.joker", "The Mahjong Line l.80"),
    ("tml", "TABLE_TOUCHED_BEFORE_MELD", "The Mahjong Line l.66"),
    ("rummyo", "opening.points", "Rummy-O Going on Board"),
    ("rummyo", "scoring.hand_bonus", "Rummy-O Hand"),
    ("rummyo", "NO_DISCARD", "Rummy-O Going Out"),
]

REARRANGING_CODES = {
    *("TILE_NOT_ON_RACK", "TILE_LEFT_TABLE", "NO_RACK_TILE", "SET_INVALID", "TABLE_TOUCHED_BEFORE_MELD"),
    *("MELD_LT_OPENING", "JOKER_NOT_IN_NEW_SET"),
}
LAYING_OFF_CODES = {
    *("TILE_NOT_ON_RACK", "TILE_LEFT_TABLE", "SET_INVALID", "MELD_LT_OPENING", "NO_RUN", "ADD_ON_SAME_TURN"),
    *("MELD_CHANGED", "JOKER_CLAIM", "NO_DISCARD", "DISCARD_NOT_ON_RACK"),
}


def texts_of(language: Language) -> Iterator[tuple[str, str]]:
    """Every text a person may read, with its place."""
    for book_id in BOOK_IDS:
        one = book(book_id)
        yield f"{book_id} name", one.name[language]
        for clause in one.clauses:
            yield f"{book_id} {clause.id}", clause.text[language]
        for name, option in one.option_list.items():
            yield f"{book_id} {name}", option.text[language]
    for ruling in rulings().values():
        yield f"{ruling.id} title", ruling.title[language]
        yield f"{ruling.id} text", ruling.text[language]


@pytest.mark.parametrize(
    ("book_id", "field", "value"),
    [(book_id, field, value) for book_id, facts in FACTS.items() for field, value in facts.items()],
)
def test_fact_of_the_book(book_id: str, field: str, value: object) -> None:
    found = book(book_id).field(field)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(("book_id", "name", "clause"), STANDS)
def test_where_it_stands(book_id: str, name: str, clause: str) -> None:
    assert clause in book(book_id).cite(name).clauses


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_box_holds_106_tiles_for_play(book_id: str) -> None:
    assert book(book_id).tiles.size == 106
    assert list(book(book_id).tiles.letters) == ["K", "R", "B", "O"]


def test_tml_box_holds_112_tiles_in_its_own_colours() -> None:
    tiles = book("tml").tiles
    assert tiles.size + tiles.spare_jokers + tiles.blanks == 112
    named = {colour.letter: (colour["en"], colour["fr"]) for colour in tiles.colours}
    assert named == {
        "K": ("cornflower", "bleuet"),
        "R": ("pink", "rose"),
        "B": ("cobalt", "cobalt"),
        "O": ("chartreuse", "chartreuse"),
    }


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_inks_can_be_read_on_an_ivory_tile(book_id: str) -> None:
    def light(ink: str) -> float:
        parts = [int(ink[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    for colour in book(book_id).tiles.colours:
        contrast = (light("#fbf6e9") + 0.05) / (light(colour.ink) + 0.05)
        assert contrast >= 4, f"{colour['en']} has a contrast of {contrast:.1f}"


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_clauses_are_all_there_in_order(book_id: str) -> None:
    assert [clause.id for clause in book(book_id).clauses] == CLAUSES[book_id]


def cited_in(one: RuleBook) -> Iterator[tuple[str, list[str]]]:
    """Every citation of a book as its parts, with its place."""
    for place, text in (*one.cites.items(), *one.codes.items()):
        yield place, [part.strip() for part in text.split(",")]


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_every_field_is_cited_and_every_citation_exists(book_id: str) -> None:
    one = book(book_id)
    assert list(one.cites) == sorted(one.cites, key=field_names().index)
    assert set(one.cites) == set(field_names())
    known = {clause.id for clause in one.clauses} | {ruling.id for ruling in rulings_of(one)}
    for place, parts in cited_in(one):
        assert parts, place
        assert set(parts) <= known, f"{place} cites {set(parts) - known}"
    for clause in one.clauses:
        assert set(clause.rulings) <= known, clause.id
    for name, option in one.option_list.items():
        assert name in rulings()[option.ruling].options
        assert option.field in field_names()


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_every_clause_and_every_ruling_of_a_book_is_used(book_id: str) -> None:
    one = book(book_id)
    cited = {part for _, parts in cited_in(one) for part in parts}
    assert [clause.id for clause in one.clauses if clause.id not in cited and not clause.rulings] == []
    used = cited | {ruling for clause in one.clauses for ruling in clause.rulings}
    assert [ruling.id for ruling in rulings_of(one) if ruling.id not in used] == []


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_codes_are_those_of_the_family(book_id: str) -> None:
    one = book(book_id)
    plain = {code.partition(".")[0] for code in one.codes}
    assert plain == (LAYING_OFF_CODES if one.family == "laying_off" else REARRANGING_CODES)
    assert {code for code in one.codes if "." not in code} == plain


def test_rummyo_clauses_name_their_lines_in_both_texts() -> None:
    one = book("rummyo")
    assert {clause.id: clause.lines for clause in one.clauses}["Going on Board"] == "l.21-22, FR l.63-64"
    for clause in one.clauses:
        assert re.fullmatch(r"l\.\d+(-\d+)?, FR l\.\d+(-\d+)?", clause.lines)
        assert clause.heading
        assert clause.heading["fr"] != clause.id == clause.heading["en"]


def test_rulings_are_numbered_in_order() -> None:
    """R71 and R72 are options that no book has yet."""
    assert list(rulings()) == [f"R{n}" for n in range(1, 76) if n not in (71, 72)]
    for ruling in rulings().values():
        assert ruling.books == tuple(
            book_id for book_id in sorted(BOOK_IDS, key=BOOK_IDS.index) if book_id in ruling.books
        )
        assert ruling.books


def test_rulings_without_outside_source_say_so() -> None:
    found = {basis: [r.id for r in rulings().values() if r.basis == basis] for basis in ("none", "weak")}
    assert found["none"] == [
        *("R19", "R28", "R34", "R37", "R44", "R46", "R50"),
        *("R64", "R65", "R66", "R68", "R70", "R73", "R74", "R75"),
    ]
    assert found["weak"] == ["R20", "R33", "R38", "R41", "R42", "R43"]


def test_ruling_options_exist_in_a_book() -> None:
    offered = {
        name: option.ruling for book_id in BOOK_IDS for name, option in book(book_id).option_list.items()
    }
    named = {name for ruling in rulings().values() for name in ruling.options}
    assert named == set(offered)


def test_both_languages_say_something_and_not_the_same() -> None:
    english, french = dict(texts_of("en")), dict(texts_of("fr"))
    for place, text in english.items():
        assert text.strip(), place
        assert french[place].strip(), place
        assert text != french[place], place


def test_typography() -> None:
    for language in languages():
        for place, text in texts_of(language):
            assert "'" not in text, f"{place}: a straight apostrophe"
            assert '"' not in text, f"{place}: straight quotation marks"
            assert "  " not in text, f"{place}: two spaces"
    for place, text in texts_of("fr"):
        assert not re.search(r"[ \w][;:?!](?!\d)|« | »", text), f"{place}: a space that could break"


def test_labels_cover_every_section_field_and_value() -> None:
    ids = {id.removeprefix("labels.") for id in message_ids() if id.startswith("labels.")}
    assert {f"sections.{section}" for section in SECTIONS} == {id for id in ids if id.startswith("sections.")}
    known = set()
    for section, kind in SECTIONS.items():
        for field in msgspec.structs.fields(kind):
            name = f"fields.{section}.{field.name}"
            words = {word for word in get_args(field.type) if isinstance(word, str)}
            numbers = field.type in (int, tuple[int, ...])
            needed = {"label", *(f"values.{word}" for word in words)}
            needed |= {"yes", "no"} if field.type is bool else {"value"} if numbers else set()
            assert {f"{name}.{key}" for key in needed} <= ids
            known |= {f"{name}.{key}" for key in (*needed, *(("none", "empty") if numbers else ()))}
    assert {id for id in ids if id.startswith("fields.")} <= known


@pytest.mark.parametrize("book_id", BOOK_IDS)
@pytest.mark.parametrize("language", languages())
def test_every_value_has_words(book_id: str, language: Language) -> None:
    for name in field_names():
        assert value_text(book(book_id), name, language).strip()


def test_nzrc_is_wrc11_under_another_name() -> None:
    ours, theirs = book("wrc11"), book("nzrc2024")
    assert all(ours.field(name) == theirs.field(name) for name in field_names())
    assert (ours.cites, ours.codes, ours.option_list) == (theirs.cites, theirs.codes, theirs.option_list)
    changed = [a.id for a, b in zip(ours.clauses, theirs.clauses, strict=True) if a != b]
    assert changed == ["#15"]


OPTIONS = {
    "wrc11": [
        "joker_reuse",
        "final_turns_start",
        "strict_declare",
        "conduct",
        "charge_test",
        "exhausted_unopened",
        "cut_after_round_1",
    ],
    "nzrc2024": [
        "joker_reuse",
        "final_turns_start",
        "strict_declare",
        "conduct",
        "charge_test",
        "exhausted_unopened",
        "cut_after_round_1",
    ],
    "wrc9": [
        "joker_reuse",
        "strict_declare",
        "conduct",
        "must_play_if_able",
        "charge_test",
        "exhausted_unopened",
        "cut_after_round_1",
    ],
    "tml": [
        "jokers",
        "joker_reuse",
        "strict_declare",
        "conduct",
        "must_play_if_able",
        "exhausted_unopened",
    ],
    "rummyo": [],
}


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_options_default_to_the_book_and_can_be_chosen(book_id: str) -> None:
    one = book(book_id)
    assert list(one.option_list) == OPTIONS[book_id]
    for name, option in one.option_list.items():
        assert one.field(option.field) == option.choices[0]
        for choice in option.choices:
            chosen = book(book_id, {name: choice})
            assert chosen.field(option.field) == choice
            assert resolve(chosen.ref) == chosen
        assert book(book_id, {name: option.choices[0]}) == one


@pytest.mark.parametrize("book_id", ["wrc9", "wrc11", "nzrc2024", "tml"])
def test_an_earlier_version_is_played_as_it_was(book_id: str) -> None:
    """R37: version 2 changed who can win an exhausted game, and nothing else."""
    now, before = book(book_id), book(f"{book_id}@1")
    assert versions(book_id) == ("2", "1")
    assert (now, before.version) == (book(f"{book_id}@2"), "1")
    assert [name for name in field_names() if now.field(name) != before.field(name)] == [
        "scoring.exhausted_unopened"
    ]
    assert (before.cites, before.codes, before.clauses) == (now.cites, now.codes, now.clauses)
    for name, option in before.option_list.items():
        assert before.field(option.field) == option.choices[0]
        for choice in option.choices:
            chosen = book(f"{book_id}@1", {name: choice})
            assert chosen.field(option.field) == choice
            assert resolve(chosen.ref) == chosen
            assert load_book(f"{book_id}@1", {name: choice}) == chosen
    assert resolve(BookRef(book_id, "1")) is before
    assert resolve(BookRef(book_id, "")) is before  # As rooms and championships stored it.
    assert resolve(BookRef(book_id, "2")) is now
    for wrong in ("3", "0", "1.0"):
        with pytest.raises(BookError, match=f"version {wrong} of {book_id} isn't known here"):
            book(f"{book_id}@{wrong}")


def test_a_house_book_keeps_the_version_of_its_base() -> None:
    plain = {"id": "kitchen", "version": "1", "base": "wrc11"}
    made = house_book(plain)
    assert made.scoring.exhausted_unopened == "counts"
    assert made.house == {**plain, "base_version": "2"}
    assert resolve(made.ref) == made
    # One that was stored before there were two versions.
    stored = resolve(BookRef("kitchen", "1", house=plain))
    assert (stored.scoring.exhausted_unopened, stored.house) == ("cannot_win", plain)
    asked = house_book({**plain, "base_version": "1"})
    assert asked.scoring == stored.scoring
    with pytest.raises(BookError, match="version 9 of wrc11 isn't known here"):
        house_book({**plain, "base_version": "9"})
    with pytest.raises(BookError, match="base_version"):
        house_book({**plain, "base_version": 1})


def test_tml_with_four_jokers_takes_them_from_the_box() -> None:
    four = book("tml", {"jokers": 4})
    assert (four.tiles.size, four.tiles.spare_jokers) == (108, 0)
    assert with_options(four, {"jokers": 2}) == book("tml")


@pytest.mark.parametrize(
    ("book_id", "options", "place"),
    [
        ("wrc11", {"jokers": 4}, "options.jokers"),
        ("tml", {"jokers": 3}, "options.jokers"),
        ("tml", {"jokers": True}, "options.jokers"),
        ("wrc11", {"joker_reuse": "own_meld"}, "options.joker_reuse"),
        ("wrc11", {"strict_declare": 1}, "options.strict_declare"),
        ("rummyo", {"joker_reuse": "any_set"}, "options.joker_reuse"),
    ],
)
def test_wrong_options_are_refused(book_id: str, options: dict[str, str | int | bool], place: str) -> None:
    with pytest.raises(BookError) as caught:
        book(book_id, options)
    assert caught.value.where == place


def test_unknown_book_is_refused_with_a_suggestion() -> None:
    with pytest.raises(BookError, match=r"did you mean “wrc11”"):
        book("wrc12")


HOUSE: dict[str, Any] = {"id": "kitchen", "version": "1", "base": "wrc11"}

TINY: dict[str, Any] = {
    "id": "tiny",
    "version": "1",
    "base": "wrc11",
    "name": {"en": "A tiny book", "fr": "Un livre minuscule"},
    "tiles": {"colours": ["K", "R"], "numbers": 4, "copies": 1, "jokers": 0},
    "players": {"maximum": 2},
    "deal": {"tiles": 3, "starter_tiles": 3},
    "opening": {"points": 0},
}


def test_a_tiny_book_loads_through_the_same_path() -> None:
    tiny = house_book(TINY)
    assert tiny.tiles.size == 8
    assert tiny.reader.is_set(tiny.tiles.every_face[:3])
    assert resolve(tiny.ref) == tiny
    assert resolve(msgspec.json.decode(msgspec.json.encode(tiny.ref), type=BookRef)) == tiny


def test_house_rule_is_cited_where_it_changes_something() -> None:
    house = house_book(HOUSE | {"opening": {"points": 40}, "sets": {"shortest": 4}})
    assert house.cite("opening.points").clauses == ("house rule of kitchen", "WRC 11 #4")
    assert house.cite("MELD_LT_OPENING").clauses == ("house rule of kitchen", "WRC 11 #4")
    assert house.cite("SET_INVALID.loose").clauses == ("house rule of kitchen", "WRC 11 #6")
    assert house.cite("opening.points").rulings == ("R7", "R8")
    assert house.cite("clock.seconds") == book("wrc11").cite("clock.seconds")
    assert house.cite("JOKER_NOT_IN_NEW_SET") == book("wrc11").cite("JOKER_NOT_IN_NEW_SET")


def test_house_book_keeps_an_option_that_restores_the_base() -> None:
    house = house_book(HOUSE | {"jokers": {"reuse": "any_set"}})
    restored = with_options(house, {"joker_reuse": "new_set"})
    assert restored.jokers.reuse == "new_set"
    assert resolve(restored.ref) == restored


def test_house_book_with_colours_of_its_own() -> None:
    green = {"letter": "G", "en": "green", "fr": "vert", "ink": "#1b5e20"}
    house = house_book(HOUSE | {"tiles": {"colours": ["K", "R", "B", "O", green]}})
    assert house.tiles.size == 132


BROKEN: list[tuple[str, dict[str, Any], str, str]] = [
    ("unknown key", {"colour": 1}, "colour", "unknown key"),
    ("misspelt section", {"openin": {}}, "openin", "did you mean “opening”"),
    ("misspelt field", {"opening": {"point": 40}}, "opening.point", "did you mean “points”"),
    (
        "wrong type",
        {"opening": {"points": "forty"}},
        "opening.points",
        "a whole number is expected, not text",
    ),
    (
        "switch for a number",
        {"clock": {"seconds": True}},
        "clock.seconds",
        "a whole number is expected, not true or false",
    ),
    ("unknown word", {"jokers": {"reuse": "anywhere"}}, "jokers.reuse", "“anywhere” is not allowed"),
    ("section that is no table", {"deal": 14}, "deal", "a table"),
    ("negative", {"scoring": {"joker": -1}}, "scoring.joker", "negative"),
    ("negative in a list", {"scoring": {"hand_bonus": [-5]}}, "scoring.hand_bonus", "negative"),
    ("too many", {"clock": {"seconds": 10**9}}, "clock.seconds", "at most"),
    (
        "too many tiles",
        {
            "tiles": {
                "numbers": 99,
                "copies": 9,
                "colours": list("KRBO")
                + [{"letter": letter, "en": letter, "fr": letter} for letter in "ACDEFGHIJ"],
            }
        },
        "tiles",
        "too many",
    ),
    ("too many players", {"players": {"maximum": 8}}, "deal.tiles", "8 players need 112 tiles"),
    ("no players", {"players": {"minimum": 0}}, "players", "smallest number"),
    ("more at least than at most", {"players": {"minimum": 5}}, "players", "no more than the largest"),
    ("no games", {"match": {"games": 0}}, "match.games", "at least one game"),
    ("empty sets", {"sets": {"shortest": 0}}, "sets.shortest", "at least one tile"),
    ("nothing dealt", {"deal": {"tiles": 0}}, "deal", "everyone gets at least one tile"),
    ("published id", {"id": "wrc9"}, "id", "published"),
    ("published id in capitals", {"id": "WRC9"}, "id", "published"),
    ("id of two words", {"id": "our kitchen"}, "id", "one word"),
    ("id with a comma", {"id": "a,b"}, "id", "one word"),
    ("no version", {"version": ""}, "version", "one word"),
    ("version that is a number", {"version": 1}, "version", "one word"),
    ("unknown base", {"base": "wrc10"}, "", "no rule book “wrc10”"),
    ("name that is a number", {"name": 5}, "name", "a text is expected"),
    ("name without a language", {"name": {}}, "name", "by language"),
    ("name in no language", {"name": {"a b": "Kitchen"}}, "name", "by language"),
    ("name of two lines", {"name": "a\nb"}, "name", "one line"),
    ("unknown colour letter", {"tiles": {"colours": ["K", "Z"]}}, "tiles.colours", "no colour “Z”"),
    ("the same colour twice", {"tiles": {"colours": ["K", "K"]}}, "tiles", "share a letter"),
    ("no colours", {"tiles": {"colours": []}}, "tiles", "capital letter"),
    ("colours that are no list", {"tiles": {"colours": "KR"}}, "tiles.colours", "a list"),
    ("colour that is a number", {"tiles": {"colours": ["K", 3]}}, "tiles.colours", "a letter"),
    (
        "ink that is no colour",
        {"tiles": {"colours": ["K", {"letter": "G", "en": "green", "fr": "vert", "ink": "red;}"}]}},
        "tiles.colours",
        "#1f4fa3",
    ),
    (
        "letter that no keyboard has",
        {"tiles": {"colours": ["K", "R", "B", "O", {"letter": "É", "en": "e", "fr": "é"}]}},
        "tiles.colours",
        "A to Z",
    ),
    ("options that are no table", {"options": 1}, "options", "a table"),
    ("unknown option", {"options": {"jokers": 4}}, "options.jokers", "no such option"),
    (
        "another family’s joker",
        {"jokers": {"reuse": "own_meld"}},
        "jokers.reuse or pool_end.ending",
        "kind of game",
    ),
]


@pytest.mark.parametrize(
    ("changes", "place", "reason"), [row[1:] for row in BROKEN], ids=[row[0] for row in BROKEN]
)
def test_broken_house_book_is_refused(changes: dict[str, Any], place: str, reason: str) -> None:
    with pytest.raises(BookError) as caught:
        house_book(HOUSE | changes)
    assert caught.value.where == place
    assert reason in caught.value.reason()


def test_rummyo_house_book_needs_a_bonus_for_every_joker() -> None:
    with pytest.raises(BookError, match=r"scoring\.hand_bonus"):
        house_book({"id": "x", "version": "1", "base": "rummyo", "tiles": {"jokers": 3}})
    with pytest.raises(BookError, match=r"deal\.starter_tiles"):
        house_book({"id": "x", "version": "1", "base": "rummyo", "deal": {"starter_tiles": 14}})


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"id = ", "this isn't TOML"),
        (b"\x89PNG\r\n\x1a\n\x00\xff", "this isn't UTF-8 text"),
        (b"x = " + b"[" * 10_000, "nested too deeply"),
        (b"x = " + b"[" * 100_000, "longer than 20,000 characters"),
        (b"", "id: one word is expected"),
        (b'id = "k"\nversion = "1"\nbase = "wrc11"\n[deal]\ntiles = 40\n', "deal"),
    ],
    ids=["broken", "binary", "deep", "large", "empty", "unplayable"],
)
def test_unreadable_house_file_is_refused_by_name(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "kitchen.toml"
    file.write_bytes(content)
    with pytest.raises(BookError) as caught:
        load_house_book(file)
    assert str(caught.value).startswith(str(file))
    assert reason in str(caught.value)


def test_missing_house_file_is_refused_by_name(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(BookError) as caught:
            load_house_book(path)
        assert str(path) in str(caught.value)


def test_house_file_loads(tmp_path: Path) -> None:
    file = tmp_path / "kitchen.toml"
    file.write_text(
        'id = "kitchen"\nversion = "2"\nbase = "tml"\nname = "Kitchen"\n'
        "[clock]\nseconds = 90\n[options]\njokers = 4\n",
        encoding="utf-8",
    )
    house = load_house_book(file)
    assert (house.clock.seconds, house.tiles.jokers, house.name["fr"]) == (90, 4, "Kitchen")
    assert resolve(house.ref) == house


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Kitchen", {"en": "Kitchen", "fr": "Kitchen"}),
        ({"en": "Kitchen", "fr": "Cuisine"}, {"en": "Kitchen", "fr": "Cuisine"}),
        ({"fr": "Cuisine"}, {"en": "Cuisine", "fr": "Cuisine"}),
        ({"qq": "Küche"}, {"en": "Küche", "fr": "Küche"}),
        ({"qq": "Küche", "en": "Kitchen"}, {"en": "Kitchen", "fr": "Kitchen"}),
    ],
)
def test_house_name_in_any_languages(name: object, shown: dict[str, str]) -> None:
    house = house_book(HOUSE | {"name": name})
    assert {language: house.name[language] for language in shown} == shown
    assert resolve(house.ref) == house


def test_house_colour_named_in_any_language() -> None:
    for green in ({"fr": "vert"}, {"name": "vert"}, {"name": {"fr": "vert"}}):
        house = house_book(HOUSE | {"tiles": {"colours": ["K", "R", "B", {"letter": "G", **green}]}})
        assert house.tiles.colours[3]["en"] == "vert"
        assert resolve(house.ref) == house


def test_load_book_takes_ids_and_files(tmp_path: Path) -> None:
    file = tmp_path / "kitchen.toml"
    file.write_text('id = "kitchen"\nversion = "1"\nbase = "tml"\n', encoding="utf-8")
    assert load_book("wrc11") is book("wrc11")
    assert load_book(str(file)).id == "kitchen"
    assert load_book(str(file), {"jokers": 4}).tiles.jokers == 4
    for spec, reason in (("wrc12", "did you mean “wrc11”"), (str(tmp_path / "no.toml"), "No such file")):
        with pytest.raises(BookError, match=reason):
            load_book(spec)


def test_resolve_refuses_a_version_it_does_not_have() -> None:
    with pytest.raises(BookError, match="version 7 of wrc11 isn't known here"):
        resolve(BookRef(id="wrc11", version="7"))
