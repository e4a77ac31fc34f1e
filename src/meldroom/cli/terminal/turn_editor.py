"""A turn being edited: the draft, the rack in order, the selection and the cursor.

Nothing here changes the game; only the session does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from meldroom.cli.terminal.draft import Draft, DraftError
from meldroom.cli.terminal.judgement import Standing, judged
from meldroom.cli.terminal.rack_order import RackOrder
from meldroom.cli.terminal.undo_history import History
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.solver.advice import AdviceLine
from meldroom.tiles import Tile


class TurnEditor:
    """A view, and the turn that its player is preparing."""

    def __init__(self, book: RuleBook, view: View) -> None:
        self.book = book
        self.order = RackOrder(book)
        self.selected: list[Tile] = []
        self.cursor: Tile | None = None
        self.typed = ""
        self.recent: frozenset[Tile] = frozenset()
        """Tiles that others laid since the person's last turn, or that they drew."""
        self._shown: tuple[tuple[Tile, ...], ...] = ()
        self._judged: tuple[Draft, Standing] | None = None
        self.show(view)

    def show(self, view: View) -> None:
        """Another position: the draft begins afresh, the rack keeps its order."""
        self.view = view
        self.history = History(Draft.of(self.book, view, self._shown))
        self._shown = tuple(each.tiles for each in self.draft.sets)
        self.order.follow(view.rack)
        self.typed = ""
        self.selected = [tile for tile in self.selected if tile in view.rack]
        rack = self.rack
        if self.cursor not in rack:
            self.cursor = rack[0] if rack else None

    # What there is to see

    @property
    def draft(self) -> Draft:
        """The draft as it is now."""
        return self.history.draft

    @property
    def rack(self) -> tuple[Tile, ...]:
        """The tiles left on the rack, in the person's order."""
        return self.order.shown(self.draft.rack)

    @property
    def my_turn(self) -> bool:
        """True when the game waits for this person."""
        return self.view.seat == self.view.me and self.view.phase != "over"

    @property
    def may_draft(self) -> bool:
        """True when tiles may be laid now."""
        return self.my_turn and self.view.phase in ("turn", "play")

    @property
    def standing(self) -> Standing:
        """What the draft amounts to."""
        if self._judged is None or self._judged[0] is not self.draft:
            self._judged = (self.draft, judged(self.draft, self.view))
        return self._judged[1]

    # Selecting

    def toggle(self, tile: Tile) -> None:
        """Select a tile, or no longer."""
        if tile in self.selected:
            self.selected.remove(tile)
        else:
            self.selected.append(tile)

    def toggle_set(self, index: int) -> None:
        """Select all tiles of a set, or none of them."""
        tiles = self.draft.sets[index].tiles
        whole = all(tile in self.selected for tile in tiles)
        self.selected = [tile for tile in self.selected if tile not in tiles] + ([] if whole else list(tiles))

    def clear(self) -> None:
        """Select nothing."""
        self.selected, self.typed = [], ""

    @property
    def picked(self) -> list[Tile]:
        """The selected tiles, or the one under the cursor where none is selected."""
        return self.selected or ([self.cursor] if self.cursor is not None else [])

    # Changing the draft. Each raises DraftError and then changes nothing.

    def put(self, index: int, tiles: Sequence[Tile] | None = None) -> None:
        """Put the selected tiles into a set."""
        chosen = list(self.selected if tiles is None else tiles)
        self._change(lambda draft: draft.put(chosen, index))

    def put_here(self) -> None:
        """Put the selected tiles where the cursor is: a set, the place for a new one, or the rack."""
        if not self.selected:
            if self.cursor is None:
                raise DraftError("nothing_selected")
            self.toggle(self.cursor)
            return
        if self.cursor is None:
            self.new_set()
            return
        index = self.draft.place(self.cursor)
        if index is None:
            self.take_back()
        else:
            self.put(index)

    def new_set(self, tiles: Sequence[Tile] | None = None) -> None:
        """Make a set of its own of the selected tiles."""
        chosen = list(self.picked if tiles is None else tiles)
        self._change(lambda draft: draft.new_set(chosen))

    def take_back(self, tiles: Sequence[Tile] | None = None) -> None:
        """Take laid tiles back to the rack."""
        chosen = list(self.picked if tiles is None else tiles)
        self._change(lambda draft: draft.take_back(chosen))

    def split_here(self) -> None:
        """Cut the set under the cursor before the tile there."""
        tile = self.cursor
        index = None if tile is None else self.draft.place(tile)
        if tile is None or index is None:
            raise DraftError("cursor_on_table")
        at = self.draft.sets[index].tiles.index(tile)
        self._change(lambda draft: draft.split(index, at))

    def read_otherwise(self) -> None:
        """Give the joker of the set under the cursor another place."""
        index = None if self.cursor is None else self.draft.place(self.cursor)
        if index is None:
            raise DraftError("cursor_on_table")
        self._change(lambda draft: draft.read_otherwise(index))

    def follow(self, line: AdviceLine) -> None:
        """Lay the tiles as a hint shows them, and point at the tile it would discard."""
        if line.table is not None:
            table = line.table
            self._change(lambda draft: draft.arranged(table))
        elif line.melds is not None and self.may_draft:
            melds = line.melds
            self._change(lambda draft: draft.with_melds(melds))
        if line.discard is not None:
            self.selected, self.cursor = [line.discard], line.discard

    def digit(self, digit: str) -> None:
        """One more digit of a set's number: as soon as it can be no other, the tiles go there."""
        number, count = int(self.typed + digit), len(self.draft.sets)
        if not 1 <= number <= count:
            self.typed = ""
            raise DraftError("no_such_set")
        self.typed = str(number)
        if number * 10 > count:
            self.number_complete()

    def number_complete(self) -> None:
        """Put the selected tiles into the set that was typed, or go there if none is selected."""
        index, self.typed = int(self.typed) - 1, ""
        if self.selected:
            self.put(index)
        elif self.draft.sets[index].tiles:
            self.cursor = self.draft.sets[index].tiles[0]

    def undo(self) -> None:
        """Take one change back."""
        self.history.undo()
        self._settle()

    def redo(self) -> None:
        """Make an undone change again."""
        self.history.redo()
        self._settle()

    def reset(self) -> None:
        """Put everything back as it was when the turn began."""
        self.history.reset()
        self._settle()

    def _change(self, step: Callable[[Draft], Draft]) -> None:
        if not self.may_draft:
            waiting = "take_first" if self.view.phase == "take" else "only_discard"
            raise DraftError(waiting if self.my_turn else "not_your_turn")
        rack = self.rack
        self.history.change(step(self.draft))
        left = self.rack
        if self.cursor in rack and self.cursor not in left:
            # The cursor stays on the rack: laying several tiles one by one should need no way back.
            at = rack.index(self.cursor)
            self.cursor = next((tile for tile in (*rack[at:], *reversed(rack[:at])) if tile in left), None)
        self.selected = []
        self._settle()

    def _settle(self) -> None:
        self._shown = tuple(each.tiles for each in self.draft.sets)
        self.typed = ""

    # The rack

    def sort(self, sorting: Literal["runs", "groups"]) -> None:
        """Put the rack in order."""
        self.order.sort(sorting)

    def shift(self, step: Literal[-1, 1]) -> None:
        """Move the tile under the cursor along the rack."""
        if self.cursor is None or self.cursor not in self.rack:
            raise DraftError("cursor_on_rack")
        self.order.shift(self.cursor, self.draft.rack, step)

    def move_before(self, tiles: Sequence[Tile], before: Tile | None) -> None:
        """Put rack tiles elsewhere on the rack."""
        self.order.move(tiles, before)

    # The turn

    def discard(self) -> Tile:
        """The one tile to discard. Raises DraftError if none, or more, are chosen."""
        rack = self.rack
        chosen = [tile for tile in self.selected if tile in rack]
        if len(chosen) == 1:
            return chosen[0]
        if len(rack) == 1:
            return rack[0]
        raise DraftError("choose_discard" if not chosen else "one_discard")

    def finish(self) -> Action:
        """What the draft asks of the game. Raises DraftError."""
        if not self.my_turn:
            raise DraftError("not_your_turn")
        if self.book.family == "rearranging":
            if not self.draft.laid and not self.draft.touched:
                raise DraftError("nothing_laid")
            return self.draft.as_lay()
        if self.view.phase == "take":
            raise DraftError("take_first")
        return self.draft.as_play(self.discard())
