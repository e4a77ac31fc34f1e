"""One real server for the trials that share it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from testkit.server.process import ServerProcess, serving


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with bots that do not wait and no limits on how much one address may ask."""
    folder = tmp_path_factory.mktemp("trials") / "data"
    with serving(folder, "--trusted-load", "--bot-pace", "0", "--start-phase", "0") as running:
        yield running
