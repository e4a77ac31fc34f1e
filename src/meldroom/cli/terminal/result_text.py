"""The text of the final screen: who won, why each score is what it is, how to check the shuffle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from meldroom.cli.terminal.rack_order import RackOrder
from meldroom.cli.terminal.session import Session
from meldroom.game import Match, MatchStanding
from meldroom.i18n import Language, message
from meldroom.rules.book import RuleBook
from meldroom.tiles import Tile


class Finish:
    """A finished game, told in one language."""

    def __init__(self, session: Session, language: Language) -> None:
        self.session = session
        self.book: RuleBook = session.book
        self.view = session.view()
        self.language: Language = language

    def title(self, match: Match | None) -> str:
        """The heading; a round of a match has its number."""
        name = self.book.name[self.language]
        if match is None:
            return message("terminal.final.title", self.language, book=name)
        return message(
            "terminal.final.title_round",
            self.language,
            book=name,
            number=len(match.results),
            games=match.games,
        )

    def lines(self, match: Match | None, standing: MatchStanding | None) -> Iterator[str]:
        """How it ended, a score with its reason and rack for each player, and the match."""
        yield self._ending()
        yield ""
        yield from self._scores()
        if match is not None and standing is not None:
            yield ""
            yield from self._match(match, standing)

    def shuffle_lines(self) -> Iterator[str]:
        """What was committed to before the deal, and the secret behind it."""
        yield message("terminal.final.commitment", self.language, commitment=self.view.commitment)
        yield message("terminal.final.secret", self.language, secret=self.session.secret)

    def saved_lines(self, file: Path, failure: str | None) -> Iterator[str]:
        """Where the record is and how it is checked, or why it could not be written."""
        if failure is not None:
            yield message("terminal.final.not_saved", self.language, file=str(file), reason=failure)
            return
        yield message("terminal.final.record", self.language, file=str(file))
        yield message("terminal.final.check", self.language, file=str(file))

    def _ending(self) -> str:
        result = self.view.result
        assert result is not None
        if result.end != "out":
            return message(f"terminal.final.{result.end}", self.language)
        way = ""
        if result.going_out is not None:
            way = f" {message('terminal.way.' + _WAYS[result.going_out], self.language)}!"
        if result.winners == (self.session.me,):
            return message("terminal.final.out_mine", self.language) + way
        return message("terminal.final.out", self.language, name=self._names(result.winners)) + way

    def _names(self, seats: Sequence[int]) -> str:
        me = self.session.me
        return ", ".join(
            message("terminal.header.you", self.language) if seat == me else self.view.players[seat]
            for seat in seats
        )

    def _scores(self) -> Iterator[str]:
        result, sheet = self.view.result, self.session.sheet()
        assert result is not None
        racks = self.view.racks or ()
        width = max(len(self._names((seat,))) for seat in range(len(self.view.players)))
        for seat, score in enumerate(result.scores):
            won = "*" if seat in result.winners else " "
            line = f"{won} {self._names((seat,)):<{width}} {score:>+5}"
            if sheet is not None:
                entry = sheet.lines[seat]
                why, cited = entry.message(self.language), entry.cite(self.book)
                line += f"  {why} ({', '.join(part for part in (cited.clause, cited.ruling) if part)})"
            yield line
            if seat < len(racks):
                yield " " * (width + 4) + self._rack(racks[seat])

    def _rack(self, rack: Sequence[Tile]) -> str:
        if not rack:
            return message("terminal.final.no_rack", self.language)
        order = RackOrder(self.book)
        order.follow(rack)
        tiles = self.book.tiles
        return message(
            "terminal.final.rack",
            self.language,
            tiles=" ".join(tiles.face_names[tiles.face_of[tile]] for tile in order.tiles),
        )

    def _match(self, match: Match, standing: MatchStanding) -> Iterator[str]:
        totals = ", ".join(f"{self._names((seat,))} {total:+d}" for seat, total in enumerate(standing.totals))
        yield message(
            "terminal.final.match", self.language, played=len(match.results), games=match.games, totals=totals
        )
        if standing.winners is not None:
            mine = standing.winners == (self.session.me,)
            key = "match_over_mine" if mine else "match_over"
            yield message(f"terminal.final.{key}", self.language, names=self._names(standing.winners))


_WAYS = {"open": "OPEN_RUMMY", "foot": "FOOT", "hand": "HAND"}
