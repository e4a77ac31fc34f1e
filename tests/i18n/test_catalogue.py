"""The catalogue is whole: every language says everything, with the same places, and nothing is left over."""

from __future__ import annotations

import string

import pytest

from meldroom.i18n import DEFAULT, Language, languages, locale, message_ids, template
from tests.i18n.named_in_source import browser_names, named_outright, python_names

OTHERS = [code for code in languages() if code != DEFAULT]


def forms(id: str, language: Language) -> dict[str, str]:
    """The forms of a message: its plural forms, or the one it has."""
    found = template(id, language)
    return {"other": found} if isinstance(found, str) else dict(found)


def places(text: str) -> set[str]:
    """The names of the places in a message. Raises ValueError for a stray brace or a place without a name."""
    names = {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
    if any(not name.isidentifier() for name in names):
        raise ValueError(f"{text!r} has a place without a name")
    return names


def in_use(id: str) -> bool:
    """True if the source names a message, whole or in parts."""
    if id.startswith("web."):
        _, _, key = id.removeprefix("web.").partition(".")
        return browser_names().know(key)
    return python_names().know(id)


@pytest.mark.parametrize("language", OTHERS)
def test_no_message_is_missing_or_too_many(language: Language) -> None:
    english, own = set(message_ids()), set(message_ids(language))
    assert sorted(english - own) == [], "not translated"
    assert sorted(own - english) == [], "English has no such message"


def test_every_message_the_source_names_exists() -> None:
    known = set(message_ids())
    missing = {f"{place}: {id}" for id, place in named_outright() if "." in id and id not in known}
    assert sorted(missing) == []


def test_no_message_is_unused() -> None:
    assert [id for id in message_ids() if not in_use(id)] == []


@pytest.mark.parametrize("language", languages())
def test_plural_forms_are_those_of_the_language(language: Language) -> None:
    needed = {*locale(language).plurals, "other"}
    wrong = [
        id
        for id in message_ids(language)
        if not isinstance(template(id, language), str) and set(forms(id, language)) != needed
    ]
    assert wrong == []


@pytest.mark.parametrize("language", languages())
def test_messages_are_neither_empty_nor_malformed(language: Language) -> None:
    for id in message_ids(language):
        for text in forms(id, language).values():
            assert text.strip(), id
            places(text)


@pytest.mark.parametrize("language", OTHERS)
def test_places_are_the_same_in_every_language(language: Language) -> None:
    wrong = {}
    for id in message_ids():
        english, own = (
            {name for text in forms(id, code).values() for name in places(text)}
            for code in (DEFAULT, language)
        )
        if english != own:
            wrong[id] = (sorted(english), sorted(own))
    assert wrong == {}


def test_what_nothing_names_is_found_out() -> None:
    assert in_use("rules.score.rack")
    assert in_use("books.wrc11.clauses.#15.about")
    assert not in_use("rules.score.rackety")
    assert not in_use("books.wrc11.clauses.#99.text")
    assert not in_use("rules.nothing")
    assert not in_use("web.table.no.such.key")
