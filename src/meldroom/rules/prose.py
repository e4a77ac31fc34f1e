"""A rule book to be read from beginning to end: prose with pictures of tiles.

The sentences are in the catalogue (`prose.…`); which of them are told, and every number in them, follows from
the book's data. So they hold for house books too.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from meldroom.i18n import Language, Message, Parts, Value, message
from meldroom.rules.book import Citation, RuleBook
from meldroom.rules.verify import FaceSet, set_points
from meldroom.tiles import TileSet


class ProseParagraph(msgspec.Struct, frozen=True, tag_field="kind", tag="text"):
    """A paragraph, its tiles apart from its words, with the clause and the ruling it rests on."""

    parts: Parts
    clause: str
    ruling: str


class ProsePicture(msgspec.Struct, frozen=True, tag_field="kind", tag="picture"):
    """Sets of tiles with a caption; `good` says whether the book allows them, null where nobody asks."""

    sets: tuple[tuple[str, ...], ...]
    caption: str
    good: bool | None = None


class ProseSection(msgspec.Struct, frozen=True):
    """A part of the page under its own title."""

    id: str
    title: str
    blocks: tuple[ProseParagraph | ProsePicture, ...]


SECTIONS = ("aim", "tiles", "deal", "sets", "opening", "turn", "jokers", "time", "end", "scoring", "match")


def prose(book: RuleBook, language: Language = "en") -> tuple[ProseSection, ...]:
    """The book as prose, in sections; one that has nothing to say is left out."""
    teller = _Teller(book, language)
    return tuple(
        ProseSection(name, message(f"prose.title.{name}", language), blocks)
        for name in SECTIONS
        if (blocks := tuple(getattr(teller, name)()))
    )


Blocks = Iterator[ProseParagraph | ProsePicture]


class _Teller:
    """Tells one book in one language."""

    def __init__(self, book: RuleBook, language: Language) -> None:
        self.book, self.language = book, language
        self.laying_off = book.family == "laying_off"

    # Pieces

    def say(self, key: str, field: str, **values: Value) -> ProseParagraph:
        """A paragraph that rests on a field of the book, or on what refuses a faulty turn, if on anything."""
        cited = self.book.cite(field) if field else Citation((), ())
        parts = Message(f"prose.{key}", values).parts(self.language)
        return ProseParagraph(parts, cited.clause, cited.ruling)

    def picture(self, key: str, *sets: FaceSet, judged: bool = True, **values: Value) -> ProsePicture:
        """Sets with a caption, judged by the book itself."""
        good = all(map(self.book.reader.is_set, sets)) if judged else None
        names = self.book.tiles.face_names
        drawn = tuple(tuple(names[face] for face in faces) for faces in sets)
        return ProsePicture(drawn, message(f"prose.picture.{key}", self.language, **values), good)

    def points(self, count: int) -> Message:
        """A number of points."""
        return Message("prose.points", {"count": count})

    # Sections

    def aim(self) -> Blocks:
        yield self.say(f"aim.{self.book.family}", "scoring.winner")

    def tiles(self) -> Blocks:
        tiles = self.book.tiles
        colours = tuple(colour[self.language] for colour in tiles.colours)
        yield self.say(
            "tiles.numbered", "tiles.numbers", highest=tiles.numbers, colours=colours, count=tiles.copies
        )
        if tiles.jokers:
            yield self.say("tiles.jokers", "tiles.jokers", count=tiles.jokers, size=tiles.size)
        box = (*(tiles.face(colour, tiles.numbers) for colour in range(len(colours))),)
        yield self.picture("box", (*box, *((tiles.joker,) if tiles.jokers else ())), judged=False)

    def deal(self) -> Blocks:
        book, deal = self.book, self.book.deal
        players = book.players
        yield self.say("deal.players", "players.maximum", least=players.minimum, count=players.maximum)
        yield self.say(f"deal.first.{book.start.first_player}", "start.first_player")
        yield self.say(f"deal.direction.{book.start.direction}", "start.direction")
        yield self.say("deal.tiles", "deal.tiles", count=deal.tiles)
        if deal.starter_tiles > deal.tiles:
            yield self.say("deal.starter", "deal.starter_tiles", count=deal.starter_tiles)
        if book.redeal.doubles:
            yield self.say("deal.redeal", "redeal.doubles", count=book.redeal.doubles)
            online = Message("prose.deal.online").parts(self.language)
            yield ProseParagraph(online, book.cite("redeal.doubles").clause, "R69")

    def sets(self) -> Blocks:
        book, tiles = self.book, self.book.tiles
        colours, shortest = len(tiles.colours), book.sets.shortest
        yield self.say("sets.group", "sets.shortest", count=shortest, most=max(colours, shortest))
        number = min(9, tiles.numbers)
        if colours >= shortest:
            yield self.picture("group", group(tiles, number, shortest))
            twice = (*group(tiles, number, shortest - 1), tiles.face(0, number))
            yield self.picture("same_colour", twice)
        yield self.say("sets.run", "sets.shortest", count=shortest)
        if tiles.numbers > shortest:
            yield self.picture("run", run(tiles, 1, 4 if tiles.numbers > shortest + 3 else 1, shortest + 1))
        top = (*run(tiles, 0, tiles.numbers - shortest + 2, shortest - 1), tiles.face(0, 1))
        kind = "yes" if book.sets.one_after_highest else "no"
        yield self.say(f"sets.one.{kind}", "sets.one_after_highest", highest=tiles.numbers)
        yield self.picture(f"one.{kind}", top)

    def opening(self) -> Blocks:
        book, rules = self.book, self.book.opening
        if rules.points:
            yield self.say(f"opening.{book.family}", "opening.points", points=self.points(rules.points))
        if rules.run_required:
            yield self.say("opening.run", "opening.run_required")
        if rules.points and (example := opening_example(book)):
            worth = sum(set_points(book, faces) for faces in example)
            yield self.picture("opening", *example, points=self.points(worth))
        if book.tiles.jokers:
            joker = self.points(book.scoring.joker)
            yield self.say(f"opening.joker.{rules.joker_value}", "opening.joker_value", points=joker)
        yield self.say(f"opening.until.{book.family}", "opening.points")

    def turn(self) -> Blocks:
        tiles = self.book.tiles
        if self.laying_off:
            yield self.say("turn.take", "")
            yield self.say("turn.lay", "MELD_CHANGED")
            yield self.say("turn.discard", "NO_DISCARD")
            return
        yield self.say("turn.choose", "NO_RACK_TILE")
        yield self.say("turn.rearrange", "SET_INVALID")
        if len(tiles.colours) > self.book.sets.shortest == 3 and tiles.numbers >= 6:
            whole = group(tiles, 5, len(tiles.colours))
            rest = (whole[0], *whole[2:]) if len(whole) > 3 else whole
            yield self.picture("before", whole)
            yield self.picture("rack", (tiles.face(1, 4), tiles.face(1, 6)), judged=False)
            yield self.picture("after", rest, run(tiles, 1, 4, 3))
        yield self.say("turn.stay", "TILE_LEFT_TABLE")

    def jokers(self) -> Blocks:
        book, tiles = self.book, self.book.tiles
        if not tiles.jokers:
            return
        yield self.say("jokers.any", "tiles.jokers")
        if tiles.numbers >= 7 and book.sets.shortest <= 3:
            run_ = run(tiles, min(2, len(tiles.colours) - 1), 5, 3)
            yield self.picture("joker", (run_[0], tiles.joker, run_[2]))
        yield self.say(f"jokers.{book.jokers.reuse}", "jokers.reuse")
        if tiles.numbers >= 7 and book.sets.shortest <= 3 and book.jokers.reuse == "new_set":
            last = run(tiles, min(2, len(tiles.colours) - 1), 5, 3)
            yield self.picture("joker_freed", last, (*run(tiles, 0, 1, 2), tiles.joker))

    def time(self) -> Blocks:
        book = self.book
        if book.clock.seconds:
            yield self.say("time.seconds", "clock.seconds", count=book.clock.seconds)
        if book.penalty.tiles:
            competition = book.penalty.conduct == "competition"
            key = "time.as_drawn" if competition else "time.penalty"
            field = "penalty.conduct" if competition else "penalty.tiles"
            yield self.say(key if book.clock.seconds else f"{key}_only", field, count=book.penalty.tiles)
        if book.penalty.strict_declare:
            yield self.say("time.strict", "penalty.strict_declare")
        if book.penalty.tiles and book.penalty.conduct == "printed":
            yield self.say("time.conduct", "penalty.conduct")

    def end(self) -> Blocks:
        book = self.book
        yield self.say(f"end.out.{book.family}", "scoring.winner")
        values: dict[str, Value] = {"count": book.pool_end.reshuffles}
        yield self.say(f"end.{book.pool_end.ending}", "pool_end.ending", **values)
        if book.pool_end.must_play_if_able and book.pool_end.ending != "reshuffle":
            yield self.say("end.must_play", "pool_end.must_play_if_able")

    def scoring(self) -> Blocks:
        book, rules = self.book, self.book.scoring
        yield self.say(f"scoring.values.{rules.values}", "scoring.values")
        if book.tiles.jokers:
            yield self.say("scoring.joker", "scoring.joker", points=self.points(rules.joker))
        yield self.say(f"scoring.winner.{rules.winner}", "scoring.winner")
        if self.laying_off:
            yield self.say("scoring.open", "scoring.open_bonus", points=self.points(rules.open_bonus))
            yield self.say("scoring.foot", "scoring.foot_bonus", points=self.points(rules.foot_bonus))
            for jokers, bonus in enumerate(rules.hand_bonus):
                key = "hand" if not jokers else "hand_jokers"
                yield self.say(
                    f"scoring.{key}", "scoring.hand_bonus", points=self.points(bonus), count=jokers
                )
        charge, able = rules.unmelded, rules.unmelded_able
        if charge or able:
            key = "scoring.charge" if charge == able else "scoring.charges"
            yield self.say(key, "scoring.unmelded", points=self.points(charge), able=self.points(able))
        yield self.say(f"scoring.exhausted.{rules.exhausted}", "scoring.exhausted")
        if rules.exhausted != "all_minus":
            amount = "" if rules.exhausted_unopened == "cannot_win" else ".charge" if charge else ".rack"
            key = f"scoring.exhausted_unopened.{rules.exhausted_unopened}{amount}"
            yield self.say(key, "scoring.exhausted_unopened")

    def match(self) -> Blocks:
        book = self.book
        if book.match.games > 1:
            yield self.say("match.games", "match.games", count=book.match.games)
            yield self.say(f"match.{book.match.winner}", "match.winner")


def group(tiles: TileSet, number: int, size: int) -> FaceSet:
    """A number in the first colours."""
    return tuple(tiles.face(colour, number) for colour in range(size))


def run(tiles: TileSet, colour: int, low: int, size: int) -> FaceSet:
    """Numbers in order of one colour."""
    return tuple(tiles.face(colour, number) for number in range(low, low + size))


def opening_example(book: RuleBook) -> tuple[FaceSet, ...]:
    """Sets that reach the opening, a run among them where one is needed; empty if these few do not."""
    tiles, shortest = book.tiles, book.sets.shortest
    if len(tiles.colours) < max(shortest, 2) or tiles.numbers < 2 * shortest:
        return ()
    number = min(10, tiles.numbers)
    groups = [group(tiles, each, shortest) for each in range(number, 0, -3)]
    runs = [run(tiles, 1, tiles.numbers - shortest, shortest)] if book.opening.run_required else []
    chosen: list[FaceSet] = []
    for faces in (*runs, *groups):
        if sum(set_points(book, each) for each in chosen) >= book.opening.points:
            break
        chosen.append(faces)
    enough = sum(set_points(book, each) for each in chosen) >= book.opening.points
    return tuple(chosen) if enough else ()
