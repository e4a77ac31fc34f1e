"""The text form of a record, version 1: read it, and write it so that it is read back the same."""

from __future__ import annotations

import re

from meldroom.game import events as ev
from meldroom.game.notation.errors import NotationError
from meldroom.game.notation.events import EventFormatter
from meldroom.game.notation.parsing import Cursor, known_book, split_line
from meldroom.record.event_checks import check_text
from meldroom.record.fill_unknown import Follower
from meldroom.record.headers import HeaderLine, format_headers, parse_headers, split_header
from meldroom.record.model import END_OF_HEADERS, VERSION, Comment, Headers, Record
from meldroom.record.parse_events import EventParser, Line, TurnLine, UnknownDeal

MAGIC = "meldroom-record"
LONGEST_LINE = 200_000
MOST_LINES = 50_000

_LINE_END = re.compile(r"[\r\n]+")
_FIRST = re.compile(rf"{MAGIC}\s+([0-9]{{1,9}})\s*\Z")

# Only who has the turn can do these, so that the first of them shows who began.
_AT_THEIR_TURN = ev.Drew | ev.Laid | ev.TimedOut | ev.Penalised | ev.Took | ev.Played | ev.Discarded


def version_of(first_line: str) -> int:
    """The version that the first line of a text names. Raises NotationError if it is no record."""
    found = _FIRST.match(first_line)
    if found is None:
        raise NotationError("not_a_record", line=1, column=1, magic=MAGIC, version=VERSION)
    return int(found.group(1))


def parse(text: str) -> Record:
    """The record that a text of version 1 holds. Raises NotationError naming line and column."""
    lines = [line.removesuffix("\r") for line in text.removeprefix("\ufeff").split("\n")]
    if len(lines) > MOST_LINES:
        raise NotationError("too_many_lines", line=MOST_LINES + 1, most=MOST_LINES)
    for number, line in enumerate(lines, start=1):
        if len(line) > LONGEST_LINE:
            raise NotationError("long_line", line=number, column=LONGEST_LINE + 1, longest=LONGEST_LINE)
    version_of(lines[0])
    return _Parser(lines).record()


class _Parser:
    """One text on its way to a record."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.comments: list[Comment] = []
        self.waiting: list[str] = []
        self.events: list[ev.Event] = []
        self.numbers: list[int] = []
        self.silent = False  # the record says that no turn has begun yet
        self.headers, self.header_lines, self.start = self._headers()
        self.follower = Follower(self.headers.created)
        self.reader = EventParser(self.follower)

    def record(self) -> Record:
        """Everything the text says."""
        for number, line in enumerate(self.lines[self.start :], start=self.start + 1):
            try:
                self._body_line(line, number)
            except NotationError as error:
                raise error.at(line=number) from None
        if not self.silent and self.numbers:
            self._add_due(self.numbers[-1])
        self._flush_comments()
        return Record(
            self.headers, tuple(self.events), tuple(self.comments), tuple(self.numbers), self.header_lines
        )

    def _headers(self) -> tuple[Headers, dict[str, int], int]:
        """The headers, the line of each, and how many lines they take with the blank one after them."""
        found: list[HeaderLine] = []
        for number, line in enumerate(self.lines[1:], start=2):
            if not line.strip():
                self._flush_header_comments(END_OF_HEADERS)
                return parse_headers(found, number)[0], {h.name: h.line for h in found}, number
            if line.lstrip().startswith(";"):
                self.waiting.append(line.lstrip()[1:].strip())
            else:
                found.append(split_header(line, number))
                self._flush_header_comments(found[-1].name)
        raise NotationError("no_blank_line", line=len(self.lines))

    def _flush_header_comments(self, name: str) -> None:
        for text in self.waiting:
            check_text(text)
            self.comments.append(Comment(text, header=name))
        self.waiting.clear()

    def _flush_comments(self) -> None:
        """Comments on lines of their own belong before the event that is written next."""
        for text in self.waiting:
            self.comments.append(Comment(text, len(self.events)))
        self.waiting.clear()

    def _body_line(self, line: str, number: int) -> None:
        tokens, comment = split_line(line)
        if comment is not None:
            check_text(comment)
        if not tokens:
            if comment is not None:
                self.waiting.append(comment)
            return
        cursor = Cursor(tokens, self.headers.players, len(line))
        # What a plain tile means depends on whose turn it is, so what is due comes first.
        if not self.silent and not cursor.sees("turn") and not cursor.sees("pool"):
            self._add_due(number)
        self.silent = False
        before = len(self.events)
        self._take(self.reader.read(cursor), number)
        if comment is None:
            return
        if len(self.events) > before:
            self.comments.append(Comment(comment, len(self.events) - 1, beside=True))
        else:
            self.waiting.append(comment)

    def _take(self, line: Line, number: int) -> None:
        """What a line says, after whatever it leaves to be understood."""
        if isinstance(line, TurnLine):
            if line.seat is None:
                self.silent = True
            else:
                self._flush_comments()
                self._add(ev.TurnBegan(line.seat), number)
            return
        if isinstance(line, UnknownDeal):
            if self.follower.state.starter >= 0:
                self._flush_comments()
                self._add(self.reader.unknown_deal(), number)
            return
        if not self.follower.state.racks and isinstance(line, _AT_THEIR_TURN):
            self._deal_unseen(line.seat, number)
        self._flush_comments()
        self._add(line, number)

    def _deal_unseen(self, seat: int, number: int) -> None:
        """A record without a deal: whoever does something first began, and nobody saw the tiles."""
        if self.follower.state.starter < 0:
            self._add(ev.StarterChosen(seat), number)
        self._add(self.reader.unknown_deal(), number)
        self._add_due(number)

    def _add_due(self, number: int) -> None:
        for event in self.follower.due():
            self._add(event, number)

    def _add(self, event: ev.Event, number: int) -> None:
        self.follower.add(event)
        self.events.append(event)
        self.numbers.append(number)


def write(record: Record) -> str:
    """The record as text. Raises NotationError if an event cannot be written down."""
    return "\n".join(_Formatter(record).lines()) + "\n"


class _Formatter:
    """One record on its way to text."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.follower = Follower(record.headers.created)
        self.writer = EventFormatter(self.follower.state)
        self.exact_writer = EventFormatter(self.follower.state, exact=True)
        self.reader = EventParser(self.follower)
        self.beside: dict[int, list[str]] = {}
        self.before: dict[int, list[str]] = {}
        self.found: list[str] = []

    def lines(self) -> list[str]:
        """Every line of the text."""
        self._write_headers()
        for comment in self.record.comments:
            if not comment.header:
                place = min(max(comment.event, 0), len(self.record.events))
                beside = comment.beside and place < len(self.record.events)
                (self.beside if beside else self.before).setdefault(place, []).append(comment.text)
        for index, event in enumerate(self.record.events):
            self._remark(index)
            try:
                self._write_event(event, index)
            except NotationError as error:
                raise error.at(f"events[{index}]") from None
        if self.follower.due():
            self.found.append("turn nobody")
        self._remark(len(self.record.events))
        return self.found

    def _write_headers(self) -> None:
        remarks: dict[str, list[str]] = {}
        for comment in self.record.comments:
            if comment.header:
                remarks.setdefault(comment.header, []).append(comment.text)
        self.found.append(f"{MAGIC} {VERSION}")
        for name, line in format_headers(self.record.headers, known_book(self.record.headers.book)):
            self.found.extend(map(_remark_text, remarks.pop(name, [])))
            self.found.append(line)
        for texts in remarks.values():
            self.found.extend(map(_remark_text, texts))
        self.found.append("")

    def _remark(self, index: int) -> None:
        self.found.extend(_remark_text(text) for text in self.before.get(index, []))

    def _write_event(self, event: ev.Event, index: int) -> None:
        self.follower.check(event)
        due = self.follower.due()
        after = self.record.events[index + 1 : index + 2]
        # A line that tells of a turn or the pool itself leaves nothing before it to be understood.
        plain = not after or not isinstance(after[0], ev.TurnBegan | ev.PoolExhausted)
        understood = due == (event,) and isinstance(event, ev.TurnBegan) and plain
        if not understood:
            if due and not isinstance(event, ev.TurnBegan | ev.PoolExhausted):
                self.found.append("turn nobody")
            self.found.append(self._line(event))
        self.follower.add(event)
        if index in self.beside:
            remark = _remark_text(" ; ".join(self.beside[index]))
            if understood:
                self.found.append(remark)
            else:
                self.found[-1] += f" {remark}"

    def _line(self, event: ev.Event) -> str:
        """The line of an event, marked wherever a reader would otherwise understand another tile."""
        line = self.writer.line(event, self.follower.state)
        cursor = Cursor(split_line(line)[0], self.record.headers.players, len(line))
        if self.reader.read(cursor) == event or isinstance(event, ev.TurnBegan):
            return line
        return self.exact_writer.line(event, self.follower.state)


def _remark_text(text: str) -> str:
    """A comment on one line."""
    return f"; {one_line(text)}".rstrip()


def one_line(text: str) -> str:
    """A comment as it is read back: on one line, without blanks around it."""
    return re.sub(_LINE_END, " ", text).strip()
