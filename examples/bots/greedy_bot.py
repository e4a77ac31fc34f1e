"""A whole bot on one page, with nothing but the standard library: it lays every set and every tile it sees.

meldroom plays it as any other bot:  command = ["python", "examples/bots/greedy_bot.py"]
It knows no jokers and never takes a set apart. In Rummy-O it only takes and discards.
"""

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

Message = dict[str, Any]


def main() -> None:
    """Read a message a line, answer those that want an answer, until told to quit."""
    game: Message = {}
    asked: Message = {}
    for line in sys.stdin:
        message = json.loads(line)
        match message["type"]:
            case "hello":
                answer = {"type": "ready", "protocol": 1, "name": "Greedy"}
            case "new_game":
                game = message
                continue
            case "turn":
                asked = message
                answer = act(game["rules"], message["view"], message["actions"])
            case "refused" if message["again"]:
                answer = wait(asked["view"], asked["actions"])
            case "quit":
                return
            case _:
                continue
        print(json.dumps({"id": message["id"], **answer}), flush=True)


def act(rules: Message, view: Message, actions: list[str]) -> Message:
    """Lay what can be laid, else wait."""
    if "lay" in actions:
        table = best_table(rules, view)
        if table is not None:
            return {"type": "lay", "table": table}
    return wait(view, actions)


def wait(view: Message, actions: list[str]) -> Message:
    """What can always be done: draw, or pass; in Rummy-O take a tile, and discard the dearest."""
    if "take" in actions:
        return {"type": "take", "source": "stock"}
    if "discard" in actions:
        numbered = [tile for tile in view["rack"] if tile != "*"]
        return {"type": "discard", "tile": max(numbered, key=number, default="*")}
    return {"type": "draw" if "draw" in actions else "pass"}


def best_table(rules: Message, view: Message) -> list[list[str]] | None:
    """The table with everything laid on it that was found, or None if there is nothing to lay."""
    rack = [tile for tile in view["rack"] if tile != "*"]
    table = [list(tiles) for tiles in view["table"]]
    sets = whole_sets(rack, rules["sets"]["shortest"])
    if not view["melded"][view["me"]]:
        # The opening comes from the rack alone and needs its points, under some books a run as well.
        points = sum(number(tile) for tiles in sets for tile in tiles)
        has_run = any(colour(tiles[0]) == colour(tiles[1]) for tiles in sets)
        enough = points >= rules["opening"]["points"] and (has_run or not rules["opening"]["run_required"])
        return table + sets if sets and enough else None
    table += sets
    added = add_to_sets(rack, table, len(rules["tiles"]["colours"]))
    return table if sets or added else None


def whole_sets(rack: list[str], shortest: int) -> list[list[str]]:
    """Runs, then groups, taken out of the rack, the longest first."""
    sets = []
    while found := max([*runs(rack), *groups(rack)], key=len, default=[]):
        if len(found) < shortest:
            break
        for tile in found:
            rack.remove(tile)
        sets.append(found)
    return sets


def runs(rack: list[str]) -> Iterator[list[str]]:
    """Every longest run on the rack."""
    tiles = set(rack)
    for tile in tiles:
        if previous(tile) not in tiles:
            run = [tile]
            while following(run[-1]) in tiles:
                run.append(following(run[-1]))
            yield run


def groups(rack: list[str]) -> Iterator[list[str]]:
    """Every number in all the colours there are."""
    by_number: dict[int, dict[str, str]] = defaultdict(dict)
    for tile in rack:
        by_number[number(tile)][colour(tile)] = tile
    for tiles in by_number.values():
        yield [tiles[letter] for letter in sorted(tiles)]


def add_to_sets(rack: list[str], table: list[list[str]], colours: int) -> bool:
    """Puts single tiles at the ends of runs and into groups, until none fits; says whether any did."""
    before = len(rack)
    while fitting := next(fits(rack, table, colours), None):
        tile, place, longer = fitting
        rack.remove(tile)
        table[place] = longer
    return len(rack) < before


def fits(rack: list[str], table: list[list[str]], colours: int) -> Iterator[tuple[str, int, list[str]]]:
    """Every tile that fits somewhere, with the place of the set and the set it makes there."""
    for place, tiles in enumerate(table):
        if "*" in tiles:
            continue
        if colour(tiles[0]) == colour(tiles[1]):
            run = sorted(tiles, key=number)
            ends = {following(run[-1]): len(run), previous(run[0]): 0}
            for tile in rack:
                if tile in ends:
                    yield tile, place, [*run[: ends[tile]], tile, *run[ends[tile] :]]
        elif len(tiles) < colours:
            for tile in rack:
                if number(tile) == number(tiles[0]) and tile not in tiles:
                    yield tile, place, [*tiles, tile]


def colour(tile: str) -> str:
    """`R` of `R7`."""
    return tile[0]


def number(tile: str) -> int:
    """7 of `R7`."""
    return int(tile[1:])


def following(tile: str) -> str:
    """The next tile of a run."""
    return f"{colour(tile)}{number(tile) + 1}"


def previous(tile: str) -> str:
    """The tile before it in a run."""
    return f"{colour(tile)}{number(tile) - 1}"


if __name__ == "__main__":
    main()
