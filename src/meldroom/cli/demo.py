"""`meldroom demo`: a whole game in the terminal, and what to try next."""

from __future__ import annotations

import random
from typing import Annotated

import typer

from meldroom.bots import Game
from meldroom.cli.options import Lang, refuse
from meldroom.cli.replay import print_record
from meldroom.game import Action, Lay, Play, Shuffle, State, legal
from meldroom.rules.library import BookError
from meldroom.rules.library import book as published

LOOKS = 12
PLAYERS = ("Ada", "Bo", "Chi", "Dev")

_NEXT = {
    "en": """
That was a demonstration: each player looked at a few plays and laid the largest.
Try next (in a checkout, `meldroom` is `python3 run.py` or `.venv/bin/meldroom`):
  meldroom rules wrc11                       a rule book, with the clause for every value
  meldroom rules wrc9 --diff wrc11           what differs between two books
  meldroom check --table "R7 R8 *" --rack "R9 K1" --after "R7 R8 R9"
                                             is this turn legal? (no: the joker left the table)
  meldroom solve --table "R5 B5 K5 *" --rack "O5 K9 B9"
                                             the best play, movement by movement
  meldroom demo --book rummyo --lang fr      another book, in French
  meldroom --help                            everything else""",
    "fr": """
C’était une démonstration : chaque joueur a regardé quelques coups et posé le plus grand.
À essayer ensuite (dans un dépôt, « meldroom » est « python3 run.py » ou « .venv/bin/meldroom ») :
  meldroom rules wrc11 --lang fr             une règle, avec l’article de chaque valeur
  meldroom rules wrc9 --diff wrc11 --lang fr ce qui diffère entre deux règles
  meldroom check --lang fr --table "R7 R8 *" --rack "R9 K1" --after "R7 R8 R9"
                                             ce tour est-il légal ? (non : le joker a quitté la table)
  meldroom solve --lang fr --table "R5 B5 K5 *" --rack "O5 K9 B9"
                                             le meilleur coup, mouvement par mouvement
  meldroom demo --book rummyo --lang fr      une autre règle
  meldroom --help                            tout le reste""",
}


def demo(
    book: Annotated[str, typer.Option("--book", help="The rule book's id.")] = "wrc11",
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
    try:
        rules = published(book)
    except BookError as error:
        refuse("demo", str(error))
    shuffle = Shuffle(seed, tuple(f"{name}'s word" for name in PLAYERS[:players]))
    chance = random.Random(seed)
    game = Game(rules, PLAYERS[:players], shuffle)
    while not game.over:
        game.apply(_large_play(game.state, chance))
    print_record(game.record(), lang)
    typer.echo(_NEXT[lang])


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
