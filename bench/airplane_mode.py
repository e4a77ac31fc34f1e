"""Plays every rule book in airplane mode, on a desk in English and on a small phone in French.

    python bench/airplane_mode.py            builds the pages and the engine if need be
    python bench/airplane_mode.py --pages DIR  a build of your own

For each book: a whole game to the score sheet, reloaded in the middle of a turn on the desk and killed on
the phone, the shuffle verified, the replay and the analysis; then a position solved, a rack counted, a
record opened. Every page must be to axe's liking. Ends with status 1 at the first thing that fails.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from meldroom.rules.library import BOOK_IDS  # noqa: E402
from testkit.browser import airplane, chromium  # noqa: E402
from testkit.browser.axe import check  # noqa: E402
from testkit.browser.offline_app import QUICK_BOTS, change_build, copy_build  # noqa: E402
from testkit.browser.settings import PATIENCE, PHONE  # noqa: E402
from testkit.server.process import serving  # noqa: E402

LOOKS: dict[str, dict[str, Any]] = {
    "desk, English": {"locale": "en-GB", "viewport": {"width": 1280, "height": 800}},
    "phone, French": {"locale": "fr-FR", "color_scheme": "dark", **PHONE},
}


def main() -> None:
    """Play, and say how long each part took."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=Path, help="a built folder of pages with its engine")
    built = parser.parse_args().pages
    if built is None:
        built = ROOT / "src" / "meldroom" / "server" / "pages"
        subprocess.run([sys.executable, ROOT / "web" / "build.py"], check=True)
    with tempfile.TemporaryDirectory() as folder:
        pages = copy_build(built, Path(folder) / "pages")
        change_build(pages, "assets/worker-*.js", QUICK_BOTS)
        with sync_playwright() as playwright:
            browser = chromium.launch(playwright.chromium)
            for look, options in LOOKS.items():
                with serving(
                    Path(folder) / look, "--trusted-load", environment={"MELDROOM_PAGES": str(pages)}
                ) as server:
                    context = browser.new_context(base_url=server.url, reduced_motion="reduce", **options)
                    context.set_default_timeout(PATIENCE)
                    page = context.new_page()
                    airplane.take_off(page)
                for book in BOOK_IDS:
                    began = time.monotonic()
                    page = airplane.play(page, book, check, killed="phone" in look)
                    print(f"{look}: {book} played to the end ({time.monotonic() - began:.0f} s)", flush=True)
                airplane.solve_position(page, check)
                airplane.count_a_rack(page, check)
                airplane.open_record(page, ROOT / "examples" / "records" / "wrc9.meld", check)
                print(f"{look}: position solved, rack counted, record opened", flush=True)
                context.close()
            browser.close()


if __name__ == "__main__":
    main()
