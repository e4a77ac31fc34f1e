"""Broken records: a typed error that names the place, never anything else."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET

import pytest

from meldroom.record import (
    NotationError,
    Position,
    Record,
    loads,
    parse_position,
    replay,
    to_json,
    to_svg,
    to_text,
    verify,
)
from meldroom.record.load import LARGEST_FILE
from meldroom.record.narrate import Narrator
from meldroom.record.text_format import LONGEST_LINE, MOST_LINES
from tests.record import eventful_games

HEAD = "meldroom-record 1\nbook: wrc11 1\nseat 1: Ada\nseat 2: Bo\n\n"
DEALT = HEAD + "starter Ada\nracks unknown\n"

# Text, code, line, column.
BAD: list[tuple[str, str, int, int]] = [
    ("", "not_a_record", 1, 1),
    ("hello", "not_a_record", 1, 1),
    ("meldroom-record 2\n\n", "unknown_version", 1, 0),
    ("meldroom-record 1\nbook: wrc11 1", "no_blank_line", 2, 0),
    ("meldroom-record 1\nbook wrc11\n\n", "bad_header", 2, 1),
    ("meldroom-record 1\nseat 1: Ada\n\n", "no_book", 3, 0),
    ("meldroom-record 1\nbook: wrc11\n\n", "bad_book", 2, 7),
    ("meldroom-record 1\nbook: wrc12 1\n\n", "book", 2, 7),
    ("meldroom-record 1\nbook: wrc11 9\n\n", "book", 2, 7),
    ("meldroom-record 1\nbook: x 1\nhouse: {\n\n", "bad_json", 3, 8),
    ("meldroom-record 1\nbook: x 1\nhouse: []\n\n", "bad_house", 3, 8),
    ('meldroom-record 1\nbook: x 1\nhouse: {"id": "x"}\n\n', "book", 3, 8),
    ("meldroom-record 1\nbook: x 1\nhouse: " + "[" * 100_000 + "\n\n", "bad_json", 3, 8),
    ("meldroom-record 1\nbook: wrc11 1\noptions: fast\n\n", "bad_option", 3, 10),
    ("meldroom-record 1\nbook: wrc11 1\noptions: fast=1\n\n", "book", 2, 7),
    ("meldroom-record 1\nbook: wrc11 1\nbook: wrc11 1\n\n", "header_twice", 3, 1),
    ("meldroom-record 1\nbook: wrc11 1\nplayers: Ada, Bo\n\n", "reserved_header", 3, 1),
    ("meldroom-record 1\nbook: wrc11 1\nseat 1: Ada\nseat 3: Bo\n\n", "bad_seats", 4, 0),
    ("meldroom-record 1\nbook: wrc11 1\nseat 1: Ada\n\n", "bad_players", 3, 0),
    ("meldroom-record 1\nbook: wrc11 1\nseat 1: Ada\nseat 2: Ada\n\n", "bad_name", 4, 0),
    ('meldroom-record 1\nbook: wrc11 1\nseat 1: Ada\nseat 2: "\\ud800"\n\n', "bad_string", 4, 9),
    (HEAD.replace("\n\n", "\ngame: 0\n\n"), "bad_number", 5, 0),
    (HEAD.replace("\n\n", "\nclock: soon\n\n"), "expected_number", 5, 8),
    (HEAD.replace("\n\n", "\ncontributions: [1]\n\n"), "bad_contributions", 5, 16),
    (HEAD.replace("\n\n", '\ncontributions: ["a"]\n\n'), "no_secret", 5, 0),
    (HEAD.replace("\n\n", "\nstand-ins: R7\n\n"), "bad_stand_ins", 5, 0),
    (HEAD.replace("\n\n", "\nstand-ins: R99\n\n"), "unknown_tile", 5, 12),
    (DEALT + "Ada draws X5\n", "unknown_tile", 8, 11),
    (DEALT + "Ada draws R14\n", "unknown_tile", 8, 11),
    (DEALT + "Ada draws R7''\n", "third_copy", 8, 11),
    (DEALT + "Ada draws R7'!\n", "unknown_tile", 8, 11),
    (DEALT + "Ada lays R7 R7 R7\n", "third_copy", 8, 16),
    (DEALT + "Ada lays R7' R7' R7\n", "tile_twice", 8, 14),
    (DEALT + "Ada lays ? R7 R8\n", "not_hidden", 8, 10),
    (DEALT + "Ada lays | R7 R8 R9\n", "empty_set", 8, 0),
    (DEALT + "Zoe draws R5\n", "unknown_player", 8, 1),
    (DEALT + "Ada jumps\n", "unknown_verb", 8, 5),
    (DEALT + "Ada\n", "unknown_verb", 8, 4),
    (DEALT + "Ada draws R5 R6\n", "wrong_count", 8, 16),
    (DEALT + "Ada passes now\n", "left_over", 8, 12),
    (DEALT + "Ada is penalised three (time)\n", "expected_number", 8, 18),
    (DEALT + "Ada is penalised 999 (time)\n", "expected_number", 8, 18),
    (DEALT + "Ada is penalised 3 (luck)\n", "expected", 8, 21),
    (DEALT + "Ada is penalised 2 (time): R1 R2 R3\n", "wrong_count", 8, 36),
    (DEALT + 'Ada is penalised 1 (time, "a b"): R1\n', "bad_codes", 8, 0),
    (DEALT + "Ada takes tea\n", "expected", 8, 11),
    (DEALT + "Ada discards\n", "line_ends", 8, 13),
    (DEALT + "end out: Ada 5, winner Ada\n", "no_score", 8, 27),
    (DEALT + "end out: Ada 5, Ada 6\n", "twice", 8, 21),
    (DEALT + "end won: Ada 5, Bo 6\n", "expected", 8, 5),
    (DEALT + "end out: Ada 99999999999, Bo 6\n", "expected_number", 8, 14),
    (DEALT + "referee: R5 to rack Bo\n", "expected", 8, 10),
    (DEALT + "referee: turn Ada, R5 to moon\n", "expected", 8, 26),
    (DEALT + 'referee "why: turn Ada\n', "open_quote", 8, 9),
    (DEALT + 'referee "\\x": turn Ada\n', "bad_string", 8, 9),
    (HEAD + "deal 1: Ada R1\n", "no_starter", 6, 0),
    (HEAD + "starter Ada\ndeal 1: Ada R1 / Ada R2\n", "twice", 7, 22),
    (HEAD + "starter Ada\ndeal 1: Ada ?x200\n", "too_many_unknown", 7, 13),
    (HEAD + "starter Ada\ndeal 1: Ada ?x0\n", "too_many_unknown", 7, 13),
    (HEAD + "starter Ada: Ada\n", "line_ends", 6, 17),
    (HEAD + "Ada withdraws\n", "not_dealt", 6, 0),
    (HEAD + "turn Ada\n", "not_dealt", 6, 0),
    (HEAD + "; " + "x" * 3000, "long_text", 6, 0),
    (HEAD + "x" * (LONGEST_LINE + 1), "long_line", 6, LONGEST_LINE + 1),
    (HEAD + "\n" * (MOST_LINES + 1), "too_many_lines", MOST_LINES + 1, 0),
]


@pytest.mark.parametrize(
    ("text", "code", "line", "column"), BAD, ids=[f"{c}-{n}" for n, (_, c, *_) in enumerate(BAD)]
)
def test_an_error_names_its_place(text: str, code: str, line: int, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        loads(text)
    error = caught.value
    assert (error.code, error.line, error.column) == (code, line, column)
    assert str(error).startswith(f"line {line}, column {column}: " if column else f"line {line}: ")
    assert error.message("fr").startswith(f"ligne {line}")
    assert len(str(error)) < 400
    assert "\n" not in str(error)


BAD_JSON = [
    (b"{", "bad_json", ""),
    (b"[1]", "not_a_json_record", ""),
    (b"{}", "not_a_json_record", ""),
    (b'{"meldroom-record": true}', "not_a_json_record", ""),
    (b'{"meldroom-record": 7}', "unknown_version", "meldroom-record"),
    (b'{"meldroom-record": 1}', "bad_shape", ""),
    (b'{"meldroom-record": 1, "headers": []}', "bad_shape", "headers"),
    (b'{"meldroom-record": 1, "headers": {"book": 5}}', "bad_shape", "headers.book"),
    (
        b'{"meldroom-record": 1, "headers": {"book": "wrc11", "version": "1", "players": ["Ada"]}}',
        "bad_players",
        "headers.seat 1",
    ),
    (b"[" * 1_000_000, "deep_json", ""),
    (b'{"a":' * 100_000, "deep_json", ""),
    (b'{"meldroom-record": 1e999}', "bad_json", ""),
]
EVENTS = [
    (b'{"event": "flew"}', "bad_shape", "events[0].event"),
    (b'{"event": "drew", "seat": 0, "tile": 5}', "not_dealt", "events[0]"),
    (b'{"event": "starter_chosen", "seat": 4}', "no_such_seat", "events[0]"),
    (b'{"event": "starter_chosen", "seat": 0, "rounds": [[[0, 106]]]}', "no_such_tile", "events[0]"),
    (b'{"event": "starter_chosen", "seat": 0, "rounds": [[]]}', "empty_set", "events[0]"),
    (b'{"event": "shuffle_revealed", "secret": "x"}', "header_event", "events[0]"),
    (b'{"event": "dealt", "number": 1, "racks": [], "pool": []}', "wrong_racks", "events[0]"),
    (b'{"event": "game_ended", "end": "out", "scores": [1], "winners": []}', "wrong_scores", "events[0]"),
]
HEADERS = b'{"book": "wrc11", "version": "1", "players": ["Ada", "Bo"]}'
START = b'{"meldroom-record": 1, "headers": ' + HEADERS + b', "events": ['


@pytest.mark.parametrize(
    ("data", "code", "place"),
    BAD_JSON + [(START + data + b"]}", code, place) for data, code, place in EVENTS],
)
def test_an_error_in_json_names_its_place(data: bytes, code: str, place: str) -> None:
    with pytest.raises(NotationError) as caught:
        loads(data)
    assert (caught.value.code, caught.value.where) == (code, place)


def test_broken_utf8_is_named_by_line_and_column() -> None:
    with pytest.raises(NotationError) as caught:
        loads(DEALT.encode() + "Zoë".encode() + b"\xff draws")
    assert (caught.value.code, caught.value.line, caught.value.column) == ("not_utf8", 8, 4)


def test_a_file_too_large_is_refused() -> None:
    with pytest.raises(NotationError, match="at most"):
        loads(b" " * (LARGEST_FILE + 1))


def mutated(data: bytes, chance: random.Random) -> bytes:
    """The same bytes with a few small accidents."""
    broken = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5))):
        place = chance.randrange(len(broken) + 1)
        match chance.randrange(6):
            case 0:
                broken[place : place + 1] = bytes([chance.randrange(256)])
            case 1:
                del broken[place : place + chance.choice((1, 3, 40))]
            case 2:
                del broken[place:]
            case 3:
                words_of = (
                    b"R7",
                    b"?",
                    b"->",
                    b"|",
                    b"Ada",
                    b"(",
                    b":",
                    b"*'",
                    b"-1",
                    b"\n",
                    b'"',
                    b"turn nobody\n",
                )
                broken[place:place] = chance.choice(words_of)
            case 4:
                rows = bytes(broken).split(b"\n")
                rows.insert(chance.randrange(len(rows)), rows.pop(chance.randrange(len(rows))))
                broken = bytearray(b"\n".join(rows))
            case _:
                rows = bytes(broken).split(b" ")
                rows[chance.randrange(len(rows))] = chance.choice(rows)
                broken = bytearray(b" ".join(rows))
    return bytes(broken)


@pytest.mark.parametrize("seed", range(4))
def test_mutated_records_give_a_record_or_an_error(seed: int) -> None:
    chance = random.Random(seed)
    rules = list(eventful_games.books())[seed * 3 % 10]
    record = eventful_games.record(rules, 2 + seed % 3, seed, wild=seed % 2 == 0)
    sources = [to_text(record).encode(), to_json(record)]
    for _ in range(60):
        found = read(mutated(chance.choice(sources), chance))
        if found is None:
            continue
        assert loads(to_text(found)) == found
        assert loads(to_json(found)) == found
        verify(found)
        steps = list(replay(found))
        list(Narrator(found, "fr").lines())
        if steps and steps[-1].state.racks:
            ET.fromstring(to_svg(Position.of(steps[-1].state, steps[-1].unknown)))


def read(data: bytes) -> Record | None:
    """A record, or nothing if it is broken and says so in both languages."""
    try:
        return loads(data)
    except NotationError as error:
        return None if error.message("en") and error.message("fr") else loads(b"")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "line_ends"),
        ("wrc12@1 / racks -, -", "book"),
        ("wrc11@1", "no_racks"),
        ("wrc11@1 / racks R1", "no_racks"),
        ("wrc11@1 / racks R1, R1, R1", "third_copy"),
        ("wrc11@1 / racks R1', R1'", "tile_twice"),
        ("wrc11@1 / racks ?x99, ?x99", "too_many_tiles"),
        ("wrc11@1 / racks -, - / pool 107", "too_many_tiles"),
        ("wrc11@1 / racks -, - / pool -1", "expected_number"),
        ("wrc11@1 / racks -, - / turn 3", "no_such_seat"),
        ("wrc11@1 / racks -, - / turn 9", "no_such_seat"),
        ("wrc11@1 / racks -, - / racks -, -", "field_twice"),
        ("wrc11@1 / racks -, - / moon 1", "unknown_field"),
        ("wrc11@1 / table R1 R2 R3 | / racks -, -", "empty_set"),
        ("wrc11@1 / table R1 ? / racks -, -", "not_hidden"),
        ("wrc11@1 / racks -, - extra", "left_over"),
        ("rummyo@1 / racks -, - / turn 1", "expected"),
        ("wrc11@1 fast / racks -, -", "expected"),
        ("x" * 200_000, "long_line"),
    ],
)
def test_a_bad_position_is_refused(text: str, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_position(text)
    assert caught.value.code == code
    assert caught.value.line == 1


def test_a_message_names_the_line_in_the_readers_language() -> None:
    assert NotationError("empty_set", line=3).message("fr").startswith("ligne 3: ")
