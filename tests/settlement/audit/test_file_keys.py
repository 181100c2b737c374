"""Keys of files: which one signs, from when to when each did, made and rotated by command."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, IntegrityError, ProgrammingError, connection, transaction
from pytest_django import Settings

from settlement.audit import file_keys
from settlement.core import signing
from settlement.core.errors import WrongState
from settlement.database_roles import grants
from settlement.models import FileKey
from tests.support.pages.page_staff import page_of
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import acting_as
from verifier.file_keys import FileKey as VerifiersKey

pytestmark = pytest.mark.django_db
OLD, NEW = "22" * 32, "33" * 32


def test_a_key_signs_once_the_owner_has_written_it_down(settings: Settings) -> None:
    settings.BUNDLE_SIGNING_KEY = OLD
    for role in ("worker", "web"):
        with acting_as(role), pytest.raises(WrongState, match="file_key begin"):
            file_keys.signer()
    assert file_keys.published() == []
    row = file_keys.begin()
    assert file_keys.begin() == row
    for role in ("worker", "web"):
        with acting_as(role):
            signer = file_keys.signer()
    (used,) = file_keys.published()
    assert (used.since, used.until) == (row.at, None)
    assert signer.stamp()["key"] == f"jackpot.invalid/house/files+{used.id}"
    assert bytes.fromhex(signer.sign(b"text")) == signing.sign(b"text")


def test_a_key_that_was_replaced_signs_nothing_more(settings: Settings) -> None:
    settings.BUNDLE_SIGNING_KEY = OLD
    file_keys.begin()
    settings.BUNDLE_SIGNING_KEY = NEW  # of a process that was given a wrong one, or the next
    with pytest.raises(WrongState, match="not written down"):
        file_keys.signer()
    assert not file_keys.begin_first()
    file_keys.begin()
    file_keys.signer()
    new, old = file_keys.published()
    assert old.until == new.since
    assert new.until is None
    settings.BUNDLE_SIGNING_KEY = OLD  # of a process that was not given the new one
    for step in (file_keys.signer, file_keys.begin):
        with pytest.raises(WrongState, match="signed with another key"):
            step()


def test_a_key_keeps_its_id_when_the_house_is_called_otherwise(settings: Settings) -> None:
    settings.BUNDLE_SIGNING_KEY = OLD
    file_keys.begin()
    before = file_keys.signer().stamp()["key"]
    settings.CHECKPOINT_ORIGIN = "other.example"
    assert file_keys.signer().stamp()["key"] == before


def test_nobody_adds_a_key_dates_it_or_takes_it_out(settings: Settings) -> None:
    settings.BUNDLE_SIGNING_KEY = OLD
    file_keys.begin()
    settings.BUNDLE_SIGNING_KEY = NEW
    for role in grants.ROLES:
        with acting_as(role):
            for step in (file_keys.begin, _add_a_key):
                with pytest.raises(ProgrammingError, match="denied"), transaction.atomic():
                    step()
    with acting_as("web"), pytest.raises(CommandError, match="owner"), transaction.atomic():
        call_command("file_key", "begin")
    with pytest.raises(IntegrityError, match="file_key_is_a_key"), transaction.atomic():
        FileKey.objects.create(name="x", public=b"")
    assert FileKey.objects.count() == 1
    for statement in ("UPDATE settlement_filekey SET at = now()", "DELETE FROM settlement_filekey"):
        with (
            pytest.raises(DatabaseError, match="append-only"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)


def _add_a_key() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO settlement_filekey (name, public, at)"
            " VALUES ('x', sha256(''), '2020-01-01')"
        )


def test_granting_roles_begins_with_the_first_key_and_with_no_other(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("grant_roles")  # without a key everything else works
    settings.BUNDLE_SIGNING_KEY = "zz"
    call_command("grant_roles")
    assert "64 hexadecimal digits" in capsys.readouterr().err
    assert not FileKey.objects.exists()
    for key in (OLD, NEW):
        settings.BUNDLE_SIGNING_KEY = key
        call_command("grant_roles")
    assert capsys.readouterr().out.count("key of files is written down") == 1
    settings.BUNDLE_SIGNING_KEY = OLD
    file_keys.signer()
    settings.BUNDLE_SIGNING_KEY = NEW
    call_command("file_key", "begin")
    file_keys.signer()


def test_keys_are_made_rotated_and_published_by_command(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("file_key", "new")
    assert len(capsys.readouterr().out.strip()) == 64
    with pytest.raises(CommandError, match="rotate"):
        call_command("file_key", "publish")
    with pytest.raises(CommandError, match="Name the file"):
        call_command("file_key", "rotate")
    file = tmp_path / "keys" / "file-key"
    settings.BUNDLE_SIGNING_KEY_FILE = str(file)
    call_command("file_key", "rotate")
    (first,) = capsys.readouterr().out.splitlines()
    assert file.stat().st_mode & 0o777 == 0o600
    file_keys.signer()
    call_command("file_key", "rotate")
    second, old = capsys.readouterr().out.splitlines()
    assert old.startswith(f"{first} until ")
    assert second != first
    keys = [VerifiersKey.parse(line) for line in (second, old)]
    assert keys[0].key == bytes.fromhex(signing.public_key())
    assert keys[1].until == keys[0].since
    file_keys.signer()
    call_command("file_key", "publish")
    assert capsys.readouterr().out.splitlines() == [second, old]


def test_they_stand_on_the_page_of_the_log(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    ClaimHouse()
    assert "No key for files" in page_of("ines", "/log/")
    assert "No key for files is written down" in page_of("ines", "/reconciliation/")
    for key in (OLD, NEW):
        settings.BUNDLE_SIGNING_KEY = key
        file_keys.begin()
    new, old = file_keys.published()
    page = page_of("ines", "/log/")
    assert page.index(new.line) < page.index(old.line)
    assert new.line in page_of("ines", "/reconciliation/")
