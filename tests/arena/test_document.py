"""What docs/arena.md shows is what happens."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from meldroom.arena import loads
from meldroom.arena.config import _Form
from meldroom.arena.reporting.outputs import COLUMNS, SUMMARY_COLUMNS
from meldroom.cli.app import app

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/arena.md"
TEXT = PAGE.read_text(encoding="utf-8")
EXPERIMENTS = re.findall(r"^```toml\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("text", EXPERIMENTS)
def test_experiments_of_the_page_can_be_read(text: str) -> None:
    assert loads(text, folder=ROOT).games > 0


def test_the_refusal_on_the_page_is_real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ((command, shown),) = re.findall(r"^```console\n\$ (.*?)\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    (tmp_path / "ladder.toml").write_text(EXPERIMENTS[0].replace("deals", "deal"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app(("arena", "demo")), shlex.split(command)[1:])
    assert done.stderr == shown


def test_every_key_has_its_line() -> None:
    for key in _Form.__struct_fields__:
        assert f"`{key}`" in TEXT or key == "meldroom"
    assert COLUMNS[0] == SUMMARY_COLUMNS[1] == "book"
