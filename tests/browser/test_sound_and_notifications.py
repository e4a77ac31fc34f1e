"""Sounds and notifications in a real browser: what is heard, what is shown, and when nobody is asked."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from playwright.sync_api import Page, Worker, expect

from testkit.browser.axe import violations
from testkit.browser.table import start_against_bots
from tests.browser.conftest import Visitors

pytestmark = pytest.mark.xdist_group("browser at the table")

LISTEN = """
window.heard = [];
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (when) {
  window.heard.push(Math.round(this.frequency.value));
  return AudioScheduledSourceNode.prototype.start.call(this, when);
};
"""
"""Notes down the pitch of everything that is played."""
TURN = [392, 523]
HIDE = """
let hidden = false;
Object.defineProperty(Document.prototype, 'visibilityState', { get: () => (hidden ? 'hidden' : 'visible') });
window.hide = (value) => { hidden = value; document.dispatchEvent(new Event('visibilitychange')); };
"""
"""Headless pages are always seen; this lets one be in the background."""
ALLOW = """
let state = 'default';
window.asked = 0;
window.answer = 'granted';
window.shown = [];
Object.defineProperty(Notification, 'permission', { get: () => state });
Notification.requestPermission = async () => { window.asked += 1; return (state = window.answer); };
ServiceWorkerRegistration.prototype.showNotification = async function (title, options) {
  window.shown = [...window.shown.filter((one) => one.tag !== options.tag), { title, ...options }];
};
ServiceWorkerRegistration.prototype.getNotifications = async function ({ tag }) {
  const found = window.shown.filter((one) => one.tag === tag);
  const close = (one) => (window.shown = window.shown.filter((other) => other !== one));
  return found.map((one) => ({ close: () => close(one) }));
};
"""
"""Chromium without a window shows no notifications and says that they are denied: here somebody may agree."""
SHOW = """() => {
  self.shown = [];
  self.opened = [];
  registration.showNotification = async (title, options) => {
    self.shown = [...self.shown.filter((one) => one.tag !== options.tag), { title, ...options }];
  };
  clients.openWindow = async (url) => void self.opened.push(url);
}"""
"""The same for the service worker, and what it opens."""
NO_PUSH = "PushManager.prototype.subscribe = () => Promise.reject(new DOMException('none', 'AbortError'));"
"""A browser without a push service."""
SUBSCRIBE = """
PushManager.prototype.subscribe = async function (options) {
  window.wanted = options;
  return {
    options,
    toJSON: () => ({ endpoint: 'https://push.example/browser', keys: KEYS }),
    unsubscribe: async () => true,
  };
};
"""
"""Chromium has no push service here: this one gives the page a subscription."""
POINT = bytes.fromhex(
    "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
)
KEYS = {
    "p256dh": base64.urlsafe_b64encode(POINT).decode().rstrip("="),
    "auth": base64.urlsafe_b64encode(b"0123456789abcdef").decode().rstrip("="),
}


def heard(page: Page) -> list[int]:
    """The pitches played so far."""
    found: list[int] = page.evaluate("window.heard")
    return found


def wait_for_turn_sound(page: Page, times: int = 1) -> None:
    """Wait until the two notes of one's turn were played."""
    page.wait_for_function(
        "n => window.heard.filter(pitch => pitch === 523).length >= n && window.heard.includes(392)",
        arg=times,
    )


def open_settings(page: Page) -> None:
    """Open the menu with the settings."""
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_test_id("notify")).to_be_visible()


def shown(page: Page) -> list[dict[str, Any]]:
    """The notifications that the page shows."""
    found: list[dict[str, Any]] = page.evaluate("window.shown")
    return found


def test_tiles_and_turns_are_heard_until_sound_is_off(visitors: Visitors) -> None:
    page = visitors.come(reduced_motion="no-preference")
    page.add_init_script(LISTEN)
    table = start_against_bots(page, "wrc11")
    assert table.what_now() == "draw"
    table.draw()
    wait_for_turn_sound(page)
    assert len(heard(page)) > len(TURN), "the tiles are heard, too"
    open_settings(page)
    page.get_by_label("Sound", exact=True).uncheck()
    page.keyboard.press("Escape")
    before = len(heard(page))
    assert table.what_now() == "draw"
    table.draw()
    assert table.what_now() == "draw"
    page.wait_for_timeout(600)
    assert len(heard(page)) == before
    page.reload()
    open_settings(page)
    expect(page.get_by_label("Sound", exact=True)).not_to_be_checked()
    expect(page.get_by_test_id("volume")).to_be_disabled()


def test_before_the_first_gesture_there_is_no_sound_and_no_complaint(visitors: Visitors) -> None:
    """A script plays a turn: whatever Playwright evaluates would count as a gesture."""
    page = visitors.come()
    start_against_bots(page, "wrc11")
    page.add_init_script(LISTEN)
    page.add_init_script(
        """let turns = 0;
        setInterval(() => {
          const draw = document.querySelector('[data-testid="draw"]');
          if (!draw || draw.disabled) return;
          turns += 1;
          if (turns < 3) draw.click();
          else if (turns === 6) console.log('played', navigator.userActivation.hasBeenActive);
        }, 150);"""
    )
    with page.expect_console_message(lambda said: said.text.startswith("played")) as said:
        page.reload()
    assert said.value.text == "played false"
    assert heard(page) == []


def test_who_wants_it_calm_hears_their_turn_and_no_tiles(visitors: Visitors) -> None:
    page = visitors.come(reduced_motion="reduce")
    page.add_init_script(LISTEN)
    table = start_against_bots(page, "wrc11")
    assert table.what_now() == "draw"
    before = len(heard(page))
    table.draw()
    wait_for_turn_sound(page)
    assert {round(pitch / 4) if pitch > 1000 else pitch for pitch in heard(page)[before:]} == set(TURN)


def test_the_end_of_a_game_is_heard(visitors: Visitors) -> None:
    page = visitors.come()
    page.add_init_script(LISTEN)
    table = start_against_bots(page, "wrc11", level="tournament", opponents=3)
    table.play_to_the_end()
    page.wait_for_function("() => window.heard.includes(262) || window.heard.includes(785)")


def test_the_volume_is_heard_and_kept(visitors: Visitors) -> None:
    page = visitors.come()
    page.add_init_script(LISTEN)
    page.goto("/")
    open_settings(page)
    volume = page.get_by_test_id("volume")
    volume.focus()
    page.keyboard.press("ArrowRight")
    wait_for_turn_sound(page)
    assert volume.input_value() == "65"
    page.reload()
    open_settings(page)
    assert page.get_by_test_id("volume").input_value() == "65"
    for _ in range(13):
        page.get_by_test_id("volume").press("ArrowLeft")
    before = len(heard(page))
    page.wait_for_timeout(300)
    assert heard(page)[before:] == [], "silent at zero"


def test_the_browser_is_asked_in_a_click_only_and_a_no_is_explained(visitors: Visitors) -> None:
    page = visitors.come()
    page.add_init_script(ALLOW)
    table = start_against_bots(page, "wrc11")
    assert table.what_now() == "draw"
    table.draw()
    open_settings(page)
    assert violations(page) == []
    assert page.evaluate("window.asked") == 0
    page.evaluate("window.answer = 'denied'")
    page.get_by_test_id("notify").click()
    expect(page.get_by_test_id("notifications")).to_contain_text("Your browser blocks notifications")
    assert page.evaluate("window.asked") == 1
    expect(page.get_by_test_id("notify")).not_to_be_checked()
    expect(page.get_by_test_id("notify")).to_be_disabled()


def test_a_turn_in_the_background_is_shown_and_taken_back_on_return(visitors: Visitors) -> None:
    page = visitors.come()
    page.add_init_script(ALLOW)
    page.add_init_script(NO_PUSH)
    page.add_init_script(HIDE)
    table = start_against_bots(page, "wrc11")
    assert table.what_now() == "draw"
    open_settings(page)
    page.get_by_test_id("notify").click()
    # Without a push service the page says how far it goes.
    expect(page.get_by_test_id("notifications")).to_contain_text("once Meldroom is closed")
    expect(page.get_by_test_id("notify")).to_be_checked()
    page.keyboard.press("Escape")
    table.draw()
    assert table.what_now() == "draw"
    assert shown(page) == [], "nobody is told what they see"
    page.evaluate("hide(true)")
    table.draw()
    page.wait_for_function("() => window.shown.length === 1")
    (notification,) = shown(page)
    assert notification["title"] == "Your turn"
    assert notification["body"].startswith("WRC 11: ")
    assert notification["data"] == {"url": page.url}
    page.evaluate("hide(false)")
    page.wait_for_function("() => window.shown.length === 0")


def slow_table(page: Page) -> str:
    """Open a table with hours for a move, and go there; its code."""
    page.goto("/")
    page.evaluate(
        """fetch('/api/v1/session', {method: 'POST', headers: {'content-type': 'application/json'},
          body: '{}'})"""
    )
    settings = {"book": "wrc11", "seats": 2, "clock": {"kind": "hours", "amount": 24}}
    code: str = page.evaluate(
        """async (body) => (await (await fetch('/api/v1/rooms', {method: 'POST',
          headers: {'content-type': 'application/json'}, body: JSON.stringify(body)})).json()).room""",
        {"settings": settings, "chairs": ["me", "club"], "begin": True},
    )
    page.goto(f"/r/{code}")
    return code


def subscriptions(page: Page) -> list[dict[str, Any]]:
    """The browsers that the server tells."""
    found: list[dict[str, Any]] = page.evaluate(
        "fetch('/api/v1/push/subscriptions').then(answer => answer.json())"
    )
    return found


def test_a_slow_table_offers_push_and_the_settings_end_it(visitors: Visitors) -> None:
    page = visitors.come()
    page.add_init_script(ALLOW)
    page.add_init_script(SUBSCRIBE.replace("KEYS", str(KEYS)))
    slow_table(page)
    offer = page.get_by_test_id("notify-offer")
    expect(offer).to_contain_text("even with Meldroom closed")
    assert violations(page) == []
    offer.get_by_role("button", name="Notify me").click()
    expect(offer).to_have_count(0)
    page.wait_for_function(
        "async () => (await (await fetch('/api/v1/push/subscriptions')).json()).length === 1"
    )
    key = page.evaluate("fetch('/api/v1/push/key').then(answer => answer.json()).then(({key}) => key)")
    assert page.evaluate("window.wanted") == {"userVisibleOnly": True, "applicationServerKey": key}
    open_settings(page)
    expect(page.get_by_test_id("notify")).to_be_checked()
    expect(page.get_by_test_id("notifications")).to_contain_text("even when Meldroom is closed")
    page.get_by_test_id("notify").click()
    expect(page.get_by_test_id("notify")).not_to_be_checked()
    page.wait_for_function(
        "async () => (await (await fetch('/api/v1/push/subscriptions')).json()).length === 0"
    )


def test_the_offer_can_be_declined_for_good_and_is_made_at_slow_tables_only(visitors: Visitors) -> None:
    page = visitors.come()
    page.add_init_script(ALLOW)
    slow_table(page)
    page.get_by_test_id("notify-offer").get_by_role("button", name="Not now").click()
    expect(page.get_by_test_id("notify-offer")).to_have_count(0)
    page.reload()
    expect(page.get_by_test_id("rack")).to_be_visible()
    expect(page.get_by_test_id("notify-offer")).to_have_count(0)
    other = visitors.come()
    other.add_init_script(ALLOW)
    start_against_bots(other, "wrc11")
    expect(other.get_by_test_id("notify-offer")).to_have_count(0)


def test_a_push_message_is_shown_by_the_worker_and_leads_to_the_table(visitors: Visitors) -> None:
    page = visitors.come()
    page.add_init_script(ALLOW)
    page.add_init_script(NO_PUSH)
    page.goto("/")
    open_settings(page)
    page.get_by_test_id("notify").click()
    expect(page.get_by_test_id("notify")).to_be_checked()
    page.wait_for_function(
        """() => navigator.serviceWorker.getRegistration('/notifications/')
          .then(one => one?.active?.state === 'activated')"""
    )
    (worker,) = [one for one in page.context.service_workers if one.url.endswith("/sw.js")]
    worker.evaluate(SHOW)
    for _ in range(2):  # one notification for a table, however many turns it had
        push(page, '{"kind":"turn","room":"abc234","title":"À vous","body":"Table abc234"}')
    for _ in range(100):
        if worker.evaluate("self.shown.length"):
            break
        page.wait_for_timeout(50)
    (notification,) = worker.evaluate("self.shown")
    table = f"{page.url.rstrip('/')}/r/abc234"
    assert (notification["title"], notification["body"]) == ("À vous", "Table abc234")
    assert notification["data"] == {"url": table}
    assert clicked(worker, notification) == [table]


def clicked(worker: Worker, notification: dict[str, Any]) -> list[str]:
    """Click a notification, which a headless browser does not draw; what the worker opens."""
    opened: list[str] = worker.evaluate(
        """async ({ data }) => {
          const event = new ExtendableEvent('notificationclick');
          let closed = false;
          let work = null;
          event.notification = { data, close: () => { closed = true; } };
          event.waitUntil = (promise) => { work = promise; };
          dispatchEvent(event);
          await work;
          return closed ? self.opened : [];
        }""",
        notification,
    )
    return opened


def push(page: Page, text: str) -> None:
    """Deliver a push message as the browser's own push service would."""
    client = page.context.new_cdp_session(page)
    found: dict[str, str] = {}

    def note(event: dict[str, Any]) -> None:
        for one in event["registrations"]:
            if one["scopeURL"].endswith("/notifications/"):
                found["id"] = one["registrationId"]

    client.on("ServiceWorker.workerRegistrationUpdated", note)
    client.send("ServiceWorker.enable")
    for _ in range(50):
        if found:
            break
        page.wait_for_timeout(100)
    origin = page.evaluate("location.origin")
    client.send(
        "ServiceWorker.deliverPushMessage", {"origin": origin, "registrationId": found["id"], "data": text}
    )
    client.detach()
