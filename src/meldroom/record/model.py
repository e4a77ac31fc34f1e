"""A game record as a value: headers, events and comments. It is written as text or JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec

from meldroom.game import events as ev
from meldroom.game.notation.errors import NotationError
from meldroom.game.views import event_view
from meldroom.rules.book import BookRef
from meldroom.tiles import Tile

if TYPE_CHECKING:
    from meldroom.game.state import State
    from meldroom.record.verification import Report

VERSION = 1


class Headers(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a game besides its events. `tags` are free: event, site, date, round, table."""

    book: BookRef
    players: tuple[str, ...]
    game: int = 1
    clock: int | None = None
    stand_ins: tuple[Tile, ...] = ()
    commitment: str = ""
    secret: str | None = None
    contributions: tuple[str, ...] = ()
    tags: dict[str, str] = {}

    @property
    def created(self) -> ev.GameCreated:
        """The event that the headers describe."""
        return ev.GameCreated(self.book, self.players, self.game, self.commitment, self.stand_ins)


class Comment(msgspec.Struct, frozen=True, omit_defaults=True):
    """A remark: beside an event, on a line of its own before an event, or before a header.

    `event` is an index into the record's events; as many as there are events means after the last.
    `header` is the name of a header; `blank` stands for the end of the headers.
    """

    text: str
    event: int = -1
    beside: bool = False
    header: str = ""


END_OF_HEADERS = "blank"


class Record(msgspec.Struct, frozen=True, eq=False):
    """One game written down; `print` gives its text.

    `events` come after the creation of the game and before its shuffle is revealed.

    `lines` gives the line of each event in the text it was read from, `header_lines` that of each header;
    they are not part of the record: two records may be equal without them.
    """

    headers: Headers
    events: tuple[ev.Event, ...] = ()
    comments: tuple[Comment, ...] = ()
    lines: tuple[int, ...] = ()
    header_lines: dict[str, int] = {}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        mine = (self.headers, self.events, self.comments)
        return mine == (other.headers, other.events, other.comments)

    def __ne__(self, other: object) -> bool:
        return not self == other  # A struct brings its own, which would not ask ours.

    def __hash__(self) -> int:
        return hash((self.headers.players, len(self.events)))

    @classmethod
    def of(
        cls,
        events: Iterable[ev.Event],
        *,
        clock: int | None = None,
        tags: Mapping[str, str] | None = None,
        comments: Iterable[Comment] = (),
    ) -> Record:
        """The record of a game from all its events, the creation first.

        Raises NotationError if they do not begin with the creation, or go on after the shuffle was revealed.
        """
        body = list(events)
        first = body.pop(0) if body else None
        if not isinstance(first, ev.GameCreated):
            raise NotationError("no_creation")
        last = body[-1] if body else None
        revealed = last if isinstance(last, ev.ShuffleRevealed) else None
        body = body[:-1] if revealed is not None else body
        for index, event in enumerate(body):
            if isinstance(event, ev.GameCreated | ev.ShuffleRevealed):
                raise NotationError("header_event", f"events[{index}]")
        headers = Headers(
            book=first.book,
            players=first.players,
            game=first.game,
            clock=clock,
            stand_ins=first.stand_ins,
            commitment=first.commitment,
            secret=revealed.secret if revealed is not None else None,
            contributions=revealed.contributions if revealed is not None else (),
            tags=dict(tags or {}),
        )
        return cls(headers, tuple(body), tuple(comments))

    def log(self) -> tuple[ev.Event, ...]:
        """All events of the game, from its creation to the reveal of its shuffle."""
        if self.headers.secret is None:
            return (self.headers.created, *self.events)
        revealed = ev.ShuffleRevealed(self.headers.secret, self.headers.contributions)
        return (self.headers.created, *self.events, revealed)

    def verify(self) -> Report:
        """Legality, turn order, tiles, shuffle and scores, all computed again."""
        from meldroom.record.verification import verify

        return verify(self)

    def states(self) -> Iterator[State]:
        """The game played again: the state after each event. Unknown tiles are filled in so that they fit."""
        from meldroom.record.replay import replay

        return (step.state for step in replay(self))

    @property
    def result(self) -> ev.GameEnded | None:
        """How the game ended; None if the record stops before."""
        return next((event for event in reversed(self.events) if isinstance(event, ev.GameEnded)), None)

    def __str__(self) -> str:
        from meldroom.record.text_format import write

        return write(self)

    def __repr__(self) -> str:
        players = " – ".join(self.headers.players)
        return f"<Record {self.headers.book.id}: {players}, {len(self.events)} events>"

    def line(self, index: int) -> int:
        """The line an event was read from, 0 if there is none."""
        return self.lines[index] if index < len(self.lines) else 0

    def seen_by(self, seat: int | None) -> Record:
        """The record as one seat, or a spectator (None), could have kept it; the shuffle stays a secret."""
        headers = msgspec.structs.replace(self.headers, secret=None, contributions=())
        events = tuple(event_view(event, seat) for event in self.events)
        return Record(headers, events, self.comments, self.lines, self.header_lines)
