"""Lots after the raffle: each from a secret that was committed to before and is shown when it is drawn (R74).

The founding entry commits to the first secret. Every entry that draws a lot shows the secret that was
committed to, and commits to the next one: none can be computed from what is public before. The hall may add a
word. Where the secret is lost, a fresh word from the hall must do alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import msgspec
from msgspec.structs import replace

from meldroom.championship.actions import Action, Adopt, DecideTie, DrawnLot, Found, SeatSitting
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.log.lines import replace_file
from meldroom.championship.state import ChampionshipState
from meldroom.game.shuffle import Shuffle, commitment, new_secret

_HEX = frozenset("0123456789abcdef")
_LONGEST = 200
OWN_LOTS = 3
"""Logs that are checked by this or more have a secret of its own for each lot."""


class LotSecrets(Protocol):
    """Where secrets wait until they are shown."""

    def secret_of(self, commitment: str) -> str:
        """The secret that was kept for a commitment; empty if none was."""
        ...

    def keep(self, commitment: str, secret: str) -> None:
        """Keep a secret; it is on the disk before its commitment is published."""
        ...


class SecretsFile:
    """Secrets in a file beside the log, which nobody else may read."""

    def __init__(self, log: Path) -> None:
        self._path = log.with_suffix(".lots.json")

    def secret_of(self, commitment: str) -> str:
        """See LotSecrets."""
        return self._known().get(commitment, "")

    def keep(self, commitment: str, secret: str) -> None:
        """See LotSecrets. Raises ChampionshipError."""
        replace_file(self._path, msgspec.json.encode({**self._known(), commitment: secret}))

    def _known(self) -> dict[str, str]:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=dict[str, str])
        except (OSError, msgspec.DecodeError):
            return {}


class SecretsInMemory:
    """Secrets that are gone with the program."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def secret_of(self, commitment: str) -> str:
        """See LotSecrets."""
        return self._known.get(commitment, "")

    def keep(self, commitment: str, secret: str) -> None:
        """See LotSecrets."""
        self._known[commitment] = secret


class SeededSecrets(SecretsFile):
    """For simulations alone: secrets that follow from a seed, so that whoever knows it knows every lot."""

    def __init__(self, log: Path, seed: str) -> None:
        super().__init__(log)
        self._seed = seed

    def following(self) -> str:
        """The secret that follows those which were kept."""
        return commitment(f"{self._seed} lot {len(self._known()) + 1}")


def lot_commitment(secret: str) -> str:
    """What is published before a lot."""
    return commitment(f"lot {secret}")


def with_lot(state: ChampionshipState, action: Action, secrets: LotSecrets) -> Action:
    """The action with what its lot is drawn from and what the next one will be, as far as it draws any.

    Whether it draws one is known when it is completed: then what it does not need is left out.
    """
    match action:
        case Found() if action.checks >= OWN_LOTS and not action.lot:
            return replace(action, lot=_fresh(secrets))
        case Adopt() if not action.lot:
            return replace(action, lot=_fresh(secrets))
        case SeatSitting() | DecideTie() if state.checks >= OWN_LOTS and draws(action):
            word = action.lot.word if action.lot is not None else ""
            seed = secrets.secret_of(state.lot) if state.lot else ""
            return replace(action, lot=DrawnLot(seed, word, _fresh(secrets)))
        case _:
            return action


def draws(action: Action) -> bool:
    """Whether an action may draw a lot."""
    return isinstance(action, SeatSitting) or (isinstance(action, DecideTie) and action.how == "lot")


def _fresh(secrets: LotSecrets) -> str:
    secret = secrets.following() if isinstance(secrets, SeededSecrets) else new_secret()
    secrets.keep(lot_commitment(secret), secret)
    return lot_commitment(secret)


def rehearsed(state: ChampionshipState, action: Action) -> tuple[ChampionshipState, Action]:
    """For a preview: the same with a lot of its own, which tells nothing of the one that will be drawn."""
    secrets = SecretsInMemory()
    pretended = replace(state, lot=_fresh(secrets))
    return pretended, with_lot(pretended, action, secrets)


def lot_shuffle(state: ChampionshipState, lot: DrawnLot | None) -> Shuffle:
    """What a lot is drawn from (R74). Raises ChampionshipError if that is not what was committed to."""
    if state.checks < OWN_LOTS:
        return Shuffle(public_secret(state))
    if lot is None or not (lot.seed or lot.word.strip()):
        raise ChampionshipError("lot_word")
    if not lot.word.isprintable() or len(lot.word) > _LONGEST or len(lot.seed) > _LONGEST:
        raise ChampionshipError("bad_text", text=lot.word, most=_LONGEST)
    if lot.seed and lot_commitment(lot.seed) != state.lot:
        raise ChampionshipError("wrong_lot")
    if len(lot.next) != 64 or not _HEX.issuperset(lot.next):
        raise ChampionshipError("bad_commitment")
    return Shuffle(lot.seed, (lot.word,) if lot.word else ())


def public_secret(state: ChampionshipState) -> str:
    """What earlier logs drew later lots from: all seeds revealed, which could be known before."""
    seeds = [
        drawing.seed
        for stage in state.format.stages
        if (drawing := state.draws.get(stage.id)) is not None and drawing.seed is not None
    ]
    return " ".join(seeds) or f"{state.name} {state.edition}"
