"""Plays a whole game in Firefox and in WebKit, as a newcomer does: landing page, table, score sheet.

    python bench/other_browsers.py                     both, with pages of this source
    python bench/other_browsers.py firefox             one of them
    python bench/other_browsers.py --pages DIR         a build of your own

Firefox is Debian's `firefox-esr`, driven over WebDriver BiDi; WebKit is `webkit2gtk-driver`. Both are fetched
as Debian packages and unpacked, without root, into a folder (`--cache`; 1.2 GB), once. Tiles are laid by
hints and dragged with the mouse. It says for each browser what was played and what the page complained
about, or why it could not be played, and ends with 1 in that case.
"""

from __future__ import annotations

import argparse
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from testkit.browser.debian_packages import LIBRARIES, NoPackagesError, environment, unpacked  # noqa: E402
from testkit.browser.remote_control import (  # noqa: E402
    BiDi,
    Classic,
    Remote,
    RemoteError,
    centre,
    click,
    wait_for,
)
from testkit.browser.table import HINTED, WHAT_NOW  # noqa: E402
from testkit.server.process import free_port, serving  # noqa: E402

PACKAGES = ("firefox-esr", "webkit2gtk-driver", "xvfb")
WEBKIT = f"/{LIBRARIES}/webkit2gtk-4.1"
STARTING = 60.0
WIDTH, HEIGHT = 1280, 800
PREFERENCES = """user_pref("app.normandy.enabled", false);
user_pref("app.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.enabled", false);
user_pref("intl.accept_languages", "en-GB");
"""
REV = "document.querySelector('[data-rev]')?.getAttribute('data-rev') ?? 'over'"


class Played:
    """What happened in a game."""

    def __init__(self) -> None:
        self.turns = self.laid = self.dragged = 0


def play(remote: Remote, address: str) -> Played:
    """From the landing page to the score sheet. Raises RemoteError."""
    played = Played()
    remote.goto(address)
    click(remote, "form button.play")
    wait_for(remote, "document.querySelectorAll('[data-testid=\"rack-tile\"]').length >= 14")
    for turn in range(300):
        now = wait_for(remote, f"({WHAT_NOW})()")
        if now == "over":
            wait_for(remote, "document.querySelectorAll('[data-testid=\"score-sheet\"] > li').length >= 2")
            return played
        rev = remote.evaluate(REV)
        played.turns += 1
        if now == "draw" and turn == 0:
            played.dragged += drag_and_take_back(remote)
        if now == "pass":
            click(remote, '[data-testid="pass"]')
        elif turn % 3 == 2 and lay_by_hints(remote):
            played.laid += 1
        else:
            put_back(remote)
            click(remote, '[data-testid="draw"]')
        wait_for(remote, f"({REV}) !== {rev!r}")
    raise RemoteError("the game did not end in 300 turns")


def drag_and_take_back(remote: Remote) -> int:
    """Drag a tile of the rack to the table as a new set, and undo it; how many tiles were dragged."""
    start, end = centre(remote, '[data-testid="rack-tile"]'), centre(remote, "[data-new]")
    middle = ((start[0] + end[0]) // 2, (start[1] + end[1]) // 2)
    remote.drag([start, middle, end])
    wait_for(remote, "!document.querySelector('[data-testid=\"reset\"]').disabled")
    put_back(remote)
    return 1


def put_back(remote: Remote) -> None:
    """Take back what is drafted, so that drawing asks nothing."""
    if remote.evaluate("document.querySelector('[data-testid=\"reset\"]')?.disabled === false"):
        click(remote, '[data-testid="reset"]')
        wait_for(remote, "document.querySelector('[data-testid=\"reset\"]').disabled")


def lay_by_hints(remote: Remote) -> bool:
    """Climb the ladder of hints and declare what it lays; False if there is nothing to lay."""
    click(remote, '[data-testid="hint"]')
    for _ in range(12):
        match wait_for(remote, f"({HINTED})()"):
            case "laid":
                click(remote, '[data-testid="done"]')
                return True
            case "show":
                click(remote, '[data-testid="hint-show"]')
            case "more":
                click(remote, '[data-testid="hint-next"]')
            case _:
                return False
    raise RemoteError("the ladder of hints has no end")


@contextmanager
def process(
    command: list[str], env: dict[str, str], log: Path, folder: Path | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A program that runs in a folder and is ended afterwards."""
    with log.open("wb") as out:
        running = subprocess.Popen(
            command, env=env, cwd=folder, stdout=out, stderr=out, stdin=subprocess.DEVNULL
        )
    try:
        yield running
    finally:
        running.terminate()
        try:
            running.wait(10)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()


def said(log: Path, pattern: str, running: subprocess.Popen[bytes]) -> str:
    """Wait until a program has said something; what was found. Raises RemoteError."""
    until = time.monotonic() + STARTING
    while time.monotonic() < until and running.poll() is None:
        found = re.search(pattern, log.read_text(errors="replace"))
        if found:
            return found.group(1)
        time.sleep(0.1)
    raise RemoteError(f"it did not start:\n{log.read_text(errors='replace')[-1500:]}")


def wait_until_listening(port: int, running: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a program takes connections. Raises RemoteError."""
    until = time.monotonic() + STARTING
    while time.monotonic() < until and running.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RemoteError(f"it did not start:\n{log.read_text(errors='replace')[-1500:]}")


@contextmanager
def firefox(root: Path, folder: Path) -> Iterator[Remote]:
    """Firefox without a window, over BiDi."""
    profile = folder / "profile"
    profile.mkdir()
    (profile / "user.js").write_text(PREFERENCES)
    home = "usr/lib/firefox-esr"
    program = [str(root / home / "firefox-esr"), "--headless", "--no-remote", "--profile", str(profile)]
    log = folder / "firefox.log"
    env = environment(root, folder / "home", home)
    with process([*program, "--remote-debugging-port=0"], env, log) as running:
        yield BiDi(said(log, r"WebDriver BiDi listening on (ws://\S+)", running), WIDTH, HEIGHT)


@contextmanager
def webkit(root: Path, folder: Path) -> Iterator[Remote]:
    """WebKit in a window that nobody sees, over WebDriver."""
    env = environment(root, folder / "home", WEBKIT.lstrip("/"))
    env |= {"WEBKIT_DISABLE_COMPOSITING_MODE": "1", "LIBGL_ALWAYS_SOFTWARE": "1", "GDK_BACKEND": "x11"}
    env |= {"GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1"}
    env["WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS"] = "1"  # it shows our own pages only
    move_programs(root)
    port, screen = free_port(), folder / "screen"
    keys = str(root / "usr" / "share" / "X11" / "xkb")
    xvfb = [str(root / "usr/bin/Xvfb"), "-displayfd", "1", "-screen", "0", f"{WIDTH}x{HEIGHT + 200}x24"]
    with process([*xvfb, "-nolisten", "tcp", "-xkbdir", keys], env, screen, root / "usr") as shown:
        env["DISPLAY"] = ":" + said(screen, r"(?m)^(\d+)$", shown)
        driver = [str(root / "usr/bin/WebKitWebDriver"), f"--port={port}"]
        log = folder / "webkit.log"
        with process(driver, env, log, root / "usr") as running:
            wait_until_listening(port, running, log)
            browser = str(root / WEBKIT.lstrip("/") / "MiniBrowser")
            options = {"binary": browser, "args": ["--automation", f"--geometry={WIDTH}x{HEIGHT}"]}
            page = Classic(f"http://127.0.0.1:{port}", {"webkitgtk:browserOptions": options})
            try:
                yield page
            finally:
                page.close()


def move_programs(root: Path) -> None:
    """Let programs look for each other where they were unpacked: the paths are in their text.

    A path keeps its length and becomes one below the current folder, which is the root's `usr`.
    """
    library = (root / LIBRARIES / "libwebkit2gtk-4.1.so.0").resolve()
    for file, path in ((library, WEBKIT), (root / "usr/bin/Xvfb", "/usr/bin")):
        data = file.read_bytes()
        there = "." + path.removeprefix("/usr").rjust(len(path) - 1, "/")
        for end in (b"\0", b"/injected-bundle/"):
            data = data.replace(path.encode() + end, there.encode() + end)
        file.write_bytes(data)


BROWSERS: dict[str, Callable[[Path, Path], AbstractContextManager[Remote]]] = {
    "firefox": firefox,
    "webkit": webkit,
}


def main() -> None:
    """Play, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("browsers", nargs="*", help="firefox, webkit; both if none is named")
    parser.add_argument("--pages", type=Path, help="a built folder of pages")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache" / "meldroom" / "browsers")
    asked = parser.parse_args()
    if unknown := set(asked.browsers) - set(BROWSERS):
        parser.error(f"not a browser: {', '.join(sorted(unknown))}")
    pages = asked.pages or ROOT / "src" / "meldroom" / "server" / "pages"
    if asked.pages is None:
        subprocess.run([sys.executable, ROOT / "web" / "build.py", "--pages", "--quick"], check=True)
    try:
        root = unpacked(PACKAGES, asked.cache)
    except NoPackagesError as error:
        sys.exit(f"No browser could be fetched: {error}")
    failed = False
    for name in asked.browsers or BROWSERS:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            told = {"MELDROOM_PAGES": str(pages)}
            options = ("--trusted-load", "--bot-pace", "0", "--start-phase", "0")
            with serving(folder / "data", *options, environment=told) as server:
                failed |= not one(name, root, folder, server.url)
    sys.exit(int(failed))


def one(name: str, root: Path, folder: Path, address: str) -> bool:
    """Play in one browser; whether that went well."""
    began = time.monotonic()
    try:
        with BROWSERS[name](root, folder) as remote:
            agent = remote.evaluate("navigator.userAgent")
            played = play(remote, address)
            complaints = list(remote.complaints)
    except (RemoteError, OSError, TimeoutError) as error:
        print(f"{name}: could not play: {error}")
        return False
    print(f"{name}: {agent}")
    print(
        f"{name}: a whole game in {time.monotonic() - began:.0f} s: {played.turns} turns, "
        f"{played.laid} laid by hints, {played.dragged} tile dragged; complaints: {complaints or 'none'}"
    )
    return not complaints


if __name__ == "__main__":
    main()
