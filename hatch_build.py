"""Puts the built pages of web/ into the wheel, so that a machine with only Python serves them."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGES = "src/meldroom/server/pages"


class PagesHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds web/ before a wheel is made; an editable install leaves that to run.py."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the pages, unless they are up to date, and add them to the wheel."""
        if version == "editable":
            return
        root = Path(self.root)
        if (root / "web" / "build.py").exists():
            subprocess.run([sys.executable, str(root / "web" / "build.py")], check=True)
        build_data["artifacts"].append(f"{PAGES}/**")
