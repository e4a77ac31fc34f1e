"""Who may do what in the hall: the table of roles goes on here."""

from __future__ import annotations

from meldroom.championship.roles import MAY, ROLES, Role

_DESK: tuple[Role, ...] = ("organiser", "director")
_TABLE: tuple[Role, ...] = ("director", "referee", "scorer")
_STAFF: tuple[Role, ...] = ("organiser", "director", "referee", "scorer", "check_in")

HALL_MAY: dict[str, tuple[Role, ...]] = {
    "opened": (),
    "set_options": _DESK,
    "bind_table": _TABLE,
    "release_table": ("director", "referee"),
    "call_referee": _TABLE,
    "answer_call": ("director", "referee"),
    "pause_clock": _TABLE,
    "resume_clock": _TABLE,
    "extra_time": ("director", "referee"),
    "note_expiry": _TABLE,
    "record_position": _TABLE,
    "note_photo": _TABLE,
    "set_countdown": _DESK,
    "plan_sitting": _DESK,
    "set_notice": _DESK,
    "show_name": ("organiser", "director", "check_in"),
    "open_rooms": ("director",),
    "begin_game": ("director",),
    "game_stopped": (),
    "clash": (),
    "settle_clash": ("director",),
    "make_keys": _DESK,
    "make_organiser_keys": ("organiser",),
    "see_hall": ("organiser", "director", "referee", "scorer"),
    "see_calls": ("organiser", "director", "referee", "scorer", "display"),
    "see_full_names": _STAFF,
    "see_clashes": ("director", "referee"),
    "see_photos": ("director", "referee"),
    "see_table": _TABLE,
    "see_papers": _STAFF,
    "see_public": ROLES,
}
"""Commands and readings of the hall, each with the roles that may; the server alone writes some."""


def may(role: Role, what: str) -> bool:
    """Whether a role may do or see something; nobody may what is in neither table."""
    return role in HALL_MAY.get(what, MAY.get(what, ()))


def all_may(role: Role) -> tuple[str, ...]:
    """Everything that a role may, for a page that shows only buttons that work."""
    return tuple(sorted(what for what in {**MAY, **HALL_MAY} if may(role, what)))
