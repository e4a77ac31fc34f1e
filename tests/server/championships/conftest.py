"""One server for all tests, and in it for each test a championship whose players have drawn seats."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from tests.server.championships.at_hall import Hall, Person, bring_in, opened, seated, serving

_codes = count(1)


ON_BOTH = (
    "test_conflicts.py",
    "test_a_club_evening_from_the_list_to_the_ranking_with_five_roles",
    "test_a_photo_is_sent_then_named_and_seen_by_referees",
    "test_news_comes_when_it_happens_and_only_if_the_public_may_see_it",
    "test_the_list_of_events_shows_those_that_want_to_be_listed",
    "test_a_revoked_key_opens_nothing",
    "test_who_asks_to_be_erased_leaves_every_file_and_the_chain_holds",
)
"""Tests that are run with championships in a folder and in a database."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    name = f"{metafunc.definition.nodeid} "
    if "kind" in metafunc.fixturenames and any(each in name for each in ON_BOTH):
        metafunc.parametrize("kind", ["folder", "database"], indirect=True)


@pytest.fixture
def kind(request: pytest.FixtureRequest) -> str:
    """Where championships are kept."""
    return str(getattr(request, "param", "folder"))


@pytest.fixture(scope="session")
def servers(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[[str], tuple[TestClient[Any], Path]]]:
    """A server of each kind, started when it is first asked for."""
    with ExitStack() as running:

        @cache
        def of_kind(kind: str) -> tuple[TestClient[Any], Path]:
            folder = tmp_path_factory.mktemp(f"championships-{kind}")
            return running.enter_context(serving(folder, stored=kind == "database")), folder

        yield of_kind


@pytest.fixture
def served(servers: Callable[[str], tuple[TestClient[Any], Path]], kind: str) -> tuple[TestClient[Any], Path]:
    return servers(kind)


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
def hall(
    served: tuple[TestClient[Any], Path], prepared: tuple[Path, dict[str, str]], kind: str, tmp_path: Path
) -> Hall:
    """A copy of the prepared championship under a code of its own."""
    client, folder = served
    source, keys = prepared
    code = "hal" + "".join("abcdefghjk"[int(digit)] for digit in f"{next(_codes):03d}")
    if kind == "folder":
        shutil.copytree(source, folder / code)
    else:
        shutil.copytree(source, tmp_path / "brought" / code)
        bring_in(client, tmp_path / "brought")
    people = {role: Person(client, code, key) for role, key in keys.items()}
    return Hall(folder, client, people, Person(client, code))
