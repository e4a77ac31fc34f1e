"""The entrants of a World Championship: thirty-three countries with one player each."""

from __future__ import annotations

PEOPLE = (
    ("Ada Byron", "GBR"),
    ("Bálint Szűcs", "HUN"),
    ("Chloé Marchand", "FRA"),
    ("Dmitri Volkov", "LVA"),
    ("Elif Yıldız", "TUR"),
    ("Freya Nilsen", "NOR"),
    ("Gonçalo Reis", "POR"),
    ("Hana Nováková", "CZE"),
    ("Ines Pereira", "BRA"),
    ("Jurgen de Wit", "NED"),
    ("Keiko Tanabe", "JPN"),
    ("Lars Øberg", "DEN"),
    ("Maud Lefèvre", "BEL"),
    ("Niamh Kelleher", "IRL"),
    ("Otto Brandt", "GER"),
    ("Paola Ricci", "ITA"),
    ("Quentin Rochat", "SUI"),
    ("Rosa Delgado", "ESP"),
    ("Sanna Lehtinen", "FIN"),
    ("Tomasz Wilk", "POL"),
    ("Una Kraljić", "CRO"),
    ("Viktor Lindqvist", "SWE"),
    ("Wei Ling Tan", "SGP"),
    ("Ximena Torres", "MEX"),
    ("Yael Ben-Ari", "ISR"),
    ("Zoltan Petrescu", "ROU"),
    ("Amara Okafor", "NGR"),
    ("Bao Nguyen", "VIE"),
    ("Carys Pugh", "AUS"),
    ("Dagny Jónsdóttir", "ISL"),
    ("Eleni Pappas", "GRE"),
    ("Farid Haddad", "MAR"),
    ("Grace Tamihana", "NZL"),
)
OPEN = 33
"""Of this one the list does not say which editions were played: somebody must look and admit them."""
TITLES = "name,country,citizenship,born,editions"


def line_of(name: str, country: str, *, editions: str = "–") -> str:
    """One line of the list."""
    return f"{name},{country},{country},1990-05-01,{editions}"


def whole_list() -> str:
    """The list as it is imported."""
    lines = [line_of(*person) for person in PEOPLE[: OPEN - 1]]
    return "\n".join([TITLES, *lines, line_of(*PEOPLE[OPEN - 1], editions="")]) + "\n"


def list_with_faults() -> str:
    """The same list with two lines that nobody can read."""
    lines = whole_list().splitlines()
    lines[5] = lines[5].replace("1990-05-01", "31.12.90")
    lines[9] = "," + lines[9].partition(",")[2]
    return "\n".join(lines) + "\n"
