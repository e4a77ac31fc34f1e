"""Team standings, prizes, fees and days of a championship, as papers: plain lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from meldroom.championship.arrangements.definition import Arrangements
from meldroom.championship.arrangements.members import accounts
from meldroom.championship.arrangements.prizes import rule_text
from meldroom.championship.arrangements.teams import team_criteria
from meldroom.championship.arrangements.text import format_money
from meldroom.championship.state import ChampionshipState
from meldroom.i18n import message
from meldroom.papers.values import ListPaper, ListSection

if TYPE_CHECKING:
    from meldroom.papers.championship_papers import ChampionshipPapers

_MOST_NAMED = 4
"""Members who do not count are named up to so many."""


def _state(papers: ChampionshipPapers) -> ChampionshipState:
    """As much of the championship as rules and fees are told from."""
    document = papers.document
    return ChampionshipState(
        format=document.event.format,
        participants=document.entrants,
        arrangements=document.arrangements or Arrangements(),
        payments=document.payments or (),
    )


def _names(papers: ChampionshipPapers, numbers: tuple[int, ...]) -> str:
    return ", ".join(papers.person(number, public=True).name for number in numbers)


def teams_paper(papers: ChampionshipPapers) -> ListPaper | None:
    """The team standings with the members who count; None where teams do not count."""
    state, language = _state(papers), papers.order.language
    rule = state.arrangements.teams
    if rule is None or not papers.document.teams:
        return None
    criteria = team_criteria(state, rule)
    rows = []
    for row in papers.document.teams:
        sums = [
            f"{row.score:+d}".replace("-", "−") if name == "score" else str(getattr(row, name))
            for name in criteria
        ]
        named = _names(papers, row.counted) + _others(papers, row.others)
        rows.append((str(row.place), row.team, *sums, named))
    heads = [message(f"championship.team_decided_by.{name}", language) for name in criteria]
    note = papers.text("teams_all") if rule.best is None else papers.text("teams_best", count=rule.best)
    return ListPaper(
        papers.text("teams"),
        (papers.text("place"), papers.text("team"), *heads, papers.text("members")),
        (ListSection("", tuple(rows)),),
        widths=(0.5, 1.6, *(0.8,) * len(criteria), 3.6),
        right=tuple(range(2, 2 + len(criteria))),
        note=note,
    )


def _others(papers: ChampionshipPapers, numbers: tuple[int, ...]) -> str:
    """Members who do not count, in brackets; how many they are where a club has many."""
    if not numbers:
        return ""
    named = len(numbers) <= _MOST_NAMED
    return f" ({_names(papers, numbers) if named else papers.text('others', count=len(numbers))})"


def prizes_paper(papers: ChampionshipPapers) -> ListPaper | None:
    """Every prize with its rule, and who gets it when the championship is over; None if there are none."""
    state, language = _state(papers), papers.order.language
    prizes = state.arrangements.prizes
    if not prizes:
        return None
    given = {each.prize: each for each in papers.document.awards or ()}
    rows = []
    for number, prize in enumerate(prizes, start=1):
        award = given.get(number)
        won = ""
        if award is not None:
            won = ", ".join(part for part in (_names(papers, award.players), *award.teams) if part)
            won = won or message("championship.prize.nobody", language)
        rows.append((prize.name[language], prize.amount, rule_text(state, prize, language), won))
    return ListPaper(
        papers.text("prizes"),
        (papers.text("prize"), papers.text("amount"), papers.text("rule_column"), papers.text("winner")),
        (ListSection("", tuple(rows)),),
        widths=(1.6, 1.0, 2.2, 2.2),
        note="" if given else papers.text("prizes_open"),
        bold=3,
    )


def fees_paper(papers: ChampionshipPapers) -> ListPaper | None:
    """Who still has to pay, then who has paid; None if nothing is asked."""
    state, language = _state(papers), papers.order.language
    fees = state.arrangements.fees
    if fees is None:
        return None

    def money(cents: int) -> str:
        return format_money(cents, fees.currency, language).replace("-", "−")

    known = [each for each in accounts(state) if each.fee or each.paid]
    parts = {
        "fees_due": [each for each in known if each.due > 0],
        "fees_paid": [each for each in known if each.due <= 0],
    }
    sections = tuple(
        ListSection(
            papers.text(key),
            tuple(
                (
                    str(each.number),
                    papers.person(each.number).name,
                    money(each.fee),
                    money(each.paid),
                    money(each.due),
                    "",
                )
                for each in some
            ),
        )
        for key, some in parts.items()
        if some
    )
    paid, due = sum(each.paid for each in known), sum(each.due for each in known if each.due > 0)
    heads = ("number", "player", "fee", "paid", "due", "signature")
    return ListPaper(
        papers.text("fees"),
        tuple(papers.text(head) for head in heads),
        sections,
        widths=(0.5, 2.4, 1.0, 1.0, 1.0, 1.6),
        right=(2, 3, 4),
        note=message("championship.command.fees_sum", language, paid=money(paid), due=money(due)),
    )


def days_paper(papers: ChampionshipPapers) -> ListPaper | None:
    """The days of play with their sittings; None if no days are planned."""
    state = _state(papers)
    if not state.arrangements.days:
        return None
    sections = []
    for day in sorted(state.arrangements.days, key=lambda each: each.date):
        rows = []
        for name, sitting in day.sittings:
            stage = papers.format.stage(name)
            told = (
                papers.text("sitting", sitting=sitting, sittings=stage.sittings) if stage.sittings > 1 else ""
            )
            rows.append((papers.stage_name(name), told, papers.text("games_count", count=stage.games)))
        sections.append(ListSection(papers.day(day.date), tuple(rows)))
    return ListPaper(papers.text("days"), ("", "", ""), tuple(sections), widths=(2.0, 2.0, 2.0))
