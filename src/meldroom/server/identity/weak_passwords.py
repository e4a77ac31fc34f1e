"""Passwords that everybody tries first: they are refused, with the reason."""

from __future__ import annotations

from itertools import pairwise

_WORDS = """
password passwort motdepasse contrasena iloveyou sunshine princess football baseball superman trustno1
whatever jennifer michelle starwars computer corvette mercedes midnight internet samantha dragonfly
liverpool chocolate butterfly charlotte benjamin alexander elizabeth christian welcome1 welcome123
password1 password12 password123 passw0rd p@ssw0rd p@ssword admin123 administrator root1234 letmein1
letmein123 qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 azertyui azertyuiop azerty123 asdfghjk
asdfghjkl zxcvbnm1 zxcvbnm123 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qazwsxedc q1w2e3r4 abcd1234 abc12345 abcdefgh
abcdefghi abcdefghij a1b2c3d4 aa123456 test1234 testtest changeme changeme1 default1 guest123 google123
facebook linkedin instagram pokemon1 pokemon123 naruto123 superman1 batman123 monkey123 dragon123
master123 shadow123 football1 baseball1 sunshine1 princess1 iloveyou1 iloveyou2 jesus123 loveyou1 lovelove
computer1 secret123 soleil123 doudou123 marseille bonjour1 bonjour123 chouchou jetaime1 coucou123
loulou123 nicolas1 meldroom meldroom1 meldroom123 rummy123 rummyrummy
"""
_COMMON = frozenset(_WORDS.split())


def is_weak(password: str, account: str) -> bool:
    """Whether a password is one of the first that somebody would try for an account.

    >>> is_weak("password123", "ada"), is_weak("ada-lovelace", "Ada"), is_weak("correct horse", "ada")
    (True, False, False)
    """
    plain = password.casefold().strip()
    bare = plain.rstrip("0123456789!?.")
    if plain in _COMMON or bare in _COMMON or len(set(plain)) < 4:
        return True
    steps = {ord(after) - ord(before) for before, after in pairwise(plain)}
    return len(steps) == 1 or account.casefold() in (plain, plain[::-1], bare)
