"""Observations and action numbers are frozen: any change shows here, and needs a new version."""

from __future__ import annotations

import pytest

from meldroom.env.versions import ACTION_VERSION, OBSERVATION_VERSION
from tests.env.golden_encodings import FOLDER, GAMES, path_of, written


@pytest.mark.parametrize(("book_id", "codec", "players"), GAMES)
def test_the_encoding_is_as_committed(book_id: str, codec: str, players: int) -> None:
    path = path_of(book_id, codec)
    committed = path.read_text(encoding="utf-8").splitlines()
    again = written(book_id, codec, players).splitlines()
    for number, (old, new) in enumerate(zip(committed, again, strict=False), start=1):
        assert old == new, f"{path.name} differs from line {number} on; a change needs a new version"
    assert len(committed) == len(again)


def test_every_file_belongs_to_a_book_and_names_the_versions() -> None:
    assert sorted(FOLDER.glob("*.txt")) == sorted(path_of(book_id, codec) for book_id, codec, _ in GAMES)
    for path in FOLDER.glob("*.txt"):
        second = path.read_text(encoding="utf-8").splitlines()[1]
        assert second == f"observation version {OBSERVATION_VERSION}, action version {ACTION_VERSION}"
