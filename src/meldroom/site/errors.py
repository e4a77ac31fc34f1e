"""Why a site cannot be written."""

from __future__ import annotations

from meldroom.errors import MeldroomError


class SiteError(MeldroomError, ValueError):
    """The pages are not there, or the folder belongs to somebody else."""

    domain = "site.error"
