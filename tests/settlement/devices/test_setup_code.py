"""A unit that knows the set-up code alone joins: what the console writes a unit reads."""

import re
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from settlement.devices import accounts, credentials
from settlement.devices.credentials import PASSWORD, Device, Issued, Kind
from settlement.devices.setup_code import setup_code
from settlement.people.rights.roles import grant, install_roles
from tables.models import Casino, GamingTable, JackpotSystem, TableEvent
from tables.unit import setup_code as reader
from tables.unit.unit import UnitSettings
from tests.support.servers.secure_broker import SecureBroker, has_mosquitto
from tests.support.suite.databases import FreshDatabase
from tests.support.units.running_intake import RunningIntake

FAST = UnitSettings(guard_s=0, presence_every_s=0.2)
GOOD = "jackpot-unit:1?b=mqtts%3A%2F%2Fbroker.example.com%3A8883&s=main&t=t7&u=main%2Ft7&p=x&k=00"


@pytest.fixture
def broker(fresh_database: FreshDatabase, settings: Settings) -> Iterator[SecureBroker]:
    with tempfile.TemporaryDirectory(prefix="jackpot-tests-") as path:
        broker = SecureBroker(Path(path))
        settings.MQTT_URL = urlsplit(broker.url("console"))
        settings.UNIT_BROKER_CA = str(broker.ca)
        settings.UNIT_BROKER_URL = f"mqtts://localhost:{broker.port}"
        settings.BROKER_ACCOUNTS_DIR = str(broker.accounts_dir)
        broker.start()
        yield broker
        broker.stop()


@pytest.mark.broker
@pytest.mark.skipif(
    not has_mosquitto(),
    reason="CODE NOT TESTED: Mosquitto is not installed (apt install mosquitto)",
)
def test_a_unit_joins_by_its_code_alone(
    broker: SecureBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(broker.ca))
    install_roles()
    hana = User.objects.create_user("hana", password="x")
    grant(hana, "Administrator", by="the test")
    casino = Casino.objects.create(code="harbour", name="Harbour", currency="NZD")
    system = JackpotSystem.objects.create(casino=casino, code="main", name="Main")
    table = GamingTable.objects.create(system=system, code="t7", name="Table 7")
    issued = credentials.issue(hana, Device(Kind.UNIT, table), PASSWORD)
    assert accounts.keep_accounts() == ""
    code = setup_code(issued)
    with RunningIntake():
        unit = reader.unit_by(code, FAST)
        unit.start()
        try:
            assert unit.wait_ready(60)
            assert unit.wait_recorded(unit.open_session(), 60)
        finally:
            unit.stop()
    event = TableEvent.objects.get()
    assert (event.table, event.type) == (table, "session_opened")


@given(
    st.from_regex(r"[a-z0-9-]{1,32}", fullmatch=True),
    st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1),
    st.binary(max_size=32),
)
def test_what_is_written_is_read(table: str, password: str, key: bytes) -> None:
    place = SimpleNamespace(code=table, system=SimpleNamespace(code="main"))
    credential: Any = SimpleNamespace(table=place, username=f"main/{table}.2")
    issued = Issued(credential, password=password, key=key.hex())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.conf.settings.UNIT_BROKER_URL", "mqtts://broker.example:8883")
        set_up = reader.read(setup_code(issued))
    assert set_up == reader.UnitSetUp(
        "mqtts://broker.example:8883", "main", table, f"main/{table}.2", password, key.hex()
    )
    url = set_up.url
    assert (url.scheme, url.hostname, url.port) == ("mqtts", "broker.example", 8883)
    assert (unquote(url.username or ""), unquote(url.password or "")) == (
        set_up.username,
        set_up.password,
    )


def test_a_unit_with_a_certificate_has_no_password() -> None:
    set_up = replace(reader.read(GOOD), password="")
    assert set_up.url.geturl() == "mqtts://broker.example.com:8883"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("https://example.com/?s=main&t=t7", "no set-up code"),
        (GOOD.replace(":1?", ":2?"), "version 2"),
        (GOOD.replace("&t=t7", ""), "lacks"),
        (GOOD.replace("mqtts", "https"), "no address of MQTT"),
        (f"{GOOD}&k=11", "twice"),
        (GOOD.replace("k=00", "k=0g"), "hexadecimal"),
        ("jackpot-unit:1?", "lacks"),
    ],
)
def test_what_is_no_code_is_refused(code: str, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        reader.read(code)
