"""What a search found, as JSON for programs and as text for people."""

from __future__ import annotations

from typing import Any

import msgspec

from meldroom.arena.reporting.number_format import duration, estimate, number, share_text
from meldroom.arena.reporting.statistics import Estimate
from meldroom.arena.respond.population import Candidate
from meldroom.i18n import Language, locale, message

BEST_SHOWN = 12


class Spent(msgspec.Struct):
    """What a search has used: processor seconds of all processes together, and games."""

    seconds: float = 0.0
    games: int = 0


class Finalist(msgspec.Struct, frozen=True):
    """One of the last few, on the deals that chose the best of them."""

    id: str
    games: int
    wins: Estimate | None
    score: Estimate | None


class Found(msgspec.Struct, frozen=True):
    """The best response that was found. `fresh` is its share of wins on deals that nothing was chosen by."""

    question: dict[str, Any]
    best: Candidate
    fresh: Estimate
    fresh_score: Estimate
    fresh_games: int
    level: float
    rounds: int
    spent: Spent
    budget: dict[str, Any]
    finalists: tuple[Finalist, ...]
    population: list[dict[str, Any]]

    def to_json(self) -> bytes:
        """Everything, for programs."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"

    def to_text(self, language: Language = "en") -> str:
        """The figure, what it cost, and a table of what was tried."""
        return "\n".join(_lines(self, language)) + "\n"

    def to_toml(self, deals: int = 100) -> str:
        """An experiment that sets the best response against the bot it answers."""
        quoted = msgspec.json.encode
        lines = [f"seed = {quoted(self.question['seed'] + ' again').decode()}", f"deals = {deals}"]
        lines += ['format = "tables"', f"conduct = {_inline(self.question['conduct'])}"]
        others = ["target"] * (self.question["players"] - 1)
        lines.append(f"tables = [{quoted(['response', *others]).decode()}]")
        book = self.question["book"]
        lines.append(f"books = [{_inline(book)}]")
        for name, bot in (("target", self.question["target"]), ("response", self.best.bot)):
            lines += ["", f"[bots.{name}]", *(f"{key} = {_inline(value)}" for key, value in bot.items())]
        return "\n".join(lines) + "\n"


def _inline(value: Any) -> str:
    """A value as TOML: JSON is, but for tables."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_inline(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return msgspec.json.encode(value).decode()


def _key(key: str) -> str:
    return key if key.isascii() and key.replace("_", "").replace("-", "").isalnum() else f'"{key}"'


def _lines(found: Found, language: Language) -> list[str]:
    question = found.question
    book = question["book"]
    rate, interval = share_text(found.fresh, language)
    score, spread = estimate(found.fresh_score, language)
    level, _ = share_text(Estimate(found.level), language)
    lines = [
        message(
            "arena.respond.asked",
            language,
            target=bot_text(question["target"]),
            book=book if isinstance(book, str) else str(book.get("name") or book.get("id") or "house"),
            count=question["players"],
        ),
        message(
            "arena.respond.best", language, rate=rate, interval=interval, count=found.fresh_games, level=level
        ),
        message("arena.respond.score", language, score=f"{score} {spread}".strip()),
        message("arena.respond.who", language, id=found.best.id, origin=origin(found.best.origin, language)),
        f"  {bot_text(found.best.bot)}",
        message(
            "arena.respond.spent",
            language,
            time=duration(found.spent.seconds),
            seconds=number(found.spent.seconds, 0, language),
            count=found.spent.games,
        ),
        message("arena.respond.tried", language, count=len(found.population)),
        "",
        message("arena.respond.by_origin", language),
        *_by_origin(found, language),
        "",
        message("arena.respond.finalists", language),
    ]
    names = {row["id"]: row for row in found.population}
    for each in found.finalists:
        if each.wins is not None:
            row = names[each.id]
            lines.append(_row(each.id, row["origin"], row["name"], each.wins, each.games, language))
    lines += ["", message("arena.respond.most_promising", language)]
    shown = sorted(
        (row for row in found.population if row["wins"] is not None),
        key=lambda row: (-row["promise"], row["id"]),
    )
    for row in shown[:BEST_SHOWN]:
        lines.append(_row(row["id"], row["origin"], row["name"], row["wins"], row["games"], language))
    return lines


def _by_origin(found: Found, language: Language) -> list[str]:
    lines = []
    for kind in dict.fromkeys(row["origin"] for row in found.population):
        rows = [row for row in found.population if row["origin"] == kind and row["wins"] is not None]
        if not rows:
            continue
        best = max(rows, key=lambda row: (row["promise"], row["games"]))
        games = sum(row["games"] for row in rows)
        rate, _ = share_text(best["wins"], language)
        text = message(
            "arena.respond.origin_line",
            language,
            tried=locale(language).number(len(rows)),
            games=locale(language).number(games),
            rate=rate,
            id=best["id"],
        )
        lines.append(f"  {origin(kind, language):<22} {text}")
    return lines


def _row(id: str, kind: str, name: str, wins: Estimate, games: int, language: Language) -> str:
    rate, interval = share_text(wins, language)
    played = message("arena.respond.games", language, count=games)
    return f"  {id}  {rate:>7} {interval:<12} {played:<14} {origin(kind, language)} {name}".rstrip()


def origin(kind: str, language: Language) -> str:
    """Where a candidate comes from, in words."""
    return message(f"arena.respond.origin.{kind}", language)


def bot_text(bot: dict[str, Any]) -> str:
    """A bot in a line: what it is, and its parameters."""
    rest = {key: value for key, value in bot.items() if key not in ("level", "python", "command")}
    what = bot.get("level") or bot.get("python") or " ".join(bot.get("command", ()))
    return " ".join([str(what), *(f"{key}={_plain(value)}" for key, value in rest.items())])


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
