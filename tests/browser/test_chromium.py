"""Without a Chromium on PATH the tests fail with a sentence; they are never skipped."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

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


@pytest.mark.skipif(sys.platform != "linux", reason="it is fetched on Linux only")
def test_two_who_need_it_at_once_fetch_it_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As two processes of the tests do on a machine without a browser."""
    fetched: list[str] = []

    def install(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        fetched.append(command[2])
        time.sleep(0.2)
        return subprocess.CompletedProcess(command, 0, "", "")

    unpacked = tmp_path / "unpacked"

    def unpack(_: Path) -> None:
        unpacked.mkdir()
        (unpacked / "chromium").touch()

    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(chromium, "HERE", tmp_path)
    monkeypatch.setattr(chromium, "UNPACKED", unpacked)
    monkeypatch.setattr(chromium, "_node", lambda: (tmp_path / "node", tmp_path / "npm"))
    monkeypatch.setattr(chromium, "unpack", unpack)
    monkeypatch.setattr(subprocess, "run", install)
    with ThreadPoolExecutor(2) as both:
        found = list(both.map(lambda _: chromium.find().program, range(2)))
    assert found == [str(unpacked / "chromium")] * 2
    assert fetched == ["ci"]


def test_no_chromium_at_all_is_an_error_with_a_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """npm that finds no package says so, and the names that were looked for are told."""
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(chromium, "UNPACKED", tmp_path / "none")
    monkeypatch.setattr(chromium, "HERE", tmp_path)
    with pytest.raises(chromium.NoBrowserError, match="chromium, chromium-browser, google-chrome"):
        chromium.find()
