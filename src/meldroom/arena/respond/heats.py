"""What was played so far, a line for each heat: from it a search is repeated without a game."""

from __future__ import annotations

import shutil

import msgspec

from meldroom.arena.errors import ArenaError
from meldroom.arena.respond.population import Tally
from meldroom.arena.store import Store

FILE = "heats.jsonl"
GAMES = "games"


class Heat(msgspec.Struct, frozen=True):
    """Some candidates on the same deals, which follow from the seed, and what each of them did."""

    heat: str
    seed: str
    tallies: dict[str, Tally]


class Heats:
    """The finished heats of a search, in a file of its folder if it has one.

    While a heat is played, its games lie in a folder of their own, which goes when the heat is over.
    """

    def __init__(self, store: Store | None) -> None:
        """Raises ArenaError for a file that is not ours."""
        self._store = store
        self._heats: dict[str, Heat] = {}
        if store is None:
            return
        try:
            lines = msgspec.json.Decoder(Heat).decode_lines((store.folder / FILE).read_bytes())
        except FileNotFoundError:
            return
        except (OSError, msgspec.DecodeError):
            raise ArenaError("error.not_ours", folder=str(store.folder)) from None
        self._heats = {each.heat: each for each in lines}

    def kept(self, heat: str) -> dict[str, Tally] | None:
        """What came of a heat; None if it was not played to its end."""
        found = self._heats.get(heat)
        return None if found is None else found.tallies

    def store(self, heat: str, configuration: bytes) -> Store | None:
        """Where the games of a heat are kept while it is played."""
        return None if self._store is None else Store(self._store.folder / GAMES / heat, configuration)

    def keep(self, heat: str, seed: str, tallies: dict[str, Tally]) -> None:
        """Take note of a finished heat. Raises ArenaError."""
        self._heats[heat] = Heat(heat, seed, tallies)
        if self._store is not None:
            self._store.write(FILE, msgspec.json.Encoder().encode_lines(list(self._heats.values())))
            shutil.rmtree(self._store.folder / GAMES / heat, ignore_errors=True)
