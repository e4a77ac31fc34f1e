"""The steps that bring a database to the present shape, oldest first, and the order of their names."""

REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009", "0010")
"""Every revision this Meldroom knows; a database at another one comes from a newer Meldroom."""

HEAD = REVISIONS[-1]
