"""What a page says of itself where a link to it is shared: in the visitor's language, and escaped."""

from __future__ import annotations

import asyncio
import re
from html import unescape
from pathlib import Path
from typing import cast

from meldroom.rooms.ports import FinishedGame, Store
from meldroom.server.routes.previews import Previews
from meldroom.site.head import Head, with_head
from tests.server.api.near import Near, with_server

PAGE = "<!doctype html><head><!-- preview --><title>Meldroom</title><!-- /preview --></head><body></body>"


def pages_in(folder: Path) -> Path:
    """A built front end that is nothing but its head."""
    pages = folder / "pages"
    pages.mkdir()
    for name in ("index.html", "offline.html"):
        (pages / name).write_text(PAGE, encoding="utf-8")
    return pages


def tag(html: str, name: str) -> str:
    """The content of a tag by its name or property."""
    found = re.search(rf'<meta (?:name|property)="{re.escape(name)}" content="([^"]*)" />', html)
    assert found, f"no {name} in {html}"
    return unescape(found[1])


def test_the_landing_page_names_itself_in_the_visitors_language(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        english = await near.browser().get("/")
        assert "<title>Meldroom · Tile rummy, by the book</title>" in english.text
        assert tag(english.text, "og:image") == f"{near.url}/preview.png"
        assert tag(english.text, "og:url") == f"{near.url}/"
        french = await near.browser(**{"accept-language": "fr-CA"}).get("/")
        assert tag(french.text, "og:title") == "Meldroom · Le rummy de tuiles, selon la règle"
        assert "accept-language" in french.headers.get_list("vary", split_commas=True)
        again = await near.browser().get("/", headers={"if-none-match": english.headers["etag"]})
        assert again.status_code == 304
        assert french.headers["etag"] != english.headers["etag"]

    with_server(tmp_path, test, pages=pages_in(tmp_path))


def test_a_position_shows_its_table_and_is_escaped(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        shown = await near.browser().get(
            "/position", params={"book": "tml", "text": 'table R1 R2 R3 "><script>'}
        )
        assert "<script>" not in shown.text
        picture = tag(shown.text, "og:image")
        assert picture.startswith(f"{near.url}/api/v1/position.png?text=table+R1+R2+R3")
        assert tag(shown.text, "og:title") == "Position · The Mahjong Line · Meldroom"

    with_server(tmp_path, test, pages=pages_in(tmp_path))


def test_a_game_that_does_not_exist_is_not_found_and_a_room_is_not_looked_up(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        gone = await near.browser().get("/g/nothing")
        assert (gone.status_code, tag(gone.text, "og:title")) == (404, "Page not found · Meldroom")
        room = await near.browser().get("/r/nothing")
        assert (room.status_code, tag(room.text, "og:title")) == (200, "Your table is waiting · Meldroom")
        unknown = await near.browser().get("/nowhere")
        assert (unknown.status_code, tag(unknown.text, "og:title")) == (404, "Page not found · Meldroom")

    with_server(tmp_path, test, pages=pages_in(tmp_path))


def test_every_kind_of_page_has_a_title(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        titles = {}
        for path in (
            "/",
            "/offline/",
            "/r/abc",
            "/rules",
            "/rules/wrc11",
            "/position",
            "/tutorial",
            "/championships",
        ):
            shown = await near.browser(**{"accept-encoding": "identity"}).get(path)
            titles[path] = tag(shown.text, "og:title")
            assert f"<title>{titles[path]}</title>" in unescape(shown.text)
        assert len(set(titles.values())) == len(titles), titles
        assert titles["/rules/wrc11"] == "WRC 11 rules · Meldroom"

    with_server(tmp_path, test, pages=pages_in(tmp_path))


class OneGame:
    """A store with one finished game, whose players have sharp names."""

    async def finished(self, id: str) -> FinishedGame | None:
        names = ("Ada <b>", 'Bo "&"')
        game = FinishedGame("k1-1", "k1", 1, "wrc11", names, ("", ""), (34, -34), (0,), 0, "")
        return game if id == game.id else None


def head(path: str, query: str = "", language: str = "en") -> Head:
    found = asyncio.run(Previews(cast("Store", OneGame())).head(path, query, language))
    assert found is not None
    return found


def test_a_finished_game_shows_its_players_its_scores_and_the_step_that_is_linked() -> None:
    shown = head("/g/k1-1", "step=17&seat=1")
    assert shown.title == 'Ada <b>, Bo "&" · WRC 11 · Meldroom'
    assert shown.description.startswith('Ada <b> +34, Bo "&" −34. ')
    assert shown.picture == "/api/v1/games/k1-1/steps/17.png?seat=1"
    assert head("/g/k1-1/5").picture.endswith("/steps/5.png")
    assert head("/g/k1-1", "step=x&seat=9").picture.endswith("/steps/last.png")
    assert head("/g/k1-1", "", "fr").description.endswith("vérifiez le mélange.")
    page = with_head(PAGE.encode(), shown, "https://x.example/g/k1-1", "https://x.example/").decode()
    assert "<b>" not in page
    assert tag(page, "og:title") == shown.title
