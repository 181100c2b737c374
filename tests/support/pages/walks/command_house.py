"""A house that has what each command needs, and stand-ins for what is no database."""

import datetime as dt
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError
from django.utils import timezone
from pytest_django import Settings

from jackpot.models import Head
from jackpot.transparency import checkpoints
from jackpot.writer.poster import Poster
from settlement.audit import file_keys
from settlement.backups import trial
from settlement.backups.basebackup import BaseBackup
from settlement.backups.tool import Backup
from settlement.backups.trial import Trial
from settlement.core import signing
from settlement.signatures import keys
from tables.intake.boots import eras
from tables.intake.loop import Intake
from tables.intake.reception import receive
from tables.models import TableEvent
from tables.protocol import messages, topics
from tables.protocol.inbound_message import InboundMessage
from tables.unit.simulator import Simulator
from tests.support.cases.confirmed_house import person
from tests.support.cases.signing import give_key
from tests.support.pages.walks.command_walk import Names
from tests.support.people.access.factors import give_app
from tests.support.people.access.soft_passkey import SoftPasskey
from tests.support.people.cast import ClaimHouse

_LOOPS = ("tables.management.commands.run_intake", "tables.management.commands.simulate_tables",
          "jackpot.management.commands.run_poster")  # fmt: skip


def prepare(house: ClaimHouse, settings: Settings, folder: Path) -> Names:
    """A factor to reset, keys that sign and one that waits, a checkpoint, something to post, and a
    system to resume."""
    (folder / "file.key").write_text(signing.new_key())
    settings.BUNDLE_SIGNING_KEY, settings.BUNDLE_SIGNING_KEY_FILE = "", str(folder / "file.key")
    settings.TRACES_URL = "http://127.0.0.1:1"
    file_keys.begin()
    settings.CHECKPOINT_ORIGIN, settings.CHECKPOINT_SIGNING_KEY = "harbour.example", "77" * 32
    assert checkpoints.make(house.system) is not None
    give_app("sione")
    give_key("hana", SoftPasskey())  # the first of the house, which signs; nobody has it any more
    key = give_key("ines", SoftPasskey())
    person("hana").second_factors.update(ended_at=timezone.now(), ended_by=person("hana"))
    slip = folder / "slip.pdf"
    slip.write_bytes(b"%PDF-1.7 Payment slip MAIN-9-1-1")
    house.press("t3")
    Head.objects.update(halted_at=timezone.now(), halted_on=1)
    return Names(folder, slip, keys.fingerprint(bytes(key.public_key)).replace(" ", ""))


def no_server_is_copied(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """The tool of backups, tried on servers elsewhere, has done its work."""
    settings.BACKUP_TOOL = "basebackup"
    backup = Backup("one", timezone.now(), 7_000_000, 100, 200)
    monkeypatch.setattr(BaseBackup, "back_up", lambda _: backup)
    monkeypatch.setattr(BaseBackup, "remove_outdated", lambda _: [])
    monkeypatch.setattr(BaseBackup, "backups", lambda _: [backup])
    monkeypatch.setattr(BaseBackup, "restore", _restored)
    monkeypatch.setattr(trial, "carry_out", lambda tool: Trial(tool.name, backup))


def no_broker_is_heard(monkeypatch: pytest.MonkeyPatch, house: ClaimHouse) -> None:
    """Each process does one round of its work in the database, and ends."""
    monkeypatch.setattr(eras, "hear", lambda _codes: eras.RetainedMessages())  # no intake is there
    for module in _LOOPS:
        monkeypatch.setattr(f"{module}.stop_on_signals", lambda _stop: None)
    body = house.event("t7", messages.VoidRequested, round=1, reason="wrong_count")

    def take_in(_intake: Intake, _stop: threading.Event, _beat: Callable[[], None]) -> None:
        count = TableEvent.objects.count()
        message = InboundMessage.of(topics.events(house.system.code, "t7"), body)
        receive([message], timezone.now() + dt.timedelta(seconds=1))
        _require(TableEvent.objects.count() == count + 1)

    def post(poster: Poster, _stop: threading.Event, _beat: Callable[[], None]) -> None:
        _require(poster.step() > 0)

    monkeypatch.setattr(Intake, "run", take_in)
    monkeypatch.setattr(Poster, "run", post)
    monkeypatch.setattr(Simulator, "run", lambda _simulator, _stop: None)


def _restored(_tool: BaseBackup, _backup: Backup, into: Path) -> None:
    (into / "postgresql.auto.conf").write_text("")


def _require(is_done: bool) -> None:
    if not is_done:
        raise CommandError("It did nothing.")
