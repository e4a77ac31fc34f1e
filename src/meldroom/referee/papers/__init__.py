"""Papers to print: values, codes, the rules in a line, and PDFs."""

from meldroom.referee.papers.codes import read_code, sheet_code
from meldroom.referee.papers.event_papers import KINDS, EventPapers, Kind, Order
from meldroom.referee.papers.exported import ExportedEvent, read_event
from meldroom.referee.papers.printing import print_pdf, qr_code, signs_without_type
from meldroom.referee.papers.rules_line import rules_line
from meldroom.referee.papers.values import Document, Occasion

__all__ = [
    "KINDS",
    "Document",
    "EventPapers",
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
