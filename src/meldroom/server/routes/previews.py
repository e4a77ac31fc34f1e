"""What each page says of itself to other sites: only what its link shows to anybody."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import parse_qs, quote, unquote, urlencode

from meldroom.api.schemas import LONGEST_TEXT
from meldroom.i18n import Language
from meldroom.rooms.ports import FinishedGame, Store
from meldroom.rules.library import BookError, book
from meldroom.server.storage import StorageError
from meldroom.server.web.page_paths import OFFLINE_APP
from meldroom.site.head import Head, head_of

API = "/api/v1"
LONGEST_LINE = 120


class Previews:
    """The heads of the app's pages. Rooms are not looked up: whether one exists is nobody else's business."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def head(self, path: str, query: str, language: Language) -> Head | None:
        """The head of a page; None if the path names a game that does not exist."""
        asked = {name: values[-1] for name, values in parse_qs(query, max_num_fields=20).items()}
        if path.startswith(OFFLINE_APP):
            return head_of("offline", language)
        match [unquote(part) for part in path.split("/") if part]:
            case ["g", game, *step]:
                return await self._game(game, {"step": step[0], **asked} if step else asked, language)
            case ["position"]:
                return _position(asked, language)
            case ["rules", named, *_] if (label := _label(named)) is not None:
                return head_of("book", language, book=label)
            case ["rules", *_]:
                return head_of("rules", language)
            case ["r", _]:
                return head_of("room", language)
            case ["tutorial" | "learn"]:
                return head_of("tutorial", language)
            case ["championships"] | ["championship", *_] | ["league", *_]:
                return head_of("championships", language)
            case _:
                return head_of("landing", language)

    async def _game(self, game: str, asked: dict[str, str], language: Language) -> Head | None:
        try:
            found = await self._store.finished(game)
        except StorageError:
            # The page itself will say so; a preview is not worth an error.
            return head_of("landing", language)
        if found is None:
            return None
        step = asked.get("step", "")
        name = step if step.isascii() and step.isdigit() and len(step) <= 5 else "last"
        seat = asked.get("seat", "")
        seen = f"?seat={seat}" if seat in [str(number) for number in range(len(found.players))] else ""
        return head_of(
            "game",
            language,
            picture=f"{API}/games/{quote(game, safe='')}/steps/{name}.png{seen}",
            players=_short(found.players),
            book=_label(found.book) or found.book,
            scores=_scores(found),
        )


def _position(asked: dict[str, str], language: Language) -> Head:
    """A position is drawn from the link itself."""
    text, named = asked.get("text", ""), asked.get("book", "")
    label = _label(named or text.partition("@")[0].strip()) or _label("wrc11") or ""
    if not 0 < len(text) <= LONGEST_TEXT:
        return head_of("position", language, book=label)
    given = {"text": text, **({"book": named} if named else {})}
    return head_of("position", language, picture=f"{API}/position.png?{urlencode(given)}", book=label)


def _label(named: str) -> str | None:
    """What a published book is called; None for anything else."""
    try:
        return book(named).label
    except BookError:
        return None


def _scores(found: FinishedGame) -> str:
    signed = [f"−{-score}" if score < 0 else f"+{score}" if score else "0" for score in found.scores]
    return _short([f"{name} {score}" for name, score in zip(found.players, signed, strict=True)])


def _short(parts: Sequence[str]) -> str:
    line = ", ".join(parts)
    return line if len(line) <= LONGEST_LINE else line[: LONGEST_LINE - 1] + "…"
