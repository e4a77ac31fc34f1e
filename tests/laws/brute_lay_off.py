"""A second judge of Rummy-O turns: rulings R51–R62 written again, every explanation of a turn tried.

A turn is legal if somebody could explain it: which new meld continues which old one, which joker was claimed
with which tile, which tile was added where, which melds are new, and what is discarded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

from meldroom.rules.book import RuleBook
from meldroom.tiles import Face
from tests.laws.brute_judge import Box, Faces, box_of, is_set, plain, readings, sets_of, worth


class Laid(NamedTuple):
    """A meld: tiles in order and its owner. `low` is where a run begins; 0 means it is a group."""

    faces: Faces
    owner: str
    low: int


class Change(NamedTuple):
    """How an old meld may have become a new one: tiles given for claimed jokers, tiles added."""

    given: Faces
    added: Faces


class Opinion(NamedTuple):
    """What the brute judge says of a turn: the outcomes of its explanations, and the faults of the others.

    `certain` are the faults that need no explanation: wrong sets, tiles from nowhere, no discard.
    """

    outcomes: frozenset[str]
    certain: frozenset[str]
    explained: bool
    faults: frozenset[frozenset[str]]


def place_number(box: Box, place: int) -> int:
    """The number at a place of a run; the place above the highest is a 1 (R53)."""
    return 1 if place == box.numbers + 1 else place


def run_allowed(box: Box, low: int, high: int) -> bool:
    """Whether a run may cover these places (R53)."""
    top = box.numbers + 1 if box.one_after_highest else box.numbers
    if low < 1 or high > top:
        return False
    numbers = [place_number(box, place) for place in range(low, high + 1)]
    if not box.one_after_highest:
        return True
    return len(set(numbers)) == len(numbers) and not {1, 2, box.numbers} <= set(numbers)


def ways_to_write(book: RuleBook, faces: Faces, owner: str) -> list[Laid]:
    """Every meaning of a meld as written: a run in this very order, or a group."""
    box = box_of(book)
    numbered = [plain(box, face) for face in faces if face != box.joker]
    found = []
    if numbered and len(faces) >= book.sets.shortest:
        colours = {colour for colour, _ in numbered}
        for low in range(1, box.numbers + 2):
            places = range(low, low + len(faces))
            fits = len(colours) == 1 and all(
                face in (box.joker, _face(box, min(colours), place_number(box, place)))
                for face, place in zip(faces, places, strict=True)
            )
            if run_allowed(box, low, low + len(faces) - 1) and fits:
                found.append(Laid(faces, owner, low))
        if any(not meaning.run for meaning in readings(book, faces)):
            found.append(Laid(faces, owner, 0))
    return found


def ways_to_lay(book: RuleBook, faces: Faces, owner: str) -> list[Laid]:
    """Every way to write a new meld of these tiles: as a group, or as a run with jokers in their places."""
    box = box_of(book)
    found: list[Laid] = []
    for meaning in readings(book, faces):
        if not meaning.run:
            if not any(laid.low == 0 for laid in found):
                found.append(Laid(tuple(sorted(faces)), owner, 0))
            continue
        numbers = {number for _, number in meaning.tiles}
        above = {1, box.numbers} <= numbers and 2 not in numbers
        places = {box.numbers + 1 if above and number == 1 else number for number in numbers}
        colour = meaning.tiles[0][0]
        meant = [_face(box, colour, place_number(box, place)) for place in sorted(places)]
        written = tuple(face if face in faces else box.joker for face in meant)
        found.append(Laid(written, owner, min(places)))
    return found


def _face(box: Box, colour: int, number: int) -> Face:
    return Face(colour * box.numbers + number - 1)


def changes(book: RuleBook, old: Laid, new: Faces) -> list[Change]:
    """Every lawful way in which an old meld may have become the new one (R56, R57)."""
    if Counter(old.faces) == Counter(new) and (old.low == 0 or old.faces == new):
        return [Change((), ())]
    return list(_group_changes(book, old, new) if old.low == 0 else _run_changes(book, old, new))


def _run_changes(book: RuleBook, old: Laid, new: Faces) -> Iterator[Change]:
    box = box_of(book)
    colour = next(plain(box, face)[0] for face in old.faces if face != box.joker)
    for before in range(len(new) - len(old.faces) + 1):
        low = old.low - before
        places = range(low, low + len(new))
        if not run_allowed(box, low, low + len(new) - 1):
            continue
        meant = [_face(box, colour, place_number(box, place)) for place in places]
        if any(face not in (box.joker, stands) for face, stands in zip(new, meant, strict=True)):
            continue
        inner = range(before, before + len(old.faces))
        claims = [i for i in inner if old.faces[i - before] == box.joker and new[i] != box.joker]
        kept = [i for i in inner if i not in claims]
        if all(new[i] == old.faces[i - before] for i in kept):
            added = tuple(new[i] for i in range(len(new)) if i not in inner)
            yield Change(tuple(new[i] for i in claims), added)


def _group_changes(book: RuleBook, old: Laid, new: Faces) -> Iterator[Change]:
    box = box_of(book)
    if not any(not meaning.run for meaning in readings(book, new)):
        return
    old_numbered = Counter(face for face in old.faces if face != box.joker)
    new_numbered = Counter(face for face in new if face != box.joker)
    if old_numbered - new_numbered:
        return
    gained = sorted((new_numbered - old_numbered).elements())
    for claims in range(old.faces.count(box.joker) + 1):
        added_jokers = new.count(box.joker) - (old.faces.count(box.joker) - claims)
        if added_jokers < 0:
            continue
        for given in set(combinations(gained, claims)):
            added = (Counter(gained) - Counter(given)) + Counter({box.joker: added_jokers})
            yield Change(given, tuple(added.elements()))


def judge_lay_off(
    book: RuleBook,
    player: str,
    before: Sequence[Sequence[Laid]],
    rack: Faces,
    after: Sequence[tuple[Faces, str]],
    on_board: bool,
    discard: Face | None,
) -> Opinion:
    """What a turn amounts to. `before` gives for each old meld every meaning it may have."""
    certain = _certain_faults(book, [old[0].faces for old in before], rack, after, discard)
    outcomes: set[str] = set()
    faults: set[frozenset[str]] = set()
    explained = False
    for follows in _matchings(before, after):
        options = [
            [(meaning, change) for meaning in old for change in changes(book, meaning, after[new][0])]
            for old, new in zip(before, follows, strict=True)
        ]
        fresh = [after[index] for index in range(len(after)) if index not in follows]
        for story in product(*options):
            explained = True
            outcome, wrong = _tell(book, player, story, rack, fresh, on_board, discard)
            faults.add(frozenset(wrong))
            if not wrong and not certain:
                outcomes.add(outcome)
    return Opinion(frozenset(outcomes), frozenset(certain), explained, frozenset(faults))


def _certain_faults(
    book: RuleBook,
    before: Sequence[Faces],
    rack: Faces,
    after: Sequence[tuple[Faces, str]],
    discard: Face | None,
) -> set[str]:
    wrong = set()
    old = Counter(face for faces in before for face in faces)
    new = Counter(face for faces, _ in after for face in faces)
    laid = new - old
    if laid - Counter(rack):
        wrong.add("TILE_NOT_ON_RACK")
    if old - new:
        wrong.add("TILE_LEFT_TABLE")
    if any(not is_set(book, faces) for faces, _ in after):
        wrong.add("SET_INVALID")
    left = Counter(rack) - laid
    if discard is None or not left:
        wrong.add("NO_DISCARD")  # R58
    elif not left[discard]:
        wrong.add("DISCARD_NOT_ON_RACK")
    return wrong


def _matchings(
    before: Sequence[Sequence[Laid]], after: Sequence[tuple[Faces, str]]
) -> Iterator[tuple[int, ...]]:
    """Every way to say which new meld continues which old one; the owner stays the same."""

    def extend(index: int, used: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if index == len(before):
            yield used
            return
        for new, (faces, owner) in enumerate(after):
            old = before[index][0]
            if new not in used and owner == old.owner and len(faces) >= len(old.faces):
                yield from extend(index + 1, (*used, new))

    yield from extend(0, ())


def _tell(
    book: RuleBook,
    player: str,
    story: Sequence[tuple[Laid, Change]],
    rack: Faces,
    fresh: Sequence[tuple[Faces, str]],
    on_board: bool,
    discard: Face | None,
) -> tuple[str, set[str]]:
    """The outcome of one explanation and what is wrong with it."""
    joker = box_of(book).joker
    given = Counter(face for _, change in story for face in change.given)
    claims = given.total()
    own = [change.added for old, change in story if old.owner == player] + [faces for faces, _ in fresh]
    foreign = [change.added for old, change in story if old.owner != player]
    used = given + Counter(face for faces in (*own, *foreign) for face in faces)
    used[joker] -= claims
    wrong = set()
    if sum(faces.count(joker) for faces in own) < claims:
        wrong.add("JOKER_CLAIM")  # R57: a claimed joker goes into a meld of one's own.
    if any(owner != player for _, owner in fresh):
        wrong.add("MELD_CHANGED")  # R55: a new meld lies before the player who lays it.
    left = Counter(rack) - used
    added = any(change.added for _, change in story)
    goes_out = left.total() == 1 and discard is not None and left[discard] == 1
    touched = bool(added or claims or fresh)
    if on_board:
        return ("OPEN_RUMMY" if goes_out else "OK" if touched else "DISCARD_ONLY"), wrong
    if not touched:
        return "DISCARD_ONLY", wrong
    if goes_out:  # R59
        return ("FOOT" if added or claims else "HAND"), wrong
    if added:
        wrong.add("ADD_ON_SAME_TURN")  # R55
    points = sum(worth(book, faces) for faces, _ in fresh if is_set(book, faces))
    if points < book.opening.points:
        wrong |= {f"MELD_LT_{book.opening.points}"} | ({"JOKER_CLAIM"} if claims else set())
    if book.opening.run_required and not any(
        meaning.low for faces, owner in fresh for meaning in ways_to_write(book, faces, owner)
    ):
        wrong.add("NO_RUN")
    return "ON_BOARD", wrong


Play = tuple[tuple[Faces, ...], tuple[tuple[Faces, bool], ...], Face]
"""A play as faces: old melds as they become, new melds (with True for a run), the discard; groups sorted."""


def all_plays(book: RuleBook, player: str, before: Sequence[Laid], rack: Faces, on_board: bool) -> set[Play]:
    """Every legal play that lays something, found by trying everything.

    Only for books with at most one joker: with two, a single tile may be a run or a group as its owner says.
    """
    joker = box_of(book).joker
    found: set[Play] = set()
    for continued in product(*(_continuations(book, meld) for meld in before)):
        old = Counter(face for meld in before for face in meld.faces)
        supply = Counter(rack) + old
        used = Counter(face for faces in continued for face in faces)
        if used - supply:
            continue
        for fresh in _new_melds(book, supply - used):
            after = [(faces, meld.owner) for faces, meld in zip(continued, before, strict=True)]
            after += [(meld.faces, player) for meld in fresh]
            laid = Counter(face for faces, _ in after for face in faces)
            if laid[joker] < old[joker] or laid == old:
                continue
            for discard in set(rack):
                opinion = judge_lay_off(
                    book, player, [[meld] for meld in before], rack, after, on_board, discard
                )
                if opinion.outcomes:
                    melds = tuple(
                        tuple(sorted(faces)) if meld.low == 0 else faces
                        for faces, meld in zip(continued, before, strict=True)
                    )
                    new = tuple(sorted((meld.faces, bool(meld.low)) for meld in fresh))
                    found.add((melds, new, discard))
    return found


def _continuations(book: RuleBook, meld: Laid) -> list[Faces]:
    """Everything a meld may look like afterwards: sets of the whole box that explain themselves."""
    box = box_of(book)
    found = set()
    if meld.low == 0:
        number = next(plain(box, face)[1] for face in meld.faces if face != box.joker)
        options = [(), (box.joker,)]
        kinds = [_face(box, colour, number) for colour in range(box.colours)]
        for jokers in options:
            for size in range(1, box.colours + 1):
                for chosen in combinations(kinds, size):
                    faces = (*chosen, *jokers)
                    if changes(book, meld, faces):
                        found.add(faces)
    else:
        colour = next(plain(box, face)[0] for face in meld.faces if face != box.joker)
        for low in range(1, meld.low + 1):
            for high in range(meld.low + len(meld.faces) - 1, box.numbers + 2):
                if not run_allowed(box, low, high):
                    continue
                run = [_face(box, colour, place_number(box, place)) for place in range(low, high + 1)]
                for place in (None, *range(len(run))):
                    faces = tuple(box.joker if index == place else face for index, face in enumerate(run))
                    if changes(book, meld, faces):
                        found.add(faces)
    return sorted(found)


def _new_melds(book: RuleBook, held: Counter[Face]) -> Iterator[tuple[Laid, ...]]:
    """Every handful of new melds that these tiles can make, none included; each once."""
    ways = [laid for faces in sets_of(book, held) for laid in ways_to_lay(book, faces, "")]

    def extend(start: int, left: Counter[Face], chosen: tuple[Laid, ...]) -> Iterator[tuple[Laid, ...]]:
        yield chosen
        for index in range(start, len(ways)):
            needed = Counter(ways[index].faces)
            if needed <= left:
                yield from extend(index, left - needed, (*chosen, ways[index]))

    yield from extend(0, held, ())
