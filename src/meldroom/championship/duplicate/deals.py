"""The deals of a duplicate stage: one secret seed, committed to before play, gives them all.

Every deal has a secret of its own, derived from the seed, and follows from it as in any room: a room that is
given the secret deals just this, and to show one deal tells nothing of the others.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator

import msgspec

from meldroom.championship.formats.format import Format
from meldroom.game.apply import deal_order
from meldroom.game.shuffle import Shuffle, commitment
from meldroom.rules.procedures import starters, three_doubles
from meldroom.tiles import Tile

_MOST_ATTEMPTS = 1000


class Deal(msgspec.Struct, frozen=True):
    """A deal as it lies in every box: racks by seat, and the pool in the order it is drawn."""

    stage: str
    sitting: int
    game: int
    starter: int
    """The seat that starts, from 0."""
    racks: tuple[tuple[Tile, ...], ...]
    pool: tuple[Tile, ...]


def deals_commitment(stage: str, seed: str) -> str:
    """What is published before play: change the seed, and it changes."""
    return commitment(f"deals {stage} {seed}")


def _secret(seed: str, stage: str, sitting: int, game: int, attempt: int) -> str:
    message = msgspec.json.encode(["deal", stage, sitting, game, attempt])
    return hmac.digest(seed.encode(), message, "sha256").hex()


def _dealt(made: Format, secret: str, game: int, players: int, starter: int) -> tuple[tuple[Tile, ...], ...]:
    """Racks, and after them the pool."""
    rules = made.rules()
    order = Shuffle(secret).order(f"game {game} deal 1", rules.tiles.every_tile)
    found = deal_order(rules, players, starter, order)
    return (*found.racks, found.pool)


def deal_secret(made: Format, seed: str, stage: str, sitting: int, game: int) -> str:
    """The secret of one deal: the first that gives nobody the right to a new deal (R5)."""
    rules, full = made.rules(), made.table_size().full
    for attempt in range(_MOST_ATTEMPTS):
        secret = _secret(seed, stage, sitting, game, attempt)
        starter = starters(rules, full, game, 0)[-1]
        racks = _dealt(made, secret, game, full, starter)[:full]
        if not any(three_doubles(rules, [rules.tiles.face_of[tile] for tile in rack]) for rack in racks):
            return secret
    raise AssertionError("no deal without doubles")  # pragma: no cover - about one in twenty has any


def deal(made: Format, seed: str, stage: str, sitting: int, game: int, players: int | None = None) -> Deal:
    """One deal for tables of so many players; full ones if nothing is said."""
    size = made.table_size().full if players is None else players
    starter = starters(made.rules(), size, game, 0)[-1]
    parts = _dealt(made, deal_secret(made, seed, stage, sitting, game), game, size, starter)
    return Deal(stage, sitting, game, starter, parts[:-1], parts[-1])


def deal_secrets(made: Format, seed: str, stage: str, sitting: int) -> tuple[str, ...]:
    """The secrets of a sitting's deals, by game."""
    games = range(1, made.stage(stage).games + 1)
    return tuple(deal_secret(made, seed, stage, sitting, game) for game in games)


def all_deals(made: Format, seed: str, stage: str, players: int | None = None) -> Iterator[Deal]:
    """Every deal of a stage, in the order of play."""
    own = made.stage(stage)
    for sitting in range(1, own.sittings + 1):
        for game in range(1, own.games + 1):
            yield deal(made, seed, stage, sitting, game, players)


def tile_names(made: Format, tiles: tuple[Tile, ...]) -> tuple[str, ...]:
    """Tiles as text."""
    known = made.rules().tiles
    return tuple(known.face_names[known.face_of[tile]] for tile in tiles)
