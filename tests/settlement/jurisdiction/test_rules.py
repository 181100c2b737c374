"""Packs of rules: read, dated, refused where they are wrong."""

import datetime as dt
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings

from settlement.jurisdiction.rules import PackError, load, packs, rules_at
from tables.models import Casino
from tests.support.cases.confirmed_house import ConfirmedHouse

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
    output = capsys.readouterr().out
    assert {"neutral", "new_zealand", "nevada", "new_jersey", "france"} <= packs().keys()
    for name in packs():
        assert f"{name}: {load(name).name}" in output
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
        (("above: 10000", "above: 10000, due_date: 02-28, due_moves: true"), "due_source"),
        (
            ("above: 10000", "above: 10000, due_date: 02-28, due_moves: true, due_source: B"),
            "names no holidays: add holidays",
        ),
        (
            ("above: 10000", "above: 10000, due_working_days: 2, due_moves: true, due_source: B"),
            "due_moves, which goes with",
        ),
        (("rules:", "holidays: {source: A law, days: [{name: Day}]}\nrules:"), "Day: needs one of"),
        (("rules:", "holidays: {source: A law, days: [{nam: Day}]}\nrules:"), "holiday 1"),
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
