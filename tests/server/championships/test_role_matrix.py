"""Every role at every route of a championship, generated from the document: who gets past the door."""

from __future__ import annotations

from typing import Any

from meldroom.server.championships.storage.keys import may
from tests.server import published
from tests.server.championships.at_hall import ROOT, Hall

ANYBODY = "anybody"
"""With a key of any role; what is done with it is decided command by command."""

# What a role must be allowed for a route, and what is sent.
ROUTES: dict[tuple[str, str], tuple[str, Any]] = {
    ("get", "/desk"): (ANYBODY, None),
    ("post", "/commands"): (ANYBODY, {"id": "matrix-0001", "command": {"do": "bind_table"}}),
    ("post", "/outbox"): (ANYBODY, {"commands": []}),
    ("get", "/csv.zip"): ("export", None),
    ("get", "/export"): ("export", None),
    ("get", "/log"): ("export", None),
    ("get", "/site.zip"): ("export", None),
    ("get", "/keys"): ("make_keys", None),
    ("post", "/keys"): ("make_keys", {"role": "display", "label": "Wall"}),
    ("delete", "/keys/{number}"): ("make_keys", None),
    ("post", "/pins"): ("set_pin", {"referee": "Rita", "pin": "4821"}),
    ("delete", "/pins/{referee}"): ("set_pin", None),
    ("get", "/links"): ("make_keys", None),
    ("post", "/links/{number}/renew"): ("make_keys", None),
    ("get", "/papers/{file}"): ("see_papers", None),
    ("post", "/printing"): ("see_papers", None),
    ("post", "/photos"): ("note_photo", {}),
    ("get", "/photos/{photo}"): ("see_photos", None),
    ("post", "/piles"): ("enter_result", {"first": [], "second": []}),
    ("post", "/rulings"): ("see_table", {"ask": "position", "sets": []}),
    ("get", "/tables/{table}"): ("see_table", None),
    ("post", "/tables/{table}/bind"): ("bind_table", {"id": "matrix-0002", "device": "device-0001"}),
}


def keyed() -> set[tuple[str, str]]:
    """The routes that need a key, by the published document."""
    start = f"{ROOT}/{{code}}"
    return {
        (method, path.removeprefix(start))
        for path, item in published.document()["paths"].items()
        if path.startswith(start)
        for method, operation in item.items()
        if operation["security"] and {} not in operation["security"]
    }


def test_the_matrix_has_every_route() -> None:
    assert set(ROUTES) == keyed()


def test_every_role_at_every_route(hall: Hall) -> None:
    tried = 0
    for (method, path), (what, body) in ROUTES.items():
        address = path.replace("{number}", "9999").replace("{table}", "1").replace("{referee}", "Rita")
        address = address.replace("{file}", "none.pdf").replace("{photo}", "0" * 64)
        for role, person in (*hall.people.items(), ("", hall.public)):
            headers = {"X-Championship-Key": person.key} if person.key else {}
            own = {"id": f"{body['id']}-{role}"} if body and "id" in body else {}
            sent: dict[str, Any] = {} if body is None else {"json": {**body, **own}}
            answer = hall.client.request(
                method, f"{ROOT}/{hall.public.code}{address}", headers=headers, **sent
            )
            place = (role, method, path, answer.status_code, answer.text[:200])
            if not role:
                assert answer.status_code in (400, 401), place  # 400 where the body is looked at first
                assert answer.status_code == 401 or path == "/commands", place
            elif what == ANYBODY or may(person_role(role), what):
                assert answer.status_code not in (401, 403), place
            else:
                assert answer.status_code == 403, place
            tried += 1
    assert tried == len(ROUTES) * (len(hall.people) + 1)


def person_role(role: str) -> Any:
    """The role as the table of roles knows it."""
    return role
