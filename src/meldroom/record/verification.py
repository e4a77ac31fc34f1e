"""Does a record follow from the rules and the shuffle? Everything is computed again, line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from meldroom.game import events as ev
from meldroom.game.apply import apply, new_game
from meldroom.game.errors import ActionError
from meldroom.game.fold import created, evolve
from meldroom.game.log import Log, begin_next_turn
from meldroom.game.notation.errors import format_place
from meldroom.game.notation.events import EventFormatter, deal_sizes
from meldroom.game.shuffle import Shuffle, commitment
from meldroom.game.state import State, conserved, tiles_in
from meldroom.i18n import Language, Message, Value, message
from meldroom.record.events_to_actions import action_of, recorded_orders
from meldroom.record.fill_unknown import complete
from meldroom.record.model import Record
from meldroom.rules.scoring import ScoringError
from meldroom.tiles import HIDDEN, Tile

MOST_PROBLEMS = 20


class Problem(msgspec.Struct, frozen=True):
    """One thing that is not so. `line` is 0 and `where` a path where the record was not read from text."""

    code: str
    line: int
    reason: Message | ActionError
    where: str = ""
    violations: tuple[str, ...] = ()

    def message(self, language: Language = "en") -> str:
        """Where it stands and what is wrong with it."""
        reason = self.reason
        text = reason.text(language) if isinstance(reason, Message) else reason.message(language)
        return f"{format_place(language, self.line, where=self.where)}: {text}"

    def __str__(self) -> str:
        return self.message()


class Check(msgspec.Struct, frozen=True):
    """Something that was computed again, or could not be."""

    code: str
    text: Message

    def message(self, language: Language = "en") -> str:
        """The check in a few words."""
        return self.text.text(language)

    def __str__(self) -> str:
        return self.message()


class Report(msgspec.Struct, frozen=True):
    """What verifying a record found. Problems stand in the order of the record."""

    problems: tuple[Problem, ...]
    checked: tuple[Check, ...]
    unchecked: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """True if nothing is wrong."""
        return not self.problems

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        lines = [message("record.narrate.verified", checks=", ".join(map(str, self.checked)))] * self.ok
        lines += [f"{message('record.narrate.wrong')}: {problem}" for problem in self.problems]
        return "\n".join(
            [*lines, *(message("record.narrate.unchecked", check=str(c)) for c in self.unchecked)]
        )


def verify(record: Record) -> Report:
    """Legality, turn order, tiles, shuffle and scores of a record, computed again.

    Raises NotationError if an event cannot belong to the game at all.
    """
    return _Verifier(record).report()


def _text(key: str, **details: Value) -> Message:
    return Message(f"record.{key}", details)


class _Verifier:
    """One record under examination. `state` follows the record, right or wrong."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.headers = record.headers
        self.completion = complete(record)
        self.events = self.completion.events
        self.state: State = created(self.headers.created)
        self.writer = EventFormatter(self.state)
        self.orders = recorded_orders(self.events, self.headers.game, self.state.book.tiles.size)
        self.problems: list[Problem] = []
        self.open: dict[str, int] = {}
        self.labels: list[str] = []
        self.judged = 0
        self.scored: str | None = None
        self.stopped = False
        self.shuffle = self._revealed()

    def report(self) -> Report:
        """Everything found."""
        index = self._begin()
        while index < len(self.events) and not self.stopped:
            index = self._judge(index)
        self.problems.sort(key=lambda problem: problem.line)
        return Report(tuple(self.problems), tuple(self._checked()), tuple(self._unchecked()))

    # Problems

    def _problem(
        self, code: str, index: int, reason: Message | ActionError, violations: tuple[str, ...] = ()
    ) -> None:
        self._note(Problem(code, self.record.line(index), reason, f"events[{index}]", violations))

    def _note(self, problem: Problem) -> None:
        self.problems.append(problem)
        self.stopped = self.stopped or len(self.problems) >= MOST_PROBLEMS

    # The shuffle

    def _revealed(self) -> Shuffle | None:
        """The shuffle, if its secret is there and belongs to the commitment."""
        headers = self.headers
        if headers.secret is None:
            return None
        if headers.commitment and commitment(headers.secret) != headers.commitment:
            text = _text("problem.commitment", commitment=headers.commitment[:64])
            line = self.record.header_lines.get("secret", 0)
            self._note(Problem("commitment", line, text, "headers.secret"))
            return None
        return Shuffle(headers.secret, headers.contributions)

    def _check_order(self, label: str, items: Sequence[Tile], index: int, recorded: Sequence[Tile]) -> None:
        """An order of tiles against the revealed shuffle, as far as its tiles are known."""
        if self.shuffle is None or len(recorded) > len(items):
            return
        order = self.shuffle.order(label, items)[: len(recorded)]
        if all(tile in (HIDDEN, other) for tile, other in zip(recorded, order, strict=True)):
            self.labels.append(label)
            return
        names = self.state.book.tiles.names(order[:8])
        shown = f"{names} …" if len(order) > 8 else names
        self._problem("shuffle", index, _text("problem.shuffle", expected=f"{label}: {shown}"))

    def _check_orders(self, event: ev.Event, index: int) -> None:
        """Everything an event shows of the shuffle. The state is the one before it."""
        game, every = self.headers.game, self.state.book.tiles.every_tile
        match event:
            case ev.StarterChosen():
                for number, turned in enumerate(event.rounds, start=1):
                    recorded = [tile for _, tile in turned]
                    self._check_order(f"game {game} start {number}", every, index, recorded)
            case ev.Dealt():
                dealt = [tile for tiles in (*event.racks, event.pool) for tile in tiles]
                unknown = dealt.count(HIDDEN)
                if unknown and self.shuffle is None:
                    self.open["deal"] = unknown
                self._check_order(f"game {game} deal {event.number}", every, index, dealt)
            case ev.Reshuffled():
                label = f"game {game} deal {self.state.deals} stock {event.number}"
                self._check_order(label, self.state.discards[:-1], index, event.stock)
            case _:
                pass

    # Following the record

    def _follow(self, index: int) -> None:
        """One recorded event happens, and no tile may appear or vanish."""
        self._check_orders(self.record.events[index], index)
        self.state = evolve(self.state, self.events[index])
        if self.state.deals and not conserved(self.state):
            self._problem("conservation", index, self._lost_and_found())
            self.stopped = True  # From here on nothing could be judged.

    def _follow_to_next_turn(self, index: int, wrong: int) -> int:
        """Past a turn that went wrong: the next that begins after it is judged again."""
        while index < len(self.events) and not self.stopped:
            self._follow(index)
            index += 1
            if index > wrong and isinstance(self.events[index - 1], ev.TurnBegan):
                break
        return index

    def _lost_and_found(self) -> Message:
        """Which tiles are missing, and which are there twice."""
        tiles = self.state.book.tiles
        counts = Counter(tiles_in(self.state))
        missing = tiles.names([tile for tile in tiles.every_tile if not counts[tile]][:12])
        double = tiles.names([tile for tile, count in counts.items() if count > 1 and tile >= 0][:12])
        parts = [_text("problem.missing", tiles=missing)] if missing else []
        parts += [_text("problem.double", tiles=double)] if double else []
        return _text("problem.conservation", tiles=tuple(parts or [_text("problem.incomplete")]))

    # Judging

    def _begin(self) -> int:
        """Starter, deal and first turn; gives the index of what comes next."""
        for index, kind in enumerate((ev.StarterChosen, ev.Dealt)):
            if index < len(self.events) and not isinstance(self.events[index], kind):
                self._problem("no_start", index, _text("problem.no_start"))
                self.stopped = True
        if self.stopped or len(self.events) < 2:
            return len(self.events)
        chosen, dealt = self.events[:2]
        assert isinstance(chosen, ev.StarterChosen)
        assert isinstance(dealt, ev.Dealt)
        try:
            _, expected = new_game(
                self.state.book,
                self.headers.players,
                self.orders,
                None if chosen.rounds else chosen.seat,
                self.headers.game,
                self.headers.stand_ins,
            )
        except ActionError as error:
            self._refused(0, error)
            return self._follow_to_next_turn(0, 0)
        self.state = evolve(created(self.headers.created), chosen)
        fair = self._check_sizes(dealt)
        self.state = created(self.headers.created)
        return self._compare(0, expected[1:]) if fair else self._follow_to_next_turn(0, 0)

    def _check_sizes(self, dealt: ev.Dealt) -> bool:
        """Everybody has as many tiles as the book deals."""
        for seat, (rack, needed) in enumerate(zip(dealt.racks, deal_sizes(self.state), strict=True)):
            if len(rack) != needed:
                name = self.headers.players[seat]
                text = _text("problem.deal_size", name=name, count=len(rack), needed=needed)
                self._problem("deal_size", 1, text)
                return False
        return True

    def _judge(self, index: int) -> int:
        """One action with all its events; gives the index of the next."""
        found = self.events[index]
        if self.state.over:
            self._problem("game_over", index, _text("problem.game_over"))
            self.stopped = True
            return index
        action = action_of(self.state, self.events[index : index + 2])
        if action is None:
            text = _text("problem.unexpected", found=self.writer.line(found, self.state))
            self._problem("unexpected", index, text)
            return self._follow_to_next_turn(index, index)
        try:
            _, expected = apply(self.state, action, self.orders)
        except ActionError as error:
            if error.code == "must_play" and self._rack_unknown(self.state.seat, index):
                self.open["passes"] = self.open.get("passes", 0) + 1
                return self._compare(index, self._after_pass(found))
            self._refused(index, error)
            return self._follow_to_next_turn(index, index)
        except ScoringError as error:
            self._problem("not_scored", index, _text("problem.not_scored", reason=str(error)))
            return self._follow_to_next_turn(index, index)
        return self._compare(index, expected)

    def _refused(self, index: int, error: ActionError) -> None:
        self._problem(error.code, index, error, tuple(fault.code for fault in error.violations))

    def _after_pass(self, found: ev.Event) -> tuple[ev.Event, ...]:
        """A pass nobody can judge, and what follows from it."""
        log = Log(self.state)
        log.add(found)
        begin_next_turn(log)
        return log.done()[1]

    def _compare(self, index: int, expected: Sequence[ev.Event]) -> int:
        """The events the rules give against those recorded, which may stop short only at the very end."""
        for place, want in enumerate(expected, start=index):
            if place >= len(self.events) or self.stopped:
                return len(self.events)
            found = self.events[place]
            if not self._agree(want, found, place):
                before = len(self.problems)
                self._follow(place)
                if len(self.problems) == before:
                    self._differs(want, found, place)
                return self._follow_to_next_turn(place + 1, place)
            self._follow(place)
            self.judged += 1
        return index + len(expected)

    def _differs(self, want: ev.Event, found: ev.Event, index: int) -> None:
        code = "score" if isinstance(want, ev.GameEnded) and isinstance(found, ev.GameEnded) else "expected"
        expected, recorded = (self.writer.line(event, self.state) for event in (want, found))
        self._problem(code, index, _text(f"problem.{code}", expected=expected, found=recorded))

    def _agree(self, want: ev.Event, found: ev.Event, index: int) -> bool:
        """Whether an event is the one expected, as far as anybody can know."""
        match want, found:
            case ev.GameEnded(), ev.GameEnded():
                return self._same_result(want, found, index)
            case _, ev.Laid() | ev.Played():
                # People write the tiles they laid in any order.
                return want == replace(found, tiles=tuple(sorted(found.tiles)))
            case ev.Penalised(), ev.Penalised() if want.cause != "leftovers":
                # The table that was taken back is not recorded, so neither are its faults known.
                self.open["penalties"] = self.open.get("penalties", 0) + 1
                return replace(want, codes=found.codes) == found
            case ev.Discarded(), ev.Discarded() if want.seat == found.seat and want != found:
                timed_out = isinstance(self.events[index - 1], ev.TimedOut)
                guessed = timed_out and self._rack_unknown(want.seat, index - 1)
                self.open.update({"discards": 1} if guessed else {})
                return guessed
            case _:
                return want == found

    # Scores

    def _rack_unknown(self, seat: int, index: int) -> bool:
        return not self.completion.unknown(index).isdisjoint(self.state.racks[seat])

    def _same_result(self, want: ev.GameEnded, found: ev.GameEnded, index: int) -> bool:
        """The result, number by number where the racks are known."""
        hidden = {seat for seat in range(len(self.state.racks)) if self._rack_unknown(seat, index)}
        if not hidden or found.end == "abandoned":
            self.scored = "scores"
            return want == found
        self.scored = "known_scores"
        if replace(want, scores=found.scores, winners=found.winners) != found:
            return False
        scoring = self.state.book.scoring
        for seat in hidden:
            flat = not self.state.melded[seat] and scoring.unmelded > 0
            self.open["charges" if flat else "scores"] = 1
        if want.end == "exhausted" and scoring.exhausted != "all_minus":
            return True  # Everything there is measured against a rack nobody knows.
        return want.winners == found.winners and all(
            self._fair_score(seat, want, found, seat in hidden) for seat in range(len(want.scores))
        )

    def _fair_score(self, seat: int, want: ev.GameEnded, found: ev.GameEnded, hidden: bool) -> bool:
        scoring, recorded = self.state.book.scoring, found.scores[seat]
        if seat in want.winners:
            others = sum(score for other, score in enumerate(found.scores) if other != seat)
            return recorded == (-others if scoring.winner == "opponents" else want.scores[seat])
        if not hidden:
            return recorded == want.scores[seat]
        if not self.state.melded[seat] and scoring.unmelded:
            return -recorded in (scoring.unmelded, scoring.unmelded_able)
        return recorded <= 0

    # What it all comes to

    def _checked(self) -> list[Check]:
        found = []
        if self.judged:
            found.append(Check("legality", _text("check.legality", count=self.judged)))
            found += [Check(code, _text(f"check.{code}")) for code in ("turn_order", "conservation")]
        if self.shuffle is not None and self.headers.commitment:
            found.append(Check("commitment", _text("check.commitment")))
        if self.labels:
            found.append(Check("shuffle", _text("check.shuffle", labels=", ".join(self.labels))))
        if self.scored:
            found.append(Check(self.scored, _text(f"check.{self.scored}")))
        return found

    def _unchecked(self) -> list[Check]:
        headers, found = self.headers, dict(self.open)
        if headers.secret is None:
            found["shuffle"] = 1
            found.update({"unrevealed": 1} if headers.commitment else {})
        elif not headers.commitment:
            found["commitment"] = 1
        if not self.state.over and not self.problems:
            found["unfinished"] = 1
        return [Check(code, _text(f"open.{code}", count=count)) for code, count in found.items()]
