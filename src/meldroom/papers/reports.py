"""Penalties and disputes of a championship, as papers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from meldroom.championship.actions import Penalise, SettleDispute
from meldroom.i18n import message
from meldroom.papers.values import DisputeReport, DisputeRow, PenaltyReport, PenaltyRow
from meldroom.referee.penalties import PENALTY_KINDS

if TYPE_CHECKING:
    from meldroom.papers.championship_papers import ChampionshipPapers


def _place(papers: ChampionshipPapers, what: Penalise | SettleDispute) -> str:
    """Where something happened."""
    if what.stage is None:
        return ""
    stage = papers.format.stage(what.stage)
    parts = [stage.name[papers.order.language]]
    if what.sitting is not None and stage.sittings > 1:
        parts.append(papers.text("sitting_short", sitting=what.sitting))
    if what.table is not None:
        parts.append(papers.text("at_table", table=what.table))
    if what.game is not None:
        parts.append(papers.text("in_game", game=what.game))
    return ", ".join(parts)


def _time(papers: ChampionshipPapers, at: datetime | None) -> str:
    return "" if at is None else at.astimezone(papers.order.zone).strftime("%Y-%m-%d %H:%M")


def _kind(papers: ChampionshipPapers, each: Penalise) -> str:
    """What a penalty is for."""
    if each.kind in PENALTY_KINDS:
        return message(f"referee.penalty.{each.kind}", papers.order.language)
    return each.kind.replace("_", " ")


def _deducted(papers: ChampionshipPapers, each: Penalise) -> str:
    """What a penalty takes off."""
    if not each.deduct:
        return ""
    what = message(f"championship.decided_by.{each.deduct_from}", papers.order.language)
    return papers.text("deducted", points=each.deduct, what=what)


def sheet_remarks(
    papers: ChampionshipPapers, key: tuple[str, int, int], table: Sequence[int]
) -> tuple[str, ...]:
    """A line for every penalty that was given at a table, with what became of it, and every void game."""
    lines = []
    for given in papers.document.penalties:
        each = given.penalty
        if (each.stage, each.sitting, each.table) != key:
            continue
        parts = [
            papers.text("in_game", game=each.game) if each.game is not None else "",
            f"{papers.text('seat')} {table.index(each.number) + 1}"
            if each.number in table
            else papers.person(each.number).name,
            _kind(papers, each),
            papers.text("tiles_drawn", count=each.tiles) if each.tiles else "",
            papers.text("leftovers", count=each.leftovers) if each.leftovers else "",
            _deducted(papers, each),
            each.note,
            papers.text("cancelled_because", why=given.cancelled_why) if given.cancelled_by else "",
        ]
        lines.append(" · ".join(part for part in parts if part))
    lines += [
        papers.text("void_here", game=void[3], why=why.why)
        for void, why in papers.voids.items()
        if void[:3] == key
    ]
    return tuple(lines)


def penalty_report(papers: ChampionshipPapers) -> PenaltyReport:
    """Every penalty, also those that were cancelled."""
    rows = []
    for given in papers.document.penalties:
        each = given.penalty
        kind = _kind(papers, each)
        left = papers.text("leftovers", count=each.leftovers) if each.leftovers else ""
        rows.append(
            PenaltyRow(
                _time(papers, each.at),
                _place(papers, each),
                papers.person(each.number),
                kind,
                each.tiles,
                "; ".join(part for part in (_deducted(papers, each), each.note, left) if part),
                each.referee,
                f"{given.cancelled_by}, {given.cancelled_why}" if given.cancelled_by else "",
            )
        )
    return PenaltyReport(tuple(rows))


def dispute_report(papers: ChampionshipPapers) -> DisputeReport:
    """Every dispute with its ruling."""
    return DisputeReport(
        tuple(
            DisputeRow(
                number,
                _time(papers, each.at),
                _place(papers, each),
                tuple(papers.person(party) for party in each.parties),
                each.question,
                "; ".join((*each.clauses, *each.rulings)),
                each.evidence,
                each.ruling,
                each.referee,
                each.chief,
            )
            for number, each in enumerate(papers.document.disputes, start=1)
        )
    )
