"""From the choices of the best line back to a table of sets, old ones kept where that costs nothing."""

from __future__ import annotations

from .arrays import Octets, part
from .bounds import NONE
from .groups import Groups, lay_groups
from .workspace import COLOURS, NUMBERS, Room, opened

SPENT, ROOM = 28, 31
"""Where in a state the jokers spent and the room for others stand; below are seven bits for each colour."""


@part
def _lay_run(
    c: int, low: int, length: int, jokers: int, numbers: int, joker: int, end: int, room: Room
) -> int:
    """Writes one run, cut where that keeps old runs whole; returns the end of the output.

    `jokers` has a bit for every number at which the run holds a joker.
    """
    ws = opened(room)
    best = ws.small[100:120]
    cut = ws.small[120:140]
    old = c * NUMBERS * NUMBERS
    best[length] = 0
    for i in range(length - 3, -1, -1):
        best[i] = NONE
        for j in range(i + 3, length + 1):
            if j < length and (j > length - 3 or best[j] == NONE):
                continue
            score = best[j] - 1
            every = (1 << (j - i)) - 1
            inside = jokers >> (low + i) & every
            if inside == every:
                continue
            if inside == 0 and ws.old_runs[old + (low + i) * NUMBERS + low + j - 1] > 0:
                score += 100
            if score > best[i]:
                best[i] = score
                cut[i] = j
    i = 0
    while i < length:
        j = cut[i]
        place = old + (low + i) * NUMBERS + low + j - 1
        if ws.old_runs[place] > 0:
            ws.old_runs[place] -= 1
        ws.out[end] = j - i
        end += 1
        for n in range(low + i, low + j):
            ws.out[end] = joker if jokers >> n & 1 else c * numbers + n
            end += 1
        i = j
        ws.out[0] += 1
    return end


@part
def _lay_runs(c: int, numbers: int, joker: int, end: int, room: Room) -> int:
    """Rebuilds the runs of one colour from the choices; returns the end of the output."""
    ws = opened(room)
    lows = ws.small[10:20]
    lengths = ws.small[20:30]
    jokers = ws.small[30:40]
    grown = ws.small[40:50]
    open_runs = 0
    for n in range(numbers + 1):
        use = ws.picks[n] >> 4 * c & 15 if n < numbers else 0
        natural = min(use, ws.total[c * NUMBERS + n]) if n < numbers else 0
        for i in range(open_runs):
            grown[i] = 0
        # Short runs first, then long ones, last of all those that are an old run as they stand.
        for turn in range(4):
            for i in range(open_runs):
                if use == 0 or grown[i]:
                    continue
                whole = ws.old_runs[(c * NUMBERS + lows[i]) * NUMBERS + n - 1] > 0
                kind = 0 if lengths[i] == 1 else 1 if lengths[i] == 2 else 3 if whole else 2
                if kind == turn:
                    grown[i] = turn + 1
                    use -= 1
        # A run of jokers alone needs a numbered tile first, a new run second, the longest one last.
        for i in range(open_runs):
            if grown[i] and jokers[i] == ((1 << lengths[i]) - 1) << lows[i] and natural > 0:
                natural -= 1
                grown[i] += 8
        fresh = min(use, natural)
        natural -= fresh
        for turn in range(1, 5):
            for i in range(open_runs):
                if grown[i] == turn:
                    if natural > 0:
                        natural -= 1
                    else:
                        jokers[i] |= 1 << n
        for i in range(open_runs):
            if grown[i]:
                lengths[i] += 1
        kept = 0
        for i in range(open_runs):
            if grown[i]:
                lows[kept], lengths[kept], jokers[kept] = lows[i], lengths[i], jokers[i]
                kept += 1
            else:
                end = _lay_run(c, lows[i], lengths[i], jokers[i], numbers, joker, end, room)
        while use > 0:
            lows[kept], lengths[kept], jokers[kept] = n, 1, 0
            if fresh > 0:
                fresh -= 1
            else:
                jokers[kept] = 1 << n
            kept += 1
            use -= 1
        open_runs = kept
    return end


@part
def forget_old_sets(room: Room) -> None:
    ws = opened(room)
    for i in range(COLOURS * NUMBERS * NUMBERS):
        ws.old_runs[i] = 0
    for i in range(NUMBERS * 16):
        ws.old_groups[i] = 0


@part
def note_old_set(faces: Octets, start: int, end: int, numbers: int, joker: int, room: Room) -> None:
    """Remembers an old set without jokers, so that it is kept where that costs nothing."""
    ws = opened(room)
    low = 99
    high = -1
    mask = 0
    for i in range(start, end):
        face = int(faces[i])
        if face == joker:
            return
        low = min(low, face % numbers)
        high = max(high, face % numbers)
        mask |= 1 << face // numbers
    if end == start:
        return
    if low == high:
        ws.old_groups[low * 16 + mask] += 1
    else:
        ws.old_runs[(int(faces[start]) // numbers * NUMBERS + low) * NUMBERS + high] += 1


@part
def _list_played(numbers: int, joker: int, jokers: int, room: Room) -> None:
    """Writes the faces that came from the rack behind the sets, and where they end."""
    ws = opened(room)
    placed = ws.scratch
    for face in range(joker):
        placed[face] = 0
    end = ws.out[2]
    at = 4
    for _ in range(ws.out[0]):
        for i in range(at + 1, at + 1 + ws.out[at]):
            if ws.out[i] < joker:
                placed[ws.out[i]] += 1
        at += 1 + ws.out[at]
    for face in range(joker):
        for _ in range(placed[face] - ws.table[face // numbers * NUMBERS + face % numbers]):
            ws.out[end] = face
            end += 1
    for _ in range(jokers):
        ws.out[end] = joker
        end += 1
    ws.out[3] = end


@part
def write_sets(colours: int, numbers: int, jokers: int, must: int, groups: Groups, room: Room) -> None:
    """Writes the table of the best line, and the tiles that came from the rack, to `ws.out`."""
    ws = opened(room)
    joker = colours * numbers
    ws.out[0] = 0
    spent = ws.small[1] >> SPENT & 7
    ws.out[1] = min(ws.small[1] >> ROOM & 7, jokers - spent)
    end = 4
    for c in range(COLOURS):
        end = _lay_runs(c, numbers, joker, end, room)
    for n in range(numbers):
        end = lay_groups(n, colours, numbers, joker, end, groups, room)
    ws.out[2] = end
    _list_played(numbers, joker, spent + ws.out[1] - must, room)
