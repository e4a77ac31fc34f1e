"""`meldroom demo`: a whole game in the terminal, and what to try next."""

from __future__ import annotations

import random
from typing import Annotated

import typer

from meldroom.bots import Game
from meldroom.cli.options import Book, Lang, Options, load_book
from meldroom.cli.replay import print_record
from meldroom.game import Action, Lay, Play, Shuffle, State, legal
from meldroom.i18n import message

LOOKS = 12
PLAYERS = ("Ada", "Bo", "Chi", "Dev")


def demo(
    book: Book = "wrc11",
    option: Options = None,
    players: Annotated[int, typer.Option("--players", min=2, max=4, help="How many play.")] = 4,
    seed: Annotated[str, typer.Option("--seed", help="Another text gives another game.")] = "welcome",
    lang: Lang = "en",
) -> None:
    """Play a demonstration game and show it turn by turn, with its scores and its shuffle checked.

    \b
    Examples:
      meldroom demo
      meldroom demo --book rummyo --players 2 --seed tuesday
    """
    rules = load_book(book, option)
    shuffle = Shuffle(seed, tuple(f"{name}'s word" for name in PLAYERS[:players]))
    chance = random.Random(seed)
    game = Game(rules, PLAYERS[:players], shuffle)
    while not game.over:
        game.apply(_large_play(game.state, chance))
    print_record(game.record(), lang)
    typer.echo(message("cli.demo.next", lang))


def _large_play(state: State, chance: random.Random) -> Action:
    """The action that lays most tiles among a few looked at."""
    looked_at = [legal(state).sample(chance) for _ in range(LOOKS)]
    return max(looked_at, key=_tiles_laid)


def _tiles_laid(action: Action) -> int:
    match action:
        case Lay():
            return sum(map(len, action.table))
        case Play():
            return sum(len(meld.tiles) for meld in action.melds)
        case _:
            return 0
