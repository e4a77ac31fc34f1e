"""An organiser who wants a PDF: the server has what it takes, fetches it, or says what to do."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from meldroom.i18n import message
from meldroom.server.background import printing
from meldroom.server.background.printing import Printing
from tests.server.championships.at_hall import opened, serving

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


def test_an_organiser_who_is_offline_reads_what_to_do(fetched: Path, tmp_path: Path) -> None:
    with serving(tmp_path / "events", run=run_program(tmp_path, works=False)) as client:
        refused = opened(client).get("/papers/blank_sheets.pdf", 503)
    assert refused["error"]["code"] == "pdf_not_fetched"
    assert "python3 run.py prepare papers" in refused["error"]["message"]
