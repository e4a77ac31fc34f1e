"""The kernels, interpreted on arrays that refuse to count from the end.

Compiled kernels take every index as it is: -1 would read what lies before an array. Only `arrays` is found
here first; everything else is loaded from the kernels themselves.
"""

from meldroom.solver.kernel import interpreted

__path__ = [*__path__, *interpreted.__path__]
