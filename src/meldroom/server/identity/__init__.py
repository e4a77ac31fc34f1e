"""Who somebody is: guests, accounts, sessions and tokens, without a word about games."""

from meldroom.server.identity.people import Identity, IdentityError, Known
from meldroom.server.identity.relations import Relations

__all__ = ["Identity", "IdentityError", "Known", "Relations"]
