"""Nothing is removed before its age, and of the order nothing at all."""

import datetime as dt
import io
import uuid
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone
from pytest_django import Settings

from jackpot.models import Entry
from settlement.archives import retention
from settlement.core.errors import WrongState
from settlement.models import ReportExport
from settlement.reports import exports
from tests.support.cases.confirmed_house import ConfirmedHouse, person

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
PACK = """name: House
currency: NZD
rules:
  - {{rule: retention, since: 2000-01-01, source: A law, years: 7}}
{more}
"""


@pytest.fixture
def house(settings: Settings, tmp_path: Path) -> ConfirmedHouse:
    settings.EXPORT_DIR, settings.EXPORT_DAYS = str(tmp_path / "exports"), 90
    return ConfirmedHouse()


def export_of(house: ConfirmedHouse, days_ago: int) -> ReportExport:
    """One whose files were made so long ago."""
    export = ReportExport.objects.create(
        casino=house.system.casino,
        report="payouts",
        filters={},
        formats=["csv"],
        person=person("ines"),
        key=uuid.uuid4(),
        state=ReportExport.State.READY,
    )
    ended = timezone.now() - dt.timedelta(days=days_ago)
    ReportExport.objects.filter(pk=export.pk).update(ended_at=ended)
    folder = exports.folder_of(export)
    folder.mkdir(parents=True)
    (folder / "payouts.csv").write_text("x")
    return ReportExport.objects.select_related("casino").get(pk=export.pk)


def use_pack(settings: Settings, folder: Path, more: str = "") -> None:
    folder.mkdir(exist_ok=True)
    (folder / "house.yaml").write_text(PACK.format(more=more))
    settings.JURISDICTION_DIR, settings.JURISDICTIONS = str(folder), {"harbour": "house"}


def printed(**options: bool) -> str:
    out = io.StringIO()
    call_command("retention", stdout=out, **options)
    return out.getvalue()


def test_files_stay_as_long_as_the_law_asks(
    house: ConfirmedHouse, settings: Settings, tmp_path: Path
) -> None:
    use_pack(settings, tmp_path / "packs")
    young, old = export_of(house, 200), export_of(house, 7 * 366 + 2)
    retention.remove(old)
    with pytest.raises(WrongState, match=f"files of export {young.pk} stay until"):
        retention.remove(young)
    assert [exports.folder_of(each).is_dir() for each in (young, old)] == [True, False]


def test_a_rule_for_reports_goes_before_the_one_for_all(
    house: ConfirmedHouse, settings: Settings, tmp_path: Path
) -> None:
    more = "  - {rule: retention, since: 2000-01-01, source: B, records: reports, years: 1}"
    use_pack(settings, tmp_path / "packs", more)
    export, younger = export_of(house, 370), export_of(house, 300)
    words = printed()
    assert "reports: the oldest of" in words
    assert "kept at least 1 years; 1 may go" in words
    assert exports.folder_of(export).is_dir()
    assert f"removed the files of export {export.pk}" in printed(remove=True)
    assert [exports.folder_of(each).is_dir() for each in (export, younger)] == [False, True]


def test_days_count_where_they_are_longer(
    house: ConfirmedHouse, settings: Settings, tmp_path: Path
) -> None:
    more = "  - {rule: retention, since: 2000-01-01, source: B, records: reports, years: 1}"
    use_pack(settings, tmp_path / "packs", more)
    settings.EXPORT_DAYS = 500
    with pytest.raises(WrongState, match="stay until"):
        retention.remove(export_of(house, 400))


def test_what_no_rule_lets_go_stays(
    house: ConfirmedHouse, settings: Settings, tmp_path: Path
) -> None:
    use_pack(settings, tmp_path / "packs")
    text = (tmp_path / "packs" / "house.yaml").read_text()
    (tmp_path / "packs" / "house.yaml").write_text(
        text.replace("source: A law", "source: A law, records: money")
    )
    with pytest.raises(WrongState, match="stay until 9999"):
        retention.remove(export_of(house, 20_000))
    assert "reports: the oldest of" in printed()


def test_of_the_order_nothing_goes(house: ConfirmedHouse) -> None:
    entries = Entry.objects.count()
    words = printed(remove=True)
    assert "money: the oldest of" in words
    assert words.count("nothing goes") == 5
    assert Entry.objects.count() == entries


def test_the_worker_keeps_to_it_too(
    house: ConfirmedHouse, settings: Settings, tmp_path: Path
) -> None:
    use_pack(settings, tmp_path / "packs")
    young, old = export_of(house, 200), export_of(house, 7 * 366 + 2)
    retention.prune()
    assert [exports.folder_of(each).is_dir() for each in (young, old)] == [True, False]
