"""Performing a command: once for each id, by who may, and never over something that came in between.

Two versions of one thing are found before anything is written, shown to both sides, and never merged.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from meldroom.api.referee.rulings import format_count
from meldroom.championship.actions import (
    Action,
    AnnounceDeals,
    AnnounceDraw,
    CloseStage,
    CorrectResult,
    DecideTie,
    EndStage,
    EnterResult,
    Penalise,
    SeatSitting,
    SignSheet,
    UndoStatus,
    VoidGame,
)
from meldroom.championship.apply import apply
from meldroom.championship.corrections import Changing, changes_standings, consequences, undo_consequences
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.log.lots import rehearsed
from meldroom.championship.roles import not_allowed
from meldroom.championship.state import GameKey, SheetKey
from meldroom.championship.text import format_correction
from meldroom.game import new_secret
from meldroom.i18n import Language, message
from meldroom.referee import RefereeError
from meldroom.server.championships.commands.answers import Done, Preview
from meldroom.server.championships.commands.hall_rules import check, with_game, with_rooms
from meldroom.server.championships.commands.requests import (
    Announce,
    Command,
    CommandRequest,
    Correct,
    Enter,
    Erase,
    FixDeals,
    ImportList,
    LogCommand,
    PlayedGame,
    ShowDeals,
    ShowSeed,
    Sign,
)
from meldroom.server.championships.commands.to_action import action_of, count, listed
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.hall.commands import (
    BeginGame,
    BindTable,
    Clash,
    HallCommand,
    OpenRooms,
    SettleClash,
    SettleOwnClash,
)
from meldroom.server.championships.storage.keys import Key, may
from meldroom.server.championships.storage.running import (
    LastChange,
    Origin,
    RunningChampionship,
    digest_of,
    version_of,
)

SIGNED = ("sign_sheet", "correct_result", "penalise", "settle_dispute", "extra_time")
"""What only a referee may at a table's device: confirmed by a PIN once a referee has one."""


def perform(
    championship: RunningChampionship, key: Key, request: CommandRequest, language: Language
) -> Done | Preview:
    """Perform a command, or say what it would do. Raises HallError."""
    return _Performance(championship, key, request, language).answer()


def name_of(command: Command | type[Command]) -> str:
    """The command's name in the table of roles."""
    return str(command.__struct_config__.tag)


class _Performance:
    """One command sent by the holder of a key."""

    def __init__(
        self, championship: RunningChampionship, key: Key, request: CommandRequest, language: Language
    ) -> None:
        self.championship, self.key, self.request, self.language = championship, key, request, language
        self.origin = Origin(
            request.id, digest_of(request.command), key, _author(key, request.by), request.reason
        )
        self.table: int | None = getattr(request.command, "table", None)

    def answer(self) -> Done | Preview:
        """The answer to the command. Raises HallError."""
        command = self.request.command
        allowed = may(self.key.role, name_of(command))
        if self.request.id in self.championship.known:
            return self._again(allowed)
        try:
            self._check_place()
            if isinstance(command, HallCommand):
                if not allowed:
                    raise HallError(403, "not_allowed_here", "command.do")
                self._confirm()
                return self._in_hall(command)
            if not allowed:
                # `apply` would refuse too, but only after comparing results that this role may not see.
                raise not_allowed(self.key.role, name_of(command))
            self._confirm()
            return self._in_log(command)
        except (ChampionshipError, RefereeError) as error:
            raise HallError.from_below(error, "command") from None
        except HallError as refusal:
            self._keep_clash(refusal)
            raise

    def _again(self, allowed: bool) -> Done:
        """The answer that this id had the first time. Raises HallError if it was another command's."""
        known = self.championship.known[self.request.id]
        if known.digest != self.origin.digest or not allowed:
            raise HallError(409, "id_used", "id")
        if known.log is not None:
            return self._done_in_log(known.log)
        assert known.hall is not None
        return self._done_in_hall(known.hall)

    def _check_place(self) -> None:
        """A table's key works at its table, from the device that is bound to it. Raises HallError."""
        command, table = self.request.command, self.key.table
        if table is None:
            return
        if self.table != table:
            raise HallError(403, "other_table", "command.table", table=table)
        if isinstance(command, BindTable):
            return
        bound = self.championship.now.hall.bindings.get(table)
        if bound is None:
            raise HallError(409, "not_bound", "device", table=table)
        if bound.device != self.request.device:
            label = bound.label or bound.device
            raise HallError.between("table_taken", command, bound, table=table, label=label)

    def _confirm(self) -> None:
        """What a referee decides at a table's device needs a PIN, once there is one. Raises HallError."""
        referees, request = self.championship.now.state.pins, self.request
        signed = name_of(request.command) in SIGNED
        if self.key.table is None or not signed or not referees or request.preview:
            return
        if request.by not in referees or not request.pin:
            raise HallError(403, "pin_needed", "pin", referees=", ".join(sorted(referees)))
        if not self.championship.try_pin(request.by, request.pin, self.key.id):
            raise HallError(403, "wrong_pin", "pin", name=request.by)
        self.origin = replace(self.origin, confirmed=request.by)

    def _in_hall(self, command: HallCommand) -> Done | Preview:
        championship, now = self.championship, self.championship.now
        if not self.origin.author.strip():
            raise ChampionshipError("no_author")
        check(now.state, now.hall, command, championship.has_photo)
        if isinstance(command, SettleOwnClash):
            return self._settled_at_table(command)
        if isinstance(command, OpenRooms):
            command = with_rooms(now.state, now.hall, command)
        if isinstance(command, BeginGame):
            command = with_game(now.state, command)
        if self.request.preview:
            return Preview(id=self.request.id, version=now.version, action=command)
        if isinstance(command, BindTable) and (same := self._bound_already(command)):
            return same
        return self._done_in_hall(championship.write_hall(command, self.origin).number)

    def _settled_at_table(self, command: SettleOwnClash) -> Done | Preview:
        """The sender's own conflict is settled; once more adds nothing. Raises HallError."""
        known = self.championship.known.get(f"clash-{command.command}")
        if known is None or known.hall is None or known.key != self.key.id:
            raise HallError(404, "no_such_clash", "command.command", clash=command.command)
        settle = SettleClash(known.hall, command.text)
        now = self.championship.now
        if self.request.preview:
            return Preview(id=self.request.id, version=now.version, action=settle)
        if any(met.number == known.hall and met.settled for met in now.hall.clashes):
            return replace(self._done_in_hall(known.hall), written=False)
        return self._done_in_hall(self.championship.write_hall(settle, self.origin).number)

    def _bound_already(self, command: BindTable) -> Done | None:
        """A device that binds itself again, after a restart of its own, adds nothing."""
        now = self.championship.now
        there = now.hall.bindings.get(command.table)
        if there is None or (there.device, there.label) != (command.device, command.label):
            return None
        return Done(
            id=self.request.id,
            version=now.version,
            time=there.since,
            author=there.by,
            action=command,
            written=False,
        )

    def _done_in_hall(self, number: int) -> Done:
        entry = self.championship.hall_entries[number - 1]
        return Done(
            id=self.request.id,
            version=entry.after + entry.number,
            time=entry.time,
            author=entry.author,
            hall=number,
            action=entry.command,
        )

    def _in_log(self, command: LogCommand) -> Done | Preview:
        championship = self.championship
        if isinstance(command, Announce | FixDeals) and not command.seed:
            command = replace(command, seed=new_secret())
        signer = self.origin.confirmed or self.origin.author
        action = action_of(championship.now.state, command, signer, championship.seed_of)
        if self.origin.confirmed and isinstance(action, Penalise) and not action.referee:
            action = replace(action, referee=signer)
        if isinstance(command, Erase):
            return self._erased(command)
        if (number := same_already(championship, action)) is not None:
            return replace(self._done_in_log(number), written=False)
        self._check_unchanged(action)
        if isinstance(action, CloseStage) and not self.request.reason:
            self._check_settled(action.stage)
        if isinstance(action, AnnounceDeals) and any(
            key[0] == action.stage for key in championship.now.hall.rooms
        ):
            raise HallError(409, "rooms_have_deals", "command.stage")
        if self.request.preview:
            return self._previewed(command, action)
        if isinstance(command, Announce | FixDeals) and isinstance(action, AnnounceDraw | AnnounceDeals):
            championship.keep_seed(action, command.seed)
        return self._done_in_log(championship.write(action, self.origin).number)

    def _erased(self, command: Erase) -> Done:
        """Erase somebody's data; there is no preview, since they asked for it."""
        self.championship.now.state.participant(command.number)
        if self.request.preview:
            raise HallError(400, "no_preview_erase", "preview")
        return self._done_in_log(self.championship.erase(command.number, self.origin).number)

    def _previewed(self, command: LogCommand, action: Action) -> Preview:
        """What a command would write. Raises HallError and ChampionshipError."""
        lot = isinstance(action, DecideTie) and action.how == "lot"
        if lot or isinstance(command, ShowSeed | Announce | FixDeals | ShowDeals):
            raise HallError(400, "no_preview", "preview")
        now, reason = self.championship.now, self.request.reason
        if changes_standings(now.state, action) or isinstance(action, UndoStatus):
            reason = reason or "–"  # the reason may be asked for when the consequences are known
        state, action = rehearsed(now.state, action)
        entry = apply(
            state,
            action,
            author=self.origin.author,
            role=self.key.role,
            time=self.championship.time(),
            reason=reason,
        )
        preview = Preview(id=self.request.id, version=now.version, action=entry.action)
        if isinstance(entry.action, SeatSitting) and entry.action.lot is not None:
            by_lot = message("championship.command.lot_later", self.language)
            preview = replace(preview, action=replace(entry.action, lot=None), told=(by_lot,))
        if isinstance(command, ImportList) and command.csv:
            notices = listed(now.state, command).notices
            preview = replace(preview, told=tuple(each.text(self.language) for each in notices))
        if isinstance(entry.action, UndoStatus):
            told = undo_consequences(now.state, entry.action)
            preview = replace(preview, told=tuple(each.text(self.language) for each in told))
        if isinstance(entry.action, Changing) and changes_standings(now.state, entry.action):
            found = consequences(now.state, entry.action)
            lines = format_correction(now.state, entry.action, found, self.language)
            preview = replace(preview, consequences=found, told=tuple(line.strip() for line in lines))
        if isinstance(command, PlayedGame) and command.racks:
            made = now.state.format
            preview = replace(preview, count=format_count(made.rules(), count(made, command), self.language))
        return preview

    def _done_in_log(self, number: int) -> Done:
        entry, command = self.championship.entries[number - 1], self.request.command
        seed = ""
        if isinstance(command, Announce | FixDeals) and isinstance(
            entry.action, AnnounceDraw | AnnounceDeals
        ):
            seed = command.seed or self.championship.seed_of(entry.action.commitment)
        return Done(
            id=self.request.id,
            version=version_of(number, self.championship.afters),
            time=entry.time,
            author=entry.author,
            log=number,
            action=entry.action,
            seed=seed,
        )

    def _check_unchanged(self, action: Action) -> None:
        """Refuse a command about something that somebody else changed after it was seen. Raises HallError."""
        championship, last = self.championship, self.championship.last_changes
        match action:
            case CorrectResult(table=table, game=game):
                key = (action.stage, action.sitting, table, game)
                if self._newer(last.results.get(key)):
                    theirs = _game_there(championship, key)
                    raise HallError.between("result_changed", _mine(action), theirs, table=table, game=game)
            case VoidGame(table=table, game=game):
                key = (action.stage, action.sitting, table, game)
                if key in championship.now.state.results and self._newer(last.results.get(key)):
                    theirs = _game_there(championship, key)
                    raise HallError.between("result_changed", action, theirs, table=table, game=game)
            case SignSheet(table=table):
                sheet = (action.stage, action.sitting, table)
                if any(self._newer(last.results.get(key)) for key in championship.now.state.games_of(sheet)):
                    theirs = _sheet_there(championship, sheet)
                    raise HallError.between("sheet_changed", _mine(action), theirs, table=table)
            case CloseStage() | DecideTie() | EndStage():
                change = last.stages.get(action.stage)
                if change is not None and self._newer(change):
                    raise HallError.between("standings_changed", action, change, by=change.author)
            case _:
                pass

    def _check_settled(self, stage: str) -> None:
        """Refuse to close a stage over conflicts that nobody has settled, unless a reason is given."""
        tables = sorted(
            {
                met.clash.table
                for met in self.championship.now.hall.open_clashes()
                if met.clash.table is not None and met.clash.command.get("stage") == stage
            }
        )
        if tables:
            listed = ", ".join(map(str, tables))
            raise HallError(409, "open_conflicts", "command.stage", tables=listed, count=len(tables))

    def _newer(self, change: LastChange | None) -> bool:
        """Whether somebody else made a change after what the page showed."""
        if change is None or self.request.seen is None:
            return False
        return change.version > self.request.seen and change.key != self.key.id

    def _keep_clash(self, refusal: HallError) -> None:
        """Keep what met something else already there, for the director to look at."""
        command, id = self.request.command, f"clash-{self.request.id}"
        if refusal.conflict is None or self.request.preview or id in self.championship.known:
            return
        if not isinstance(command, Enter | Correct | Sign) or not self.origin.author.strip():
            return
        clash = Clash(
            refusal.code,
            msgspec.to_builtins(command),
            refusal.conflict.theirs,
            self.table,
            refusal.conflict.mine,
        )
        self.championship.write_hall(clash, replace(self.origin, id=id))


def same_already(championship: RunningChampionship, action: Action) -> int | None:
    """The number of the entry that says exactly this already. Raises HallError if it says otherwise."""
    state, last = championship.now.state, championship.last_changes
    match action:
        case EnterResult(table=table, game=game):
            key = (action.stage, action.sitting, table, game)
            there = state.results.get(key)
            if there is None:
                return None
            if there == action.result:
                return last.results[key].number
            theirs = _game_there(championship, key)
            raise HallError.between("result_there", _mine(action), theirs, table=table, game=game)
        case SignSheet(table=table):
            sheet = (action.stage, action.sitting, table)
            signed = state.sheets.get(sheet)
            if signed is None:
                return None
            if (signed.referee, signed.refused) == (action.referee, action.refused):
                return last.sheets[sheet].number
            raise HallError.between(
                "signed_there", _mine(action), _sheet_there(championship, sheet), table=table
            )
        case _:
            return None


def _author(key: Key, by: str) -> str:
    """The author: the key's label, with the person's name before it where several share the key."""
    if not key.label:
        return by
    return f"{by} ({key.label})" if by and by != key.label else key.label


def _mine(action: EnterResult | CorrectResult | SignSheet) -> dict[str, Any]:
    """What was to be written."""
    if isinstance(action, SignSheet):
        return {"referee": action.referee, "refused": action.refused}
    return {"result": action.result}


def _game_there(championship: RunningChampionship, key: GameKey) -> dict[str, Any]:
    """A result that is there, with who entered it."""
    change = championship.last_changes.results[key]
    return {
        "result": msgspec.to_builtins(championship.now.state.results[key]),
        "number": change.number,
        "version": change.version,
        "author": change.author,
        "time": change.time.isoformat(),
        "signed": key[:3] in championship.now.state.sheets,
    }


def _sheet_there(championship: RunningChampionship, key: SheetKey) -> dict[str, Any]:
    """A sheet as it stands, with all its results."""
    state = championship.now.state
    change = championship.last_changes.sheets.get(key)
    return {
        "signed": msgspec.to_builtins(state.sheets.get(key)),
        "author": change.author if change is not None else "",
        "games": [
            {"game": game[3], **_game_there(championship, game)}
            for game in state.games_of(key)
            if game in state.results
        ],
    }
