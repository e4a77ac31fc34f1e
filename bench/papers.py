"""Measure printing: every paper of a whole championship, as PDF files.

python bench/papers.py                  # 128 players, World Championship format, English and French
python bench/papers.py --players 250 --format german --out /tmp/papers
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import get_args

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # the event is played by the tests' own hand

from meldroom.championship.formats.format import PRESETS
from meldroom.championship.log.export_files import as_json
from meldroom.i18n import Language
from meldroom.papers import ChampionshipPapers, Order, print_pdf, read_event
from tests.championship.championship_play import whole_event

ALLOWED = 10.0


def measure(players: int, made: str, language: Language, out: Path | None) -> float:
    """Print everything once; the seconds it took, from the exported document to the last byte."""
    data = as_json(whole_event(players, made).state)
    start = time.perf_counter()
    papers = ChampionshipPapers(
        read_event(data), Order(language, address="http://192.168.1.5:8000", printed="09:30")
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
    longest = max(
        measure(chosen.players, chosen.format, language, chosen.out) for language in get_args(Language)
    )
    print(f"allowed: {ALLOWED:.0f} s")
    if longest > ALLOWED:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
