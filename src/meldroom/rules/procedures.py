"""The referee's procedures: fresh start, time, declared turns, leftovers, empty pool, starters, ranking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from meldroom.rules.book import Citation, RuleBook
from meldroom.tiles import Face, Tile

TurnResult = Literal["turn stands", "restore and penalty", "draw", "pass", "go on (clock runs)"]
AfterPool = Literal["out", "lay", "pass"]


class TurnEnd(msgspec.Struct, frozen=True, gc=False):
    """What becomes of a turn, and how many tiles the player draws."""

    result: TurnResult
    draw: int


class Leftover(msgspec.Struct, frozen=True, gc=False):
    """Where leftover tiles go, what is drawn, and what the pool holds afterwards."""

    to_rack_from_table: int
    to_rack_from_pool: int
    pool_after: int


class GameOver(msgspec.Struct, frozen=True, gc=False):
    """After which action (from 0) the game is over, and why; None while it goes on."""

    over_after: int | None
    why: Literal["out", "final turns", "all passed"] | None


class FirstPlayer(msgspec.Struct, frozen=True, gc=False):
    """Who begins, or who must draw again."""

    first: int | None
    draw_again: tuple[int, ...]


def three_doubles(book: RuleBook, rack: Sequence[Face]) -> bool:
    """Whether a dealt rack gives the right to a fresh start (R5: jokers are no double)."""
    counts = Counter(face for face in rack if face != book.tiles.joker)
    doubles = sum(count // 2 for count in counts.values())
    return 0 < book.redeal.doubles <= doubles


def doubles_on(book: RuleBook, rack: Sequence[Tile]) -> tuple[Tile, ...]:
    """The pairs of equal tiles to show for a fresh start: as many as the book asks for, if there are (R5)."""
    by_face: dict[Face, list[Tile]] = {}
    for tile in rack:
        by_face.setdefault(book.tiles.face_of[tile], []).append(tile)
    alike = [same for face, same in by_face.items() if face != book.tiles.joker]
    pairs = [same[at : at + 2] for same in alike for at in range(0, len(same) - 1, 2)]
    return tuple(tile for pair in pairs[: book.redeal.doubles] for tile in pair)


def end_of_time(book: RuleBook, touched: bool, table_legal: bool, rack_tile_laid: bool, pool: int) -> TurnEnd:
    """The clock has run out (R24–R26, R28, R68)."""
    if not touched:
        return TurnEnd("draw", 1) if pool else TurnEnd("pass", 0)
    if table_legal and rack_tile_laid:
        return TurnEnd("turn stands", 0)
    return TurnEnd("restore and penalty", min(book.penalty.drawn, pool))


def time_citation(book: RuleBook, end: TurnEnd, touched: bool, table_legal: bool) -> Citation:
    """What decides a turn whose time has run out; a book without a clock has none (R31)."""
    if not book.clock.seconds:
        return book.cite("clock.seconds")
    if end.result == "restore and penalty":
        if book.penalty.conduct == "competition":
            return book.cite("penalty.conduct")
        also = ("R26",) if table_legal else ()
        return _decided(book, ("penalty.tiles", "clock.seconds"), (*_penalty_rulings(book, end.draw), *also))
    if touched:
        return _decided(book, ("clock.seconds",), ("R26",))
    fields = ("clock.seconds",) if end.draw else ("clock.seconds", "pool_end.ending")
    return _decided(book, fields, ("R24", "R34", "R35"))


def penalty_citation(book: RuleBook, drawn: int) -> Citation:
    """What decides a penalty for which so many tiles were drawn."""
    if book.penalty.conduct == "competition":
        return book.cite("penalty.conduct")
    return _decided(book, ("penalty.tiles",), _penalty_rulings(book, drawn))


def as_drawn(book: RuleBook, cause: str) -> bool:
    """True for an infringement that counts as a draw (R68); leftovers are a referee's matter (R29, R30)."""
    return book.penalty.conduct == "competition" and cause != "leftovers"


def leftover_citation(book: RuleBook, moves: Leftover, leftovers: int) -> Citation:
    """What decides where leftover tiles go, and how many are drawn."""
    penalty = moves.to_rack_from_pool - (leftovers if book.penalty.leftovers == "under_pool" else 0)
    short = _penalty_rulings(book, penalty)[1:]
    return _decided(book, ("penalty.leftovers", "penalty.tiles"), (*short, "R29", "R30"))


def _penalty_rulings(book: RuleBook, drawn: int) -> tuple[str, ...]:
    """R25, and R28 if the pool held less than the penalty."""
    return ("R25", "R28") if drawn < book.penalty.tiles else ("R25",)


def _decided(book: RuleBook, fields: Sequence[str], rulings: Sequence[str]) -> Citation:
    """The clauses of some fields; of the rulings that they cite, those that decide."""
    cited = [book.cite(field) for field in fields]
    clauses = dict.fromkeys(clause for each in cited for clause in each.clauses)
    known = {ruling for each in cited for ruling in each.rulings}
    return Citation(tuple(clauses), tuple(sorted(known.intersection(rulings), key=lambda r: int(r[1:]))))


def declared(book: RuleBook, table_legal: bool, pool: int, strict: bool | None = None) -> TurnEnd:
    """The player says the turn is finished (R27); `strict` overrides the book's option."""
    if table_legal:
        return TurnEnd("turn stands", 0)
    if not (book.penalty.strict_declare if strict is None else strict):
        return TurnEnd("go on (clock runs)", 0)
    return TurnEnd("restore and penalty", min(book.penalty.drawn, pool))


def leftover(book: RuleBook, leftovers: int, pool: int) -> Leftover | None:
    """Tiles whose place nobody can name (R29, R30); None where the book has no such ruling (R31)."""
    if book.penalty.leftovers == "none":
        return None
    if book.penalty.leftovers == "rack":
        drawn = min(book.penalty.tiles, pool)
        return Leftover(leftovers, drawn, pool - drawn)
    drawn = min(book.penalty.tiles + leftovers, pool + leftovers)
    return Leftover(0, drawn, pool + leftovers - drawn)


def final_turns(book: RuleBook, seats: Sequence[str], drawer: str) -> tuple[str, ...]:
    """The order of the last turns after `drawer` took the last tile (R33). Seats are listed clockwise."""
    place = seats.index(drawer)
    start = place if book.pool_end.final_turns_start == "drawer" else place + book.step
    return tuple(seats[(start + book.step * turn) % len(seats)] for turn in range(len(seats)))


def after_pool_empty(book: RuleBook, actions: Sequence[AfterPool], seats: Sequence[str]) -> GameOver:
    """When a game whose pool is empty ends (R33–R35). Actions are the turns taken since, in order."""
    passes = 0
    for index, action in enumerate(actions):
        if action == "out":
            return GameOver(index, "out")
        passes = passes + 1 if action == "pass" else 0
        if book.pool_end.ending == "final_turns" and index + 1 == len(seats):
            return GameOver(index, "final turns")
        if book.pool_end.ending != "final_turns" and passes == len(seats):
            return GameOver(index, "all passed")
    return GameOver(None, None)


def first_player(book: RuleBook, draws: Sequence[Face]) -> FirstPlayer:
    """Who begins after each player turned one tile: the highest, a joker above all (R3)."""
    joker = book.tiles.joker
    ranks = [book.tiles.numbers + 1 if face == joker else book.tiles.number_of[face] for face in draws]
    wanted = max(ranks) if book.start.first_player == "highest_tile" else min(ranks)
    best = [seat for seat, rank in enumerate(ranks) if rank == wanted]
    return FirstPlayer(best[0], ()) if len(best) == 1 else FirstPlayer(None, tuple(best))


def starters(book: RuleBook, players: int, games: int, first: int) -> tuple[int, ...]:
    """Who begins each game of a match: the start passes to the left (R3, R62)."""
    step = 1 if book.start.later_games == "left" else -1
    return tuple((first + step * game) % players for game in range(games))


Result = tuple[int, int]
"""A game for one player: 1 if won else 0, and the score."""


def ranking_key(results: Sequence[Result]) -> tuple[int, int, tuple[int, ...]]:
    """Games won, total score, then single games from the best down (R48)."""
    scores = sorted((score for _, score in results), reverse=True)
    return sum(won for won, _ in results), sum(scores), tuple(scores)


def ranking(results: Mapping[str, Sequence[Result]]) -> tuple[tuple[str, ...], ...]:
    """Players in order of rank; those still level share a place and need a deciding game (R48)."""
    keys = {name: ranking_key(played) for name, played in results.items()}
    return tuple(
        tuple(n for n in results if keys[n] == key) for key in sorted(set(keys.values()), reverse=True)
    )


def highest_totals(totals: Mapping[str, int]) -> tuple[str, ...]:
    """The winners of a match by total: equal highest totals share it (R62)."""
    best = max(totals.values(), default=0)
    return tuple(name for name, total in totals.items() if total == best)


class Condition(msgspec.Struct, frozen=True):
    """A condition of entry: the field of the book it stands in, and whether it is met; None if not known."""

    field: Literal["tournament.citizens_only", "tournament.not_twice_running"]
    met: bool | None


def conditions(
    book: RuleBook, citizen: bool | None, editions_played: Sequence[int] | None, edition: int
) -> tuple[Condition, ...]:
    """What a book asks of those who represent their country at an edition (R49, R70)."""
    found = []
    if book.tournament.citizens_only:
        found.append(Condition("tournament.citizens_only", citizen))
    if book.tournament.not_twice_running:
        fresh = None if editions_played is None else edition - 1 not in editions_played
        found.append(Condition("tournament.not_twice_running", fresh))
    return tuple(found)


def eligible(
    book: RuleBook, citizen: bool | None, editions_played: Sequence[int] | None, edition: int
) -> bool:
    """Whether a player may represent their country at an edition: what is not known is not met (R49, R70)."""
    return all(one.met for one in conditions(book, citizen, editions_played, edition))
