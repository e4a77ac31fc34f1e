"""Runs the verifier that shares no code with the program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

VERIFIER = Path(__file__).resolve().parents[2] / "examples" / "championship_verifier.py"


def outside(folder: Path) -> tuple[int, str]:
    """Its status and what it prints about an exported championship."""
    done = subprocess.run(
        [sys.executable, str(VERIFIER), str(folder)], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr
