"""Every refusal has its message."""

from __future__ import annotations

import re
from pathlib import Path

import meldroom.server.championships
from meldroom.i18n import has_message

FOLDER = Path(str(meldroom.server.championships.__file__)).parent


def test_every_refusal_has_its_message() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.rglob("*.py")))
    codes = set(re.findall(r'HallError\(\s*\d+,\s*"(\w+)"', source))
    codes |= set(re.findall(r'conflict\(\s*"(\w+)"', source))
    assert len(codes) > 30
    assert [code for code in sorted(codes) if not has_message(f"championships.{code}")] == []
