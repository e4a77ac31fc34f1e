"""May deals be announced or revealed? Before play, and when all of it is over."""

from __future__ import annotations

from meldroom.championship.actions import AnnounceDeals, RevealDeals
from meldroom.championship.duplicate.deals import deals_commitment
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.state import ChampionshipState

_HEX = frozenset("0123456789abcdef")
_LONGEST = 200


def announced(state: ChampionshipState, action: AnnounceDeals, author: str, reason: str) -> AnnounceDeals:
    """The announcement; deals that take the place of others say who did that, and why.

    Raises ChampionshipError.
    """
    if action.stage in state.deals and not reason.strip():
        raise ChampionshipError("deals_again", stage=action.stage)
    again = action.stage in state.deals
    return AnnounceDeals(action.stage, action.commitment, author if again else "", reason if again else "")


def check_announced(state: ChampionshipState, action: AnnounceDeals) -> AnnounceDeals:
    """The announcement, if the stage is a duplicate one and nothing of it is played."""
    if not state.format.stage(action.stage).duplicate:
        raise ChampionshipError("not_duplicate", stage=action.stage)
    if any(key[0] == action.stage for key in state.results):
        raise ChampionshipError("deals_played", stage=action.stage)
    if len(action.commitment) != 64 or not _HEX.issuperset(action.commitment):
        raise ChampionshipError("bad_commitment")
    return action


def check_revealed(state: ChampionshipState, action: RevealDeals) -> RevealDeals:
    """The seed, if it is the one committed to and nobody can profit by it any more."""
    known = state.deals.get(action.stage)
    if known is None:
        raise ChampionshipError("no_deals", stage=action.stage)
    if known.seed is not None:
        raise ChampionshipError("deals_revealed", stage=action.stage)
    if len(action.seed) > _LONGEST or deals_commitment(action.stage, action.seed) != known.commitment:
        raise ChampionshipError("wrong_deals_seed")
    if not all_played(state, action.stage):
        raise ChampionshipError("deals_too_early", stage=action.stage)
    return action


def all_played(state: ChampionshipState, stage: str) -> bool:
    """Whether every game of a stage has its result, or is void."""
    own = state.format.stage(stage)
    for sitting in range(1, own.sittings + 1):
        seated = state.seatings.get((stage, sitting))
        if seated is None:
            if stage not in state.ended:
                return False
            continue
        if any(state.open_games((stage, sitting, table)) for table in range(1, len(seated.tables) + 1)):
            return False
    return True


def check_closing(state: ChampionshipState, stage: str) -> None:
    """A stage is closed when its deals are shown. Raises ChampionshipError."""
    known = state.deals.get(stage)
    if known is not None and known.seed is None:
        raise ChampionshipError("deals_hidden", stage=stage)


def being_played(state: ChampionshipState, stage: str, sitting: int, game: int) -> bool:
    """Whether a deal has tables that have not finished it: until then nobody may be told of it."""
    deals, seated = state.deals.get(stage), state.seatings.get((stage, sitting))
    if deals is None or deals.seed is not None or seated is None or stage in state.closings:
        return False
    return any(
        (stage, sitting, table, game) in state.open_games((stage, sitting, table))
        for table in range(1, len(seated.tables) + 1)
    )
