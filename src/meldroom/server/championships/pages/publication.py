"""What the public may know already: which results are out, and how people are named."""

from __future__ import annotations

from datetime import date

from msgspec.structs import replace

from meldroom.championship.state import ChampionshipState, Participant, SheetKey
from meldroom.server.championships.hall.commands import InPublic, StandingsMode
from meldroom.server.championships.hall.state import Hall

GROWN_UP = 18
HIDDEN = "–"


def published_sheets(state: ChampionshipState, mode: StandingsMode) -> frozenset[SheetKey]:
    """The sheets whose results are out: signed, and if they are held back, when their whole sitting is."""
    if mode == "live":
        return frozenset(state.sheets)
    complete = {
        key
        for key, seated in state.seatings.items()
        if all(state.finished((*key, table)) for table in range(1, len(seated.tables) + 1))
    }
    return frozenset(sheet for sheet in state.sheets if sheet[:2] in complete)


def published(state: ChampionshipState, mode: StandingsMode) -> ChampionshipState:
    """The championship without results that are not yet public, and without decisions that rest on them."""
    out = published_sheets(state, mode)
    closed = {key[0] for key in state.results} - {key[0] for key in state.results if key[:3] not in out}
    return replace(
        state,
        results={key: result for key, result in state.results.items() if key[:3] in out},
        sheets={key: sheet for key, sheet in state.sheets.items() if key in out},
        decisions={stage: made for stage, made in state.decisions.items() if stage in closed},
    )


def way_of_naming(one: Participant, hall: Hall, on: date) -> InPublic:
    """How an entrant is named in public: as set for them, else minors by their initials."""
    said = hall.names.get(one.number)
    if said is not None:
        return said
    return "initials" if is_minor(one, on) else "full"


def is_minor(one: Participant, on: date) -> bool:
    """Whether an entrant is under age on the championship's day; one whose birth nobody has told is not."""
    born = one.entrant.born
    if born is None:
        return False
    return on.year - born.year - ((on.month, on.day) < (born.month, born.day)) < GROWN_UP


def initials(name: str) -> str:
    """A name by the first letters of its words."""
    letters = [word[0].upper() for word in name.replace("-", " ").split() if word[0].isalpha()]
    return " ".join(f"{letter}." for letter in letters[:3]) or HIDDEN


def public_name(one: Participant, hall: Hall, on: date) -> str:
    """An entrant's public name; the number tells two of one name apart."""
    match way_of_naming(one, hall, on):
        case "full":
            return one.entrant.name
        case "initials":
            return initials(one.entrant.name)
        case "hidden":
            return HIDDEN


def with_public_names(state: ChampionshipState, hall: Hall) -> ChampionshipState:
    """The same championship with everybody named as in public, and no other personal data.

    Where somebody is not named in full, their country stays unless they are hidden.
    """
    return replace(state, participants=tuple(_in_public(one, hall, state.date) for one in state.participants))


def _in_public(one: Participant, hall: Hall, on: date) -> Participant:
    hidden = way_of_naming(one, hall, on) == "hidden"
    entrant = type(one.entrant)(
        public_name(one, hall, on),
        "" if hidden else one.entrant.country,
        team="" if hidden else one.entrant.team,
        no_country=one.entrant.no_country and not hidden,
    )
    return replace(one, entrant=entrant)
