"""Archives and dispute bundles are read at the standby, and are those of the primary."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import DjangoDbBlocker, Settings

from settlement.archives.writing import write
from settlement.audit import file_keys
from settlement.evidence import attachments
from settlement.models import BundleExport, Claim
from tables.models import JackpotSystem
from tests.support.cases.claims.evidence import JPEG
from tests.support.cases.confirmed_house import person
from tests.support.cases.exclusions import identified
from tests.support.houses.standby_house import read_at, standby
from tests.support.pages.page_ledger import Clock, LedgerHouse
from tests.support.proof.archives import close_first
from tests.support.servers.streaming_standby import Primary, Standby, streaming_primary
from verifier.archive import findings

__all__ = ["standby"]


@pytest.fixture
def primary(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Primary]:
    """Of each test: a house of these is made once."""
    with streaming_primary(django_db_blocker) as primary:
        call_command("grant_roles", verbosity=0)
        yield primary


@pytest.fixture
def house(primary: Primary, monkeypatch: pytest.MonkeyPatch, key: str) -> LedgerHouse:
    """Friday a claim with its player and a file, Saturday a round, on Sunday it is."""
    file_keys.begin()
    house = LedgerHouse(Clock(monkeypatch))
    house.press("t7")
    house.hit_royal("t3")
    claim = Claim.objects.get()
    identified(claim)
    attachments.attach(claim, person("sione"), "The layout, by camera 4", JPEG)
    house.post()
    house.clock.on(days=2)
    house.system = JackpotSystem.objects.select_related("casino").get()
    return house


def test_they_are_those_of_the_primary(
    house: LedgerHouse,
    standby: Standby,
    settings: Settings,
    tmp_path: Path,
    key: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    day = close_first(house)
    for number, address in ((1, None), (2, standby)):
        use(address, settings)
        call_command("dispute_bundle", "main-1", "--out", tmp_path / f"{number}.zip")
    assert (tmp_path / "1.zip").read_bytes() == (tmp_path / "2.zip").read_bytes()
    first, second = BundleExport.objects.order_by("pk")
    assert bytes(first.sha256) == bytes(second.sha256)
    for name, address in (("here", None), ("there", standby)):
        use(address, settings)
        write(day, tmp_path / name)
        assert findings(tmp_path / name, bytes.fromhex(key)) == []
    differ = {
        path.name
        for path in (tmp_path / "here").iterdir()
        if path.read_bytes() != (tmp_path / "there" / path.name).read_bytes()
    }
    assert differ == {"manifest.json", "manifest.sig"}  # made at one time of the test's clock,
    here, there = (
        json.loads((tmp_path / name / "manifest.json").read_bytes()) for name in ("here", "there")
    )
    assert here.pop("signed_at") < there.pop("signed_at")  # and signed by that of the database
    assert here == there
    assert "in place of the standby" not in caplog.text


def test_an_archive_whose_standby_dies_is_whole(
    house: LedgerHouse, standby: Standby, settings: Settings, tmp_path: Path, key: str
) -> None:
    use(standby, settings)
    names: list[str] = []

    def tell(table: str, _rows: int) -> None:
        names.append(table)
        if len(names) == 3:
            standby.server.kill()

    write(close_first(house), tmp_path / "archive", tell)
    assert names[:3] == names[3:6]
    assert findings(tmp_path / "archive", bytes.fromhex(key)) == []


def use(standby: Standby | None, settings: Settings) -> None:
    """As the owner, whose commands they are."""
    settings.READ_DATABASE = {}
    if standby is not None:
        read_at(standby, settings, role="")
