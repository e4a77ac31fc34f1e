"""The papers as people see them: every page is rendered, read back, and measured at its margins."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path
from random import Random

import pypdfium2  # type: ignore[import-untyped]
import pytest
import segno
from msgspec import UNSET
from msgspec.structs import replace

from meldroom.championship import CancelPenalty, ChampionshipError, Penalise, SignSheet, preset
from meldroom.championship.log.export import document_of
from meldroom.championship.log.restore import decode_document
from meldroom.i18n import Language, message, message_ids, template
from meldroom.papers import (
    KINDS,
    ChampionshipPapers,
    Order,
    names_without_type,
    parse_code,
    print_pdf,
    signs_without_type,
    without_font,
)
from meldroom.papers.arranged import teams_paper
from meldroom.papers.cross_table import cross_table
from meldroom.papers.fonts import fonts_for, open_fonts
from meldroom.papers.standings_lists import standings_papers
from meldroom.papers.values import (
    Badge,
    Badges,
    Certificate,
    Certificates,
    Document,
    Occasion,
    PaperSize,
    PenaltyReport,
    Person,
    StandingsList,
    StandingsPaper,
    StandingsRow,
    WallByName,
    WallPlace,
    initials,
)
from tests.championship.championship_play import Played, whole_championship, without_conditions
from tests.papers.paper_championship import NAMES, YOUNG, exported

MM = 72 / 25.4
SIZES: dict[PaperSize, tuple[float, float]] = {"a4": (210, 297), "us-letter": (215.9, 279.4)}
TO_CUT = ("table_cards", "badges")


def order(language: Language = "en", paper: PaperSize = "a4") -> Order:
    address = "http://192.168.1.5:8000"
    return Order(language, paper, "15 November 2026, 09:30", "Berlin", address, "code", zone=UTC, blank=2)


def printed(papers: ChampionshipPapers) -> Iterator[tuple[str, str, pypdfium2.PdfDocument]]:
    """Every paper: its kind, the name of its file, and the PDF."""
    for kind in KINDS:
        for name, paper in papers.all([kind]):
            pdf = pypdfium2.PdfDocument(print_pdf(papers.occasion(), paper))
            yield kind, name, pdf
            pdf.close()


def text_of(pdf: pypdfium2.PdfDocument, page: int | None = None) -> str:
    """The text of a paper, spaces and line breaks made one, breaks inside words taken out."""
    pages = range(len(pdf)) if page is None else [page]
    return "\n".join(" ".join(pdf[number].get_textpage().get_text_bounded().split()) for number in pages)


def squeezed(text: str) -> str:
    """A text without spaces and hyphens: a long name may be broken anywhere, and there hyphens are lost."""
    return "".join(sign for sign in text if sign not in "\u200b\ufffe\x02-" and not sign.isspace())


@pytest.mark.parametrize(("language", "paper"), [("en", "a4"), ("fr", "us-letter")])
def test_nothing_leaves_the_page(language: Language, paper: PaperSize) -> None:
    wide, high = SIZES[paper]
    kinds = set()
    for kind, name, pdf in printed(ChampionshipPapers(exported(), order(language, paper))):
        kinds.add(kind)
        for number in range(len(pdf)):
            page = pdf[number]
            size = tuple(round(part / MM) for part in page.get_size())
            assert sorted(size) == sorted((round(wide), round(high))), name
            text = page.get_textpage()
            least = 5.0 if kind in TO_CUT else 10.0
            for place in range(text.count_chars()):
                left, bottom, right, top = (part / MM for part in text.get_charbox(place))
                if right > left:
                    where = f"{name}, page {number + 1}: {text.get_text_range(place, 1)!r}"
                    assert least <= left <= right <= size[0] - least, where
                    assert 3.9 <= bottom <= top <= size[1] - 3.9, where
            _no_ink_at_the_edge(page, 0.0 if kind in TO_CUT else 9.0, name)
    assert kinds == set(KINDS)


def _no_ink_at_the_edge(page: pypdfium2.PdfPage, margin: float, name: str) -> None:
    """Nothing is drawn within some millimetres of the edge, where printers cannot print."""
    if not margin:
        return
    image = page.render(scale=1, grayscale=True).to_pil()
    edge = int(margin * MM)
    width, height = image.size
    for box in (
        (0, 0, width, edge),
        (0, height - edge, width, height),
        (0, 0, edge, height),
        (width - edge, 0, width, height),
    ):
        assert image.crop(box).getextrema() == (255, 255), name


def test_the_same_values_give_the_same_bytes() -> None:
    papers = ChampionshipPapers(exported(), order())
    for _, paper in papers.all():
        assert print_pdf(papers.occasion(), paper) == print_pdf(papers.occasion(), paper)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_score_sheet_holds_what_it_must(language: Language) -> None:
    event = replace(exported("round1"), games=(), sheets=(), standings=(), closings=(), ranking=())
    papers = ChampionshipPapers(event, order(language))
    seating = papers.document.seating[0]
    sheets = papers.sheets(seating)
    pdf = pypdfium2.PdfDocument(print_pdf(papers.occasion(), sheets))
    assert len(pdf) == len(seating.tables) == 9
    for place, sheet in enumerate(sheets.sheets):
        text = text_of(pdf, place)
        plain = squeezed(text)
        for person in sheet.players:
            assert plain.count(squeezed(person.name)) == 2, (
                person.name
            )  # above the column and at the signature
        assert sheet.code in text
        assert parse_code(sheet.code) == sheet.code
        assert text.count(message("papers.starts", language)) == 4
        assert squeezed(message("papers.sign_first", language)) in plain
        assert squeezed(message("papers.page", language, page=place + 1, pages=9)) in plain
        for pair in sheets.rules:
            assert squeezed("".join(pair)) in plain
        assert text.count("200") >= 4 * len(sheet.players)
    assert len({sheet.code for sheet in sheets.sheets}) == 9
    pdf.close()


def test_the_qr_code_on_a_sheet_is_the_link() -> None:
    papers = ChampionshipPapers(exported("round1"), order())
    sheets = papers.sheets(papers.document.seating[0])
    link = sheets.sheets[0].link
    assert link == f"http://192.168.1.5:8000/table/1?sheet={sheets.sheets[0].code}"
    matrix = [list(row) for row in segno.make_qr(link, error="m").matrix]
    pdf = pypdfium2.PdfDocument(print_pdf(papers.occasion(), sheets))
    scale = 6
    image = pdf[0].render(scale=scale, grayscale=True).to_pil()
    left, top, size = (210 - 15 - 21) * MM * scale, 14 * MM * scale, 21 * MM * scale
    module = size / len(matrix)
    for row, line in enumerate(matrix):
        for column, dark in enumerate(line):
            shade = image.getpixel((int(left + (column + 0.5) * module), int(top + (row + 0.5) * module)))
            assert (shade < 128) == bool(dark), (row, column)
    pdf.close()


def test_entered_games_are_printed_with_their_sums() -> None:
    papers = ChampionshipPapers(exported(), order())
    pdf = pypdfium2.PdfDocument(print_pdf(papers.occasion(), papers.sheets(papers.document.seating[0])))
    first = papers.results["round1", 1, 1]
    text = text_of(pdf, 0)
    for result in first.values():
        for score in result.scores:
            assert score is not None
            assert f"{score:+d}".replace("-", "−") in text.replace("+0", "0") or score == 0
    assert message("papers.signed_in_log", "en", referee="Rita") in text
    pdf.close()


def test_everybody_is_on_the_lists() -> None:
    papers = ChampionshipPapers(exported(), order())
    whole = {name: squeezed(text_of(pdf)) for _, name, pdf in printed(papers)}
    names = [squeezed(one.entrant.name) for one in papers.document.entrants if one.entrant.name != YOUNG]
    for file in (
        *("wall-by-name-round1", "wall-by-table-round1", "badges", "standings-round1"),
        *("standings-ranking", "cross-table", "certificates"),
    ):
        for name in names:
            assert name in whole[file], (file, name)
    assert whole["table-cards"].count(message("papers.fold", "en").replace(" ", "")) == 9


def test_minors_are_initials_where_everybody_reads() -> None:
    papers = ChampionshipPapers(exported(), order())
    for kind, name, pdf in printed(papers):
        text = squeezed(text_of(pdf))
        if kind in ("wall_by_name", "wall_by_table", "standings", "cross_table"):
            assert squeezed(YOUNG) not in text, name
            if "final" not in name:
                assert "Z.A.P.·no.9" in text, name
        elif name in ("badges", "certificates", "sheets-round1-1"):
            assert squeezed(YOUNG) in text, name
    named = ChampionshipPapers(exported(), replace(order(), minors="names"))
    assert named.person(9, public=True).name == YOUNG


def test_reports_tell_penalties_and_disputes() -> None:
    papers = ChampionshipPapers(exported(), order())
    texts = {name: text_of(pdf) for _, name, pdf in printed(papers) if name in ("penalties", "disputes")}
    assert "time ran out before the turn was complete" in texts["penalties"]
    assert "cancelled: Dana, the train was late" in texts["penalties"]
    assert "2026-11-15 12:00" in texts["penalties"].replace("2026-11-15\n", "2026-11-15 ")
    assert "WRC 11 #9; R23" in texts["disputes"]
    assert "FINAL AND BINDING" in texts["disputes"]
    empty = ChampionshipPapers(replace(exported(), penalties=(), disputes=()), order("fr"))
    told = [text_of(pdf) for kind, _, pdf in printed(empty) if kind in ("penalties", "disputes")]
    for key, text in zip(("no_penalties", "no_disputes"), told, strict=True):
        assert message(f"papers.{key}", "fr") in text


def test_standings_say_when_they_are_not_final_and_draw_the_cut() -> None:
    papers = ChampionshipPapers(exported(), order())
    lists = {name: paper.lists[0] for name, paper in _standings(papers)}
    assert lists["semifinals"].cut == 4
    assert lists["round1"].cut is None
    assert all(each.final for each in lists.values())
    open_event = ChampionshipPapers(
        replace(exported("round1"), sheets=exported("round1").sheets[1:], closings=()), order()
    )
    assert not dict(_standings(open_event))["round1"].lists[0].final
    assert open_event.current() == ("round1", 1)


def test_the_ranking_shows_the_points_that_decided_it_and_no_empty_column() -> None:
    papers = ChampionshipPapers(document_of(whole_championship(8, "german").state), order())
    paper = dict(_standings(papers))["ranking"]
    points = [row.points for row in paper.lists[0].rows]
    assert points == sorted(points, reverse=True)
    assert points[0] > 0
    pdf = pypdfium2.PdfDocument(print_pdf(papers.occasion(), paper))
    assert "Place Player Country Won Points Score Games 1 " in text_of(pdf, 0)
    pdf.close()
    assert all(row.points is not None for part in cross_table(papers).parts for row in part.rows)
    assert not ChampionshipPapers(exported(), order()).points()


def test_members_who_do_not_count_are_named_while_they_are_few() -> None:
    document = exported()
    assert document.teams
    for others, told in (((1, 2), f"({NAMES[0]}, {NAMES[1]})"), (tuple(range(1, 8)), "(and 7 more)")):
        team = replace(document.teams[0], counted=(9,), others=others)
        paper = teams_paper(ChampionshipPapers(replace(document, teams=(team,)), order()))
        assert paper is not None
        assert paper.sections[0].rows[0][-1].endswith(told)


def _standings(papers: ChampionshipPapers) -> list[tuple[str, StandingsPaper]]:
    return list(standings_papers(papers))


def test_only_what_is_asked_for() -> None:
    papers = ChampionshipPapers(exported(), order())
    assert [name for name, _ in papers.all(["sheets"], "final")] == ["sheets-final-1"]
    assert [name for name, _ in papers.all(["sheets", "wall_by_name"], "round1", 1)] == [
        "sheets-round1-1",
        "wall-by-name-round1",
    ]
    with pytest.raises(ChampionshipError, match="no stage “nowhere”"):
        list(papers.all(["sheets"], "nowhere"))
    before = ChampionshipPapers(exported("round1"), order())
    assert "certificates" not in [name for name, _ in before.all()]


def test_control_characters_do_no_harm() -> None:
    pdf = pypdfium2.PdfDocument(print_pdf(Occasion("Event\u0007\u202e"), PenaltyReport(())))
    assert "Event" in text_of(pdf)
    pdf.close()


def test_both_languages_have_the_same_texts() -> None:
    own = [id for id in message_ids() if id.startswith("papers.")]
    assert len(own) > 50
    for id in own:
        english, french = template(id, "en"), template(id, "fr")
        assert all((english, french))
        assert str(english).count("{") == str(french).count("{"), id


def test_a_document_that_is_none_is_refused() -> None:
    with pytest.raises(ChampionshipError, match="not an exported championship"):
        decode_document(b"{}")


def test_initials() -> None:
    assert initials("Zoë-Anne Petit") == "Z.-A. P."
    assert initials("-") == "–"
    assert NAMES[0] == "Ada Lovelace"


def test_a_book_without_zero_sum_has_no_column_for_it() -> None:
    head = exported("round1").event
    made = replace(head.format, book="rummyo", book_version=UNSET)
    event = replace(exported("round1"), event=replace(head, format=made))
    papers = ChampionshipPapers(event, order())
    for name, paper in papers.all(["sheets", "blank_sheets"]):
        pdf = pypdfium2.PdfDocument(print_pdf(papers.occasion(), paper))
        text = text_of(pdf, 0)
        assert message("papers.sum_zero", "en") not in text, name
        assert "Rummy-O rules of play" in text
        pdf.close()


def test_names_in_other_scripts_are_noticed() -> None:
    assert signs_without_type(["Łucja", "Анна", "דוד", "محمد", "O’Brien · № 7"]) == ""
    assert signs_without_type(["サ サ", "김"]) == "サ김"


def test_a_sheet_printed_again_has_its_penalties_and_who_refused_to_sign() -> None:
    event = Played(without_conditions(preset("german")))
    event.enter(4)
    event.draw("rounds")
    event.play("rounds", 1, Random(1), sign=False)
    (table,) = event.state.seatings["rounds", 1].tables
    event.do(Penalise(table[1], "time_out", 3, 2, "rounds", 1, 1, 2, note="clock at 0:00"), role="referee")
    event.do(Penalise(table[2], "late", 0, 0, "rounds", 1, 1, 3), role="referee")
    event.do(CancelPenalty(2), "the clock was wrong")
    event.do(SignSheet("rounds", 1, 1, "Rita", (table[3],)), "count upheld")
    told: tuple[tuple[Language, str, str, str], ...] = (
        ("en", "refused to sign", "3 tiles drawn", "cancelled: the clock was wrong"),
        ("fr", "a refusé de signer", "3 tuiles piochées", "annulée"),
    )
    for language, refused, drawn, cancelled in told:
        papers = ChampionshipPapers(document_of(event.state), Order(language))
        ((_, sheets),) = papers.all(["sheets"])
        text = text_of(pypdfium2.PdfDocument(print_pdf(papers.occasion(), sheets)))
        for said in (refused, drawn, cancelled, "clock at 0:00", event.state.name_of(table[1])):
            assert said in text, said


def font_with(*ranges: tuple[int, int]) -> bytes:
    """A font that is nothing but a character map, of both usual formats."""
    groups = b"".join(struct.pack(">III", first, last, 1) for first, last in ranges)
    wide = struct.pack(">HHIII", 12, 0, 16 + len(groups), 0, len(ranges)) + groups
    count = len(ranges) + 1
    ends = [*(min(last, 0xFFFE) for _, last in ranges), 0xFFFF]
    starts = [*(min(first, 0xFFFE) for first, _ in ranges), 0xFFFF]
    plain = struct.pack(">7H", 4, 0, 0, 2 * count, 0, 0, 0)
    plain += struct.pack(f">{count}H", *ends) + b"\0\0" + struct.pack(f">{count}H", *starts)
    table = struct.pack(">HHHHIHHI", 0, 2, 3, 1, 20, 3, 10, 20 + len(plain)) + plain + wide
    return struct.pack(">4sHHHH4sIII", b"OTTO", 1, 0, 0, 0, b"cmap", 0, 28, len(table)) + table


def test_installed_open_fonts_print_what_the_type_has_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "NotoSansKR-Regular.otf").write_bytes(font_with((0xAC00, 0xD7A3), (0x20000, 0x20010)))
    (tmp_path / "broken.ttf").write_bytes(b"no font")
    monkeypatch.setenv("MELDROOM_FONTS", str(tmp_path))
    monkeypatch.setattr("meldroom.papers.fonts._PLACES", ())
    monkeypatch.setattr("meldroom.papers.fonts._PACKAGES", ())
    open_fonts.cache_clear()
    try:
        assert without_font("김\U00020001山") == "山"
        assert [file.name for file in fonts_for("김")] == ["NotoSansKR-Regular.otf"]
        assert fonts_for("山") == ()
        own = tmp_path / "own"
        own.mkdir()
        monkeypatch.delenv("MELDROOM_FONTS")
        (own / "Kai.ttf").write_bytes(font_with((0x5C71, 0x5C71)))
        open_fonts.cache_clear()
        assert without_font("김山", own) == "김"
        monkeypatch.setenv("MELDROOM_FONTS", str(tmp_path))
        (own / "Kai.ttf").unlink()
        open_fonts.cache_clear()
        assert names_without_type(["김지은", "山 Ada"]) == [("山 Ada", "山")]
    finally:
        open_fonts.cache_clear()


def test_names_that_print_as_boxes_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("meldroom.papers.fonts.open_fonts", tuple)
    assert names_without_type([name for name, _, _ in FAR]) == []
    assert names_without_type(["ᚠᚢᚦ"]) == [("ᚠᚢᚦ", "ᚠᚢᚦ")]
    monkeypatch.setattr("meldroom.papers.fonts._PACKAGES", ("no_such_package",))
    assert names_without_type(["Łucja", "김지은", "山 Ada"]) == [("김지은", "김은지"), ("山 Ada", "山")]


FAR = (
    ("김지은", "KOR", "NotoSansCJKsc"),  # Hangul is the same in all of them
    ("金智恩", "KOR", "NotoSansCJKkr"),
    ("直樹 直子", "JPN", "NotoSansCJKjp"),
    ("王小明", "CHN", "NotoSansCJKsc"),
    ("陳怡君", "TPE", "NotoSansCJKtc"),
    ("สมชาย ใจดี", "THA", "Sarabun"),
)
"""Names, countries, and the font that shows each as it is written there."""


@pytest.mark.parametrize("kind", ["badges", "certificates", "wall", "standings"])
def test_names_of_east_asia_are_printed_with_the_fonts_of_the_extra(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("meldroom.papers.fonts.open_fonts", tuple)
    people = [Person(number, name, country) for number, (name, country, _) in enumerate(FAR, start=1)]
    papers: dict[str, Document] = {
        "badges": Badges(tuple(Badge(one) for one in people)),
        "certificates": Certificates(tuple(Certificate(one, one.number, 6) for one in people)),
        "wall": WallByName("Round 1", ("1",), tuple(WallPlace(one, ((1, 1),)) for one in people)),
        "standings": StandingsPaper(
            (StandingsList("R", tuple(StandingsRow(n, one, 0, 0, 0, 0) for n, one in enumerate(people, 1))),)
        ),
    }
    made = print_pdf(Occasion("Open"), papers[kind])
    assert made == print_pdf(Occasion("Open"), papers[kind])
    assert len(made) < 120_000  # of each font only the characters that are used
    with pypdfium2.PdfDocument(made) as pdf:
        text = "".join(page.get_textpage().get_text_bounded() for page in pdf)
    for name, _, font in FAR:
        assert name in text
        assert re.search(rb"/FontName\s*/[A-Z]{6}\+" + font.encode(), made), (name, font)
