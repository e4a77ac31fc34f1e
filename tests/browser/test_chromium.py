"""Without a Chromium on PATH the tests fail with a sentence; they are never skipped."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from testkit.browser import chromium


def test_chromium_on_path_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first of the known names that is there."""
    monkeypatch.setattr(
        shutil, "which", lambda name: "/somewhere/google-chrome" if name == "google-chrome" else None
    )
    assert chromium.find() == chromium.Chromium("/somewhere/google-chrome", {})


def test_an_unpacked_chromium_is_used_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is fetched twice."""
    (tmp_path / "chromium").touch()
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(chromium, "UNPACKED", tmp_path)
    found = chromium.find()
    assert found.program == str(tmp_path / "chromium")
    assert found.environment["LD_LIBRARY_PATH"] == str(tmp_path / "lib")


def test_no_chromium_at_all_is_an_error_with_a_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """npm that finds no package says so, and the names that were looked for are told."""
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(chromium, "UNPACKED", tmp_path / "none")
    monkeypatch.setattr(chromium, "HERE", tmp_path)
    with pytest.raises(chromium.NoBrowserError, match="chromium, chromium-browser, google-chrome"):
        chromium.find()
