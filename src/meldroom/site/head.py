"""The part of a page's head that names it: title, description, and the tags that make a link's preview."""

from __future__ import annotations

import re
from html import escape
from urllib.parse import urljoin

import msgspec

from meldroom.i18n import Language, Value, message

NAME = "Meldroom"
PICTURE = "preview.png"
WIDTH, HEIGHT = 1200, 630
"""The size of every picture that a preview shows."""
_BETWEEN = re.compile(rb"<!-- preview -->.*?<!-- /preview -->", re.DOTALL)


class Head(msgspec.Struct, frozen=True):
    """What a page is called and shows where somebody shares a link to it. The picture is an address."""

    title: str
    description: str
    picture: str = PICTURE


def head_of(page: str, language: Language, *, picture: str = PICTURE, **values: Value) -> Head:
    """The head of a kind of page, `landing` or `game`, out of the catalogue."""
    title = message(f"site.{page}.title", language, **values)
    return Head(title, message(f"site.{page}.description", language, **values), picture)


def with_head(html: bytes, head: Head, address: str, site: str) -> bytes:
    """A built page with its own head instead of the usual one.

    `address` is the page's own, `site` that of the folder with the pictures; previews need both whole, so
    that without them (empty) the tags that need them are left out.
    """
    tags = [
        f"<title>{escape(head.title)}</title>",
        _named("description", head.description),
        _property("og:site_name", NAME),
        _property("og:type", "website"),
        _property("og:title", head.title),
        _property("og:description", head.description),
    ]
    if site:
        tags += [
            _property("og:url", address),
            _property("og:image", urljoin(site, head.picture)),
            _property("og:image:width", str(WIDTH)),
            _property("og:image:height", str(HEIGHT)),
            _named("twitter:card", "summary_large_image"),
        ]
    return _BETWEEN.sub(lambda _: "\n    ".join(tags).encode(), html, count=1)


def _named(name: str, content: str) -> str:
    return f'<meta name="{name}" content="{escape(content)}" />'


def _property(name: str, content: str) -> str:
    return f'<meta property="{name}" content="{escape(content)}" />'
