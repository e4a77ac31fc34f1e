"""A turn of a laying-off book step by step: melds that grow, melds that are laid, the discard."""

from __future__ import annotations

import msgspec

from meldroom.i18n import Language, message
from meldroom.rules.laying_off import Exposed
from meldroom.rules.verify import FaceSet
from meldroom.solver.lay_off.best import LayOffPlay
from meldroom.tiles import TileSet


class LayOffExplanation(msgspec.Struct, frozen=True):
    """A play on melds that lay there before."""

    tiles: TileSet
    before: tuple[Exposed, ...]
    play: LayOffPlay

    @property
    def grown(self) -> tuple[tuple[FaceSet, FaceSet], ...]:
        """The melds that change, before and after."""
        pairs = zip(self.before, self.play.melds, strict=False)
        return tuple((old.faces, new.faces) for old, new in pairs if old.faces != new.faces)

    def lines(self, language: Language = "en") -> tuple[str, ...]:
        """One sentence for each step."""
        text = self.tiles.faces_text
        return (
            *(
                message("solver.hint.lay_off.grow", language, old=text(old), new=text(new))
                for old, new in self.grown
            ),
            *(
                message("solver.hint.lay_off.lay", language, new=text(meld.faces))
                for meld in self.play.melds[len(self.before) :]
            ),
            message("solver.hint.lay_off.discard", language, tile=text((self.play.discard,))),
        )

    def text(self, language: Language = "en") -> str:
        """Numbered lines a person can follow."""
        return "\n".join(f"{number}. {line}" for number, line in enumerate(self.lines(language), start=1))

    def __str__(self) -> str:
        return self.text()
