"""A playthrough as text: every action, the events it led to, and the position after each event."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from meldroom.game import Shuffle, apply, legal, new_game, reveal
from meldroom.game.actions import Action
from meldroom.game.events import Event, GameCreated
from meldroom.game.fold import created, evolve
from meldroom.game.state import State
from meldroom.rules.library import book

FOLDER = Path(__file__).parent
NAMES = ("Ada", "Bo", "Chi", "Dee")


class Golden(msgspec.Struct, frozen=True):
    """One committed game: the first line of its file."""

    book: str
    players: int
    secret: str
    contributions: tuple[str, ...]

    @property
    def path(self) -> Path:
        """Where it is kept."""
        return FOLDER / f"{self.book}_{self.players}_players.txt"

    @property
    def shuffle(self) -> Shuffle:
        """The shuffle of its tiles."""
        return Shuffle(self.secret, self.contributions)


def random_actions(golden: Golden) -> list[Action]:
    """Random legal actions to the end of the game."""
    chance = random.Random(golden.secret)
    state, _ = new_game(book(golden.book), NAMES[: golden.players], golden.shuffle)
    actions = []
    while not state.over:
        actions.append(legal(state).sample(chance))
        state, _ = apply(state, actions[-1], golden.shuffle)
    return actions


def written(golden: Golden, actions: Sequence[Action]) -> str:
    """The whole file: the game played again from its actions."""
    lines = [
        "# A golden playthrough: `python -m tests.golden.regenerate` writes it, the tests compare it.",
        "# `>` is an action, `{` an event; below each event the position after it.",
        f"# {_json(golden)}",
    ]
    state, events = new_game(book(golden.book), NAMES[: golden.players], golden.shuffle)
    position = _told(lines, None, events)
    for action in actions:
        lines.append(f"> {_json(action)}")
        state, events = apply(state, action, golden.shuffle)
        position = _told(lines, position, events)
    assert position == state
    _told(lines, position, [reveal(state, golden.shuffle)])
    return "\n".join(lines) + "\n"


def _told(lines: list[str], position: State | None, events: Iterable[Event]) -> State:
    """Adds the events and the positions they lead to; gives the last one."""
    for event in events:
        position = created(event) if isinstance(event, GameCreated) else evolve(_some(position), event)
        lines.append(_json(event))
        lines.append(f"    {summary(position)}")
    return _some(position)


def _some(position: State | None) -> State:
    assert position is not None, "a game begins with the event that creates it"
    return position


def _json(value: msgspec.Struct) -> str:
    return msgspec.json.encode(value).decode()


def summary(state: State) -> str:
    """A position in one line: phase and seat, table, racks, discards, pool, result."""
    tiles = state.book.tiles
    turn = f"{state.phase} {NAMES[state.seat]}" if state.seat >= 0 and not state.over else state.phase
    sets = [tiles.names(each) for each in state.table]
    sets += [f"{tiles.names(meld.tiles)} ({NAMES[meld.owner]})" for meld in state.melds]
    parts = [turn, "table " + (" | ".join(sets) or "-")]
    parts += [f"{name} {tiles.names(rack) or '-'}" for name, rack in zip(NAMES, state.racks, strict=False)]
    if state.discards:
        parts.append(f"discards {tiles.names(state.discards)}")
    parts.append(f"pool {len(state.pool)}")
    if state.result is not None:
        won = " and ".join(NAMES[seat] for seat in state.result.winners) or "nobody"
        parts.append(f"{state.result.end}, won by {won}, {' '.join(map(str, state.result.scores))}")
    return "; ".join(parts)


def read(path: Path) -> tuple[Golden, list[Action]]:
    """The game and the actions of a committed file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    golden = msgspec.json.decode(lines[2].removeprefix("# "), type=Golden)
    decoder = msgspec.json.Decoder(Action)
    return golden, [decoder.decode(line[2:]) for line in lines if line.startswith("> ")]
