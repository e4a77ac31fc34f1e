"""The kernels as plain Python: the sources of both modes.

They import each other, and nothing but each other, by relative imports, so that the same files can be loaded
as `meldroom.solver.kernel.compiled` too. What runs in both modes keeps to a few rules: arrays are made by
`arrays.py`, rows are read as `array[i][j]`, a slice is room to work in and never a view of anything that is
read elsewhere, sums are written out, and words of 64 bits go through `word`.
"""
