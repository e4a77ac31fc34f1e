"""Passwords that everybody tries first: they are refused, with the reason."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

SHORTEST = 8
"""Signs of a password; `common` need not have shorter ones."""
_OURS = """
meldroom meldroom1 rummy123 rummyrummy instagram bonjour123 jetaime1 coucou123 loulou123 soleil123 doudou123
root1234 default1 guest123
"""
"""Words of this place, and what the list has not."""


@cache
def common() -> frozenset[str]:
    """Every password that is refused by name, in lower case; read when the first one is chosen."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # a megabyte, for those who choose a password

    listed = (word.casefold() for word in FREQUENCY_LISTS["passwords"] if len(word) >= SHORTEST)
    return frozenset((*listed, *_OURS.split()))


def is_weak(password: str, account: str) -> bool:
    """Whether a password is one of the first that somebody would try for an account.

    >>> is_weak("password123", "ada"), is_weak("ada-lovelace", "Ada"), is_weak("correct horse", "ada")
    (True, False, False)
    """
    plain = password.casefold().strip()
    bare = plain.rstrip("0123456789!?.")
    if plain in common() or bare in common() or len(set(plain)) < 4:
        return True
    steps = {ord(after) - ord(before) for before, after in pairwise(plain)}
    return len(steps) == 1 or account.casefold() in (plain, plain[::-1], bare)
