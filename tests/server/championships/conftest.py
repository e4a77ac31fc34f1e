"""One server for all tests, and in it for each test a championship whose players have drawn seats."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from tests.server.championships.at_hall import Hall, Person, opened, seated, serving

_codes = count(1)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient[Any], Path]]:
    folder = tmp_path_factory.mktemp("championships")
    with serving(folder) as client:
        yield client, folder


@pytest.fixture
def client(served: tuple[TestClient[Any], Path]) -> TestClient[Any]:
    return served[0]


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """The files of a championship that is ready to be played, and a key for every role."""
    folder = tmp_path_factory.mktemp("prepared")
    with serving(folder) as client:
        organiser = opened(client)
        director = seated(organiser)
        keys = {"organiser": organiser.key, "director": director.key}
        staff = {"referee": "Rita", "scorer": "Sam", "check_in": "Chris", "display": "Wall"}
        keys["host"] = organiser.with_key("host", "Hana").key
        for role, label in staff.items():
            keys[role] = director.with_key(role, label).key
    return folder / organiser.code, keys


@pytest.fixture
def hall(served: tuple[TestClient[Any], Path], prepared: tuple[Path, dict[str, str]]) -> Hall:
    """A copy of the prepared championship under a code of its own."""
    client, folder = served
    source, keys = prepared
    code = "hall" + "".join("abcdefghjk"[int(digit)] for digit in f"{next(_codes):02d}"[-2:])
    shutil.copytree(source, folder / code)
    people = {role: Person(client, code, key) for role, key in keys.items()}
    return Hall(folder, client, people, Person(client, code))
