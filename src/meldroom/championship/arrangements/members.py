"""Who belongs to a category, and what everybody has to pay."""

from __future__ import annotations

import msgspec

from meldroom.championship.arrangements.definition import Arrangements, Category
from meldroom.championship.entrants import Entrant
from meldroom.championship.state import ChampionshipState

_NO = ("", "0", "-", "–", "no", "n", "non", "false", "faux")
"""What says no in a column, whatever languages are installed: awards must not depend on them."""


def belongs(category: Category, number: int, entrant: Entrant) -> bool:
    """Whether an entrant meets everything that a category asks."""
    born = entrant.born
    if category.born_from is not None and (born is None or born < category.born_from):
        return False
    if category.born_until is not None and (born is None or born > category.born_until):
        return False
    if category.country and entrant.country != category.country:
        return False
    if category.team and entrant.team != category.team:
        return False
    if category.newcomer and entrant.editions != ():
        return False
    if category.column and not _says(category, entrant):
        return False
    return not category.players or number in category.players


def _says(category: Category, entrant: Entrant) -> bool:
    """Whether the column says what is asked."""
    wanted = category.column.strip().casefold()
    for title, text in entrant.more:
        if title.strip().casefold() == wanted:
            said = text.strip().casefold()
            if category.value:
                return said == category.value.strip().casefold()
            return said not in _NO
    return False


def members(state: ChampionshipState, category: Category) -> tuple[int, ...]:
    """The numbers of a category's entrants."""
    return tuple(one.number for one in state.participants if belongs(category, one.number, one.entrant))


class Account(msgspec.Struct, frozen=True):
    """What an entrant has to pay and has paid, in hundredths."""

    number: int
    fee: int
    paid: int
    category: str = ""
    """The category whose fee it is."""

    @property
    def due(self) -> int:
        """What is still to be paid; less than nothing is to be given back."""
        return self.fee - self.paid


def accounts(state: ChampionshipState) -> tuple[Account, ...]:
    """Everybody's account. Who declined or was replaced owes nothing; a substitute has what was paid."""
    made = state.arrangements
    paid: dict[int, int] = {}
    for payment in state.payments:
        number = state.successor(payment.number)
        paid[number] = paid.get(number, 0) + payment.amount
    found = []
    for one in state.participants:
        fee, category = _fee(made, one.number, one.entrant)
        owes = one.status not in ("declined", "replaced")
        found.append(
            Account(one.number, fee if owes else 0, paid.get(one.number, 0), category if owes else "")
        )
    return tuple(found)


def _fee(made: Arrangements, number: int, entrant: Entrant) -> tuple[int, str]:
    if made.fees is None:
        return 0, ""
    for id, amount in made.fees.reduced.items():
        category = made.category(id)
        if category is not None and belongs(category, number, entrant):
            return amount, id
    return made.fees.amount, ""
