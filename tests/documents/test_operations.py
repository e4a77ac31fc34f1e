"""The operations page, the units and the dashboard name what is really there."""

from __future__ import annotations

import configparser
import json
import re
from pathlib import Path

from meldroom.cli.app import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
METRICS = (ROOT / "src/meldroom/server/routes/metrics.py").read_text(encoding="utf-8")
SOURCES = "".join(path.read_text("utf-8") for path in (ROOT / "src/meldroom/server").rglob("*.py"))


def figures() -> set[str]:
    """Everything that /metrics names."""
    plain = set(re.findall(r'\b(?:one|many)\("(\w+)"', METRICS))
    times = re.findall(r'\btimes\("(\w+)"', METRICS)
    return plain | {f"{name}{end}" for name in times for end in ("", "_bucket", "_count", "_sum")}


def test_every_figure_on_the_page_and_the_dashboard_is_measured() -> None:
    dashboard = (ROOT / "deploy/grafana-dashboard.json").read_text(encoding="utf-8")
    assert len(json.loads(dashboard)["panels"]) >= 8
    named = set(re.findall(r"meldroom_(\w+)", dashboard)) | set(re.findall(r"`meldroom_(\w+)`", PAGE))
    assert len(named) >= 10
    assert named - figures() == set()


def test_every_security_event_is_on_the_page() -> None:
    written = set(re.findall(r'(?<!\w)note\(\s*"(\w+)"', SOURCES))
    assert len(written) >= 8
    assert {event for event in written if f"`{event}`" not in PAGE} == set()


def test_the_units_start_commands_that_exist_and_are_bounded() -> None:
    for path in sorted((ROOT / "deploy").glob("*.service")):
        unit = configparser.RawConfigParser(strict=False, delimiters=("=",))
        unit.optionxform = str  # type: ignore[assignment,method-assign]
        unit.read_string(path.read_text(encoding="utf-8"))
        service = unit["Service"]
        command = re.search(r"bin/meldroom (\w+)", service["ExecStart"])
        assert command is not None
        assert command[1] in COMMANDS
        assert service["NoNewPrivileges"] == "yes"
        assert service["ProtectSystem"] == "strict"
    server = (ROOT / "deploy/meldroom.service").read_text(encoding="utf-8")
    for limit in ("LimitNOFILE=", "MemoryMax=", "TasksMax="):
        assert limit in server
