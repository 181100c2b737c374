"""`manage.py provision`: the authority, its files, and credentials by command."""

import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from settlement.core.errors import WrongState
from settlement.devices import authority, expiry
from settlement.devices.credentials import CERTIFICATE
from tables.models import Alarm, DeviceCredential, DeviceEnd, GamingTable
from tests.support.units.devices import issue, unit_of

pytestmark = pytest.mark.django_db


def test_certificates_need_an_authority(
    t7: GamingTable, settings: Settings, tmp_path: Any, capsys: Any
) -> None:
    with pytest.raises(WrongState, match="take a password"):
        issue(unit_of(t7), CERTIFICATE)
    settings.DEVICE_CA_DIR = str(tmp_path / "authority")
    with pytest.raises(CommandError, match="DEVICE_CA_SECRET"):
        call_command("provision", "ca")
    settings.DEVICE_CA_SECRET = "for this test"
    call_command("provision", "ca")
    with pytest.raises(CommandError, match="There is an authority"):
        call_command("provision", "ca")
    key = (tmp_path / "authority" / "ca.key").read_text()
    assert "ENCRYPTED" in key
    first = issue(unit_of(t7), CERTIFICATE)
    assert first.credential.username == "main/t7.1"  # a name in a certificate is never used again
    assert first.credential.not_after is not None
    assert "BEGIN CERTIFICATE" in first.certificate
    soon = first.credential.not_after - dt.timedelta(days=29)
    expiry.raise_for_ending(soon - dt.timedelta(days=2))
    assert not Alarm.objects.exists()
    expiry.raise_for_ending(soon)
    assert Alarm.objects.get().subject == "main/t7.1"
    settings.DEVICE_CA_SECRET = "another"
    with pytest.raises(WrongState, match="cannot be read"):
        authority.certificate_for("main/t7.2")
    files = tmp_path / "accounts"
    for secret in ("another", ""):
        settings.DEVICE_CA_SECRET = secret
        with pytest.raises(CommandError, match="revoked certificates is not signed"):
            call_command("provision", "write", "--to", str(files))
        assert "user main/t7.1" in (files / "acl").read_text()
    paths = (files / "acl", files / "passwords", tmp_path / "authority" / "ca.key")
    assert [each.stat().st_mode & 0o777 for each in paths] == [0o640, 0o640, 0o600]
    capsys.readouterr()


def test_the_file_of_what_is_shown_once_is_new_and_its_owners(
    t7: GamingTable, settings: Settings, tmp_path: Path, capsys: Any
) -> None:
    settings.DEVICE_CA_DIR, settings.DEVICE_CA_SECRET = str(tmp_path / "ca"), "for this test"
    authority.make("Test")
    mine, others, link = (tmp_path / name for name in ("t7.pem", "other.pem", "link.pem"))
    others.write_text("of somebody")
    link.symlink_to(tmp_path / "elsewhere")
    words = ("provision", "issue", "main/t7", "--by", "hana", "--certificate", "--out")
    for path in (others, link, tmp_path / "missing" / "t7.pem"):
        with pytest.raises(CommandError, match="cannot be made"):
            call_command(*words, str(path))
    assert not DeviceCredential.objects.exists()
    assert others.read_text() == "of somebody"
    assert not (tmp_path / "elsewhere").exists()
    call_command(*words, str(mine))
    assert mine.stat().st_mode & 0o777 == 0o600
    assert mine.read_text().count("BEGIN") == 2
    with pytest.raises(CommandError, match="another credential"):
        call_command(*words, str(tmp_path / "second.pem"))
    assert not (tmp_path / "second.pem").exists()
    assert "BEGIN" not in capsys.readouterr().out


def test_the_owner_does_the_same_by_command(t7: GamingTable, tmp_path: Any, capsys: Any) -> None:
    def answer(*words: str) -> str:
        call_command("provision", *words)
        return str(capsys.readouterr().out)

    assert "No device has a credential yet" in answer("list")
    words = answer("issue", "main/t7", "--by", "hana", "--qr")
    assert "Set-up code jackpot-unit:1?s=main&t=t7&u=main%2Ft7&p=" in words
    assert "kept by hand" in words
    assert "main/t7.2" in answer("rotate", "main/t7", "--by", "hana", "--hours", "1")
    with pytest.raises(CommandError, match="Two credentials hold"):
        answer("rotate", "main/t7", "--by", "hana")
    answer("write", "--to", str(tmp_path / "accounts"))
    passwords = (tmp_path / "accounts" / "passwords").read_text()
    assert [line.split(":")[0] for line in passwords.splitlines()] == [
        *("console-check", "main/t7", "main/t7.2")
    ]
    assert "Revoked: main/t7.2." in answer("revoke", "main/t7", "--by", "hana", "--reason", "Lost")
    assert answer("list").count("revoked") == 2
    with pytest.raises(CommandError, match="Choose another name, such as intake-2"):
        answer("issue", "console/intake-1-stand-in", "--by", "hana")
    for wrong, why in {"main/t9": "no table", "x": "A device is", "main/t7": "holds"}.items():
        with pytest.raises(CommandError, match=why):
            answer("revoke", wrong, "--by", "hana", "--reason", "Lost")
    with pytest.raises(CommandError, match="Your role does not allow"):
        answer("issue", "main/t7/readings", "--by", "david")


def test_several_devices_in_one_command(
    t7: GamingTable, settings: Settings, tmp_path: Path, capsys: Any
) -> None:
    """One that is refused stops no other, is named at the end, and the command fails."""
    settings.DEVICE_CA_DIR, settings.DEVICE_CA_SECRET = str(tmp_path / "ca"), "for this test"
    authority.make("Test")
    issue(unit_of(t7))
    folder = tmp_path / "files"
    certificates = ("--by", "hana", "--certificate", "--out", str(folder))
    with pytest.raises(CommandError, match=r"^main/t7: .*another credential[^\n]*\nmain/t9: "):
        call_command("provision", "issue", "main/t3", "main/t7", "main/t9", *certificates)
    assert [each.name for each in folder.iterdir()] == ["main-t3.pem"]
    assert (folder / "main-t3.pem").read_text().count("BEGIN") == 2
    both = ("main/t3", "main/t7", "main/t3")
    call_command("provision", "rotate", *both, "--by", "hana", "--hours", "1")
    words = capsys.readouterr().out
    assert words.count("None of this is shown again.") == 3
    assert words.count("kept by hand") == 2, "once a command"
    with pytest.raises(CommandError, match=r"^main/t3/readings: No credential"):
        call_command(
            *("provision", "revoke", "main/t3", "main/t3/readings", "main/t7"),
            *("--by", "hana", "--reason", "Closed room"),
        )
    assert DeviceEnd.objects.filter(kind="revoked").count() == 4
