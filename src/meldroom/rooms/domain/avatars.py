"""What others see of a person besides the name: a public id, and an avatar made from tiles."""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b

from meldroom.bots.levels import LEVELS

COLOURS = "KRBO"
HIGHEST = 13
JOKER = "*"
MOST_TILES = 3
LONGEST_AVATAR = 11
LONGEST_PROFILE = 24
"""As long as the name of an account, which names a profile as well."""
KEPT = 20_000
"""People whose id and avatar need not be computed again for every message."""

_FACE = re.compile(rf"[{COLOURS}](?:[1-9]|1[0-3])|\*")


@lru_cache(maxsize=KEPT)
def profile_of(player: str) -> str:
    """The public id of a person, empty for nobody: it follows from the private one and does not tell it.

    No account's name begins like it.
    """
    return f"~{_digest(player, b'profile').hex()}" if player else ""


@lru_cache(maxsize=KEPT)
def avatar_of(player: str) -> str:
    """The avatar of a person who has chosen none: two tiles, always the same ones."""
    first, second = _digest(player, b"avatar")[:2]
    faces = len(COLOURS) * HIGHEST
    one = first % faces
    return f"{_face(one)} {_face((one + 1 + second % (faces - 1)) % faces)}"


def bot_avatar(level: str) -> str:
    """The avatar of a bot: a joker, and a tile that rises with its level."""
    place = list(LEVELS).index(level) if level in LEVELS else 0
    return f"{JOKER} {COLOURS[place // 5 % len(COLOURS)]}{place % 5 * 3 + 1}"


def is_avatar(text: str) -> bool:
    """True for one to three faces of tiles with a space between them: `R7 B7 *`."""
    if len(text) > LONGEST_AVATAR:
        return False
    faces = text.split(" ")
    return len(faces) <= MOST_TILES and all(_FACE.fullmatch(face) for face in faces)


def _face(number: int) -> str:
    return f"{COLOURS[number // HIGHEST]}{number % HIGHEST + 1}"


def _digest(player: str, purpose: bytes) -> bytes:
    return blake2b(player.encode("utf-8", "surrogatepass"), digest_size=8, person=purpose).digest()
