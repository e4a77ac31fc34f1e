"""The turns of a game to its end: plays, draws, final turns, charges and scores."""

from __future__ import annotations

from ..arrays import inlined, native, part
from ..counts import sum_counts
from .choices import find_choices
from .games import (
    ASKS_CHARGES,
    ASKS_OPENING,
    ASKS_OPENINGS,
    CHOICES,
    CHOOSING,
    EARNED,
    EXHAUSTED,
    FINAL_LEFT,
    FINAL_NEXT,
    LATER,
    LEARNER,
    MUST,
    OUT,
    OVER,
    PASSES,
    PENDING,
    POOL_AT,
    POOL_END,
    RUNNING,
    SEAT,
    SETTLING,
    STATUS,
    TABLE_END,
    UNKNOWN,
    Book,
    Desk,
    Games,
)
from .opponents import bot_turn, reaches
from .solutions import solve, write_after


@inlined
def _make_table(g: int, slot: int, games: Games, book: Book, desk: Desk) -> None:
    """The table of a play that was known to be possible."""
    row = games.played[g * book.slots + slot]
    size = games.tiles[g][slot]
    for i in range(size):
        desk.held[i] = row[i]
    end = games.facts[g][TABLE_END]
    solve(games.table[g], end, size, book.most_tiles, 0, True, desk)
    after = games.after[g * book.slots + slot]
    games.ends[g][slot] = write_after(desk.none, 0, games.table[g], end, after, book, desk)


@inlined
def _act(g: int, slot: int, games: Games, book: Book, desk: Desk) -> None:
    """The seat to move waits (slot 0), or lays what a slot holds; then the turn passes on."""
    facts = games.facts[g]
    seat = facts[SEAT]
    rack = games.racks[g * book.players + seat]
    games.turns[g][seat] += 1
    games.drawn[g][seat] = -1
    if slot > 0:
        if games.ends[g][slot] == LATER:
            _make_table(g, slot, games, book, desk)
        row = games.played[g * book.slots + slot]
        points = 0
        for i in range(games.tiles[g][slot]):
            rack[int(row[i])] -= 1
            points += book.values[int(row[i])]
        after = games.after[g * book.slots + slot]
        for i in range(games.ends[g][slot]):
            games.table[g][i] = after[i]
        facts[TABLE_END] = games.ends[g][slot]
        for face in range(len(rack)):
            games.single[g][face] = UNKNOWN
        games.melded[g][seat] = 1
        facts[PASSES] = 0
        if seat == facts[LEARNER]:
            facts[EARNED] += points
        if sum_counts(rack) == 0:
            facts[OUT] = seat
            facts[STATUS] = ASKS_CHARGES
            return
    elif facts[POOL_AT] < facts[POOL_END]:
        face = int(games.pool[g][facts[POOL_AT]])
        facts[POOL_AT] += 1
        rack[face] += 1
        games.drawn[g][seat] = face
        facts[PASSES] = 0
        if seat == facts[LEARNER]:
            facts[EARNED] -= book.values[face]
    else:
        facts[PASSES] += 1
    _pass_on(g, games, book)


@part
def _pass_on(g: int, games: Games, book: Book) -> None:
    """The turn passes to the final turns, to the next player, or the game is to be counted."""
    facts = games.facts[g]
    seat = facts[SEAT]
    players = book.players
    if facts[POOL_AT] == facts[POOL_END] and facts[EXHAUSTED] == 0:
        facts[EXHAUSTED] = 1
        facts[PASSES] = 0
        if book.final_turns:
            facts[FINAL_LEFT] = players
            facts[FINAL_NEXT] = seat if book.drawer_first else (seat + book.step + players) % players
    if facts[EXHAUSTED]:
        ended = facts[FINAL_LEFT] == 0 if book.final_turns else facts[PASSES] >= players
        if ended:
            facts[OUT] = -1
            facts[STATUS] = ASKS_CHARGES
            return
    if facts[FINAL_LEFT] > 0:
        seat = facts[FINAL_NEXT]
        facts[FINAL_LEFT] -= 1
        facts[FINAL_NEXT] = (seat + book.step + players) % players
    else:
        seat = (seat + book.step + players) % players
    facts[SEAT] = seat
    games.begun[g][seat] += 1
    games.drawn[g][seat] = -1


@inlined
def _find_charges(g: int, games: Games, book: Book, desk: Desk) -> bool:
    """Who could have opened and did not; False if somebody else must say."""
    joker = book.colours * book.numbers
    sure = True
    for seat in range(book.players):
        games.able[g][seat] = 0
        if games.melded[g][seat] or book.unmelded == 0 or book.unmelded == book.unmelded_able:
            continue
        rack = games.racks[g * book.players + seat]
        late = games.drawn[g][seat]
        if book.final_rack:
            late = -1
        elif games.begun[g][seat] == 0:
            continue
        if late >= 0:
            rack[late] -= 1
        if reaches(rack, book, desk):
            games.able[g][seat] = 1
            sure = sure and rack[joker] == 0
        if late >= 0:
            rack[late] += 1
    return sure


@part
def _settle(g: int, games: Games, book: Book) -> None:
    """Scores and winners by the book."""
    facts = games.facts[g]
    scores = games.scores[g]
    won = games.won[g]
    players = book.players
    entered = 0
    for seat in range(players):
        rack = games.racks[g * players + seat]
        charge = 0
        for face in range(len(rack)):
            charge += rack[face] * book.values[face]
        if games.melded[g][seat] == 0 and book.unmelded > 0:
            charge = book.unmelded_able if games.able[g][seat] else book.unmelded
        scores[seat] = charge
        won[seat] = 0
        entered += games.melded[g][seat]
    facts[STATUS] = OVER
    out = facts[OUT]
    if out >= 0:
        total = 0
        for seat in range(players):
            if seat != out:
                total += scores[seat]
                scores[seat] = -scores[seat]
        scores[out] = total
        won[out] = 1
        return
    anybody = book.unopened_wins or entered == 0
    least = -1
    for seat in range(players):
        if (anybody or games.melded[g][seat]) and (least < 0 or scores[seat] < least):
            least = scores[seat]
    winners = 0
    differences = 0
    for seat in range(players):
        if (anybody or games.melded[g][seat]) and scores[seat] == least:
            won[seat] = 1
            winners += 1
        differences += max(0, scores[seat] - least)
    for seat in range(players):
        if won[seat]:
            scores[seat] = differences // winners if book.takes_differences else 0
        else:
            scores[seat] = -max(0, scores[seat] - least)


@inlined
def _learner_turn(g: int, games: Games, book: Book, desk: Desk) -> None:
    """The learner's choices, or the question for its openings."""
    facts = games.facts[g]
    seat = facts[SEAT]
    facts[STATUS] = CHOOSING
    facts[CHOICES] = 1
    if games.melded[g][seat]:
        find_choices(g, games, book, desk)
    elif reaches(games.racks[g * book.players + seat], book, desk):
        facts[STATUS] = ASKS_OPENINGS
    facts[MUST] = book.must_play and facts[POOL_AT] == facts[POOL_END]


@native
def run(first: int, last: int, games: Games, book: Book, desk: Desk) -> None:
    """Carries out what is pending, and plays the games `first` to `last - 1` until they stand still."""
    for g in range(first, last):
        facts = games.facts[g]
        if facts[STATUS] == SETTLING:
            _settle(g, games, book)
        while facts[STATUS] == RUNNING:
            if facts[PENDING] >= 0:
                slot = facts[PENDING]
                facts[PENDING] = -1
                _act(g, slot, games, book, desk)
            elif facts[SEAT] == facts[LEARNER]:
                _learner_turn(g, games, book, desk)
            else:
                facts[PENDING] = bot_turn(g, games, book, desk)
                if facts[PENDING] < 0:
                    facts[STATUS] = ASKS_OPENING
            if facts[STATUS] == ASKS_CHARGES and _find_charges(g, games, book, desk):
                _settle(g, games, book)
