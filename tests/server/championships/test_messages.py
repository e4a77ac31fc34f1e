"""Both languages say the same things, and every refusal has its sentence."""

from __future__ import annotations

import re
from pathlib import Path

import meldroom.server.championships
from meldroom.server.championships.messages import catalogue

FOLDER = Path(str(meldroom.server.championships.__file__)).parent
PLACES = re.compile(r"\{(\w+)\}")


def test_both_languages_have_the_same_sentences_with_the_same_details() -> None:
    english, french = catalogue("en"), catalogue("fr")
    assert set(english) == set(french)
    for key, sentence in english.items():
        assert set(PLACES.findall(sentence)) == set(PLACES.findall(french[key])), key


def test_every_refusal_has_its_sentence_and_every_sentence_is_used() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.rglob("*.py")))
    codes = set(re.findall(r'HallError\(\s*\d+,\s*"(\w+)"', source))
    codes |= set(re.findall(r'conflict\(\s*"(\w+)"', source))
    assert codes
    assert codes <= set(catalogue("en"))
    prefixes = ("next.", "site.", "championship.")
    for key in catalogue("en"):
        assert key.startswith(prefixes) or f'"{key}"' in source, key
