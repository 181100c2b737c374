"""Packs of rules: read, dated, refused where they are wrong; what payments to a person ask for."""

import datetime as dt
import uuid
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings

from jackpot.terms.money import MICROS
from settlement.claims.services import catch_up, pay
from settlement.core.gaming_day import DAY, today
from settlement.evidence.identification import PlayerIdentity, identify
from settlement.jurisdiction.payments import duties, lists
from settlement.jurisdiction.rules import PackError, load, packs, rules_at
from settlement.people.permissions import Reauthenticated
from settlement.reports.catalogue import reports
from settlement.reports.definition import Filters
from tables.models import Casino
from tests.support.confirmed import ConfirmedHouse, person
from tests.support.page_staff import shown
from tests.support.roles import acting_as

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]

PACK = """
name: Test
currency: NZD
rules:
  - {{rule: cash_report, since: 2026-01-01, until: 2026-11-30, source: A law, form: Report A,
     above: 10000, of: all, per: person_and_day}}
  - {{rule: cash_report, since: 2026-12-01, source: A later law, form: Report A,
     at_least: {later}, of: all, per: person_and_day}}
"""


@pytest.fixture
def own(settings: Settings, tmp_path: Path) -> Path:
    settings.JURISDICTION_DIR = str(tmp_path)
    settings.JURISDICTIONS = {"harbour": "own"}
    (tmp_path / "own.yaml").write_text(PACK.format(later=5000))
    return tmp_path


def test_every_pack_of_the_project_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("jurisdiction")
    listed = capsys.readouterr().out
    assert {"neutral", "new_zealand", "nevada", "new_jersey", "france"} <= packs().keys()
    for name in packs():
        assert f"{name}: {load(name).name}" in listed
        assert all(each.source for each in load(name).rules)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("above: 10000", "above: 10000, at_least: 1"), "keep one"),
        (("currency: NZD", "currency: ''"), "no currency"),
        (("since: 2026-12-01", "since: 2026-11-01"), "hold on the same day: give"),
        (("until: 2026-11-30", "until: 2020-01-01"), "ends before it begins"),
        (("above: 10000", "above: 0"), "not above zero"),
        (("form: Report A", "fom: Report A"), "unknown field `fom`"),
        (("source: A law", "source: ''"), "length >= 1"),
        (("above: 10000", "above: many"), "cannot be read"),
    ],
)
def test_a_wrong_pack_says_what_is_wrong(own: Path, change: tuple[str, str], words: str) -> None:
    file = own / "own.yaml"
    file.write_text(file.read_text().replace(*change, 1))
    with pytest.raises(PackError, match=words):
        load("own")
    with pytest.raises(PackError, match="choose one of"):
        load("nowhere")


def test_a_threshold_changes_at_midnight_of_its_date(own: Path) -> None:
    ConfirmedHouse()
    casino = Casino.objects.get()
    before, after = (rules_at(casino, dt.date(2026, *day)).rules for day in ((11, 30), (12, 1)))
    assert [each.above for each in before] == [10_000]
    assert [each.at_least for each in after] == [5_000]
    (own / "own.yaml").write_text(PACK.format(later=4000))
    assert [each.at_least for each in rules_at(casino, dt.date(2026, 12, 1)).rules] == [4_000]
    casino.currency = "EUR"
    with pytest.raises(PackError, match="is in NZD"):
        rules_at(casino, dt.date(2026, 12, 1))


def test_the_third_payment_to_one_person_asks_for_the_report(own: Path) -> None:
    file = own / "own.yaml"
    file.write_text(file.read_text().replace("above: 10000", "above: 800"))
    house = ConfirmedHouse()
    casino, day = Casino.objects.get(), today(Casino.objects.get())
    file.write_text(file.read_text().replace("until: 2026-11-30", f"until: {day}"))
    file.write_text(file.read_text().replace("since: 2026-12-01", f"since: {day + DAY}"))
    player = PlayerIdentity(3, "Somebody", dt.date(1990, 1, 1), "passport", "LA123456")
    with acting_as("web"):
        identify(house.claim, person("aroha"), player, key=uuid.uuid4())
    for turn in range(3):
        (due,) = duties(house.claim, [(3, 300 * MICROS)]).values()
        assert [each.text for each in due] == (
            ["Report A: NZD 900.00 to this person today"] if turn == 2 else []
        )
        pay(house.claim, Reauthenticated(person("aroha")), 1, {"cash": 300 * MICROS})
        house.post()
        catch_up(house.system)
        (line,) = lists(casino, day, day)
        assert (line.payouts, line.total) == (turn + 1, (turn + 1) * 300 * MICROS)
        assert line.forms == (("Report A",) if turn == 2 else ())
    report = reports()["tax-and-cash-reports"].report(Filters(casino, day, day))
    assert [(row["total"], row["forms"]) for row in report.rows(9)] == [(900 * MICROS, "Report A")]
    assert "Somebody" not in str(report.rows(9))
    assert "Report A: NZD" in shown("aroha", "/claims/main/1/cage/")


def test_withholding_is_said_before_the_payment(own: Path) -> None:
    house = ConfirmedHouse()
    (own / "own.yaml").write_text(
        "name: T\ncurrency: NZD\nrules: [{rule: tax_form, since: 2020-01-01, source: A law,"
        " form: 1042-S, at_least: 1, residence: foreign, withholding_percent: 30}]"
    )
    (due,) = duties(house.claim, [(3, 300 * MICROS)]).values()
    text = "1042-S, if the person lives abroad: withhold 30%, NZD 90.00"
    assert [(each.text, each.source) for each in due] == [(text, "A law")]
