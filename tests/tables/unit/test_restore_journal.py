"""A journal made of what the console holds: all of it or none, and what is missing is said."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone

from tables.unit.journal import Journal
from tests.support.units.table_units import make_table, messages_of, take_in

pytestmark = pytest.mark.django_db


def test_gaps_of_earlier_boots_are_said_too(tmp_path: Path) -> None:
    table_ref = make_table()
    messages = (*messages_of(table_ref, 1, 3, 4, boot=1), *messages_of(table_ref, 1, boot=2))
    take_in(*messages, now=timezone.now())  # a journal keeps seven days
    file, output = tmp_path / "t.db", StringIO()
    call_command(
        *("restore_journal", table_ref.system, table_ref.table),
        *("--to", str(file)),
        stdout=output,
    )
    assert "4 events." in output.getvalue()
    assert "Of boot 1 nobody holds 2 to 4 without a gap." in output.getvalue()
    assert "Of boot 2" not in output.getvalue()


def test_half_a_journal_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    table_ref = make_table()
    monkeypatch.setattr(Journal, "remember", fails)
    with pytest.raises(OSError, match="No space"):
        call_command(
            *("restore_journal", table_ref.system, table_ref.table), *("--to", str(tmp_path / "t"))
        )
    assert not list(tmp_path.iterdir())
