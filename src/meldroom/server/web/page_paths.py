"""The addresses of the app's pages, and where those of version 0.1 have gone."""

from __future__ import annotations

import re

from meldroom.site.static import FOLDERS

PAGES = (
    "/",
    "/new",
    "/r/:room",
    "/r/:room/text",
    "/text",
    "/lobby",
    "/games",
    "/account",
    "/profile",
    "/u/:profile",
    "/rules",
    "/rules/rulings/:ruling",
    "/rules/:book",
    "/rules/:book/against/:other",
    "/g/:game",
    "/g/:game/:step",
    "/position",
    "/tutorial",
    "/puzzles",
    "/puzzles/:id",
    "/referee",
    "/learn",
    "/championships",
    "/championship/:code",
    "/league/:code",
    "/championship/:code/p/:number",
    "/championship/:code/desk",
    "/championship/:code/screen",
    "/championship/:code/table/:table",
    "/championship/:code/referee",
)
"""As the client's router has them; `:name` stands for one part of a path."""
OFFLINE = "/championship/"
"""What the service worker keeps the page under."""
OFFLINE_APP = "/offline/"
_MOVED = (("/events", "/championships"), ("/e/", "/championship/"))
"""Links on printed papers and in messages outlive a version."""
_KNOWN = re.compile("|".join(re.sub(":[a-z]+", "[^/]+", path) for path in PAGES))


def is_page(path: str) -> bool:
    """Whether the app has a page at this path."""
    if is_offline(path):
        return path.removeprefix(OFFLINE_APP).removesuffix("/") in FOLDERS
    return path == OFFLINE or _KNOWN.fullmatch(path.rstrip("/") or "/") is not None


def is_offline(path: str) -> bool:
    """Whether the offline app answers for this path, be it to say that it has no such page."""
    return path.startswith(OFFLINE_APP)


def moved(path: str) -> str | None:
    """Where a page of version 0.1 is now, or one whose slash was forgotten; None if it has not moved."""
    if f"{path}/".startswith(OFFLINE_APP):
        folder = path.removesuffix("index.html").rstrip("/") + "/"
        return folder if folder != path and is_page(folder) else None
    for old, new in _MOVED:
        if path.rstrip("/") == old or (old.endswith("/") and path.startswith(old)):
            return new + path[len(old) :]
    return None
