"""The bot's side of the protocol: any `Bot` of this library, served on standard input and output."""

from __future__ import annotations

from typing import BinaryIO

import msgspec

from meldroom.bots.interface import Bot, Clock, MakeBot
from meldroom.bots.stdio import messages as wire
from meldroom.bots.stdio.views import format_tiles, parse_view
from meldroom.game import actions as act
from meldroom.rules.book import RuleBook
from meldroom.rules.library import resolve
from meldroom.tiles import Tile, TileSet

_DECODER = msgspec.json.Decoder(wire.FromHost)


def serve(make: MakeBot, name: str, source: BinaryIO, sink: BinaryIO) -> None:
    """Answer every message until `quit` or the end of the input.

    Raises BookError for a book this program does not know, and whatever the bot itself raises.
    """
    served = _Served(make, name)
    for line in source:
        try:
            message: wire.FromHost = _DECODER.decode(line)
        except msgspec.ValidationError:
            continue  # A later version may say more than we know.
        if isinstance(message, wire.Quit):
            return
        answer = served.answer(message)
        if answer is not None:
            sink.write(msgspec.json.encode(answer) + b"\n")
            sink.flush()


class _Served:
    """The bot of the game that is being played, and what it was last asked."""

    def __init__(self, make: MakeBot, name: str) -> None:
        self.make = make
        self.name = name
        self.begun: wire.NewGame | None = None
        self.book: RuleBook | None = None
        self.bot: Bot | None = None
        self.asked: wire.Turn | None = None

    def answer(self, message: wire.FromHost) -> wire.FromBot | None:
        """The answer to a message, if it wants one."""
        match message:
            case wire.Hello():
                return wire.Ready(id=message.id, protocol=wire.PROTOCOL, name=self.name, tiles="exact")
            case wire.NewGame():
                self.begun, self.book = message, resolve(message.book)
                self.bot = self.make(self.book, message.seed)
            case wire.Turn():
                self.asked = message
                return self._act(message)
            case wire.Refused() if message.again and message.id is not None and self.asked is not None:
                return waiting(message.id, self.asked)
            case _:
                pass
        return None

    def _act(self, turn: wire.Turn) -> wire.FromBot | None:
        if self.begun is None or self.book is None or self.bot is None:
            return None
        view = parse_view(self.begun, self.book.tiles, turn.view)
        return as_answer(turn.id, self.bot.act(view, Clock(turn.seconds)), self.book.tiles)


def waiting(request: int, turn: wire.Turn) -> wire.Answer:
    """What can always be done: draw or pass, take from the stock, discard the last tile."""
    match turn.actions[0]:
        case "draw":
            return wire.Draw(id=request)
        case "take":
            return wire.Take(id=request, source="stock")
        case "discard":
            return wire.Discard(id=request, tile=turn.view.rack[-1])
        case _:
            return wire.Pass(id=request)


def as_answer(request: int, action: act.Action, tiles: TileSet) -> wire.Answer:
    """An action for the wire, in exact tiles. Raises TypeError for what no player can ask."""

    def exact(some: tuple[Tile, ...]) -> wire.Words:
        return format_tiles(tiles, some, "exact")

    match action:
        case act.Draw():
            return wire.Draw(id=request)
        case act.Pass():
            return wire.Pass(id=request)
        case act.Withdraw():
            return wire.Withdraw(id=request)
        case act.Lay():
            stated = {
                index: tuple(tiles.face_names[face] for face in faces)
                for index, faces in action.stated.items()
            }
            return wire.Lay(id=request, table=tuple(map(exact, action.table)), stated=stated)
        case act.TimeOut() if action.table is not None:
            return wire.TimeOut(id=request, table=tuple(map(exact, action.table)))
        case act.RequestRedeal():
            return wire.RequestRedeal(id=request, tiles=exact(action.tiles))
        case act.Take():
            return wire.Take(id=request, source=action.source)
        case act.Discard():
            return wire.Discard(id=request, tile=exact((action.tile,))[0])
        case act.Play() if action.discard is not None:
            melds = tuple(wire.MeldWords(exact(m.tiles), m.owner, m.kind) for m in action.melds)
            return wire.Play(id=request, melds=melds, discard=exact((action.discard,))[0])
        case _:
            raise TypeError(f"a player cannot ask for {type(action).__name__}")
