"""What is arranged, as lines of text: prizes with their rules, teams, fees, days."""

from __future__ import annotations

from meldroom.championship.arrangements.members import accounts, members
from meldroom.championship.arrangements.prizes import Award, awards, rule_text
from meldroom.championship.arrangements.teams import team_criteria, team_standings
from meldroom.championship.state import ChampionshipState
from meldroom.championship.text import columns, line
from meldroom.i18n import Language, locale, message


def format_money(cents: int, currency: str, language: Language) -> str:
    """An amount as people write it."""
    return f"{locale(language).number(cents / 100, 2)}\N{NO-BREAK SPACE}{currency}"


def format_teams(state: ChampionshipState, language: Language) -> list[str]:
    """Team standings: the sums that count, and who makes them."""
    rule = state.arrangements.teams
    found = team_standings(state)
    if rule is None or not found:
        return [line("no_teams", language)]
    criteria = team_criteria(state, rule)
    titles = [line(f"column.{name}", language) for name in ("place", "team", *criteria)]
    rows = [[*titles, line("column.decided_by", language), line("column.counted", language)]]
    for row in found:
        sums = [f"{row.score:+d}" if name == "score" else str(getattr(row, name)) for name in criteria]
        why = message(f"championship.team_decided_by.{row.decided_by or 'none'}", language)
        names = ", ".join(state.names(row.counted))
        rest = ", ".join(state.names(row.others))
        rows.append([str(row.place), row.team, *sums, why, f"{names} ({rest})" if rest else names])
    return columns(rows, (0, *range(2, 2 + len(criteria))))


def winners_text(state: ChampionshipState, award: Award, language: Language) -> str:
    """Who gets a prize."""
    names = (*state.names(award.players), *award.teams)
    if not names:
        return message("championship.prize.nobody", language)
    told = ", ".join(names)
    return f"{told} ({message('championship.prize.shared', language)})" if len(names) > 1 else told


def format_prizes(state: ChampionshipState, language: Language) -> list[str]:
    """Every prize with its rule, and who gets it as the ranking is now."""
    if not state.arrangements.prizes:
        return [line("no_prizes", language)]
    rows = []
    for award in awards(state):
        prize = state.arrangements.prizes[award.prize - 1]
        name = f"{prize.name[language]} ({prize.amount})" if prize.amount else prize.name[language]
        passed = ""
        if award.passed:
            passed = message("championship.prize.passed", language, names=state.names(award.passed))
        won = winners_text(state, award, language)
        rows.append([str(award.prize), name, rule_text(state, prize, language), won, passed])
    told = columns(rows, (0,))
    return told if state.stage_of_play() is None else [*told, line("prizes_so_far", language)]


def format_categories(state: ChampionshipState, language: Language) -> list[str]:
    """Every category with who belongs to it."""
    return [
        line(
            "category",
            language,
            name=each.name[language],
            names=", ".join(state.names(members(state, each))) or "–",
        )
        for each in state.arrangements.categories
    ]


def format_fees(state: ChampionshipState, language: Language, *, due_only: bool = False) -> list[str]:
    """Who has paid what, what is due, and the sums."""
    fees = state.arrangements.fees
    if fees is None:
        return [line("no_fees", language)]

    def money(cents: int) -> str:
        return format_money(cents, fees.currency, language)

    known = accounts(state)
    titles = ("number", "player", "category", "fee", "paid", "due")
    rows = [[line(f"column.{title}", language) for title in titles]]
    for each in known:
        if due_only and each.due <= 0:
            continue
        category = state.arrangements.category(each.category)
        name = category.name[language] if category is not None else ""
        sums = [money(each.fee), money(each.paid), money(each.due)]
        rows.append([str(each.number), state.name_of(each.number), name, *sums])
    paid, due = sum(each.paid for each in known), sum(each.due for each in known if each.due > 0)
    return [*columns(rows, (0, 3, 4, 5)), line("fees_sum", language, paid=money(paid), due=money(due))]


def format_days(state: ChampionshipState, language: Language) -> list[str]:
    """The days of play with their sittings."""
    if not state.arrangements.days:
        return [line("no_days", language)]
    told = []
    for day in sorted(state.arrangements.days, key=lambda each: each.date):
        told.append(locale(language).date(day.date))
        told += [
            "  " + line("sitting", language, stage=state.format.stage(stage).name[language], sitting=sitting)
            for stage, sitting in day.sittings
        ]
    return told
