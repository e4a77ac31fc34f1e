"""A championship on paper: score sheets, wall lists, cards, standings, reports and certificates as PDFs."""

from meldroom.papers.championship_papers import KINDS, ChampionshipPapers, Kind, Order
from meldroom.papers.fonts import without_font
from meldroom.papers.pdf import check_printing, names_without_type, print_pdf, qr_code, signs_without_type
from meldroom.papers.rules_summary import rules_line
from meldroom.papers.sheet_codes import parse_code, sheet_code
from meldroom.papers.values import Document, Occasion

__all__ = [
    "KINDS",
    "ChampionshipPapers",
    "Document",
    "Kind",
    "Occasion",
    "Order",
    "check_printing",
    "names_without_type",
    "parse_code",
    "print_pdf",
    "qr_code",
    "rules_line",
    "sheet_code",
    "signs_without_type",
    "without_font",
]
