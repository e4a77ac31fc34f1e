"""The searches that can be compiled, written once: compiled by numba, or interpreted as they stand.

`interpreted/` holds the sources. `compiled/` loads the same files with other arrays and a decorator that
compiles; it is the only place that imports numba. `mode.py` decides which of the two answers.
"""
