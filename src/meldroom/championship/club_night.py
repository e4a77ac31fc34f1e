"""A club night: from a few names to tables in one step, run by one person, the host."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from meldroom.championship.actions import AnnounceDraw, CheckIn, ImportEntrants, Reveal
from meldroom.championship.entrants import Entrant, check_entrant
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.formats.format import Format, preset, read_format
from meldroom.championship.log.file import ChampionshipLog
from meldroom.championship.roles import HOST
from meldroom.championship.sittings import prepare_draw
from meldroom.rules.book import RuleBook

PRESET = "club_night"
MOST_PLAYERS = 100
_BETWEEN = re.compile(r"[\n\r,;\t]+")
_NUMBERED = re.compile(r"\A\s*(?:\d{1,3}[.)]|[-*•])\s+")


def names_in(text: str) -> tuple[str, ...]:
    """The names of a typed or pasted list: one a line, or with commas between; numbering is dropped.

    >>> names_in("1. Ada\\n2. Ben   Nevis\\n\\nChi, Dev")
    ('Ada', 'Ben Nevis', 'Chi', 'Dev')
    """
    parts = (" ".join(_NUMBERED.sub("", part).split()) for part in _BETWEEN.split(text))
    return tuple(name for name in parts if name)


def club_format(
    rules: RuleBook | None = None, sittings: int | None = None, games: int | None = None
) -> Format:
    """The club night's format, with other numbers of sittings and games if they are given.

    Raises ChampionshipError.
    """
    usual = preset(PRESET, rules)
    (stage,) = usual.stages
    if sittings in (None, stage.sittings) and games in (None, stage.games):
        return usual
    plain = msgspec.to_builtins(stage)
    changed = {"sittings": sittings or stage.sittings, "games": games or stage.games}
    return read_format({"base": PRESET, "id": "club", "stages": [plain | changed]}, rules)


def entrants_of(names: Sequence[str]) -> tuple[Entrant, ...]:
    """Entrants who are known by their names alone. Raises ChampionshipError for a name twice."""
    seen: dict[str, str] = {}
    for name in names:
        if (key := name.casefold()) in seen:
            raise ChampionshipError("same_name", name=name)
        seen[key] = name
    if len(names) > MOST_PLAYERS:
        raise ChampionshipError("too_many_players", most=MOST_PLAYERS)
    return tuple(check_entrant(Entrant(name)) for name in names)


def begin(log: ChampionshipLog, names: Sequence[str], *, author: str, seed: str) -> None:
    """Enter everybody, check them in, and draw all tables of the night. Raises ChampionshipError.

    The draw is announced and revealed at once: nobody waits for a hall, and the log can be checked as ever.
    """
    log.append(ImportEntrants(entrants_of(names)), author=author, role=HOST)
    for number in range(1, len(names) + 1):
        log.append(CheckIn(number), author=author, role=HOST)
    (stage,) = log.state.format.stages
    numbers, entry = prepare_draw(log.state, stage.id)
    log.append(AnnounceDraw(stage.id, numbers, entry, entry.commitment(seed)), author=author, role=HOST)
    log.append(Reveal(stage.id, seed), author=author, role=HOST)
