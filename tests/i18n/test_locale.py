"""Numbers, lists and dates as each language writes them, which language is chosen, and texts by language."""

from __future__ import annotations

import json
from datetime import date

import msgspec
import pytest

from meldroom.i18n import Language, Message, Text, is_language, languages, locale, message, negotiate


@pytest.mark.parametrize(
    ("language", "value", "decimals", "shown"),
    [
        ("en", 0, None, "0"),
        ("en", 999, None, "999"),
        ("en", 1000, None, "1,000"),
        ("en", -1234567, None, "−1,234,567"),
        ("en", 2.5, None, "2.5"),
        ("en", 1234.567, 1, "1,234.6"),
        ("fr", 1000, None, "1\u202f000"),
        ("fr", -2.5, 2, "−2,50"),
        ("fr", 1234567.8, 1, "1\u202f234\u202f567,8"),
    ],
)
def test_numbers(language: Language, value: float, decimals: int | None, shown: str) -> None:
    assert locale(language).number(value, decimals) == shown


def test_signs_and_shares() -> None:
    assert [locale("en").signed(value) for value in (-5, 0, 5)] == ["−5", "0", "+5"]
    assert locale("en").percent(0.125, 0) in ("12%", "13%")
    assert locale("fr").percent(0.125) == "12,5\u202f%"


@pytest.mark.parametrize(
    ("items", "english", "french"),
    [
        ([], "", ""),
        (["a"], "a", "a"),
        (["a", "b"], "a and b", "a et b"),
        (["a", "b", "c"], "a, b and c", "a, b et c"),
    ],
)
def test_lists(items: list[str], english: str, french: str) -> None:
    assert (locale("en").list_and(items), locale("fr").list_and(items)) == (english, french)
    assert locale("en").list_or(items) == english.replace(" and ", " or ")
    assert locale("fr").list_or(items) == french.replace(" et ", " ou ")


@pytest.mark.parametrize("language", languages())
def test_every_language_knows_twelve_months(language: Language) -> None:
    days = [locale(language).date(date(2026, month, 3)) for month in range(1, 13)]
    assert len(set(days)) == 12
    assert all("2026" in day and "3" in day for day in days)


def test_days() -> None:
    assert locale("en").date(date(2026, 11, 15)) == "15 November 2026"
    assert locale("fr").date(date(2026, 8, 1)) == "1 août 2026"


@pytest.mark.parametrize(
    ("header", "chosen"),
    [
        ("", "en"),
        ("fr", "fr"),
        ("FR-ca", "fr"),
        ("en-GB,fr;q=0.9", "en"),
        ("fr;q=0.4, en;q=0.6", "en"),
        ("qq, qx;q=0.9", "en"),
        ("qq;q=0.9, fr-CH;q=0.8", "fr"),
        ("*;q=0.1, fr", "fr"),
        ("fr;q=nonsense", "fr"),
        (";;;,,,q=", "en"),
        ("x" * 10_000 + ",fr", "en"),
    ],
)
def test_negotiation(header: str, chosen: str) -> None:
    assert negotiate(header) == chosen


def test_only_installed_languages_are_languages() -> None:
    assert languages()[0] == "en"
    assert all(map(is_language, languages()))
    assert not is_language("xx")
    assert msgspec.convert("fr", Language) == "fr"
    for wrong in ("xx", "FR", "en ", ""):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(wrong, Language)


def test_values_inside_messages() -> None:
    choice = {"choices": ("2", "4")}
    assert message("rules.book.choice", "en", **choice) == "choose 2 or 4."
    assert message("rules.book.choice", "fr", **choice) == "choisissez 2 ou 4."
    inner = Message("rules.score.rack", {"count": 1234})
    outer = Message("rules.request.because", {"reason": inner})
    assert outer.text("en") == "1,234 points left on the rack"
    assert outer.text("fr") == "1\u202f234 points restés au chevalet"


def test_a_message_that_does_not_exist_or_lacks_a_value() -> None:
    for id in ("rules.book.nothing", "nothing.at.all", "books.wrc11", "books.wrc99.name"):
        with pytest.raises(KeyError):
            message(id)
    with pytest.raises(KeyError):
        message("rules.score.rack", "en")
    with pytest.raises(TypeError, match="count"):
        message("decode.items_least", "en", count="many")


def test_a_text_is_an_object_by_language_and_falls_back() -> None:
    text = Text.of({"fr": "Ronde", "en": "Round"})
    assert json.loads(msgspec.json.encode(text)) == {
        code: {"en": "Round", "fr": "Ronde"}.get(code, "Round") for code in languages()
    }
    assert (text["en"], text["fr"], text["xx"]) == ("Round", "Ronde", "Round")
    assert Text.of("Final")["fr"] == "Final"
    assert Text.of({"qq": "Runde"})["en"] == "Runde"
    decoded = msgspec.json.decode(b'{"fr": "Ronde", "qq": "Runde"}', type=Text)
    assert (decoded["en"], decoded["fr"]) == ("Ronde", "Ronde")
    assert hash(text) == hash(Text.of({"en": "Round", "fr": "Ronde"}))
