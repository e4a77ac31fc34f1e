"""How soon the landing page is usable on an emulated slow phone, and how much travels for it.

    python bench/first_load.py                      # five first visits
    python bench/first_load.py --visits 10 --slow-down 6

The phone is 360×640 with a processor slowed down (four times by default) on a network of 1.6 Mbit/s in which
every answer takes 150 ms longer, the slow 4G of Lighthouse; each visit begins with an empty cache. Usable
means that the button Play can be pressed. The target is 2 s.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from playwright.sync_api import Browser, expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from testkit.browser import chromium  # noqa: E402
from testkit.browser.settings import PHONE  # noqa: E402
from testkit.server.process import serving  # noqa: E402

TARGET = 2.0
DELAY = 150
BYTES_A_SECOND = 1.6e6 / 8


class Visit(NamedTuple):
    """One first visit: seconds until something is painted, until Play can be pressed, and kilobytes."""

    painted: float
    usable: float
    script: float
    total: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Visit so many times and print the figures."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--visits", type=int, default=5)
    parser.add_argument("--slow-down", type=float, default=4)
    options = parser.parse_args(arguments)
    if "MELDROOM_PAGES" not in os.environ:
        subprocess.run([sys.executable, str(ROOT / "web" / "build.py")], check=True)
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data) / "data", "--trusted-load") as server,
        sync_playwright() as playwright,
    ):
        browser = chromium.launch(playwright.chromium)
        visits = [visit(browser, server.url, options.slow_down) for _ in range(options.visits)]
        browser.close()
    print("painted s  usable s  script KB  all KB")
    for each in visits:
        print(f"{each.painted:9.2f} {each.usable:9.2f} {each.script:10.1f} {each.total:7.1f}")
    usual = median(each.usable for each in visits)
    print(f"median: usable after {usual:.2f} s (target {TARGET:.0f} s)")
    return int(usual > TARGET)


def visit(browser: Browser, address: str, slow_down: float) -> Visit:
    """A first visit on a slow phone."""
    context = browser.new_context(base_url=address, **PHONE)
    page = context.new_page()
    phone = context.new_cdp_session(page)
    kinds: dict[str, str] = {}
    sizes: dict[str, float] = {}
    phone.on("Network.responseReceived", lambda event: kinds.update({event["requestId"]: event["type"]}))
    phone.on(
        "Network.loadingFinished",
        lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}),
    )
    phone.send("Network.enable")
    phone.send(
        "Network.emulateNetworkConditions",
        {
            "offline": False,
            "latency": DELAY,
            "downloadThroughput": BYTES_A_SECOND,
            "uploadThroughput": BYTES_A_SECOND / 2,
        },
    )
    phone.send("Emulation.setCPUThrottlingRate", {"rate": slow_down})
    began = time.perf_counter()
    page.goto("/", wait_until="commit")
    expect(page.locator("form button.play")).to_be_enabled(timeout=60_000)
    usable = time.perf_counter() - began
    page.wait_for_load_state("networkidle")
    painted = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
    script = sum(size for request, size in sizes.items() if kinds.get(request) == "Script")
    total = sum(sizes.values())
    context.close()
    return Visit(float(painted) / 1000, usable, script / 1000, total / 1000)


if __name__ == "__main__":
    sys.exit(main())
