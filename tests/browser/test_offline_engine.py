"""The game without a server: played in airplane mode, in one tab at a time, and through an update."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from testkit.browser.offline_app import (
    PATIENCE,
    QUICK_BOTS,
    change_build,
    copy_build,
    open_app,
    pack_build,
    start_game,
    wait_for,
    wait_until_kept,
)
from testkit.browser.table import Table
from testkit.server.process import ServerProcess, serving
from tests.browser.conftest import PAGES, ROOT, Visitors

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture
def build(pages: None, tmp_path: Path) -> Path:
    """A build of its own, whose bots do not wait."""
    built = os.environ.get(PAGES) or ROOT / "src" / "meldroom" / "server" / "pages"
    copied = copy_build(Path(built), tmp_path / "pages")
    change_build(copied, "assets/worker-*.js", QUICK_BOTS)
    return copied


@pytest.fixture
def server(build: Path, tmp_path: Path) -> Iterator[ServerProcess]:
    """A server of that build, which a test may stop."""
    with serving(tmp_path / "data", "--trusted-load", environment={PAGES: str(build)}) as running:
        yield running


@pytest.fixture
def player(browser: Browser, server: ServerProcess) -> Iterator[Page]:
    """Somebody with an empty profile; their pages may miss the network, and complain of nothing else."""
    people = Visitors(browser, server.url)
    yield people.come()
    people.leave()
    assert people.complaints == []


def test_in_airplane_mode_games_survive_reload_and_closed_tab_and_every_page_opens(
    player: Page, server: ServerProcess
) -> None:
    open_app(player)
    wait_until_kept(player)
    server.stop()
    player.context.set_offline(True)

    open_app(player)
    table = start_game(player, "wrc11")
    assert table.what_now() == "draw"
    table.draw()
    assert table.what_now() == "draw"
    rack = table.rack()
    assert len(rack) > 14

    player.reload()
    assert table.what_now() == "draw"
    assert table.rack() == rack

    again = player.context.new_page()
    player.close()
    again.goto(player.url)
    table = Table(again, "wrc11")
    assert table.what_now() == "draw"
    assert table.rack() == rack
    table.draw()
    assert len(table.rack()) == len(rack) + 1

    for path in ("new/", "games/", "rules/?at=wrc9/against/wrc11", "position/", "tutorial/", "storage/"):
        answer = again.goto(f"/offline/{path}")
        assert answer is not None
        assert answer.ok, path
        expect(again.locator("main h1:visible").first).to_be_visible(timeout=PATIENCE)
    # Nothing of the server is kept with it.
    asked = "() => fetch('/api/v1/catalogue').then(() => 'answered', () => 'unreachable')"
    assert again.evaluate(asked) == "unreachable"


def test_nothing_of_it_is_loaded_before_somebody_asks_for_it(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/")
    expect(page.locator("form button.play")).to_be_enabled()
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if "/engine" in url or "/worker-" in url or url.endswith("/sw.js")]
    assert page.evaluate("() => caches.keys()") == []


def test_one_tab_plays_at_a_time_and_another_can_take_over(page: Page) -> None:
    open_app(page)
    table = start_game(page, "tml")
    table.what_now()
    rack = table.rack()

    other = page.context.new_page()
    other.goto(page.url)
    waiting = other.get_by_test_id("starting")
    expect(waiting).to_be_visible()
    expect(other.get_by_test_id("rack")).to_have_count(0)
    waiting.get_by_role("button").click()
    taken = Table(other, "tml")
    assert taken.what_now() == "draw"
    assert taken.rack() == rack
    expect(page.get_by_test_id("starting")).to_be_visible()
    expect(page.get_by_test_id("rack")).to_have_count(0)
    taken.draw()
    drawn = taken.rack()

    # The first tab goes on by itself when the other is closed.
    other.close()
    assert table.what_now() == "draw"
    assert sorted(table.rack()) == sorted(drawn)


def test_an_update_is_offered_and_keeps_the_game_that_is_played(player: Page, build: Path) -> None:
    open_app(player)
    wait_until_kept(player)
    table = start_game(player, "wrc11")
    table.what_now()
    table.draw()
    table.what_now()
    rack = table.rack()
    name = '<meta name="application-name"'
    version = change_build(build, "offline.html", {"<title>": f'{name} content="next"><title>'})

    # The version in use stays, with or without a network.
    player.reload()
    assert table.what_now() == "draw"
    assert player.locator("meta[name=application-name]").count() == 0
    assert _in_use(player) != version

    player.goto("/offline/")
    downloaded: list[str] = []
    player.on("request", lambda request: downloaded.append(request.url))
    offer = player.get_by_test_id("update")
    expect(offer).to_be_visible(timeout=PATIENCE)
    offer.get_by_role("button").click()
    player.locator("meta[name=application-name][content=next]").wait_for(state="attached", timeout=PATIENCE)
    assert _in_use(player) == version
    assert not [url for url in downloaded if url.endswith((".wasm", ".zip", ".whl"))]

    open_app(player)
    wait_for(player, "() => caches.keys().then((names) => names.length === 2)")
    player.context.set_offline(True)
    player.goto("/offline/games/")
    player.locator("a[href*='/offline/r/?at=']").first.click()
    assert table.what_now() == "draw"
    assert table.rack() == rack


def _in_use(page: Page) -> str | None:
    """The version that the browser uses."""
    found: str | None = page.evaluate(
        """async () => {
          const kept = await caches.match('/offline/current-version.json');
          return kept ? (await kept.json()).version : null;
        }"""
    )
    return found


def test_an_engine_that_is_not_built_yet_or_comes_damaged_is_told_and_tried_again(
    player: Page, build: Path
) -> None:
    """On the way the large files come packed, as from a host that does not compress what it sends."""
    pack_build(build, "engine/*.zip", "engine/*/*.wasm")
    listed, aside = build / "engine" / "files.json", build / "aside.json"
    listed.rename(aside)
    player.goto("/offline/")
    waiting = player.get_by_test_id("starting")
    expect(waiting.get_by_role("alert")).to_be_visible()
    aside.rename(listed)

    (wheel,) = (build / "engine").glob("msgspec-*.whl")
    whole = wheel.read_bytes()
    wheel.write_bytes(whole[:-1] + b"x")
    player.reload()
    expect(waiting.get_by_role("alert")).to_be_visible(timeout=PATIENCE)
    assert _in_use(player) is None

    wheel.write_bytes(whole)
    waiting.get_by_role("button").click()
    expect(player.locator("form button.play")).to_be_enabled(timeout=PATIENCE)
    assert _in_use(player) is not None
