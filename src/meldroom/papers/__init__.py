"""Papers to print: values, codes, the rules in a line, and PDFs."""

from meldroom.papers.championship_papers import KINDS, ChampionshipPapers, Kind, Order
from meldroom.papers.exported import ExportedEvent, read_event
from meldroom.papers.pdf import print_pdf, qr_code, signs_without_type
from meldroom.papers.rules_summary import rules_line
from meldroom.papers.sheet_codes import read_code, sheet_code
from meldroom.papers.values import Document, Occasion

__all__ = [
    "KINDS",
    "ChampionshipPapers",
    "Document",
    "ExportedEvent",
    "Kind",
    "Occasion",
    "Order",
    "print_pdf",
    "qr_code",
    "read_code",
    "read_event",
    "rules_line",
    "sheet_code",
    "signs_without_type",
]
