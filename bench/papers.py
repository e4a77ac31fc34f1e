"""Measure printing: every paper of a whole championship, as PDF files.

python bench/papers.py                  # 128 players, World Championship format, English and French
python bench/papers.py --players 250 --format german --out /tmp/papers
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from meldroom.championship.formats.format import PRESETS
from meldroom.championship.log.restore import decode_document
from meldroom.i18n import Language, languages
from meldroom.papers import ChampionshipPapers, Order, print_pdf

ALLOWED = 10.0


def simulated(players: int, made: str) -> bytes:
    """The exported document of a whole championship."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "meldroom", "championship", "simulate", f"{folder}/simulated"]
        options = ["--players", str(players), "--format", made, "--no-faults", "--no-papers"]
        subprocess.run([*command, *options], check=True, stdout=subprocess.DEVNULL)
        return Path(folder, "simulated", "export", "event.json").read_bytes()


def measure(players: int, made: str, language: Language, out: Path | None) -> float:
    """Print everything once; the seconds it took, from the exported document to the last byte."""
    data = simulated(players, made)
    start = time.perf_counter()
    papers = ChampionshipPapers(
        decode_document(data), Order(language, address="http://192.168.1.5:8000", printed="09:30")
    )
    sizes: dict[str, int] = {}
    for name, paper in papers.all():
        pdf = print_pdf(papers.occasion(), paper)
        sizes[name] = len(pdf)
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
            (out / f"{name}.{language}.pdf").write_bytes(pdf)
    seconds = time.perf_counter() - start
    print(
        f"{players} players, {made}, {language}: {len(sizes)} papers, {sum(sizes.values()) / 1e6:.1f} MB, "
        f"{seconds:.2f} s"
    )
    return seconds


def main() -> None:
    """Print the times; status 1 if one is above what is allowed."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    asked.add_argument("--players", type=int, default=128)
    asked.add_argument("--format", choices=PRESETS, default="wrc")
    asked.add_argument("--out", type=Path)
    chosen = asked.parse_args()
    longest = max(measure(chosen.players, chosen.format, language, chosen.out) for language in languages())
    print(f"allowed: {ALLOWED:.0f} s")
    if longest > ALLOWED:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
