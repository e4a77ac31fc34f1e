"""WRC 11, clause by clause: the tests of the text it shares with its sister book are in `shared_text`."""

from meldroom.rules.library import book
from tests.clauses import shared_text

globals().update(shared_text.tests_of("wrc11"))


def test_wrc11_rule_15_names_its_organisers_and_no_other() -> None:
    clauses = {clause.id: clause.text["en"] for clause in book("wrc11").clauses}
    assert "WRC" in clauses["#15"]
    assert not any("NZRC" in text for text in clauses.values())
