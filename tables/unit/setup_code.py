"""What a unit is set up with, read from the address that the console shows as a QR code.

docs/protocol.md, Set-up code [C-64]; the console writes it in `settlement.devices.setup_code`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import ParseResult, parse_qsl, quote, urlparse

from tables.unit.journal import Journal
from tables.unit.unit import FACTORY_SETTINGS, TableUnit, UnitSettings

SCHEME = "jackpot-unit"
VERSION = "1"


@dataclass(frozen=True, slots=True)
class UnitSetUp:
    """The broker, the table and the log-in there; `mac_key` in hex. Empty: not in the code.

    Without a password the unit has a certificate, which comes as a file.
    """

    broker: str
    system: str
    table: str
    username: str = ""
    password: str = ""
    mac_key: str = ""

    @property
    def url(self) -> ParseResult:
        """The broker's address with the log-in in it, as a connection takes it."""
        address = urlparse(self.broker)
        place = address.netloc.rpartition("@")[2]
        if self.password:
            place = f"{quote(self.username, safe='')}:{quote(self.password, safe='')}@{place}"
        return address._replace(netloc=place)


def read(code: str) -> UnitSetUp:
    """What a code says; ValueError where it is none, of another version, or lacks its table.

    Names that are not known are left out: a later console may say more.
    """
    scheme, _colon, rest = code.strip().partition(":")
    version, _mark, query = rest.partition("?")
    if scheme != SCHEME:
        raise ValueError("This is no set-up code of a table unit.")
    if version != VERSION:
        raise ValueError(f"Set-up codes of version {version} are not known here.")
    pairs = parse_qsl(query, strict_parsing=True, max_num_fields=20)
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("The set-up code says something twice.")
    if not all(values.get(name) for name in "bst"):
        raise ValueError("The set-up code lacks its broker, system or table.")
    if urlparse(values["b"]).scheme not in ("mqtt", "mqtts"):
        raise ValueError("The broker of the set-up code has no address of MQTT.")
    bytes.fromhex(values.get("k", ""))
    return UnitSetUp(
        values["b"],
        values["s"],
        values["t"],
        values.get("u", ""),
        values.get("p", ""),
        values.get("k", ""),
    )


def unit_by(
    code: str,
    settings: UnitSettings = FACTORY_SETTINGS,
    *,
    journal: Journal | Path | str = ":memory:",
) -> TableUnit:
    """A unit that knows nothing but the code; ValueError as of `read`."""
    set_up = read(code)
    own = replace(settings, mac_key=set_up.mac_key)
    return TableUnit(set_up.system, set_up.table, own, journal=journal, url=set_up.url)
