"""A table set up by hand: positions and turns as text, so that a test reads like a referee's question.

Every tile of the box lies somewhere, as in a real game; a test names only the tiles that matter to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, islice
from typing import Literal

from meldroom.game import (
    Action,
    ActionError,
    Discard,
    Draw,
    Event,
    Lay,
    Meld,
    MeldPlay,
    Pass,
    Play,
    RuleLeftovers,
    Shuffle,
    State,
    Take,
    TimeOut,
    Withdraw,
    apply,
)
from meldroom.game import events as ev
from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import Judgement, LayOffTurn, exposed, judge
from meldroom.rules.library import OptionValue, book
from meldroom.rules.verify import Turn, verify
from meldroom.rules.violations import Violation
from meldroom.tiles import Face, Tile, parse_set, parse_table

SHUFFLE = Shuffle("a secret for the tests", ("Ada", "Bo"))
NAMES = ("Ada", "Bo", "Chi", "Dev")

Fault = tuple[str, str, str]
"""A code with the clause and the ruling that it must name."""


def faces(rules: RuleBook, text: str) -> tuple[Face, ...]:
    """Tiles as faces."""
    return parse_set(text, rules.tiles)


def sets(rules: RuleBook, text: str) -> tuple[tuple[Face, ...], ...]:
    """A table as faces."""
    return parse_table(text, rules.tiles)


# One turn, judged.


def faults(
    rules: RuleBook,
    before: str,
    rack: str,
    after: str,
    *,
    melded: bool = True,
    stated: Mapping[int, str] | None = None,
) -> tuple[Violation, ...]:
    """Every fault of a turn under a rearranging book."""
    said = {index: faces(rules, text) for index, text in (stated or {}).items()}
    return verify(rules, Turn(sets(rules, before), faces(rules, rack), sets(rules, after), melded, said))


def assert_legal(
    rules: RuleBook,
    before: str,
    rack: str,
    after: str,
    *,
    melded: bool = True,
    stated: Mapping[int, str] | None = None,
) -> None:
    """The turn stands."""
    found = faults(rules, before, rack, after, melded=melded, stated=stated)
    assert not found, [(fault.code, fault.message()) for fault in found]


def assert_refused(
    rules: RuleBook,
    before: str,
    rack: str,
    after: str,
    *expected: Fault,
    melded: bool = True,
    stated: Mapping[int, str] | None = None,
) -> None:
    """The turn is refused for exactly these reasons, each under its clause and ruling, in both languages."""
    found = faults(rules, before, rack, after, melded=melded, stated=stated)
    assert named(found) == list(expected), f"{named(found)} instead of {list(expected)}"
    for fault in found:
        assert fault.message("en") != fault.message("fr")


def named(found: Iterable[Violation]) -> list[Fault]:
    """Faults as code, clause and ruling."""
    return [(fault.code, fault.clause, fault.ruling) for fault in found]


def owned(text: str) -> list[tuple[str, str]]:
    """`A: R1 R2 R3 | B: K9 R9 O9` as owners and sets."""
    if not text:
        return []
    parts = [part.split(":") for part in text.split("|")]
    return [(owner.strip(), tiles.strip()) for owner, tiles in parts]


def judged(
    rules: RuleBook, before: str, rack: str, after: str, discard: str | None, *, on_board: bool = True
) -> Judgement:
    """Player A's turn under Rummy-O. Melds are written with their owner: `A: R1 R2 R3 | B: K9 R9 O9`."""
    return judge(
        rules,
        LayOffTurn(
            player="A",
            before=tuple(exposed(rules, faces(rules, tiles), owner) for owner, tiles in owned(before)),
            rack=faces(rules, rack),
            after=tuple(exposed(rules, faces(rules, tiles), owner) for owner, tiles in owned(after)),
            on_board=on_board,
            discard=None if discard is None else faces(rules, discard)[0],
        ),
    )


def assert_outcome(judgement: Judgement, outcome: str) -> None:
    """The play stands, as this."""
    found = named(judgement.violations)
    assert (judgement.outcome, found) == (outcome, []), f"{judgement.outcome}, {found}"


def assert_faults(judgement: Judgement, *expected: Fault) -> None:
    """The play is refused for exactly these reasons."""
    assert judgement.outcome is None, judgement.outcome
    found = named(judgement.violations)
    assert found == list(expected), f"{found} instead of {list(expected)}"


# A whole game, set up in the middle.


class Box:
    """The tiles not yet placed anywhere."""

    def __init__(self, rules: RuleBook) -> None:
        self.rules = rules
        self.left = [list(rules.tiles.tiles_of(face)) for face in rules.tiles.every_face]

    def take(self, text: str) -> tuple[Tile, ...]:
        """Physical tiles for some faces; fails when the box holds no more of one."""
        return tuple(self.left[face].pop(0) for face in faces(self.rules, text))

    def rest(self) -> tuple[Tile, ...]:
        """All that is left, in the order of the box."""
        return tuple(tile for tiles in self.left for tile in tiles)


def as_sets(rules: RuleBook, tiles: Iterable[Tile]) -> tuple[tuple[Tile, ...], ...]:
    """Tiles in legal groups, all of them; jokers go where there is room.

    Works number by number, so of no number may exactly five tiles, or two, or one, be left over.
    """
    supply: dict[Face, list[Tile]] = {}
    for tile in tiles:
        supply.setdefault(rules.tiles.face_of[tile], []).append(tile)
    jokers = len(supply.get(rules.tiles.joker, ()))
    made: dict[int, list[tuple[Face, ...]]] = {}
    # First each number takes the jokers it cannot do without, then those left over go wherever they fit.
    for least in (0, 1):
        for number in range(1, rules.tiles.numbers + 1):
            same = [rules.tiles.face(colour, number) for colour in range(len(rules.tiles.colours))]
            left = Counter({face: len(supply.get(face, ())) for face in same})
            for used in range(least and jokers, jokers + 1):
                groups = _groups(left + Counter({rules.tiles.joker: used}), rules)
                if groups is not None and (
                    least == 0 or number not in made or _jokers(rules, made[number]) == 0
                ):
                    made[number] = groups
                    jokers -= used
                    break
    if jokers or len(made) < rules.tiles.numbers:
        raise ValueError("the tiles that nobody named do not lie in groups; name others")
    chosen = [group for groups in made.values() for group in groups]
    return tuple(tuple(supply[face].pop(0) for face in group) for group in chosen)


def _jokers(rules: RuleBook, groups: Iterable[tuple[Face, ...]]) -> int:
    return sum(group.count(rules.tiles.joker) for group in groups)


def _groups(left: Counter[Face], rules: RuleBook) -> list[tuple[Face, ...]] | None:
    """One number's tiles in groups of three or four, if that can be done."""
    tiles = [face for face, count in sorted(left.items()) for _ in range(count)]
    if not tiles:
        return []
    for size in (4, 3):
        for chosen in sorted(set(combinations(tiles[1:], size - 1))):
            group = (tiles[0], *chosen)
            if rules.reader.is_set(group):
                others = _groups(left - Counter(group), rules)
                if others is not None:
                    return [group, *others]
    return None


class Sitting:
    """A game in progress: `state` now, `events` of the last action. Seats are numbers, tiles are text."""

    def __init__(self, state: State, unnamed: int = 0) -> None:
        self.state = state
        self.events: tuple[Event, ...] = ()
        self.unnamed = unnamed
        """How many sets at the end of the table are only there because every tile must lie somewhere."""

    @property
    def seat(self) -> int:
        """Whose turn it is."""
        return self.state.seat

    def do(self, action: Action, shuffle: Shuffle = SHUFFLE) -> tuple[Event, ...]:
        """Carry out an action."""
        self.state, self.events = apply(self.state, action, shuffle)
        return self.events

    def refused(self, action: Action) -> ActionError:
        """The error of an action that must be refused, with nothing changed."""
        before = self.state
        try:
            apply(self.state, action, SHUFFLE)
        except ActionError as error:
            assert self.state == before
            return error
        raise AssertionError(f"{action} was carried out")

    def kinds(self) -> list[str]:
        """The events of the last action by name."""
        return [type(event).__name__ for event in self.events]

    def event(self, kind: type[ev.Event]) -> Event:
        """The one event of a kind in the last action."""
        (found,) = [event for event in self.events if isinstance(event, kind)]
        return found

    def rack(self, seat: int) -> str:
        """A rack as text, sorted."""
        return self.text(self.state.racks[seat])

    def text(self, tiles: Iterable[Tile]) -> str:
        """Faces of tiles as text, in the order of the box."""
        return self.state.book.tiles.faces_text(sorted(self.state.faces(tuple(tiles))))

    def table(self) -> str:
        """The named sets of the table as text."""
        shown = self.state.table[: len(self.state.table) - self.unnamed]
        return " | ".join(self.state.book.tiles.faces_text(self.state.faces(tiles)) for tiles in shown)

    def scores(self) -> tuple[int, ...]:
        """The scores of a finished game."""
        assert self.state.result is not None
        return self.state.result.scores

    def winners(self) -> tuple[int, ...]:
        """The winners of a finished game."""
        assert self.state.result is not None
        return self.state.result.winners

    # What players do.

    def after(self, text: str) -> tuple[tuple[Tile, ...], ...]:
        """A table given by its named sets: tiles that lie there already, then the rack's."""
        named_sets = self.state.table[: len(self.state.table) - self.unnamed]
        unnamed = self.state.table[len(self.state.table) - self.unnamed :]
        return self._tiles([t for tiles in named_sets for t in tiles], text) + unnamed

    def _tiles(self, lying: Iterable[Tile], text: str) -> tuple[tuple[Tile, ...], ...]:
        supply: dict[Face, list[Tile]] = {}
        for tile in (*lying, *self.state.racks[self.seat]):
            supply.setdefault(self.state.book.tiles.face_of[tile], []).append(tile)
        return tuple(tuple(supply[face].pop(0) for face in tiles) for tiles in sets(self.state.book, text))

    def laying(self, text: str) -> Lay:
        """The action of laying; `text` is the table afterwards."""
        return Lay(self.seat, table=self.after(text))

    def lay(self, text: str) -> None:
        """The player to move declares this table finished."""
        self.do(self.laying(text))

    def draw(self) -> None:
        """The player to move draws."""
        self.do(Draw(self.seat))

    def pass_turn(self) -> None:
        """The player to move passes."""
        self.do(Pass(self.seat))

    def time_out(self, text: str | None = None) -> None:
        """The clock runs out on the player to move; `text` is what lies there, None if untouched."""
        self.do(TimeOut(self.seat, table=None if text is None else self.after(text)))

    def rule_leftovers(self, restored: str, leftovers: str) -> None:
        """The referee restores these sets and rules on the tiles nobody can place."""
        table = self.after(restored)
        placed = {tile for tiles in table for tile in tiles}
        loose = [tile for tiles in self.state.table for tile in tiles if tile not in placed]
        (left,) = self._tiles(loose, leftovers)
        self.do(RuleLeftovers(self.seat, table=table, leftovers=left))

    def withdraw(self, seat: int) -> None:
        """A player leaves."""
        self.do(Withdraw(seat))

    # Rummy-O.

    def take(self, source: Literal["stock", "discard"] = "stock") -> None:
        """The player to move takes a tile."""
        self.do(Take(self.seat, source=source))

    def discard(self, tile: str) -> None:
        """The player to move discards without laying anything."""
        self.do(self.discarding(tile))

    def discarding(self, tile: str) -> Discard:
        """The action of discarding one tile of the rack."""
        ((found,),) = self._tiles((), tile)
        return Discard(self.seat, tile=found)

    def playing(self, text: str, discard: str | None) -> Play:
        """The action of playing: all melds afterwards, each as `owner's seat: tiles`."""
        lying = [tile for meld in self.state.melds for tile in meld.tiles]
        parts = owned(text)
        every = " | ".join([*(tiles for _, tiles in parts), *([discard] if discard else [])])
        chosen = self._tiles(lying, every)
        melds = tuple(MeldPlay(tiles, int(owner)) for tiles, (owner, _) in zip(chosen, parts, strict=False))
        return Play(self.seat, melds=melds, discard=chosen[-1][0] if discard else None)

    def play(self, text: str, discard: str) -> None:
        """The player to move plays and discards."""
        self.do(self.playing(text, discard))

    def in_front_of(self, seat: int) -> str:
        """The tiles on the table that count as a player's own."""
        return self.text(
            tile
            for meld in self.state.melds
            for tile, holder in zip(meld.tiles, meld.holders, strict=True)
            if holder == seat
        )


def rulebook(rules: RuleBook | str, options: Mapping[str, OptionValue] | None = None) -> RuleBook:
    """A book by id, or itself."""
    return book(rules, options) if isinstance(rules, str) else rules


def sitting(
    rules: RuleBook | str,
    racks: Sequence[str],
    table: str = "",
    *,
    pool: str | None = None,
    top: str = "",
    seat: int = 0,
    melded: Sequence[bool] | None = None,
    turns: int = 1,
    drawn: Mapping[int, str] | None = None,
    options: Mapping[str, OptionValue] | None = None,
) -> Sitting:
    """A rearranging game in the middle.

    Without `pool` all that is not named lies in the pool, `top` first. With it, that is the whole pool and
    the other tiles lie on the table in sets; an empty pool means that the last turns are being played.
    """
    made = rulebook(rules, options)
    box = Box(made)
    seats = len(racks)
    held = tuple(tuple(sorted(box.take(rack))) for rack in racks)
    lying = tuple(box.take(made.tiles.faces_text(tiles)) for tiles in sets(made, table))
    if pool is None:
        stock = box.take(top)
        stock += box.rest()
        unnamed: tuple[tuple[Tile, ...], ...] = ()
    else:
        stock = box.take(pool)
        unnamed = as_sets(made, box.rest())
    others = tuple((seat + step) % seats for step in range(1, seats))
    last = {who: _on(made, held[who], text) for who, text in (drawn or {}).items()}
    state = State(
        book=made,
        players=NAMES[:seats],
        phase="turn",
        starter=0,
        seat=seat,
        deals=1,
        racks=held,
        pool=stock,
        table=lying + unnamed,
        melded=tuple(melded) if melded is not None else (True,) * seats,
        withdrawn=(False,) * seats,
        begun=tuple(turns + (who == seat) for who in range(seats)),
        turns=(turns,) * seats,
        drawn=tuple(() if who == seat else last.get(who, ()) for who in range(seats)),
        exhausted=pool == "",
        queue=others if pool == "" and made.pool_end.ending == "final_turns" else None,
    )
    return Sitting(state, len(unnamed))


def _on(rules: RuleBook, rack: tuple[Tile, ...], text: str) -> tuple[Tile, ...]:
    found: list[Tile] = []
    for face in faces(rules, text):
        same = (tile for tile in rack if rules.tiles.face_of[tile] == face and tile not in found)
        found.extend(islice(same, 1))
    return tuple(found)


def rummyo(
    racks: Sequence[str],
    melds: str = "",
    *,
    stock: str | None = None,
    top: str = "",
    discards: str = "",
    seat: int = 0,
    on_board: Sequence[bool] | None = None,
    phase: Literal["opening_discard", "take", "play"] = "take",
    reshuffles: int = 0,
) -> Sitting:
    """A Rummy-O round in the middle. Melds are written `seat: tiles`; the last discard is the top one.

    What is not named lies in the stock below `top`, or, if the stock is given, under the discards.
    """
    made = book("rummyo")
    box = Box(made)
    seats = len(racks)
    held = tuple(tuple(sorted(box.take(rack))) for rack in racks)
    lying = []
    for owner, text in owned(melds):
        tiles = box.take(text)
        reading = made.reader.written(faces(made, text))[0]
        lying.append(Meld(tiles, int(owner), (int(owner),) * len(tiles), reading))
    thrown = box.take(discards)
    stack = box.take(top if stock is None else stock)
    rest = box.rest()
    state = State(
        book=made,
        players=NAMES[:seats],
        phase=phase,
        starter=0,
        seat=seat,
        deals=1,
        racks=held,
        pool=stack + rest if stock is None else stack,
        melds=tuple(lying),
        discards=thrown if stock is None else rest + thrown,
        melded=tuple(on_board) if on_board is not None else (True,) * seats,
        withdrawn=(False,) * seats,
        begun=tuple(int(who == seat or phase != "opening_discard") for who in range(seats)),
        turns=(0 if phase == "opening_discard" else 1,) * seats,
        drawn=((),) * seats,
        reshuffles=reshuffles,
    )
    return Sitting(state)
