"""Everything a client should not say: noise, half a message, wrong types, too much, too deep."""

from __future__ import annotations

import json
from typing import Any, get_args

from hypothesis import strategies as st

from meldroom.rooms.protocol.commands import LARGEST_FRAME, Topic

Frame = str | bytes

NUMBERS = st.one_of(
    st.integers(-3, 200), st.sampled_from([2**31, 2**53, 2**63, 2**64, -(2**63), 10**30]), st.floats()
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, st.text(max_size=20)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
TILES = st.lists(st.integers(-2, 120), max_size=6)
SETS = st.lists(TILES, max_size=6)
SEATS = st.integers(-1, 5)
MELDS = st.lists(
    st.fixed_dictionaries(
        {"tiles": TILES, "owner": SEATS}, optional={"kind": st.sampled_from(["run", "group", None, "heap"])}
    ),
    max_size=4,
)
ACTIONS = st.one_of(
    st.fixed_dictionaries({"action": st.sampled_from(["draw", "pass", "withdraw"]), "seat": SEATS}),
    st.fixed_dictionaries({"action": st.just("lay"), "seat": SEATS, "table": SETS}),
    st.fixed_dictionaries({"action": st.just("request_redeal"), "seat": SEATS, "tiles": TILES}),
    st.fixed_dictionaries(
        {"action": st.just("take"), "seat": SEATS, "source": st.sampled_from(["stock", "discard", "rack"])}
    ),
    st.fixed_dictionaries(
        {"action": st.just("play"), "seat": SEATS, "melds": MELDS, "discard": st.integers(-2, 120)}
    ),
    st.fixed_dictionaries({"action": st.just("discard"), "seat": SEATS, "tile": st.integers(-2, 120)}),
    st.fixed_dictionaries(
        {"action": st.sampled_from(["time_out", "correct", "abandon", "rule_leftovers"]), "seat": SEATS}
    ),
)
TEXTS = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        ["<script>alert(1)</script>", "\u202eevil", "\x00", "x" * 301, "\ud83d", "’; drop table"]
    ),
)
TOPICS = st.sampled_from([*get_args(Topic), "racks"])
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "hello": st.fixed_dictionaries(
        {"version": st.integers(-1, 3)},
        optional={"language": st.sampled_from(["en", "fr", "qq"]), "token": TEXTS, "visitor": st.booleans()},
    ),
    "ping": st.just({}),
    "follow": st.fixed_dictionaries({"topic": TOPICS}, optional={"of": TEXTS}),
    "unfollow": st.fixed_dictionaries({"topic": TOPICS}, optional={"of": TEXTS}),
    "enter": st.fixed_dictionaries({}, optional={"since": NUMBERS}),
    "leave": st.just({}),
    "sit": st.fixed_dictionaries({"seat": SEATS}, optional={"word": TEXTS}),
    "stand_up": st.just({}),
    "seat_bot": st.fixed_dictionaries({"seat": SEATS, "level": st.sampled_from(["club", "genius", ""])}),
    "clear_seat": st.fixed_dictionaries({"seat": SEATS}),
    "begin": st.just({}),
    "act": st.fixed_dictionaries({"rev": NUMBERS, "action": ACTIONS}),
    "draft": st.fixed_dictionaries(
        {"rev": NUMBERS},
        optional={"table": SETS, "melds": MELDS, "discard": st.integers(-2, 120), "stated": VALUES},
    ),
    "extra_time": st.fixed_dictionaries({"rev": NUMBERS}),
    "hint": st.fixed_dictionaries({"rev": NUMBERS, "step": st.integers(-1, 22)}),
    "agree": st.fixed_dictionaries({"to": st.sampled_from(["end", "next", "war"])}, optional={"yes": VALUES}),
    "stand_in": st.fixed_dictionaries({"seat": SEATS}),
    "reclaim": st.just({}),
    "say": st.fixed_dictionaries({}, optional={"text": TEXTS, "phrase": st.sampled_from(["hello", "boo"])}),
    "shout": st.just({}),
}


def commands(rooms: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    """Commands that can be read, most of which make no sense; of the rooms some are one's own."""
    return st.sampled_from(sorted(FIELDS)).flatmap(
        lambda do: st.builds(
            lambda number, room, fields: {"do": do, "id": f"n{number}", "room": room, **fields},
            st.integers(0, 10**6),
            st.sampled_from([*rooms, "nowhere", "", "../etc"]),
            FIELDS[do],
        )
    )


def spoilt(rooms: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    """Commands in which one field is something else altogether, or is missing."""

    def spoil(command: dict[str, Any], place: int, value: Any, gone: bool) -> dict[str, Any]:
        key = sorted(command)[place % len(command)]
        rest = {name: each for name, each in command.items() if name != key}
        return rest if gone else {**rest, key: value}

    return st.builds(spoil, commands(rooms), st.integers(0, 20), VALUES, st.booleans())


def frames(rooms: list[str]) -> st.SearchStrategy[Frame]:
    """One frame of any kind of nonsense."""
    said = commands(rooms).map(json.dumps)
    return st.one_of(
        said,
        said,
        spoilt(rooms).map(json.dumps),
        st.builds(lambda text, cut: text[: cut % max(1, len(text))], said, st.integers(0, 500)),
        st.text(max_size=60).filter(_can_travel),
        VALUES.map(json.dumps),
        st.binary(max_size=60),
        st.sampled_from(
            [
                "[" * 5000,
                '{"do":' * 3000,
                '{"do":"ping","id":"' + "x" * 50 + '"}',
                '{"do":"ping","id":"1","id":"2"}',
                '{"do":"say","id":"1","room":"abcdef","text":"' + "x" * (LARGEST_FRAME + 1) + '"}',
                "\ufeff{}",
                "NaN",
                "",
            ]
        ),
    )


def _can_travel(text: str) -> bool:
    """Half a surrogate pair is no text that a socket could carry."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)
