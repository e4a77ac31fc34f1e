"""Rulings at the table: leftover tiles, and the proof of three doubles for a fresh start."""

from __future__ import annotations

from collections import Counter

import msgspec

from meldroom.i18n import Language, message
from meldroom.referee.errors import RefereeError
from meldroom.rules.book import RuleBook
from meldroom.rules.procedures import Leftover, leftover, leftover_citation, three_doubles
from meldroom.rules.verify import FaceSet
from meldroom.tiles import Face


class LeftoverRuling(msgspec.Struct, frozen=True):
    """Where tiles go whose place nobody can name, and what the player draws."""

    leftovers: FaceSet
    moves: Leftover
    where: str
    """`rack` or `under_pool`, as the book has it."""
    enough: bool
    """Whether the pool was taken to hold enough, without a number."""
    clause: str
    ruling: str

    def message(self, book: RuleBook, language: Language = "en") -> str:
        """The ruling in one sentence."""
        return message(
            f"referee.leftover.{self.where}{'_enough' if self.enough else ''}",
            language,
            leftovers=book.tiles.faces_text(self.leftovers),
            drawn=self.moves.to_rack_from_pool,
            pool=self.moves.pool_after,
        )


def rule_leftovers(book: RuleBook, leftovers: FaceSet, pool: int | None) -> LeftoverRuling:
    """Tiles whose place nobody can name after a time-out (R29, R30); without a `pool` it holds enough.

    Raises RefereeError where the book has no such ruling (R31), or for tiles or a pool that cannot be.
    """
    held = book.tiles.size - len(leftovers) if pool is None else pool
    if held < 0:
        raise RefereeError("pool")
    if (face := book.tiles.too_many(leftovers)) is not None:
        raise RefereeError("no_more", tile=book.tiles.face_names[face], limit=book.tiles.limits[face])
    if len(leftovers) + held > book.tiles.size:
        raise RefereeError("full", size=book.tiles.size)
    moves = leftover(book, len(leftovers), held)
    if moves is None:
        raise RefereeError("leftovers", book=book.title())
    cited = leftover_citation(book, moves, len(leftovers))
    where = book.penalty.leftovers
    return LeftoverRuling(leftovers, moves, where, pool is None, cited.clause, cited.ruling)


class RedealProof(msgspec.Struct, frozen=True):
    """The doubles that a player has shown, and whether they give a fresh start."""

    doubles: tuple[Face, ...]
    needed: int
    granted: bool
    clause: str
    ruling: str

    def message(self, book: RuleBook, language: Language = "en") -> str:
        """The ruling in one sentence, with the pairs."""
        if not self.needed:
            return message("referee.redeal.unknown", language)
        if not self.doubles:
            return message("referee.redeal.none", language)
        pairs = ", ".join(book.tiles.faces_text((face, face)) for face in self.doubles)
        key = "granted" if self.granted else "refused"
        return message(
            f"referee.redeal.{key}", language, doubles=pairs, count=len(self.doubles), needed=self.needed
        )


def prove_redeal(book: RuleBook, shown: FaceSet) -> RedealProof:
    """Whether the tiles that a player shows before the first turn is over give a fresh start (R5, R6).

    Raises RefereeError if more tiles are shown than are dealt, or more of one kind than the box holds.

    >>> from meldroom.rules.library import book
    >>> from meldroom.tiles import parse_set
    >>> wrc11 = book("wrc11")
    >>> prove_redeal(wrc11, parse_set("R7 R7 K1 K1 * *", wrc11.tiles)).message(wrc11)
    'K1 K1, R7 R7: 2 doubles shown, 3 needed; the deal stands'
    """
    if len(shown) > book.deal.starter_tiles:
        raise RefereeError("too_many_shown", count=len(shown), tiles=book.deal.starter_tiles)
    if (face := book.tiles.too_many(shown)) is not None:
        raise RefereeError("no_more", tile=book.tiles.face_names[face], limit=book.tiles.limits[face])
    counts = Counter(face for face in shown if face != book.tiles.joker)
    pairs = tuple(face for face in sorted(counts) for _ in range(counts[face] // 2))
    cited = book.cite("redeal.doubles")
    granted = three_doubles(book, shown)
    return RedealProof(pairs, book.redeal.doubles, granted, cited.clause, cited.ruling)
