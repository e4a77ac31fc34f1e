"""The report of a game for one seat: how the chances went, what decided, and what could have been better.

Everything is judged from what the seat could see at the time. A play is called better only if it is legal,
and wins more often in imagined games by more than chance could do, twice: where it was found and in other
games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from meldroom.bots.interface import Bot, Clock
from meldroom.bots.laying_off.master import Master as LayOffMaster
from meldroom.bots.levels import make_bot
from meldroom.coach import lay_off_choices
from meldroom.coach.comparison import FAR, Gain, gain, is_better, wins
from meldroom.coach.imagined_games import ImaginedGames
from meldroom.coach.matching import levels_in
from meldroom.coach.moves import NONE, Move, move_of
from meldroom.coach.reasons import Reason, reason
from meldroom.coach.styles import of_levels
from meldroom.coach.turns import Turn, actions_of, reasons_of, turns_of
from meldroom.coach.win_probability import Estimate, Forecast
from meldroom.game import ActionError, Shuffle, apply
from meldroom.game.actions import Action, Lay, Play, Take
from meldroom.game.state import State
from meldroom.game.views import View, view
from meldroom.record import Record
from meldroom.rules.book import RuleBook
from meldroom.solver import SolverError, solve, solve_faces
from meldroom.solver.kernel import mode

Theme = Literal["go_out", "most_tiles", "open", "free_joker", "hold_or_lay", "take_or_leave", "discard"]
Verdict = Literal["strong", "fine", "mistake", "none"]
"""As a strong player would play; otherwise, but no worse for sure; worse for sure; nothing was decided."""

GAMES: dict[mode.Mode, int] = {"compiled": 1800, "interpreted": 0}
"""How many games a report imagines, unless it is told."""
LAID_OFF = 24
"""One of Rummy-O's games takes as long as so many others."""
STRONG_LEVEL = "master"
STRONG_SECONDS: dict[mode.Mode, float | None] = {"compiled": None, "interpreted": 0.3}
"""The time a strong player has for a turn: interpreted, some take very long without a clock."""
CURVE, REFINED = 0.35, 0.15
"""Parts of the games: for the curve, and for the places where it turns. The rest compares moves."""
FEWEST_A_TURN = 8
MOST_DOUBTED = 4
"""So many turns are looked at closely."""
MOST_TURNING = 4
TURNS_BY = 0.12
"""The chance must change by so much at a turning point."""


class Point(msgspec.Struct, frozen=True):
    """The chances of all seats before a turn, which ended at `step`; the last point is the result."""

    step: int
    chances: tuple[float, ...]
    games: int
    doubt: float


class TurningPoint(msgspec.Struct, frozen=True):
    """Where the chance of the seat changed most: from the turn that ended at `step` to the next one."""

    step: int
    before: float
    after: float


class Better(msgspec.Struct, frozen=True):
    """A play that was better: by how much it wins more often, and what to practise.

    `exact` if no games need to be imagined for it: it goes out.
    """

    move: Move
    gain: float
    games: int
    theme: Theme
    exact: bool


class TurnReport(msgspec.Struct, frozen=True):
    """A turn: what was done, the most tiles that were possible if that is more, what a strong player does.

    `did_why` and `strong_why` are reasons that hold; Rummy-O's taking has reasons of its own, which stand
    first.
    """

    number: int
    step: int
    chance: float
    did: Move
    most: Move | None
    strong: Move
    verdict: Verdict
    did_why: tuple[Reason, ...]
    strong_why: tuple[Reason, ...]
    better: Better | None


class Report(msgspec.Struct, frozen=True):
    """The report of one seat of a game; `games` is how many were imagined for it."""

    seat: int
    players: tuple[str, ...]
    games: int
    curve: tuple[Point, ...]
    turning: tuple[TurningPoint, ...]
    turns: tuple[TurnReport, ...]
    mistakes: dict[Theme, int]
    practise: Theme | None


class _Thought(NamedTuple):
    """A turn with the views it was decided from, and what was done and could have been."""

    turn: Turn
    shown: View
    did: Move
    most: Move | None
    strong: Move
    did_why: tuple[Reason, ...]
    strong_why: tuple[Reason, ...]
    would: tuple[Action, ...]

    def others(self) -> list[Move]:
        """Moves to compare with what was done."""
        if self.did.kind == "none" or self.shown.phase != "turn":
            return []
        wait = Move("draw" if self.shown.pool_size else "pass")
        found: list[Move] = []
        for move in (self.strong, self.most, wait):
            if move is not None and not any(move.same(other) for other in (self.did, *found)):
                found.append(move)
        return found


def report(record: Record, seat: int, *, games: int | None = None, seed: str = "") -> Report:
    """The report of a seat. The same record, seed and number of games give the same report.

    Without a number of games, as many as fit into about two seconds; none where kernels are interpreted: then
    chances are those at sight, and only a play that goes out is called better.
    """
    asked = GAMES[mode.current()] if games is None else games
    master = StrongPlayer(seed)
    thoughts = [_think(turn, seat, master) for turn in turns_of(record, seat) if _is_known(turn, seat)]
    if not thoughts:
        return Report(seat, record.headers.players, 0, (), (), (), {}, None)
    told = levels_in(record.headers.tags.get("bots", ""), record.headers.players)
    known = {other: styles for other, styles in of_levels(told).items() if other != seat}
    forecasts = [Forecast(each.shown, each.turn.seen, known, seed=seed) for each in thoughts]
    imagined = any(each.imagined is not None for each in forecasts) and asked > 0
    if imagined:
        _spread(forecasts, int(asked * CURVE))
        _refine(forecasts, seat, int(asked * REFINED))
    found = [each.estimate() for each in forecasts]
    better = _compare(thoughts, forecasts, seat, asked - int(asked * (CURVE + REFINED)) if imagined else 0)
    if asked and thoughts[0].turn.state.book.family == "laying_off":
        _compare_choices(thoughts, better, seat, known, seed, asked // LAID_OFF)
    curve = _curve(record, thoughts, found)
    turns = tuple(
        TurnReport(
            number,
            each.turn.step,
            point.chances[seat],
            each.did,
            each.most,
            each.strong,
            _verdict(each, play),
            each.did_why,
            each.strong_why,
            play,
        )
        for number, (each, point, play) in enumerate(zip(thoughts, curve, better, strict=False), start=1)
    )
    costs: Counter[Theme] = Counter()
    for play in better:
        if play is not None:
            costs[play.theme] += round(1000 * play.gain)
    mistakes: dict[Theme, int] = dict(Counter(play.theme for play in better if play is not None))
    worst = max(costs, key=lambda theme: (costs[theme], theme), default=None)
    done = sum(each.games for each in forecasts)
    return Report(seat, record.headers.players, done, curve, _turning(curve, seat), turns, mistakes, worst)


def _is_known(turn: Turn, seat: int) -> bool:
    """True if the record knows the rack of the seat."""
    return not turn.steps[0].unknown.intersection(turn.state.racks[seat])


class StrongPlayer:
    """A strong player who sees what the seat saw, turn after turn, and remembers it."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._bot: Bot | None = None

    def moves(self, book: RuleBook, turn: Turn, seat: int) -> list[tuple[View, Action]]:
        """What it would do in a turn: one action, or what it takes and what it then plays."""
        bot = self._bot = self._bot or make_bot(STRONG_LEVEL, book, seed=f"{self._seed} coach")
        clock = Clock(STRONG_SECONDS[mode.current()])
        decisions = [view(state, seat) for state in (turn.taking, turn.state) if state is not None]
        found = [(shown, bot.act(shown, clock)) for shown in decisions]
        if isinstance(bot, LayOffMaster):
            for moment in turn.steps:
                thrown = getattr(moment.event, "tile", None)
                if moment.event.__struct_config__.tag == "discarded" and thrown is not None:
                    bot.memory.discarded(decisions[-1], thrown)
        return found


def _think(turn: Turn, seat: int, strong: StrongPlayer) -> _Thought:
    """What was done in a turn, and what was possible, without any play-outs."""
    state = turn.state
    book, shown = state.book, view(state, seat)
    actions = actions_of(turn)
    did = move_of(state, actions) if actions else NONE
    would = strong.moves(book, turn, seat)
    did_why = reasons_of(turn, seat)
    strong_move = move_of(state, [action for _, action in would])
    most = _most(state, did) if shown.phase != "opening_discard" else None
    actions_would = tuple(action for _, action in would)
    return _Thought(turn, shown, did, most, strong_move, did_why, _whys(book, would), actions_would)


def _whys(book: RuleBook, moves: Sequence[tuple[View, Action]]) -> tuple[Reason, ...]:
    found = (reason(book, shown, action) for shown, action in moves)
    return tuple(each for each in found if each is not None)


def _most(state: State, did: Move) -> Move | None:
    """The play with the most tiles, if it lays more than was laid."""
    try:
        found = solve(state)
    except SolverError:
        return None
    if (found.tiles, found.points) <= (len(did.laid), did.points) or not isinstance(found.action, Lay | Play):
        return None
    return move_of(state, [found.action])


def _spread(forecasts: Sequence[Forecast], games: int) -> None:
    """The same number of games for every point."""
    each = max(FEWEST_A_TURN, games // len(forecasts))
    for forecast in forecasts:
        forecast.more(each)


def _refine(forecasts: Sequence[Forecast], seat: int, games: int) -> None:
    """More games on either side of the largest changes."""
    chances = [each.estimate().chances[seat] for each in forecasts]
    steps = sorted(range(1, len(chances)), key=lambda at: (-abs(chances[at] - chances[at - 1]), at))
    places = sorted({place for at in steps[:MOST_TURNING] for place in (at - 1, at)})
    for place in places:
        forecasts[place].more(games // len(places))


def _goes_out(thought: _Thought, move: Move) -> bool:
    """True if a move empties the rack, and with it wins."""
    return _empties(move, len(thought.shown.rack))


def _empties(move: Move, held: int) -> bool:
    return len(move.laid) + (move.thrown is not None) == held and bool(move.laid)


def _compare(
    thoughts: Sequence[_Thought], forecasts: Sequence[Forecast], seat: int, games: int
) -> list[Better | None]:
    """For each turn a play that was better for sure, or None."""
    better: list[Better | None] = [None] * len(thoughts)
    open_turns: list[int] = []
    for place, thought in enumerate(thoughts):
        move, left = _missed_out(thought), left_out(thought.turn, thought.did)
        if move is not None or left is not None:
            before = forecasts[place].estimate().chances[seat]
            play = move or left
            assert play is not None
            better[place] = Better(play, 1 - before, 0, "go_out" if move else "take_or_leave", True)
        elif thought.others() and forecasts[place].imagined is not None:
            open_turns.append(place)
    if not games or not open_turns:
        return better
    tried = {place: [thoughts[place].did, *thoughts[place].others()] for place in open_turns}
    each = max(FEWEST_A_TURN, games // 3 // sum(map(len, tried.values())))
    first: dict[int, tuple[int, Gain]] = {}
    for place, moves in tried.items():
        played = wins(_imagined(forecasts[place]), [move.laid for move in moves], 0, each)
        gains = [gain(played, other, 0) for other in range(1, len(moves))]
        best = max(range(len(gains)), key=lambda at: (gains[at].mean, -at))
        first[place] = best + 1, gains[best]
    doubted = sorted(first, key=lambda place: (-first[place][1].mean, place))[:MOST_DOUBTED]
    doubted = [place for place in doubted if first[place][1].mean > 0]
    share = (2 * games // 3) // (4 * max(1, len(doubted)))
    for place in doubted:
        move = tried[place][first[place][0]]
        pair = [thoughts[place].did.laid, move.laid]
        imagined = _imagined(forecasts[place])
        found = gain(wins(imagined, pair, each, share), 1, 0)
        if found.mean <= 0:
            continue
        confirmed = gain(wins(imagined, pair, FAR, share), 1, 0)
        if is_better(found, confirmed):
            both = found.plus(confirmed)
            better[place] = Better(move, both.mean, both.games, _theme(thoughts[place], move), False)
    return better


def _compare_choices(
    thoughts: Sequence[_Thought],
    better: list[Better | None],
    seat: int,
    known: Mapping[int, Sequence[float]],
    seed: str,
    games: int,
) -> None:
    """Rummy-O: adds what was better for sure in taking, going on board and discarding."""
    places = {each.turn.step: place for place, each in enumerate(thoughts) if better[place] is None}
    found = [
        choice
        for each in thoughts
        if each.turn.step in places
        for choice in lay_off_choices.choices(each.turn, each.would)
    ]
    for choice, gained in lay_off_choices.compare(found, seat, known, seed, games):
        place = places[choice.turn.step]
        if isinstance(choice.strong, Take):
            move = Move("discard", took=choice.strong.source)
        else:
            move = replace(move_of(choice.state, [choice.strong]), took=thoughts[place].did.took)
        if better[place] is None:
            better[place] = Better(move, gained.mean, gained.games, choice.theme, False)


def _imagined(forecast: Forecast) -> ImaginedGames:
    assert forecast.imagined is not None
    return forecast.imagined


def _missed_out(thought: _Thought) -> Move | None:
    """A play that goes out, where the player did not."""
    if thought.did.kind == "none" or _goes_out(thought, thought.did):
        return None
    for move in (thought.most, thought.strong):
        if move is not None and _goes_out(thought, move):
            return move
    return None


def left_out(turn: Turn, did: Move) -> Move | None:
    """Rummy-O: the play that goes out with a discard which the player left."""
    before = turn.taking
    if before is None or not before.discards or did.kind == "none" or did.took == "discard":
        return None
    if _empties(did, len(turn.state.racks[turn.state.seat])):
        return None
    take = Take(before.seat, source="discard")
    try:
        after, _ = apply(before, take, Shuffle("unused"))
        found = solve(after)
    except (ActionError, SolverError):
        return None
    if not isinstance(found.action, Play):
        return None
    move = move_of(after, [take, found.action])
    return move if _empties(move, len(after.racks[after.seat])) else None


def _theme(thought: _Thought, move: Move) -> Theme:
    """What to practise where another move was better."""
    if _goes_out(thought, move):
        return "go_out"
    if not thought.shown.melded[thought.shown.own_seat]:
        return "open"
    if len(move.laid) > len(thought.did.laid) and frees_joker(thought.turn.state, move):
        return "free_joker"
    if bool(move.laid) != bool(thought.did.laid) or len(move.laid) < len(thought.did.laid):
        return "hold_or_lay"
    return "most_tiles"


def frees_joker(state: State, move: Move) -> bool:
    """True if a play of as many tiles must disturb a set with a joker."""
    joker = state.book.tiles.joker
    table = state.face_table()
    others = tuple(faces for faces in table if joker not in faces)
    if len(others) == len(table):
        return False
    rack = state.faces(state.racks[state.seat])
    return solve_faces(state.book, others, rack).tiles < len(move.laid)


def _verdict(thought: _Thought, better: Better | None) -> Verdict:
    if thought.did.kind == "none":
        return "none"
    if better is not None:
        return "mistake"
    return "strong" if thought.did.same(thought.strong) else "fine"


def _curve(record: Record, thoughts: Sequence[_Thought], found: Sequence[Estimate]) -> tuple[Point, ...]:
    """A point before each turn, and the result."""
    points = [
        Point(thought.turn.step, each.chances, each.games, each.doubt if each.games else 1.0)
        for thought, each in zip(thoughts, found, strict=True)
    ]
    ended = next((event for event in record.events if event.__struct_config__.tag == "game_ended"), None)
    winners: tuple[int, ...] = getattr(ended, "winners", ())
    if winners:
        share = tuple(
            1 / len(winners) if seat in winners else 0.0 for seat in range(len(record.headers.players))
        )
        points.append(Point(points[-1].step + 1, share, 0, 0.0))
    return tuple(points)


def _turning(curve: Sequence[Point], seat: int) -> tuple[TurningPoint, ...]:
    """Where the chance changed by more than the figures may err: the largest changes, in their order.

    The last change is none of them: a game always ends with a winner.
    """
    found = []
    for before, after in pairwise(curve[:-1]):
        change = abs(after.chances[seat] - before.chances[seat])
        known = before.games == 0 or change > before.doubt + after.doubt
        if change >= TURNS_BY and known:
            found.append((change, TurningPoint(before.step, before.chances[seat], after.chances[seat])))
    most = sorted(found, key=lambda each: (-each[0], each[1].step))[:MOST_TURNING]
    return tuple(sorted((point for _, point in most), key=lambda point: point.step))
