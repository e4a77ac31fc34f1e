"""The kernels compiled: the files of `interpreted/` once more, with the arrays of this folder.

`meldroom.solver.kernel.compiled.best_play` is loaded from `interpreted/best_play.py`; only `arrays` is found
here first.
"""

from meldroom.solver.kernel import interpreted

__path__ = [*__path__, *interpreted.__path__]
