"""What a bot writes: any bytes give an action, a refusal with its reasons, or a clear error; nothing else."""

from __future__ import annotations

import json
import random
import time
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from meldroom.bots.stdio import messages as wire
from meldroom.bots.stdio.answers import as_action, decode_line
from meldroom.bots.stdio.connection import Link
from meldroom.bots.stdio.failure import AnswerError, BotFailure, ErrorCode, FailureCode
from meldroom.bots.stdio.judge import refusal
from meldroom.bots.stdio.process import CHUNK, Lines, TooLong, limited
from meldroom.bots.stdio.serve import as_answer
from meldroom.bots.stdio.turn import ask
from meldroom.bots.stdio.views import actions_now, format_view, parse_view
from meldroom.game import Lay, Play, Shuffle, State, apply, legal, new_game, view
from meldroom.game.actions import Action
from meldroom.game.from_view import fill_hidden, state_from_view
from meldroom.game.state import conserved
from meldroom.i18n import languages
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BOOK_IDS, book
from meldroom.tiles import Face, Tile
from tests.bots.stdio.tables import MATCHBOX

WRC11, RUMMYO = book("wrc11"), book("rummyo")
BOOKS = [book(name) for name in BOOK_IDS]


def states_of(rules: RuleBook, seed: int, most: int = 150) -> list[tuple[State, Action]]:
    """The positions of a game of random legal actions, each with the action taken."""
    chance, shuffle = random.Random(seed), Shuffle(f"seed {seed}")
    state, _ = new_game(rules, ["Ada", "Bo", "Chi"], shuffle)
    found: list[tuple[State, Action]] = []
    while not state.over and len(found) < most:
        action = legal(state).sample(chance)
        found.append((state, action))
        state, _ = apply(state, action, shuffle)
    return found


MIDDLES = [
    game[len(game) // 2 + place][0]
    for game in (states_of(WRC11, 1), states_of(RUMMYO, 2))
    for place in (0, 1)
]


def begun(rules: RuleBook, state: State) -> wire.NewGame:
    """What a bot was told when its game began."""
    return wire.NewGame(
        game=state.game,
        book=rules.ref,
        family=rules.family,
        rules=wire.Rules.of(rules),
        players=state.players,
        seat=state.seat,
        seconds=40,
        seed="",
        commitment=state.commitment,
        stand_ins=(),
    )


def without_marks(message: Any) -> Any:
    """A message with every tile written as its plain face."""
    if isinstance(message, str):
        return message.rstrip("!'")
    if isinstance(message, list):
        return [without_marks(each) for each in message]
    return (
        {key: without_marks(each) for key, each in message.items()} if isinstance(message, dict) else message
    )


def looks(state: State, action: Action) -> object:
    """A play by its faces."""
    face_of = state.book.tiles.face_of
    if isinstance(action, Lay):
        return sorted(sorted(face_of[tile] for tile in tiles) for tiles in action.table)
    if isinstance(action, Play) and action.discard is not None:
        return [[face_of[t] for t in m.tiles] for m in action.melds], face_of[action.discard]
    return action


@pytest.mark.parametrize("rules", BOOKS, ids=BOOK_IDS)
def test_every_legal_action_survives_the_wire_in_exact_tiles_and_in_plain_faces(rules: RuleBook) -> None:
    for state, action in states_of(rules, 3):
        mine = view(state, state.seat)
        answer = msgspec.json.encode(as_answer(7, action, rules.tiles))
        assert as_action(rules, mine, decode_line(answer)) == action
        assert refusal(rules, mine, action) is None
        plain = as_action(rules, mine, decode_line(json.dumps(without_marks(json.loads(answer))).encode()))
        assert looks(state, plain) == looks(state, action) or not isinstance(action, Lay | Play)
        apply(state, plain, Shuffle("any"))
        assert wire.kind_of(decode_line(answer)) in actions_now(rules, mine)


@pytest.mark.parametrize("rules", BOOKS, ids=BOOK_IDS)
def test_a_view_survives_the_wire_and_tells_nothing_hidden(rules: RuleBook) -> None:
    for state, _ in states_of(rules, 4):
        mine = view(state, state.seat)
        line = msgspec.json.encode(format_view(rules, mine, "exact"))
        told = msgspec.json.decode(line, type=wire.TableView)
        assert parse_view(begun(rules, state), rules.tiles, told) == mine
        plain = format_view(rules, mine, "faces")
        assert not any("'" in text or "!" in text for text in plain.rack)
        assert all(set(rack) <= {"?"} for seat, rack in enumerate(plain.racks) if seat != state.seat)
        imagined = fill_hidden(state_from_view(rules, mine))
        assert conserved(imagined)
        assert view(imagined, state.seat) == mine


def lay_refused(rack: str, table: list[list[str]], *, rules: RuleBook = WRC11) -> set[str]:
    """The codes with which a first lay is refused, by somebody with this rack."""
    state, _ = new_game(rules, ["Ada", "Bo"], Shuffle("a game"), starter=0)
    faces = [read_face(rules, text) for text in rack.split()]
    held: list[Tile] = []
    for face in faces:
        held.append(next(tile for tile in rules.tiles.tiles_of(face) if tile not in held))
    rest = [tile for tile in range(rules.tiles.size) if tile not in held]
    racks = (tuple(held), tuple(rest[:14]))
    state = msgspec.structs.replace(state, racks=racks, pool=tuple(rest[14:]))
    answer = wire.Lay(id=1, table=tuple(map(tuple, table)))
    why = refusal(rules, view(state, 0), as_action(rules, view(state, 0), answer))
    return set() if why is None else {why.code, *(fault.code for fault in why.faults)}


def read_face(rules: RuleBook, text: str) -> Face:
    """The face of a tile."""
    return Face(rules.tiles.face_names.index(text))


def test_a_refusal_names_every_violation_with_its_clause() -> None:
    assert lay_refused("R10 B10 K10", [["R10", "B10", "K10"]]) == set()
    assert lay_refused("R9 B9 K9", [["R9", "B9", "K9"]]) == {"illegal_turn", "MELD_LT_30"}
    assert lay_refused("R1 R2 B3 B4", [["R1", "R2"], ["B3", "B4"]]) >= {"SET_INVALID", "MELD_LT_30"}


def test_tiles_not_held_are_refused_as_such_whatever_else_is_wrong() -> None:
    assert lay_refused("R10 B10", [["R10", "B10", "K10"]]) >= {"tile_not_on_rack", "TILE_NOT_ON_RACK"}
    assert lay_refused("R10 B10", [["R10", "R10", "R10"]]) >= {"TILE_NOT_ON_RACK", "SET_INVALID"}
    assert lay_refused("R10 B10 K10", [["R10'", "B10", "K10"]]) == {"tile_not_on_rack"}
    assert lay_refused("R10 B10 K10", [["R10!", "B10!", "K10"]]) == set()


@pytest.mark.parametrize(
    ("line", "code", "told"),
    [
        (b"draw", "bad_json", "this isn't JSON"),
        (b"\xff\xfe", "bad_json", "utf-8"),
        (b'{"type":"draw","id":1,"x":"\xff"}', "bad_json", "utf-8"),
        (b'{"type":"resign","id":1}', "bad_message", "resign"),
        (b'{"type":"lay","id":1}', "bad_message", "table"),
        (b'{"type":"lay","id":1,"table":[["R1",2]]}', "bad_message", "table[0][1]"),
        (b"null", "bad_message", "object"),
        (b'{"type":"draw","id":1,"x":' + b"[" * 100_000, "bad_json", "nested too deeply"),
    ],
    ids=["words", "no text", "text inside", "unknown", "no table", "wrong kind", "null", "deep"],
)
def test_a_line_that_is_no_message_is_told_what_is_wrong(line: bytes, code: str, told: str) -> None:
    with pytest.raises(AnswerError) as caught:
        decode_line(line)
    assert caught.value.code == code
    assert told.lower() in str(caught.value).lower()


def test_every_error_and_failure_speaks_both_languages() -> None:
    errors = [AnswerError(code, "detail") for code in get_args(ErrorCode)]
    failures = [BotFailure(code, "detail") for code in get_args(FailureCode)]
    for error in (*errors, *failures):
        texts = {error.message(language) for language in languages()}
        assert len(texts) == len(languages())
        assert len({"detail" in text for text in texts}) == 1


class Canned:
    """Stands for a process that has written some lines and then falls silent."""

    written = ""

    def __init__(self, lines: list[bytes]) -> None:
        self.lines = lines
        self.sent: list[bytes] = []

    def begin_turn(self) -> None:
        """Nothing is counted here."""

    def send(self, line: bytes) -> None:
        """Remember."""
        self.sent.append(line)

    def receive(self, deadline: float) -> bytes | TooLong | None:
        """The next line."""
        return self.lines.pop(0) if self.lines else None


def asked(state: State, lines: list[bytes]) -> tuple[Action | BotFailure, list[wire.FromHost]]:
    """What a turn leads to when the bot writes these lines, and what it was sent."""
    canned = Canned(lines)
    link = Link(canned, wire.Limits(), "fr", None)  # type: ignore[arg-type]
    result: Action | BotFailure
    try:
        result = ask(link, state.book, view(state, state.seat), time.monotonic() + 10)
    except BotFailure as failure:
        result = failure
    decoder = msgspec.json.Decoder(wire.FromHost)
    return result, [decoder.decode(line) for line in canned.sent]


def holds(state: State, lines: list[bytes]) -> None:
    """Whatever was written, an action or a failure comes of it, and what was sent back are messages."""
    result, sent = asked(state, lines)
    assert isinstance(sent[0], wire.Turn)
    assert all(isinstance(message, wire.Error | wire.Refused) for message in sent[1:])
    if isinstance(result, BotFailure):
        assert result.loses == (result.code in ("errors", "refused"))
        return
    assert refusal(state.book, view(state, state.seat), result) is None
    after, _ = apply(state, result, Shuffle("any"))
    assert conserved(after)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)
tile_words = st.sampled_from(["R1", "R2", "R3", "K13", "*", "*'", "b9", "O10'", "O10!", "?", "Q1", "R14", ""])
word_lists = st.lists(tile_words, max_size=5) | st.lists(tile_words | json_values, max_size=3)
likely_messages = st.fixed_dictionaries(
    {
        "type": st.sampled_from(
            ["draw", "lay", "pass", "take", "play", "discard", "request_redeal", "withdraw"]
        ),
        "id": st.integers(-1, 5) | json_values,
    },
    optional={
        "table": st.lists(word_lists, max_size=4),
        "stated": st.dictionaries(st.sampled_from(["0", "1", "-1", "x", "99"]), word_lists, max_size=2),
        "tiles": word_lists,
        "tile": tile_words,
        "discard": tile_words,
        "source": st.sampled_from(["stock", "discard", "pool"]),
        "seat": st.integers(-1, 3) | json_values,
        "melds": st.lists(
            st.fixed_dictionaries(
                {"tiles": word_lists},
                optional={"owner": st.integers(-2, 4), "kind": st.sampled_from(["run", "group", "x"])},
            ),
            max_size=4,
        ),
    },
)
any_line = (
    st.binary(max_size=60)
    | json_values.map(lambda value: json.dumps(value).encode())
    | likely_messages.map(lambda value: json.dumps(value).encode())
)


@given(st.sampled_from(MIDDLES), st.lists(any_line, max_size=6))
def test_any_lines_give_an_action_or_a_clear_failure(state: State, lines: list[bytes]) -> None:
    holds(state, lines)


@given(st.sampled_from(MIDDLES), st.data())
def test_any_play_with_the_tiles_at_hand_is_judged(state: State, data: st.DataObject) -> None:
    tiles = state.book.tiles
    near = [*state.racks[state.seat], *(t for each in state.table for t in each)]
    near += [tile for meld in state.melds for tile in meld.tiles]
    some = data.draw(
        st.lists(st.lists(st.sampled_from([tiles.name(tile) for tile in near]), max_size=5), max_size=5)
    )
    kept = [[tiles.name(tile) for tile in meld.tiles] for meld in state.melds]
    discard = data.draw(st.sampled_from([tiles.name(tile) for tile in near]))
    owner = data.draw(st.none() | st.integers(-1, 3))
    melds = [{"tiles": each} for each in kept] + [{"tiles": each, "owner": owner} for each in some]
    table = [[tiles.name(tile) for tile in each] for each in state.table]
    answers = (
        {"type": "lay", "id": 1, "table": [*table, *some]},
        {"type": "lay", "id": 2, "table": some},
        {"type": "play", "id": 1, "melds": melds, "discard": discard},
        {"type": "play", "id": 2, "melds": melds[: len(some)], "discard": discard},
        {"type": "discard", "id": 3, "tile": discard},
    )
    holds(state, [json.dumps(answer).encode() for answer in answers])


@given(st.lists(st.binary(max_size=30)), st.integers(1, 20))
def test_lines_do_not_depend_on_how_they_come(pieces: list[bytes], longest: int) -> None:
    whole = b"".join(pieces)
    expected: list[bytes | None] = [
        line if len(line) <= longest else None
        for line in whole.split(b"\n")
        if line.strip() or len(line) > longest
    ]
    lines, found = Lines(longest), list[bytes | None]()

    def collect(ended: bool) -> None:
        while (line := lines.next(ended)) is not None:
            found.append(None if isinstance(line, TooLong) else line)

    for piece in pieces:
        lines.feed(piece)
        collect(ended=False)
    collect(ended=True)
    assert found == expected


def test_a_line_without_end_is_not_kept() -> None:
    lines = Lines(1000)
    for _ in range(100):
        lines.feed(b"x" * CHUNK)
        assert lines.next() is None
        assert len(lines._held) <= 1000
    lines.feed(b"\n{}\n")
    assert isinstance(lines.next(), TooLong)
    assert lines.next() == b"{}"


def test_a_refusal_asks_again_under_a_new_number_and_in_the_callers_language() -> None:
    state = states_of(MATCHBOX, 5)[0][0]
    lay = b'{"type":"lay","id":1,"table":[["R1","R2"]]}'
    draw = [b'{"type":"draw","id":%d}' % number for number in (1, 0, 9, 2)]
    result, sent = asked(state, [lay, *draw])
    assert not isinstance(result, BotFailure)
    refused, error = sent[1:]
    assert isinstance(refused, wire.Refused)
    assert (refused.of, refused.id, refused.again) == (1, 2, True)
    assert "n'est pas" in refused.message or "n’est pas" in refused.message
    assert all(fault.clause or fault.ruling for fault in refused.violations)
    assert isinstance(error, wire.Error)
    assert error.code == "bad_id"


def test_r68_too_many_refusals_lose_the_game() -> None:
    state = states_of(MATCHBOX, 5)[0][0]
    tile = state.book.tiles.name(state.racks[state.seat][0])
    lines = [b'{"type":"lay","id":%d,"table":[["%s"]]}' % (n, tile.encode()) for n in range(1, 50)]
    result, sent = asked(state, lines)
    assert isinstance(result, BotFailure)
    assert result.code == "refused"
    assert result.loses
    last = sent[-1]
    assert isinstance(last, wire.Refused)
    assert (last.again, last.id) == (False, None)
    assert len(sent) == 1 + wire.Limits().refusals


def test_limits_are_set_by_the_shell_that_starts_the_bot() -> None:
    assert limited(["bot", "a b"], None, None) == ["bot", "a b"]
    words = limited(["bot", "a b"], 1024_000, 7)
    assert words[:3] == ["/bin/sh", "-c", 'ulimit -v 1000 && ulimit -t 7 && exec "$@"']
    assert words[3:] == ["sh", "bot", "a b"]
