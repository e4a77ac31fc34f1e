"""The frozen encodings: what every book's observations, masks and features are in one committed game.

`python -m tests.env.golden_encodings` writes the files anew. Do that only together with a new version in
`meldroom.env.versions`: programs trained on the old encoding would misread the new one.
"""

from __future__ import annotations

import hashlib
import random
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from meldroom.env.episode import Episode, Settings, settings
from meldroom.env.versions import ACTION_VERSION, OBSERVATION_VERSION
from meldroom.rules.library import BOOK_IDS

FOLDER = Path(__file__).parent / "golden"
GAMES = tuple(
    (book_id, codec, 2 + number % 3)
    for number, book_id in enumerate(BOOK_IDS)
    for codec in ("candidates", "tiles")
)
DECISIONS = 48
SHOWN_EVERY = 12


def path_of(book_id: str, codec: str) -> Path:
    """Where the encoding of a book under a codec is kept."""
    return FOLDER / f"{book_id}_{codec}.txt"


def written(book_id: str, codec: str, players: int) -> str:
    """The whole file: the layout, then decision after decision of one game."""
    made = settings(book_id, players, codec=codec)
    lines = [
        "# A frozen encoding: `python -m tests.env.golden_encodings` writes it, the tests compare it.",
        f"observation version {OBSERVATION_VERSION}, action version {ACTION_VERSION}",
        f"{book_id}, {players} players, {codec}: {made.codec.numbers} numbers",
        *_layout(made),
    ]
    episode, chance = Episode(made, f"golden {book_id} {codec}"), random.Random(codec)
    for number in range(DECISIONS):
        if episode.decision is None:
            break
        lines += _decision(episode, number)
        step = chance.choice(np.flatnonzero(episode.decision.mask).tolist())
        lines.append(f"> {step}: {episode.decision.action_text(step)}")
        episode.step(step)
    return "\n".join(lines) + "\n"


def _layout(made: Settings) -> list[str]:
    parts = [f"part {p.name} {p.shape} at {p.start}, at most {p.most}" for p in made.observer.parts.values()]
    return [*parts, f"features: {', '.join(made.codec.feature_names) or 'none'}"]


def _decision(episode: Episode, number: int) -> list[str]:
    """One decision: mask, fingerprints of the arrays, and now and then the numbers themselves."""
    decision = episode.decision
    assert decision is not None
    seen, features = episode.observe(episode.seat), decision.features
    mask = " ".join(map(str, np.flatnonzero(decision.mask)))
    lines = [
        f"seat {episode.seat}, {decision.stage}: mask {mask}",
        f"  observation {_print(seen)}, features {_print(features) if features is not None else '-'}",
    ]
    if number % SHOWN_EVERY == SHOWN_EVERY - 1:
        for name, part in episode.settings.observer.split(seen).items():
            lines.append(f"  {name} {_sparse(part)}")
        if features is not None:
            lines += [f"  slot {slot} {_sparse(features[slot])}" for slot in np.flatnonzero(decision.mask)]
    return lines


def _print(array: NDArray[np.float32]) -> str:
    return hashlib.sha256(array.astype("<f4").tobytes()).hexdigest()[:16]


def _sparse(array: NDArray[np.float32]) -> str:
    flat = array.reshape(-1)
    return " ".join(f"{at}:{flat[at]:g}" for at in np.flatnonzero(flat)) or "-"


def main() -> int:
    """Write every file; returns the exit status."""
    FOLDER.mkdir(exist_ok=True)
    for book_id, codec, players in GAMES:
        text = written(book_id, codec, players)
        path_of(book_id, codec).write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
