"""What can be wrong with a corpus: a folder that is none, or is somebody else's."""

from __future__ import annotations

from meldroom.errors import MeldroomError


class CorpusError(MeldroomError, ValueError):
    """A corpus that cannot be written or read."""

    domain = "corpus.error"
