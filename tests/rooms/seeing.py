"""Whether a frame tells its receiver a tile, a secret or a person that is none of their business.

The frame is read as plain JSON: every key must be known here, so that a new field cannot slip through.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from meldroom.game.state import State, tiles_in
from meldroom.rooms.domain.state import Room

TILE_KEYS = {
    *("rack", "racks", "table", "melds", "discards", "drawn", "tile", "tiles", "pool", "stock", "leftovers"),
    *("changed", "draft", "draft_melds", "unplaced"),
}
"""Wherever tiles may stand; inside melds the other keys are those of NUMBERS."""

NUMBERS = {
    *("at", "seq", "since", "now", "rev", "seat", "me", "by", "owner", "holders", "low", "high", "colour"),
    *("starter", "deals", "rack_sizes", "pool_size", "turns", "queue", "passes", "reshuffles", "number"),
    *("game", "games", "played", "scores", "totals", "wins", "winners", "score", "deadline", "turn_began"),
    *("spectators", "timeouts", "stand_in_after", "seats", "amount", "extra", "agreed_end", "agreed_next"),
    *("asked_stand_in", "order", "stand_ins", "count", "rounds", "stated", "step", "steps", "laid"),
    "infringements",
    *("points", "needed", "set", "index", "retry_ms", "one_after_highest", "run_kind", "next_at", "sitting"),
    *("kept", "taken_back", "good", "unseen", "visible_at", "ended_because", "starts_at", "ready", "redeal"),
}
OTHERS = {
    *("type", "room", "events", "view", "snapshot", "kind", "event", "stage", "settings", "book", "options"),
    *(
        "id",
        "version",
        "book_version",
        "house",
        "clock",
        "public",
        "hints",
        "stand_in",
        "name",
        "level",
        "present",
        "host",
    ),
    *("players", "commitment", "phase", "melded", "withdrawn", "exhausted", "result", "end", "going_out"),
    *("match", "extra_used", "chat", "text", "phrase", "sheet", "why", "clause", "ruling", "secret"),
    *("contributions", "record", "notice", "notice_clause", "notice_ruling", "reading", "outcome", "source"),
    *("cause", "codes", "touched"),
    *("reason", "to", "yes", "asked", "chairs", "new_match", "error", "code", "message", "place", "faults"),
    *("legal", "marks", "judgement", "hint", "reserved", "lock", "championship"),
    *("history", "planning", "puzzles", "bot_speed", "speed", "reaction", "avatar", "profile"),
    *(
        "aids",
        "take_back",
        "nothing_playable",
        "tiles_seen",
        "odds",
        "playable",
        "open",
        "out",
        "draw",
        "faces",
    ),
}


def tiles_told(value: Any, key: str = "") -> Iterator[int]:
    """Every tile in a decoded frame. Fails on a key that nobody has thought about."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name.lstrip("-").isdigit():
                continue  # A map by seat or by set.
            assert name in TILE_KEYS | NUMBERS | OTHERS, f"nobody has decided about {name!r}"
            yield from tiles_told(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from tiles_told(inner, key)
    elif key in TILE_KEYS and isinstance(value, int) and not isinstance(value, bool):
        yield value


def may_see(state: State, seat: int | None) -> set[int]:
    """The tiles that lie open to a seat, or to a spectator."""
    if state.over:
        return set(tiles_in(state))
    seen = {tile for tiles in state.table for tile in tiles} | set(state.discards)
    seen |= {tile for meld in state.melds for tile in meld.tiles}
    return seen | (set(state.racks[seat]) if seat is not None else set())


def check_frame(frame: bytes, room: Room, seat: int | None, also: set[int]) -> None:
    """Fails if a frame tells its receiver at a seat too much. `also` are tiles shown on purpose."""
    decoded = msgspec.json.decode(frame)
    assert isinstance(decoded, dict)
    game = room.game
    told = {tile for tile in tiles_told(decoded) if tile >= 0}
    if game is None:
        assert not told
    else:
        assert told <= may_see(game, seat) | also, (seat, told - may_see(game, seat) - also)
    text = frame.decode()
    for chair in room.chairs:
        assert not chair.player or f'"{chair.player}"' not in text
        if chair.word and room.stage == "playing":
            assert chair.word not in text
    if room.shuffle is not None and room.stage == "playing":
        assert f'"{room.shuffle.secret}"' not in text
    assert not room.sealed or f'"{room.sealed}"' not in text
