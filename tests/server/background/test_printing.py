"""An organiser who wants a PDF: the server has what it takes, fetches it, or says what to do."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from meldroom.i18n import message
from meldroom.server.background import printing
from meldroom.server.background.printing import Printing
from tests.server.championships.at_hall import Person, opened, serving

RUN = """import pathlib, sys
assert sys.argv[1:] == ["prepare", "papers"]
pathlib.Path(__file__).with_name("fetched").write_text("typst")
sys.exit({status})
"""


@pytest.fixture
def fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Exists once run.py has fetched what PDFs take; until then nothing can be printed."""
    marker = tmp_path / "fetched"
    monkeypatch.setattr(printing, "can_print", marker.exists)
    return marker


def run_program(folder: Path, *, works: bool) -> Path:
    path = folder / "run.py"
    text = RUN.format(status=0) if works else "import sys; sys.exit('no network')"
    path.write_text(text, encoding="utf-8")
    return path


def problem(run: Path | None) -> str:
    async def asked() -> str:
        found = Printing(run)
        try:
            return await found.problem()
        finally:
            await found.close()

    return asyncio.run(asked())


def test_a_server_that_has_everything_prints() -> None:
    assert problem(None) == ""


def test_an_installed_server_says_what_to_install(fetched: Path) -> None:
    assert problem(None) == "no_pdf"
    assert 'pip install "meldroom[papers]"' in message("championships.no_pdf", "en")


def test_a_server_in_a_checkout_fetches_it_and_prints(fetched: Path, tmp_path: Path) -> None:
    assert problem(run_program(tmp_path, works=True)) == ""
    assert fetched.exists()


def test_without_a_network_it_says_so(fetched: Path, tmp_path: Path) -> None:
    assert problem(run_program(tmp_path, works=False)) == "pdf_not_fetched"


def test_a_long_download_is_not_waited_for(
    fetched: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printing, "LONGEST_WAIT", 0.0)
    (tmp_path / "run.py").write_text("import time; time.sleep(600)", encoding="utf-8")
    assert problem(tmp_path / "run.py") == "pdf_coming"


def test_opening_a_championship_fetches_it_before_anybody_prints(fetched: Path, tmp_path: Path) -> None:
    with serving(tmp_path / "events", run=run_program(tmp_path, works=True)) as client:
        opened(client)
        end = time.monotonic() + 30
        while not fetched.exists() and time.monotonic() < end:
            time.sleep(0.02)
    assert fetched.exists()


def test_a_fresh_server_fetches_it_after_its_start_and_says_so(
    fetched: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def started(run: Path | None) -> list[str]:
        found, said = Printing(run), list[str]()
        try:
            await found.fetch(said.append)
        finally:
            await found.close()
        return said

    assert asyncio.run(started(None)) == []
    assert asyncio.run(started(run_program(tmp_path, works=False))) == ["fetching_papers", "no_papers"]
    assert asyncio.run(started(run_program(tmp_path, works=True))) == ["fetching_papers", "papers"]
    assert asyncio.run(started(run_program(tmp_path, works=True))) == []
    monkeypatch.setattr("meldroom.papers.fonts._PACKAGES", ("no_such_package",))  # of an earlier version
    assert asyncio.run(started(run_program(tmp_path, works=True))) == ["fetching_papers", "no_papers"]


def test_the_desk_knows_before_anything_is_printed_and_has_one_button(fetched: Path, tmp_path: Path) -> None:
    with serving(tmp_path / "installed") as client:
        organiser = opened(client)
        lacking = {"ready": False, "fetches": False, "fetching": False}
        assert client.get("/api/v1/championships/printing").json() == lacking
        refused = organiser.ask("POST", "/printing", 503)
        assert 'pip install "meldroom[papers]"' in refused["error"]["message"]
        Person(client, organiser.code).ask("POST", "/printing", 401)
    with serving(tmp_path / "checkout", run=run_program(tmp_path, works=True)) as client:
        assert client.get("/api/v1/championships/printing").json()["fetches"]
        organiser = opened(client)
        ready = {"ready": True, "fetches": True, "fetching": False}
        assert organiser.ask("POST", "/printing") == ready
        assert client.get("/api/v1/championships/printing").json() == ready


def test_an_organiser_who_is_offline_reads_what_to_do(fetched: Path, tmp_path: Path) -> None:
    with serving(tmp_path / "events", run=run_program(tmp_path, works=False)) as client:
        refused = opened(client).get("/papers/blank_sheets.pdf", 503)
    assert refused["error"]["code"] == "pdf_not_fetched"
    assert "python3 run.py prepare papers" in refused["error"]["message"]
