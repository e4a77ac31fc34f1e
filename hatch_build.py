"""Puts the built pages of web/ into the wheel, so that a machine with only Python serves them."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGES = "src/meldroom/server/pages"
QUICK_VARIABLE = "MELDROOM_QUICK_BUILD"
"""If it is set, the engine is compressed quickly rather than well: for tests."""


class PagesHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds web/, pages and engine, before a wheel is made; an editable install leaves that to run.py."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build them, unless they are up to date, and add them to the wheel."""
        if version == "editable":
            return
        root = Path(self.root)
        if (root / "web" / "build.py").exists():
            options = ["--quick"] if os.environ.get(QUICK_VARIABLE) else []
            subprocess.run([sys.executable, str(root / "web" / "build.py"), *options], check=True)
        build_data["artifacts"].append(f"{PAGES}/**")
