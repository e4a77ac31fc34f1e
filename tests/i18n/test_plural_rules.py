"""Plural rules as Unicode's CLDR has them, with its own examples."""

from __future__ import annotations

import pytest

from meldroom.i18n import languages, locale
from meldroom.i18n.plural_rules import category

ENGLISH = {"one": "i = 1 and v = 0"}
FRENCH = {"one": "i = 0,1"}
POLISH = {
    "one": "i = 1 and v = 0",
    "few": "v = 0 and i % 10 = 2..4 and i % 100 != 12..14",
    "many": "v = 0 and i != 1 and i % 10 = 0..1 or v = 0 and i % 10 = 5..9 or v = 0 and i % 100 = 12..14",
}
RUSSIAN = {
    "one": "v = 0 and i % 10 = 1 and i % 100 != 11",
    "few": "v = 0 and i % 10 = 2..4 and i % 100 != 12..14",
    "many": "v = 0 and i % 10 = 0 or v = 0 and i % 10 = 5..9 or v = 0 and i % 100 = 11..14",
}
ARABIC = {
    "zero": "n = 0",
    "one": "n = 1",
    "two": "n = 2",
    "few": "n % 100 = 3..10",
    "many": "n % 100 = 11..99",
}

# Rules, category, numbers that CLDR gives as its examples.
EXAMPLES: list[tuple[dict[str, str], str, list[float]]] = [
    (ENGLISH, "one", [1]),
    (ENGLISH, "other", [0, 2, 16, 100, 1000, 1000000, 0.1, 1.5, 10.1]),
    (FRENCH, "one", [0, 1, 0.1, 1.5]),
    (FRENCH, "other", [2, 17, 100, 2.1, 3.5, 10.1]),
    (POLISH, "one", [1]),
    (POLISH, "few", [2, 3, 4, 22, 23, 24, 32, 52, 62, 102, 1002]),
    (POLISH, "many", [0, 5, 6, 19, 100, 1000, 10000, 11, 12, 13, 14, 21, 111, 112]),
    (POLISH, "other", [0.1, 1.5, 10.1, 100.1]),
    (RUSSIAN, "one", [1, 21, 31, 41, 51, 61, 71, 81, 101, 1001]),
    (RUSSIAN, "few", [2, 3, 4, 22, 23, 24, 32, 62, 102, 1002]),
    (RUSSIAN, "many", [0, 5, 19, 100, 1000, 10000, 11, 12, 14, 111]),
    (RUSSIAN, "other", [0.1, 1.5, 10.1]),
    (ARABIC, "zero", [0]),
    (ARABIC, "one", [1]),
    (ARABIC, "two", [2]),
    (ARABIC, "few", [3, 10, 103, 110, 1003]),
    (ARABIC, "many", [11, 26, 111, 1011]),
    (ARABIC, "other", [100, 102, 200, 202, 1000, 10000, 0.1, 10.1]),
]


@pytest.mark.parametrize(
    ("rules", "name", "number"),
    [(rules, name, number) for rules, name, numbers in EXAMPLES for number in numbers],
)
def test_examples_of_the_cldr(rules: dict[str, str], name: str, number: float) -> None:
    assert category(number, rules) == name


def test_a_number_and_its_negative_count_alike() -> None:
    for number in (0, 1, 2, 5, 12, 21, 22):
        assert category(-number, RUSSIAN) == category(number, RUSSIAN)


@pytest.mark.parametrize("rule", ["", "n is 1", "x = 1", "n = ", "n % = 1", "n = 1 and"])
def test_what_is_no_rule_is_refused(rule: str) -> None:
    with pytest.raises(ValueError, match="not a plural rule"):
        category(1, {"one": rule})


def test_installed_languages_count_as_the_cldr_does() -> None:
    assert locale("en").plurals == ENGLISH
    assert locale("fr").plurals == FRENCH
    for language in languages():
        assert {locale(language).plural(number) for number in range(200)} <= {
            *locale(language).plurals,
            "other",
        }
