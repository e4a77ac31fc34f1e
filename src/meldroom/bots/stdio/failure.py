"""What can go wrong with a bot in another process, in words: failed turns, and lines that are no answer."""

from __future__ import annotations

from typing import Literal

from meldroom.game.actions import TimeOut
from meldroom.i18n import Language

Reason = Literal["system", "start", "ended", "late", "flood", "errors", "refused", "given_up"]

FAILURES: dict[Reason, dict[Language, str]] = {
    "system": {
        "en": "Bots in processes of their own need Linux, macOS or another POSIX system.",
        "fr": "Les bots dans leur propre processus demandent Linux, macOS ou un autre système POSIX.",
    },
    "start": {
        "en": "The bot did not start: {detail}",
        "fr": "Le bot n’a pas démarré : {detail}",
    },
    "ended": {
        "en": "The bot’s process ended or closed its pipes.",
        "fr": "Le processus du bot s’est terminé ou a fermé ses flux.",
    },
    "late": {
        "en": "The bot did not answer within {detail} seconds.",
        "fr": "Le bot n’a pas répondu en {detail} secondes.",
    },
    "flood": {
        "en": "The bot wrote more than {detail} bytes in one turn, or did not read what it was sent.",
        "fr": "Le bot a écrit plus de {detail} octets en un tour, ou n’a pas lu ce qu’on lui envoyait.",
    },
    "errors": {
        "en": "The bot wrote {detail} lines in one turn that were no messages.",
        "fr": "Le bot a écrit en un tour {detail} lignes qui n’étaient pas des messages.",
    },
    "refused": {
        "en": "{detail} answers of the bot were refused in one turn.",
        "fr": "{detail} réponses du bot ont été refusées en un tour.",
    },
    "given_up": {
        "en": "The bot has failed too often in this game and is not started again.",
        "fr": "Le bot a échoué trop souvent dans cette partie et n’est plus relancé.",
    },
}

ErrorCode = Literal["bad_json", "too_long", "bad_message", "bad_id", "wrong_seat", "not_now", "bad_tile"]

ERRORS: dict[ErrorCode, dict[Language, str]] = {
    "bad_json": {
        "en": "This line is not a JSON object in UTF-8: {detail}",
        "fr": "Cette ligne n’est pas un objet JSON en UTF-8 : {detail}",
    },
    "too_long": {
        "en": "This line is longer than {detail} bytes.",
        "fr": "Cette ligne dépasse {detail} octets.",
    },
    "bad_message": {
        "en": "This is not a message a bot can send: {detail}",
        "fr": "Ce n’est pas un message qu’un bot peut envoyer : {detail}",
    },
    "bad_id": {
        "en": "Answer with the id of the request; the open one is {detail}.",
        "fr": "Répondez avec l’id de la demande ; celle qui attend est {detail}.",
    },
    "wrong_seat": {
        "en": "You play seat {detail} and can act for no other.",
        "fr": "Vous jouez la place {detail} et ne pouvez agir pour aucune autre.",
    },
    "not_now": {
        "en": "That cannot be done now; possible are: {detail}.",
        "fr": "Cela ne peut se faire maintenant ; possibles : {detail}.",
    },
    "bad_tile": {
        "en": "A tile is written like R7 or *: {detail}",
        "fr": "Une tuile s’écrit comme R7 ou * : {detail}",
    },
}


class BotFailure(RuntimeError):  # noqa: N818  (a turn that failed; the game goes on)
    """A bot that gave no answer this turn. `left` is the end of its time, with the table it left behind.

    `reason` is a word for programs, `written` the last it wrote on standard error.
    """

    def __init__(
        self, reason: Reason, detail: str = "", *, left: TimeOut | None = None, written: str = ""
    ) -> None:
        self.reason: Reason = reason
        self.detail = detail
        self.left = left
        self.written = written
        super().__init__(self.message())

    def message(self, language: Language = "en") -> str:
        """What happened as a sentence, and the last lines the bot wrote on standard error."""
        first = FAILURES[self.reason][language].format(detail=self.detail)
        return f"{first}\n{self.written}" if self.written else first


class AnswerError(ValueError):
    """A line of a bot that is no message, or names something that is not there. Nothing has happened."""

    def __init__(self, code: ErrorCode, detail: str = "") -> None:
        self.code: ErrorCode = code
        self.detail = detail
        super().__init__(self.message())

    def message(self, language: Language = "en") -> str:
        """What is wrong, as a sentence."""
        return ERRORS[self.code][language].format(detail=self.detail)
