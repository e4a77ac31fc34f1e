"""Who may do what: the table of roles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from meldroom.championship.errors import ChampionshipError
from meldroom.i18n import Message

Role = Literal["organiser", "director", "referee", "scorer", "check_in", "display", "public", "host"]
ROLES: tuple[Role, ...] = get_args(Role)
HOST: Role = "host"
"""One person who runs everything, as on a club night: may do whatever somebody of the staff may."""

_STAFF: tuple[Role, ...] = ("organiser", "director", "referee", "scorer", "check_in")


def with_host(table: Mapping[str, tuple[Role, ...]]) -> dict[str, tuple[Role, ...]]:
    """A table of roles in which the host may all that anybody may."""
    return {what: roles if HOST in roles or not roles else (*roles, HOST) for what, roles in table.items()}


_MAY: dict[str, tuple[Role, ...]] = {
    "found": ("organiser",),
    "adopt": ("organiser",),
    "import_entrants": ("organiser", "director"),
    "add_entrant": ("organiser", "director", "check_in"),
    "amend_entrant": ("organiser", "director"),
    "check_in": ("organiser", "director", "check_in"),
    "override_eligibility": ("organiser", "director"),
    "decline": ("organiser", "director"),
    "no_show": ("director", "check_in"),
    "withdraw": ("director",),
    "disqualify": ("director",),
    "undo_status": ("organiser", "director", "check_in"),
    "substitute": ("director",),
    "announce_draw": ("director",),
    "add_word": _STAFF,
    "reveal": ("director",),
    "seat_sitting": ("director",),
    "correct_seats": ("director",),
    "enter_result": ("director", "referee", "scorer"),
    "sign_sheet": ("director", "referee"),
    "correct_result": ("director", "referee"),
    "correct_signed_result": ("director",),
    "void_game": ("director",),
    "end_stage": ("director",),
    "undo_void": ("director",),
    "decide_tie": ("director",),
    "close_stage": ("director",),
    "penalise": ("director", "referee"),
    "take_points": ("director",),
    "cancel_penalty": ("director",),
    "settle_dispute": ("director", "referee"),
    "announce_deals": ("director",),
    "reveal_deals": ("director",),
    "arrange": ("organiser", "director"),
    "record_payment": ("organiser", "director", "check_in"),
    "set_pin": ("organiser", "director", "referee"),
    "erase_entrant": ("organiser", "director"),
    "see_seating": ROLES,
    "see_signed_standings": ROLES,
    "see_live_standings": ("organiser", "director", "referee", "scorer"),
    "see_personal_data": ("organiser", "director", "check_in"),
    "see_fees": ("organiser", "director", "check_in"),
    "see_log": ("organiser", "director", "referee"),
    "export": ("organiser", "director"),
}
MAY = with_host(_MAY)
"""What can be done or seen, each with the roles that may. Before the signatures a referee may correct, too;
afterwards only the director."""


def may(role: Role, what: str) -> bool:
    """True if a role may do or see something; what is not in the table nobody may."""
    return role in MAY.get(what, ())


def not_allowed(role: Role, what: str) -> ChampionshipError:
    """The refusal of something that only other roles may do."""
    return ChampionshipError(
        "not_allowed",
        role=Message(f"championship.role.{role}"),
        what=Message(f"championship.what.{what}"),
        who=tuple(Message(f"championship.role.{each}") for each in _MAY.get(what, ()) if each != HOST),
    )
