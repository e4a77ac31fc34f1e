"""State to record to state: whatever happened in a game is read back exactly, as text and as JSON."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meldroom.game import events as ev
from meldroom.game import fold, new_game, shuffle
from meldroom.game.notation.parsing import format_name, split_line
from meldroom.record import Comment, NotationError, Record, loads, to_json, to_text
from meldroom.rules.book import RuleBook
from meldroom.rules.library import book
from meldroom.tiles import HIDDEN, Tile
from tests.record import eventful_games

BOOKS = list(eventful_games.books())
GAMES = [(rules, players, players) for rules in BOOKS for players in (2, 3, 4)]


@cache
def events(rules: RuleBook, players: int, seed: int) -> tuple[ev.Event, ...]:
    return eventful_games.game(rules, players, seed)


@pytest.mark.parametrize(
    ("rules", "players", "seed"),
    [pytest.param(*each, id=f"{each[0].id}-{each[1]}-{each[2]}") for each in GAMES],
)
def test_events_survive_text_and_json(rules: RuleBook, players: int, seed: int) -> None:
    played = events(rules, players, seed)
    record = Record.of(played, clock=60, tags={"event": "Club night", "Site": "Genève", "odd": ' ; "x"\n'})
    text = to_text(record)
    again = loads(text)
    assert again == record
    assert again.log() == played
    assert fold(again.log()) == fold(played)
    assert to_text(again) == text
    assert loads(to_json(record)) == record
    assert to_json(loads(to_json(record))) == to_json(record)


def test_every_kind_of_event_occurs_in_these_games() -> None:
    kinds = {type(event) for each in GAMES for event in events(*each)}
    rare = {ev.RedealGranted, ev.Reshuffled}  # Written out below.
    assert kinds | rare == set(ev.Event.__args__)


@pytest.mark.parametrize("seed", range(3))
def test_any_beginning_of_a_game_survives(seed: int) -> None:
    """Also one that stops in the middle of an action, where no turn has begun yet."""
    played = events(BOOKS[seed], 3, 3)
    for length in range(1, len(played), 7):
        record = Record.of(played[:length])
        assert loads(to_text(record)).log() == played[:length]


def test_what_one_side_sees_survives() -> None:
    for rules, players, seed in GAMES[::5]:
        record = Record.of(events(rules, players, seed))
        for seat in (None, 0):
            seen = record.seen_by(seat)
            assert loads(to_text(seen)) == seen
            assert loads(to_json(seen)) == seen


def test_a_redeal_and_a_renewed_stock_are_written() -> None:
    rules = book("rummyo")
    state, begun = new_game(rules, ["Ada", "Bo"], shuffle.Shuffle("s"), 0)
    stock = state.pool
    odd = (
        *begun,
        ev.RedealGranted(1, state.racks[1][:6]),
        ev.Dealt(2, state.racks, stock),
        ev.TurnBegan(0),
        ev.Discarded(0, state.racks[0][0]),
        ev.TurnBegan(1),
        ev.Took(1, "discard", state.racks[0][0]),
        ev.Discarded(1, state.racks[1][3]),
        ev.TurnBegan(0),
        ev.Reshuffled(1, stock[5:9]),
        ev.PoolExhausted(),
        ev.PoolExhausted((1, 0)),
        ev.TurnBegan(1),
        ev.TurnBegan(0),
    )
    assert loads(to_text(Record.of(odd))).log() == odd


names = st.text(min_size=1, max_size=20).filter(
    lambda name: bool(name.strip()) and name.isprintable() and "\ud800" not in name
)


@given(st.lists(names, min_size=2, max_size=4, unique=True))
@settings(max_examples=60, deadline=None)
def test_any_name_can_play(players: list[str]) -> None:
    _, played = new_game(book("wrc11"), players, shuffle.Shuffle("s"))
    assert loads(to_text(Record.of(played))).log() == played


@given(st.text(max_size=30))
def test_a_written_name_is_one_token(name: str) -> None:
    try:
        name.encode()
    except UnicodeEncodeError:
        return
    tokens, comment = split_line(f"{format_name(name)} draws R5")
    assert [token.text for token in tokens] == [name, "draws", "R5"]
    assert comment is None


@given(st.text(max_size=40).filter(lambda text: text.isprintable()), st.booleans(), st.integers(0, 8))
@settings(max_examples=60, deadline=None)
def test_comments_stay_in_place(text: str, beside: bool, index: int) -> None:
    played = events(BOOKS[1], 2, 2)[:10]
    written = [i for i, event in enumerate(played[1:]) if not isinstance(event, ev.TurnBegan)]
    place = written[index % len(written)]
    comments = (Comment("first", header="seat 1"), Comment(text.strip(), place, beside))
    record = Record.of(played, comments=comments)
    again = loads(to_text(record))
    assert again.comments == comments
    assert loads(to_json(record)) == record


def test_comments_of_a_person_are_kept() -> None:
    text = (
        "meldroom-record 1\n; about the book\nbook: wrc11 1\nseat 1: Ada\nseat 2: Bo\n; last header\n\n"
        "; before all\nstarter Ada ; she won the toss\n\nracks unknown\n; hm\nAda draws;no blank\n; the end\n"
    )
    record = loads(text)
    assert record.comments == (
        Comment("about the book", header="book"),
        Comment("last header", header="blank"),
        Comment("before all", 0),
        Comment("she won the toss", 0, beside=True),
        Comment("hm", 3),
        Comment("no blank", 3, beside=True),
        Comment("the end", 5),
    )
    assert loads(to_text(record)) == record


def test_comments_of_json_are_put_in_their_places() -> None:
    data = (
        b'{"meldroom-record":1,"headers":{"book":"wrc11","version":"1","players":["Ada","Bo"]},'
        b'"events":[{"event":"starter_chosen","seat":0}],"comments":['
        b'{"text":" a\\nb ","event":1},{"text":"y","event":0,"beside":true},{"text":"x","header":"blank"},'
        b'{"text":"z","event":0},{"text":"first","header":"book"}]}'
    )
    record = loads(data)
    assert [comment.text for comment in record.comments] == ["first", "x", "z", "y", "a b"]
    assert loads(to_text(record)) == record
    for wrong in (b'"header":"nowhere"', b'"event":1,"beside":true', b'"event":2', b'"event":-1'):
        with pytest.raises(NotationError, match="a comment must be"):
            loads(data.replace(b'"event":1}', wrong + b"}"))


def test_no_comment_is_lost() -> None:
    played = events(BOOKS[1], 2, 2)[:5]
    comments = (Comment("a", 0, beside=True), Comment("b", 0, beside=True), Comment("c", 2, beside=True))
    text = to_text(Record.of(played, comments=comments))
    assert "; a ; b" in text
    assert "; c" in text


def test_a_record_needs_its_creation_first() -> None:
    played = events(BOOKS[0], 2, 2)
    with pytest.raises(NotationError, match="begins with the event that creates it"):
        Record.of(played[1:])
    with pytest.raises(NotationError, match="belong in the headers"):
        Record.of((*played[:4], played[0], *played[4:]))


def test_an_impossible_event_is_not_written() -> None:
    played = events(BOOKS[0], 2, 2)[:4]
    for wrong in (
        ev.Drew(7, Tile(3)),
        ev.Drew(0, Tile(9999)),
        ev.Laid(0, ((),), ()),
        ev.Discarded(0, HIDDEN),
    ):
        with pytest.raises(NotationError):
            to_text(Record.of((*played, wrong)))
