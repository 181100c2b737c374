"""`manage.py provision`: credentials of devices, the authority, and the broker's accounts."""

import datetime as dt
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import segno
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from settlement.core.errors import RuleBroken
from settlement.devices import accounts, authority, credentials
from settlement.devices.credentials import CERTIFICATE, PASSWORD, Device, Issued, Kind
from settlement.devices.setup_code import broker_address, setup_code
from tables.models import DeviceCredential, GamingTable


class Command(BaseCommand):
    help = (
        "Issue, rotate and revoke what devices log in with, and write the broker's accounts. Run by"
        " the database's owner. A device is SYSTEM/TABLE, SYSTEM/TABLE/readings (its display) or"
        " console/NAME (an intake)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        acts.add_parser("list", help="every credential and how it stands")
        issue = acts.add_parser("issue", help="the first credential of a device")
        rotate = acts.add_parser("rotate", help="another one; the old one holds for a while")
        revoke = acts.add_parser("revoke", help="end every credential of a device at once")
        for each in (issue, rotate, revoke):
            each.add_argument("device", nargs="+", help="such as main/t7; several, each by itself")
            each.add_argument("--by", required=True, help="log-in name of an administrator")
        for each in (issue, rotate):
            each.add_argument("--certificate", action="store_true", help="not a password")
            each.add_argument(
                "--out",
                type=Path,
                help="write the certificate and its key into this new file; of several devices each"
                " into a file of its own in this folder",
            )
            each.add_argument("--qr", action="store_true", help="draw the code in the terminal")
        issue.add_argument(
            "--hours", type=int, default=0, help="the present key also holds so long"
        )
        rotate.add_argument("--hours", type=int, default=24, help="so long the old one holds")
        revoke.add_argument("--reason", required=True)
        ca = acts.add_parser("ca", help="make the authority that signs certificates, once")
        ca.add_argument("--name", default="Jackpot devices", help="its name")
        write = acts.add_parser("write", help="write the broker's accounts now")
        write.add_argument("--to", type=Path, help="into this folder, and tell no broker")

    def handle(self, **options: Any) -> None:
        try:
            getattr(self, f"_{options['act']}")(options)
        except RuleBroken as refusal:
            raise CommandError(str(refusal)) from refusal

    def _list(self, _options: dict[str, Any]) -> None:
        rows = credentials.credentials_of(DeviceCredential.objects.all(), timezone.now())
        for each in rows:
            row = each.credential
            way = f"certificate {row.serial}" if row.serial else "password"
            standing = each.end or "holds"
            if each.ends_at is not None:
                standing += f" until {each.ends_at:%Y-%m-%d %H:%M} UTC at the latest"
            self.stdout.write(f"{row.username:40} {row.kind:8} {way:12} {standing}")
        if not rows:
            self.stdout.write("No device has a credential yet: manage.py provision issue.")

    def _issue(self, options: dict[str, Any]) -> None:
        hours = options["hours"]
        overlap = dt.timedelta(hours=hours) if hours else None
        person, way = _person(options), _way(options)

        def issue(name: str) -> None:
            device = _device(name)
            with _file_for(_path_of(name, options)) as out:
                self._tell(credentials.issue(person, device, way, overlap), options, out)

        self._each(options, issue)

    def _rotate(self, options: dict[str, Any]) -> None:
        overlap = dt.timedelta(hours=options["hours"])
        person, way = _person(options), _way(options)

        def rotate(name: str) -> None:
            holding = _holding(name)
            if not holding:
                raise CommandError(_NONE)
            if len(holding) > 1:
                raise CommandError("Two credentials hold already: wait, or revoke.")
            with _file_for(_path_of(name, options)) as out:
                issued = credentials.rotate(person, holding[0], way, overlap)
                self._tell(issued, options, out)

        self._each(options, rotate)

    def _revoke(self, options: dict[str, Any]) -> None:
        person = _person(options)

        def revoke(name: str) -> None:
            holding = _holding(name)
            if not holding:
                raise CommandError(_NONE)
            for each in holding:
                credentials.revoke(person, each, options["reason"])
                self.stdout.write(f"Revoked: {each.username}.")

        self._each(options, revoke)

    def _each(self, options: dict[str, Any], act: Callable[[str], None]) -> None:
        """Do it with each device, so that one that is refused stops no other; then the broker has
        the accounts. CommandError names each that was refused, and why."""
        names = list(dict.fromkeys(options["device"]))
        faults = []
        for name in names:
            try:
                act(name)
            except (CommandError, RuleBroken) as fault:
                faults.append(f"{name}: {fault}" if len(names) > 1 else str(fault))
        if len(faults) < len(names):
            self._write(options)
        if faults:
            raise CommandError("\n".join(faults))

    def _ca(self, options: dict[str, Any]) -> None:
        certificate = authority.make(options["name"])
        self.stdout.write(f"Made. The broker is given its certificate: {certificate}.")
        self.stdout.write("Keep a copy of the folder and of its secret apart from each other.")

    def _write(self, options: dict[str, Any]) -> None:
        if folder := options.get("to"):
            folder.mkdir(parents=True, exist_ok=True)
            files = accounts.files_now()
            accounts.write(folder, files.texts)
            if files.fault:
                raise CommandError(files.fault)
            self.stdout.write(f"Written to {folder}. Let the broker read them again.")
        elif not accounts.is_kept():
            self.stdout.write("The broker's accounts are kept by hand (BROKER_ACCOUNTS_DIR).")
        elif fault := accounts.keep_accounts(always=True):
            raise CommandError(fault)
        else:
            self.stdout.write("The broker has the accounts.")

    def _tell(self, issued: Issued, options: dict[str, Any], out: TextIO | None) -> None:
        """What the device is set up with, which is not kept anywhere."""
        self.stdout.write(f"User name   {issued.credential.username}")
        if address := broker_address(issued):
            self.stdout.write(f"Broker      {address}")
        if issued.password:
            self.stdout.write(f"Password    {issued.password}")
        if issued.key:
            self.stdout.write(f"Table key   {issued.key}")
        self.stdout.write(f"Set-up code {setup_code(issued)}")
        if options["qr"]:
            picture = io.StringIO()
            segno.make_qr(setup_code(issued), error="m").terminal(picture, compact=True)
            self.stdout.write(picture.getvalue())
        if issued.certificate:
            pem = issued.private_key + issued.certificate
            if out is None:
                self.stdout.write(pem)
            else:
                out.write(pem)
                out.flush()
                self.stdout.write(f"Certificate and key: {out.name}")
        self.stdout.write("None of this is shown again.")


def _path_of(name: str, options: dict[str, Any]) -> Path | None:
    """The file for what a device is set up with: as the command says, or in the folder it names."""
    path: Path | None = options["out"]
    if path is None or len(options["device"]) == 1:
        return path
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"{path} cannot be made: {error.strerror}.") from error
    return path / f"{name.replace('/', '-')}.pem"


@contextmanager
def _file_for(path: Path | None) -> Iterator[TextIO | None]:
    """The file for what is shown once, open before anything is issued; a new one, and only its
    owner's. It goes again where nothing is written into it."""
    if path is None:
        yield None
        return
    try:
        new_file = open(path, "x", opener=_open_for_owner)  # noqa: SIM115 - closed below
    except OSError as error:
        raise CommandError(f"{path} cannot be made: {error.strerror}.") from error
    with new_file as file:
        try:
            yield file
        finally:
            if not file.tell():
                path.unlink()


def _open_for_owner(path: str, flags: int) -> int:
    """A file that its owner alone reads, never behind a link."""
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)


_NONE = "No credential of this device holds."


def _device(text: str) -> Device:
    match text.split("/"):
        case ["console", name]:
            return Device(Kind.INTAKE, None, name)
        case [system, table]:
            return Device(Kind.UNIT, _table(system, table))
        case [system, table, "readings"]:
            return Device(Kind.DISPLAY, _table(system, table))
    raise CommandError("A device is SYSTEM/TABLE, SYSTEM/TABLE/readings or console/NAME.")


def _table(system: str, code: str) -> GamingTable:
    rows = GamingTable.objects.select_related("system__casino")
    table = rows.filter(system__code=system, code=code, moved_to=None).first()
    if table is None:
        raise CommandError(f"There is no table {system}/{code}.")
    return table


def _holding(text: str) -> list[DeviceCredential]:
    rows = credentials.credentials_of(credentials.of_device(_device(text)), timezone.now())
    return [each.credential for each in rows if each.holds]


def _person(options: dict[str, Any]) -> Any:
    person = get_user_model().objects.filter(username=options["by"]).first()
    if person is None:
        raise CommandError(f"There is no person {options['by']}.")
    return person


def _way(options: dict[str, Any]) -> str:
    return CERTIFICATE if options["certificate"] else PASSWORD
