"""NZRC 2024, clause by clause: the tests of the text it shares with its sister book are in `shared_text`."""

from meldroom.rules.library import book
from tests.clauses import shared_text

globals().update(shared_text.tests_of("nzrc2024"))


def test_nzrc2024_rule_15_is_the_only_clause_with_another_wording() -> None:
    mine, theirs = book("nzrc2024"), book("wrc11")
    assert [c.id for c in mine.clauses] == [c.id for c in theirs.clauses]
    assert [a.id for a, b in zip(mine.clauses, theirs.clauses, strict=True) if a != b] == ["#15"]
    assert (mine.cites, mine.codes, mine.option_list) == (theirs.cites, theirs.codes, theirs.option_list)
