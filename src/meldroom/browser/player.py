"""The one player of a device."""

from __future__ import annotations

import secrets

import msgspec

from meldroom.api.errors import HttpError
from meldroom.api.names import clean_name, friendly_name
from meldroom.api.schemas import Me
from meldroom.browser.store import DeviceStore
from meldroom.i18n import DEFAULT, Language
from meldroom.rooms.domain.avatars import avatar_of, is_avatar, profile_of
from meldroom.rooms.ports import Player

KEY = "player"


class Kept(msgspec.Struct, frozen=True):
    """The player as the device keeps them."""

    id: str
    name: str
    language: Language
    avatar: str = ""


class LocalPlayer:
    """Who plays on a device: a guest from the first session on, until everything is deleted."""

    def __init__(self, store: DeviceStore) -> None:
        self._store = store
        self._kept: Kept | None = None

    async def load(self) -> None:
        """Find the player that the device knows."""
        text = await self._store.get(KEY)
        try:
            self._kept = None if text is None else msgspec.json.decode(text, type=Kept)
        except msgspec.MsgspecError:
            self._kept = None

    @property
    def language(self) -> Language:
        """The language that the player chose."""
        return DEFAULT if self._kept is None else self._kept.language

    @property
    def id(self) -> str:
        """The player's id; empty before there is a session."""
        return "" if self._kept is None else self._kept.id

    @property
    def player(self) -> Player:
        """The player. Raises HttpError before there is a session."""
        kept = self._known
        return Player(kept.id, kept.name, avatar=kept.avatar)

    @property
    def me(self) -> Me:
        """What they are told about themselves. Raises HttpError before there is a session."""
        kept = self._known
        avatar = kept.avatar or avatar_of(kept.id)
        return Me(kept.id, kept.name, True, None, kept.language, profile_of(kept.id), avatar)

    @property
    def _known(self) -> Kept:
        if self._kept is None:
            raise HttpError(401, "no_session")
        return self._kept

    async def begin(self, name: str | None, language: Language) -> Me:
        """A session: a new player gets a name if they bring none, a known one keeps theirs."""
        if self._kept is not None:
            return await self.change(name, None)
        chosen = friendly_name(language) if name is None else _named(name)
        await self._keep(Kept(secrets.token_hex(8), chosen, language))
        return self.me

    async def change(self, name: str | None, language: Language | None, avatar: str | None = None) -> Me:
        """A new name to play under, another language or avatar. Raises HttpError."""
        kept = self._known
        if avatar and not is_avatar(avatar):
            raise HttpError(400, "bad_avatar", "avatar")
        chosen = kept.name if name is None else _named(name)
        tiles = kept.avatar if avatar is None else avatar
        changed = Kept(kept.id, chosen, language or kept.language, tiles)
        if changed != kept:
            await self._keep(changed)
        return self.me

    def forget(self) -> None:
        """Everything was deleted; the next session is somebody new's."""
        self._kept = None

    async def _keep(self, kept: Kept) -> None:
        await self._store.put(KEY, msgspec.json.encode(kept).decode())
        self._kept = kept


def _named(name: str) -> str:
    """The name as it is kept. Raises HttpError."""
    cleaned = clean_name(name)
    if cleaned is None:
        raise HttpError(400, "bad_name", "name")
    return cleaned
