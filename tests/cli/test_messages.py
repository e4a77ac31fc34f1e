"""What the command line and terminal play say exists in every language, with the same places to fill in."""

from __future__ import annotations

from string import Formatter

import pytest

from meldroom.i18n import DEFAULT, Language, languages, message_ids, template

OURS = ("cli.", "terminal.")


def ids(language: Language) -> set[str]:
    return {each for each in message_ids(language) if each.startswith(OURS)}


def places(id: str, language: Language) -> set[str]:
    found = template(id, language)
    texts = (found,) if isinstance(found, str) else found.values()
    return {name.partition(":")[0] for text in texts for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", languages())
def test_every_language_says_the_same_things(language: Language) -> None:
    assert ids(language) == ids(DEFAULT)
    assert len(ids(language)) > 150
    for id in ids(language):
        assert places(id, language) == places(id, DEFAULT), id
