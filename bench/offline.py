"""What the offline app costs: bytes for the first game, time to the first move, bots' replies, memory.

    python bench/offline.py                          # the whole table, about four minutes
    python bench/offline.py --turns 20 --json
    python bench/offline.py --level club --slow-down 6

Pages and engine are built first, with the best compression (MELDROOM_PAGES names others). A real Chromium
opens `meldroom serve` on this machine.

- Bytes are counted as they travel, by Chromium's own network log: everything from opening *Play offline* to
  the first move, the app's pages included. The landing page is counted apart; it must load nothing of the
  engine.
- Cold is a browser that was never here; warm the same browser later, with the network off.
- A reply is the time from pressing Draw until it is one's turn again, in a game for two with bots that do not
  wait, from its first turn on (the player only draws). The whole processor is slowed down: Chromium's own
  throttling (Emulation.setCPUThrottlingRate) slows the page's thread and refuses a worker's, so the browser's
  processes are stopped and continued instead; the factor reached is measured and printed.
- Memory is what Linux counts for the page's process (proportional set size), with the engine in it.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page, Request, expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from meldroom.browser.levels import LEVELS  # noqa: E402
from testkit.browser import chromium  # noqa: E402
from testkit.browser.offline_app import (  # noqa: E402
    QUICK_BOTS,
    change_build,
    copy_build,
    open_app,
    start_game,
    wait_until_kept,
)
from testkit.server.process import serving  # noqa: E402

PAGES = "MELDROOM_PAGES"
MOST_BYTES = 7_000_000
MOST_SCRIPT = 100_000
SETTLING = 5_000
"""Milliseconds."""
STEP = 0.02
"""Seconds in which a slowed process runs and stands still once."""
WORK = """() => {
  const began = performance.now();
  let sum = 0;
  for (let i = 0; i < 6e7; i += 1) sum += i % 7;
  return [performance.now() - began, sum];
}"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the table, and say by the exit status whether the aims were reached."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--book", default="wrc11")
    parser.add_argument("--level", action="append", choices=LEVELS, help="only this level; may be repeated")
    parser.add_argument("--turns", type=int, default=12, help="replies for each level")
    parser.add_argument("--slow-down", type=float, default=4.0)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args(arguments)
    if PAGES not in os.environ:
        output = sys.stderr if options.json else None
        subprocess.run([sys.executable, str(ROOT / "web" / "build.py")], check=True, stdout=output)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        build = Path(os.environ.get(PAGES) or ROOT / "src" / "meldroom" / "server" / "pages")
        quick = copy_build(build, Path(folder) / "pages")
        change_build(quick, "assets/worker-*.js", QUICK_BOTS)
        browser = chromium.launch(playwright.chromium)
        found: dict[str, Any] = {"load": round(os.getloadavg()[0], 1), "cores": os.cpu_count()}
        with serving(Path(folder) / "data", "--trusted-load", environment={PAGES: str(build)}) as server:
            found["landing"] = landing(browser, server.url)
            found |= first_game(browser, server.url, options.book)
        with serving(Path(folder) / "quick", "--trusted-load", environment={PAGES: str(quick)}) as server:
            levels = options.level or LEVELS
            found |= replies(browser, server.url, options.book, levels, options.turns, options.slow_down)
        browser.close()
    sys.stdout.write(json.dumps(found, indent=2) + "\n" if options.json else table(found))
    return int(found["first_game_bytes"] > MOST_BYTES or found["landing"]["script_bytes"] > MOST_SCRIPT)


class Traffic:
    """Counts what a page and its workers load."""

    def __init__(self, page: Page) -> None:
        self.bytes: dict[str, int] = {}
        self.script = 0
        page.on("requestfinished", self._finished)

    def _finished(self, request: Request) -> None:
        response = request.response()
        if response is None or response.from_service_worker:
            return
        sizes = request.sizes()
        carried = sizes["responseBodySize"] + sizes["responseHeadersSize"]
        path = request.url.partition("://")[2].partition("/")[2].partition("?")[0]
        self.bytes[path] = self.bytes.get(path, 0) + carried
        if request.resource_type == "script":
            self.script += carried

    def total(self, *parts: str) -> int:
        """Bytes of everything, or of the paths that have one of these parts."""
        return sum(
            size for path, size in self.bytes.items() if not parts or any(part in path for part in parts)
        )


def landing(browser: Browser, url: str) -> dict[str, int]:
    """The landing page's first load."""
    context = browser.new_context(base_url=url)
    page = context.new_page()
    traffic = Traffic(page)
    page.goto("/")
    expect(page.locator("form button.play")).to_be_enabled()
    page.wait_for_load_state("networkidle")
    counted = {"script_bytes": traffic.script, "engine_bytes": traffic.total("engine/", "worker-")}
    context.close()
    return counted


def first_game(browser: Browser, url: str, book: str) -> dict[str, Any]:
    """Cold and warm: seconds until a game can be started and until the first move; bytes of the cold one."""
    context = browser.new_context(base_url=url)
    page = context.new_page()
    traffic = Traffic(page)
    cold = until_first_move(page, book)
    wait_until_kept(page)
    found: dict[str, Any] = {
        "first_game_bytes": traffic.total(),
        "engine_bytes": traffic.total("engine/"),
        "wasm_bytes": traffic.total(".wasm"),
        "cold": cold,
        "memory_mb": round(memory(browser, page) / 1e6, 1),
    }
    page.close()
    context.set_offline(True)
    runs = []
    for _ in range(3):
        page = context.new_page()
        runs.append(until_first_move(page, book))
        page.close()
    found["warm"] = {key: median(run[key] for run in runs) for key in cold}
    context.close()
    return found


def until_first_move(page: Page, book: str) -> dict[str, float]:
    """Seconds until Play can be pressed, and until it is one's turn at the table."""
    began = time.perf_counter()
    open_app(page)
    usable = time.perf_counter() - began
    start_game(page, book, level="club").what_now()
    return {"usable_s": round(usable, 2), "first_move_s": round(time.perf_counter() - began, 2)}


def replies(
    browser: Browser, url: str, book: str, levels: Sequence[str], turns: int, slow_down: float
) -> dict[str, Any]:
    """How long bots take to reply, as they are and slowed down."""
    context = browser.new_context(base_url=url)
    page = context.new_page()
    open_app(page)
    found: dict[str, Any] = {"replies": {}}
    for level in levels:
        plain = times(page, book, level, turns)
        with slowed(browser, slow_down):
            slow = times(page, book, level, turns)
        found["replies"][level] = {"median_s": spread(plain)[0], "worst_s": spread(plain)[1]}
        found["replies"][level] |= {"slowed_median_s": spread(slow)[0], "slowed_worst_s": spread(slow)[1]}
    factors = []
    for _ in range(5):
        before = page.evaluate(WORK)[0]
        with slowed(browser, slow_down):
            factors.append(page.evaluate(WORK)[0] / before)
    found["slow_down"] = round(median(factors), 1)
    page.wait_for_timeout(SETTLING)  # engines of games before are still being put away
    found["memory_after_games_mb"] = round(memory(browser, page) / 1e6, 1)
    context.close()
    return found


def spread(seconds: Sequence[float]) -> tuple[float, float]:
    """The median and the worst."""
    return round(median(seconds), 2), round(max(seconds), 2)


def times(page: Page, book: str, level: str, turns: int) -> list[float]:
    """Seconds from each draw to one's next turn."""
    found: list[float] = []
    while len(found) < turns:
        open_app(page)
        table = start_game(page, book, level=level)
        while len(found) < turns and table.what_now() == "draw":
            before = table.find("rack-tile").count()
            began = time.perf_counter()
            table.find("draw").click()
            table.wait_for_another_tile(before)
            table.what_now()
            found.append(time.perf_counter() - began)
    return found


def renderers(browser: Browser) -> list[int]:
    """The processes that run pages."""
    session = browser.new_browser_cdp_session()
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    session.detach()
    return [int(process["id"]) for process in processes if process["type"] == "renderer"]


def memory(browser: Browser, page: Page) -> int:
    """Bytes of the largest page's process; the page is named so that it is still open."""
    page.evaluate("() => 0")
    sizes = []
    for process in renderers(browser):
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
        sizes.append(
            next(int(line.split()[1]) * 1024 for line in text.splitlines() if line.startswith("Pss:"))
        )
    return max(sizes)


@contextmanager
def slowed(browser: Browser, factor: float) -> Iterator[None]:
    """Let the pages' processes run only a part of the time."""
    processes, ended = renderers(browser), threading.Event()

    def tell(sign: signal.Signals) -> None:
        for process in processes:
            os.kill(process, sign)

    def stop_and_go() -> None:
        try:
            while not ended.wait(STEP / factor):
                tell(signal.SIGSTOP)
                time.sleep(STEP - STEP / factor)
                tell(signal.SIGCONT)
        finally:
            tell(signal.SIGCONT)

    thread = threading.Thread(target=stop_and_go, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def table(found: dict[str, Any]) -> str:
    """The figures for people."""
    rows = [
        ("landing page, script", f"{found['landing']['script_bytes'] / 1e3:.1f} KB (aim 100)"),
        ("landing page, of the engine", f"{found['landing']['engine_bytes']} bytes"),
        ("first offline game, all bytes", f"{found['first_game_bytes'] / 1e6:.2f} MB (aim 7)"),
        ("  of these the engine", f"{found['engine_bytes'] / 1e6:.2f} MB"),
        ("cold: Play can be pressed", f"{found['cold']['usable_s']:.2f} s"),
        ("cold: first move", f"{found['cold']['first_move_s']:.2f} s"),
        ("warm, no network: Play can be pressed", f"{found['warm']['usable_s']:.2f} s"),
        ("warm, no network: first move", f"{found['warm']['first_move_s']:.2f} s"),
        ("memory of the page in a game", f"{found['memory_mb']:.0f} MB"),
        ("memory after all games below", f"{found['memory_after_games_mb']:.0f} MB"),
    ]
    text = f"load of this machine {found['load']} on {found['cores']} cores\n"
    text += "".join(f"{name:40} {value}\n" for name, value in rows)
    text += f"\nreplies: median and worst, then with the processor slowed down {found['slow_down']} times\n"
    for level, each in found["replies"].items():
        text += f"{level:12} {each['median_s']:6.2f} s {each['worst_s']:6.2f} s"
        text += f"   {each['slowed_median_s']:6.2f} s {each['slowed_worst_s']:6.2f} s\n"
    return text


if __name__ == "__main__":
    sys.exit(main())
