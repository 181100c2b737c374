"""An export while money moves, and one whose worker is killed by the system in the middle of it."""

import json
import signal
import subprocess
import sys
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from jackpot.models import Transfer
from settlement.audit import file_keys
from settlement.models import ReportExport
from settlement.reports import export_queue, exports
from settlement.reports.exports import folder_of
from tests.support.cases.confirmed_house import person
from tests.support.houses.office.exports import csv_rows, public_key, requested, write
from tests.support.people.cast import ClaimHouse
from tests.support.suite.databases import FreshDatabase
from verifier.export import findings

# A worker that has written half of its file when it is killed.
_HALF = """
import django
django.setup()
import threading
from settlement.reports import exports

def half(sheet, path, tick):
    path.write_text("half")
    print("half", flush=True)
    threading.Event().wait()

exports._WRITERS["csv"] = half
exports.run_next()
"""


@pytest.fixture
def house(fresh_database: FreshDatabase, settings: Settings, tmp_path: Path) -> ClaimHouse:
    settings.EXPORT_DIR = str(tmp_path)
    settings.BUNDLE_SIGNING_KEY = "22" * 32
    file_keys.begin()
    settings.CLAIM_WAIT_S = 0
    house = ClaimHouse()
    house.hit_royal()
    return house


def test_everything_is_of_one_moment(house: ClaimHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    """A round is played behind the totals, one behind the first file, one behind the second."""
    before, head = Transfer.objects.count(), house.head.seq

    def play() -> None:
        house.press("t3")
        house.post()
        connection.close()

    def with_play(write: Any) -> Any:
        def between(sheet: Any, path: Path, tick: Any) -> dict[str, int]:
            thread = threading.Thread(target=play)
            thread.start()
            thread.join()
            lines: dict[str, int] = write(sheet, path, tick)
            return lines

        return between

    for name in ("csv", "xlsx", "parquet"):
        monkeypatch.setitem(exports._WRITERS, name, with_play(exports._WRITERS[name]))
    export = write(requested("ledger", "csv", "xlsx", "parquet"))
    assert Transfer.objects.count() == before + 3
    body = json.loads((folder_of(export) / "manifest.json").read_text())
    assert body["rows"] == before
    assert body["checkpoints"][0]["entry"] == head
    (file,) = folder_of(export).glob("*.csv")
    assert len(csv_rows(file)) == before
    assert findings(folder_of(export), public_key()) == []


def test_a_worker_is_killed_and_another_one_completes_it(
    house: ClaimHouse, fresh_database: FreshDatabase, settings: Settings
) -> None:
    """Meanwhile a short report is written beside the long one, and no other long one."""
    export = requested("ledger", "csv")
    environment = {
        **fresh_database.environment(),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "EXPORT_DIR": settings.EXPORT_DIR,
        "BUNDLE_SIGNING_KEY": settings.BUNDLE_SIGNING_KEY,
    }
    with subprocess.Popen(
        [sys.executable, "-c", _HALF], env=environment, stdout=subprocess.PIPE, text=True
    ) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "half\n"
        other, short = requested("ledger", "csv"), requested("payouts", "csv")
        assert write(short).state == "done"
        assert findings(folder_of(short), public_key()) == []
        assert not exports.run_next()
        other.refresh_from_db()
        assert other.state == "waiting"
        exports.cancel(other, person("ines"))
        worker.send_signal(signal.SIGKILL)
        assert worker.wait(60) == -signal.SIGKILL
    export.refresh_from_db()
    assert export.state == "running"
    part = folder_of(export).with_name(f"{export.pk}.1.part")
    assert [path.read_text() for path in part.iterdir()] == ["half"]
    assert not exports.run_next()  # it may still be at work
    silent = timezone.now() - export_queue.SILENT - timedelta(seconds=1)
    ReportExport.objects.filter(state="running").update(alive_at=silent)
    assert write(export).state == "done"
    assert not part.exists()
    assert export.attempts == 2
    assert not exports.run_next()  # once
    (file,) = folder_of(export).glob("*.csv")
    assert len(csv_rows(file)) == Transfer.objects.count()
    assert findings(folder_of(export), public_key()) == []
