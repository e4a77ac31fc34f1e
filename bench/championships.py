"""Whole events from start to finish: a club night on one phone, a league of six evenings, an open of 200.

    python bench/championships.py                    # all three
    python bench/championships.py --only night       # in real Chromium: taps and seconds
    python bench/championships.py --only open --players 400
    python bench/championships.py --out FOLDER       # and keep logs, exports and papers

Taps are counted by the page; a choice from a list is two. Seconds are those of the program, nobody stops to
think. All are checked by examples/championship_verifier.py, which shares no code with Meldroom, and printed;
the league's table is counted from the exports.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
import zipfile
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from meldroom.championship import (
    ChampionshipLog,
    CloseStage,
    DecideTie,
    EnterResult,
    Found,
    SignSheet,
    read_lines,
    standings,
)
from meldroom.championship.actions import CHECKS
from meldroom.championship.club_night import begin, club_format
from meldroom.championship.log.export import write_export
from meldroom.championship.roles import HOST
from meldroom.cli.championship.simulation.games import QuickGames

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from testkit.browser.championship.desk import Desk

EVENINGS = 6
NAMES = "Ada, Ben, Chi, Dev, Eve, Fay, Gus"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
COUNT = """() => {
  const add = (number) => (sessionStorage.taps = Number(sessionStorage.taps ?? 0) + number);
  addEventListener('click', () => add(1), true);
  addEventListener('change', ({ target }) => target.matches('select') && add(2), true);
}"""


def night(folder: Path) -> bool:
    """A club night of seven by one person on one phone: three sittings of two games."""
    from playwright.sync_api import expect, sync_playwright

    from testkit.browser import chromium
    from testkit.browser.championship.desk import Desk
    from testkit.server.process import ServerProcess

    random = Random(7)
    server = ServerProcess(folder / "night", environment={"MELDROOM_KERNELS": "interpreted"})
    server.start()
    try:
        with sync_playwright() as playwright:
            browser = chromium.launch(playwright.chromium)
            page = browser.new_context(base_url=server.url, **PHONE).new_page()  # type: ignore[arg-type]
            page.add_init_script(f"({COUNT})()")
            page.goto("/championships")
            began = time.monotonic()
            page.get_by_test_id("run-event").tap()
            page.get_by_test_id("club-names").tap()
            page.get_by_test_id("club-names").fill(NAMES)
            page.get_by_test_id("begin-club-night").tap()
            expect(page.get_by_test_id("results-grid")).to_be_visible(timeout=60_000)
            started, taps = time.monotonic() - began, int(page.evaluate("sessionStorage.taps"))
            desk = Desk(page)
            for sitting in (1, 2, 3):
                for table in (1, 2):
                    desk.find(f"enter-{table}-1").tap()
                    for game in (1, 2):  # the form goes on to the next game by itself, then to the signatures
                        heading = desk.find("entry").locator("h3")
                        told = heading.inner_text()
                        seats = page.locator("[data-testid^=score-]").count()
                        lost = [random.randint(1, 90) for _ in range(seats - 1)]
                        for seat, score in enumerate((sum(lost), *(-each for each in lost))):
                            desk.find(f"score-{seat}").fill(str(score))
                        desk.find("save-game").tap()
                        if game == 1:
                            expect(heading).not_to_have_text(told, timeout=30_000)
                    desk.find("sign").tap()
                    expect(desk.find("signing")).to_have_count(0, timeout=30_000)
                if sitting < 3:
                    page.get_by_label("Sitting", exact=True).select_option(f"evening/{sitting + 1}")
            desk.go("standings")
            desk.close_stage()
            whole, all_taps = time.monotonic() - began, int(page.evaluate("sessionStorage.taps"))
            export = downloaded(desk, folder / "night")
            browser.close()
    finally:
        server.kill()
    print(f"night of 7: tables after {taps} taps and {started:.1f} s")
    print(f"  ranking of 12 games after {all_taps} taps and {whole:.0f} s")
    return taps <= 8 and verified(export) and printed(export) > 0


def downloaded(desk: Desk, folder: Path) -> Path:
    """Everything that the desk lets one take away, as `export` would write it."""
    export = folder / "export"
    export.mkdir()
    names = {"download-export": "event.json", "download-log": "log.jsonl"}
    for button, name in names.items():
        desk.fetch("downloads", button, folder).replace(export / name)
    with zipfile.ZipFile(desk.fetch("downloads", "download-csv", folder)) as archive:
        archive.extractall(export)
    return export


def printed(export: Path) -> int:
    """How many papers an event has; they lie beside its export."""
    out = export.parent / "papers"
    command = [sys.executable, "-m", "meldroom", "championship", "papers", str(export / "event.json")]
    subprocess.run([*command, "--out", str(out)], check=True, stdout=subprocess.DEVNULL)
    count = len(list(out.glob("*.pdf")))
    print(f"  {export.parent.name}: {count} papers")
    return count


def simulated(folder: Path, *options: str) -> Path:
    """A championship that never was; the folder of its export."""
    command = [sys.executable, "-m", "meldroom", "championship", "simulate", str(folder), *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return folder / "export"


def verified(export: Path) -> bool:
    """Whether the independent verifier confirms it; what it says is printed."""
    command = [sys.executable, str(ROOT / "examples" / "championship_verifier.py"), str(export)]
    said = subprocess.run(command, check=False, capture_output=True, text=True)
    print(f"  {export.parent.name}: {said.stdout.strip().splitlines()[-1]}")
    return said.returncode == 0


def evening(folder: Path, number: int) -> Path:
    """A club night of 13 to 18 of the same twenty people, a week after the one before; its export."""
    folder.mkdir()
    random = Random(number)
    club = [f"Member {one}" for one in range(1, 21)]
    games = QuickGames(random)
    first = Found("Winter", number, date(2026, 10, 5) + timedelta(weeks=number), club_format(), CHECKS)
    with ChampionshipLog.create(folder / "log.jsonl", first, author="Olga", role=HOST) as log:
        begin(log, random.sample(club, 12 + number), author="Olga", seed=f"evening {number}")
        for (stage, sitting), seated in tuple(log.state.seatings.items()):
            for place, table in enumerate(seated.tables, start=1):
                for game in range(1, log.state.format.stage(stage).games + 1):
                    result = games.play(log.state.format, table, [True] * len(table), 0)
                    action = EnterResult(stage, sitting, place, game, result)
                    log.append(action, author="Olga", role=HOST)
                log.append(SignSheet(stage, sitting, place, "Olga"), author="Olga", role=HOST)
        stage = log.state.format.stages[-1].id
        for level in standings(log.state, stage).level:
            log.append(DecideTie(stage, level, "lot"), author="Olga", role=HOST, reason="no time")
        log.append(CloseStage(stage), author="Olga", role=HOST)
        write_export(log.state, read_lines(folder / "log.jsonl"), folder / "export")
    return folder / "export"


def league(folder: Path) -> bool:
    """Six evenings of 13 to 18 players in one table."""
    began = time.monotonic()
    exports = [evening(folder / f"evening{number}", number) for number in range(1, EVENINGS + 1)]
    sound = sum(map(verified, exports)) == EVENINGS and all(map(printed, exports))
    listed = ", ".join(f'"{export.relative_to(folder)}/event.json"' for export in exports)
    made = folder / "league.toml"
    made.write_text(
        f'name = "Winter"\nevents = [{listed}]\npoints = [10, 8, 6, 5, 4, 3, 2]\nothers = 1\nbest = 4\n'
    )
    table = subprocess.run(
        [sys.executable, "-m", "meldroom", "league", "table", str(made)],
        check=True,
        capture_output=True,
        text=True,
    )
    lines = table.stdout.splitlines()
    print("\n".join(f"  {line}" for line in lines[:6]))
    print(f"league of {EVENINGS} evenings: {time.monotonic() - began:.0f} s, {len(lines)} lines")
    return sound


def an_open(folder: Path, players: int) -> bool:
    """An open with a cut after round one, with everything that goes wrong in a hall, and all papers."""
    began = time.monotonic()
    export = simulated(folder / "open", "--format", "wrc_cut", "--players", str(players), "--seed", "open")
    seconds = time.monotonic() - began
    sound = verified(export)
    papers = sum(1 for _ in (folder / "open" / "papers").rglob("*.pdf"))
    print(f"open of {players}: {seconds:.0f} s with {papers} papers")
    return sound


def main() -> None:
    """Print the figures; status 1 if something does not hold."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    asked.add_argument("--only", choices=("night", "league", "open"))
    asked.add_argument("--players", type=int, default=200)
    asked.add_argument("--out", type=Path, help="a new folder to keep everything in")
    given = asked.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as passing:
        folder: Path = given.out or Path(passing)
        folder.mkdir(parents=True, exist_ok=True)
        if given.only in (None, "night"):
            good = night(folder) and good
        if given.only in (None, "league"):
            good = league(folder) and good
        if given.only in (None, "open"):
            good = an_open(folder, given.players) and good
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
