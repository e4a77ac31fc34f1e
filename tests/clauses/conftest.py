"""Lets a failing assertion in the shared files of these tests show its values, as in a test file."""

import pytest

pytest.register_assert_rewrite("tests.clauses.shared_text", "tests.clauses.tables")
