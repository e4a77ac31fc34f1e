"""What is wrong with a request for seating: a code, and a sentence in both languages."""

from __future__ import annotations

from meldroom.i18n import Language

_LONGEST_SHOWN = 60

_SENTENCES: dict[str, dict[Language, str]] = {
    "too_few_players": {
        "en": "{players} players: seating needs at least {least}; fewer are one table",
        "fr": "{players} joueurs : le placement en demande au moins {least} ; moins font une seule table",
    },
    "too_few_to_go_on": {
        "en": "{players} players are left; a table needs at least {least}",
        "fr": "il reste {players} joueurs ; une table en demande au moins {least}",
    },
    "too_many_places": {
        "en": "{players} players in {sittings} sittings need more than {most} places, the most there are",
        "fr": "{players} joueurs en {sittings} séances dépassent {most} places, le plus qu’il y ait",
    },
    "bad_sittings": {
        "en": "{sittings} sittings: from 1 to {most} are possible",
        "fr": "{sittings} séances : il en faut de 1 à {most}",
    },
    "bad_name": {
        "en": "entrant {number} needs a name of one line: “{name}”",
        "fr": "l’inscrit {number} a besoin d’un nom d’une ligne : « {name} »",
    },
    "same_name": {
        "en": "two entrants are called “{name}”; add what tells them apart",
        "fr": "deux inscrits s’appellent « {name} » ; ajoutez ce qui les distingue",
    },
    "unknown_name": {
        "en": "“{name}” is not among the players",
        "fr": "« {name} » n’est pas parmi les joueurs",
    },
    "group_too_large": {
        "en": "the {size} players {names} cannot be kept apart: there are only {tables} tables",
        "fr": "les {size} joueurs {names} ne peuvent être séparés : il n’y a que {tables} tables",
    },
    "too_many_apart": {
        "en": "“{name}” is to be kept apart from {size} players, but in {sittings} sittings everyone "
        "has at least {least} opponents out of {others}; "
        "keep them apart in the first sitting only, or play fewer",
        "fr": "« {name} » doit être séparé de {size} joueurs, mais en {sittings} séances chacun a au moins "
        "{least} adversaires sur {others} ; séparez-les à la première séance seulement, ou jouez-en moins",
    },
    "not_kept_apart": {
        "en": "no draw was found that keeps all of them apart; the closest puts together {names}",
        "fr": "aucun tirage trouvé ne les sépare tous ; le plus proche réunit {names}",
    },
    "wrong_commitment": {
        "en": "the seed and the entrants do not give the published commitment: one of them was changed",
        "fr": "la graine et les inscrits ne donnent pas l’engagement publié : l’un d’eux a été changé",
    },
    "wrong_plan": {
        "en": "the plan is not one for {players} players in {sittings} sittings, each seated once",
        "fr": "le plan n’est pas celui de {players} joueurs en {sittings} séances, chacun placé une fois",
    },
    "seated_twice": {
        "en": "“{name}” has two seats in sitting {sitting}",
        "fr": "« {name} » a deux places à la séance {sitting}",
    },
}


class SeatingError(ValueError):
    """A seating that cannot be made. Nothing has been drawn."""

    def __init__(self, code: str, **details: str | int) -> None:
        self.code = code
        self.details = {key: _shown(x) if isinstance(x, str) else x for key, x in details.items()}
        super().__init__(self.message())

    def message(self, language: Language = "en") -> str:
        """What is wrong and what would be right."""
        return _SENTENCES[self.code][language].format(**self.details)


def _shown(text: str) -> str:
    """Foreign text made fit for one line: short, and without control characters."""
    short = text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"
    return "".join(sign if sign.isprintable() else "�" for sign in short)
