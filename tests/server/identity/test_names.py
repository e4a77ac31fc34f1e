"""Names: what one may be called, and names for those who bring none."""

from __future__ import annotations

import pytest

from meldroom.api.names import clean_name, friendly_name
from meldroom.i18n import Language


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Ada", "Ada"),
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("<b>Zoë</b>", "<b>Zoë</b>"),
        ("Łukasz 🦊", "Łukasz 🦊"),
        ("e\u0301lodie", "élodie"),
        ("李小龍", "李小龍"),
        ("x" * 24, "x" * 24),
        ("Nguyễn", "Nguyễn"),
        ("नमस्ते", "नमस्ते"),
        ("Ольга", "Ольга"),
        ("Νίκος 7", "Νίκος 7"),
        ("Ken 健", "Ken 健"),
        ("❤️ Ada", "❤️ Ada"),
    ],
)
def test_a_name_is_kept_trimmed(given: str, kept: str) -> None:
    assert clean_name(given) == kept


@pytest.mark.parametrize(
    "given",
    [
        "",
        "   ",
        "x" * 25,
        "a\nb",
        "a\tb",
        "a\0b",
        "evil\u202etxt",
        "a\u200bb",
        "\u2066a",
        "a\ud800",
        "a" + "\u0336" * 9,
        "\u2028",
        "\u3164",
        "Ada\u3164",
        "\u2800 \u2800",
        "a\u034fb",
        "\u0301",
        "Zo\u0308\u0301\u0302\u0303e",
        "z\u0327\u0308\u0301\u0302algo is long",
        "\u0410da",
        "Ad\u03b1",
        "p\u0430ypal",
    ],
)
def test_hidden_signs_and_wrong_lengths_are_refused(given: str) -> None:
    assert clean_name(given) is None


@pytest.mark.parametrize("language", ["en", "fr"])
def test_friendly_names_are_names(language: Language) -> None:
    found = {friendly_name(language) for _ in range(300)}
    assert len(found) > 100
    assert all(clean_name(name) == name for name in found)
