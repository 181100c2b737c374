"""What a payment asks for by the rules of the place, and what is withheld of it."""

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from jackpot.models import Account, Hit
from settlement.claims import services as claims
from settlement.core.errors import BadWithholding, PartsDoNotAddUp, RuleBroken
from settlement.core.gaming_day import DAY, today
from settlement.jurisdiction.payments import (
    NOTHING_STATED,
    PayeeStatement,
    PaymentRequirements,
    requirements,
    tax_of,
)
from settlement.jurisdiction.persons_day import lists
from settlement.jurisdiction.recipients import PaidOnDays
from settlement.jurisdiction.rules import PackError, rules_at
from settlement.models import Action, Claim, Payout
from settlement.payments.form_drafts import draft_form
from settlement.payments.slips import number_of
from settlement.people.rights.permissions import Reauthenticated
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from tables.models import Casino
from tests.support.cases.claims.slips import read
from tests.support.cases.confirmed_house import person
from tests.support.houses.winners import FOREIGN, RESIDENT, UNIT, WinnersHouse
from tests.support.pages.page_staff import page_of
from tests.support.people.roles import acting_as

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
FORM_112 = "FinCEN Form 112"
LOCKED = """
    SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()
      AND classid::bigint = hashtext('persons_day')::bigint & 4294967295
"""
OWN = "name: Own\ncurrency: USD\nrules:\n"


@pytest.fixture
def nevada(settings: Settings) -> None:
    settings.JURISDICTIONS = {"harbour": "nevada"}


@pytest.fixture
def write_pack(settings: Settings, tmp_path: Path) -> Callable[..., None]:
    """A pack of the house's own, a rule a line."""
    settings.JURISDICTION_DIR = str(tmp_path)
    settings.JURISDICTIONS = {"harbour": "own"}

    def write(*rules: str) -> None:
        lines = "".join(f"  - {{checked: 2020-01-01, {rule}}}\n" for rule in rules)
        (tmp_path / "own.yaml").write_text(OWN + lines)

    return write


def texts(needs: PaymentRequirements, residence: str = "") -> list[str]:
    return [each.text for each in needs.duties(residence)]


@pytest.mark.usefixtures("nevada")
def test_a_third_payment_of_4000_to_one_person_asks_for_the_report() -> None:
    """4,000.00 three times in cash on one gaming day, to the same document: above 10,000.00."""
    house = WinnersHouse(4_000)
    for turn in range(3):
        claim = house.win("Somebody")
        due = house.needs(claim)
        assert due.day is not None
        assert (due.day.total, due.day.cash) == (turn * 4_000 * UNIT,) * 2
        text = f"{FORM_112}, if paid in cash: USD 12,000.00 today"
        assert (text in texts(due)) is (turn == 2)
        page = page_of("aroha", f"/claims/main/{claim.number}/cage/")
        assert (FORM_112 in page) is (turn == 2)
        before = f"{turn * 4000:,}.00"
        assert f"Paid to this person today: {before}, of which {before} in cash." in page
        house.pay(claim, cash=4_000)
        day = today(house.casino)
        (line,) = lists(PaidOnDays(house.casino, day, day))
        assert (line.payouts, line.total) == (turn + 1, (turn + 1) * 4_000 * UNIT)
        assert (FORM_112 in line.forms) is (turn == 2)
        slips = list(Payout.objects.order_by("pk"))
        with acting_as("web"):
            if turn < 2:
                with pytest.raises(RuleBroken, match="require no such form"):
                    draft_form(slips[-1], "fincen_112", person("aroha"))
                continue
            text = read(draft_form(slips[-1], "fincen_112", person("aroha")))
        assert "27 Total cash out 12,000" in text
        assert [number_of(each) in text for each in slips] == [True, True, True]
    report = reports()["tax-and-cash-reports"].report(Filters(house.casino, day, day))
    (row,) = report.rows(9)
    assert (row["total"], row["cash"], row["tax"]) == (12_000 * UNIT, 12_000 * UNIT, 0)
    assert row["forms"] == f"{FORM_112}, W-2G"
    assert "Somebody" not in str(row)


def test_what_is_queued_counts_for_the_next_payment(write_pack: Callable[..., None]) -> None:
    """Two payments of one person in one click, or of two cashiers while the writer is away."""
    write_pack(
        "rule: tax_form, since: 2020-01-01, source: A, form: F, above: 150, per: person_and_day,"
        " withholding_percent: 12.5"
    )
    house = WinnersHouse(100)
    first, second = house.win("Somebody"), house.win("Somebody")
    parts = {"cash": 60 * UNIT, "chips": 40 * UNIT}
    with acting_as("web"):
        claims.queue_payment(first, Reauthenticated(person("aroha")), 1, parts)
        with connection.cursor() as cursor:
            cursor.execute(LOCKED)
            assert cursor.fetchone() == (1,)  # until then another cashier of this person waits
        due = house.needs(second)
    assert due.day is not None
    assert (due.day.total, due.day.cash) == (100 * UNIT, 60 * UNIT)
    assert texts(due) == ["F: withhold 12.5%, USD 12.50"]
    for step in (house.post, lambda: claims.catch_up(house.system)):
        step()
        assert house.needs(second).day == due.day  # once, wherever it stands


@pytest.mark.usefixtures("nevada")
def test_other_people_and_other_ways_are_counted_apart() -> None:
    house = WinnersHouse(8_000)
    house.pay(house.win("Somebody"), cash=8_000)
    assert FORM_112 in str(texts(house.needs(house.win("Somebody"))))
    assert FORM_112 not in str(texts(house.needs(house.win("Somebody else", "LB654321"))))
    assert FORM_112 in str(texts(house.needs(house.win("Somebody", "la 123-456"))))  # as typed
    assert house.needs(house.win()).day is None  # nobody knows who it is
    day = today(house.casino)
    house.pay(Claim.objects.get(number=2), equivalent=8_000)
    (line,) = lists(PaidOnDays(house.casino, day, day))
    assert (line.total, line.cash) == (16_000 * UNIT, 8_000 * UNIT)
    assert FORM_112 not in line.forms


@pytest.mark.usefixtures("nevada")
def test_of_a_foreigner_30_percent_are_withheld() -> None:
    house = WinnersHouse(10_000)
    claim = house.win("Somebody")
    due = house.needs(claim)
    assert due.asks_residence
    assert (due.tax(FOREIGN), due.tax(RESIDENT)) == (3_000 * UNIT, 0)
    assert "1042-S: withhold 30%, USD 3,000.00" in texts(due, "foreign")
    assert "W-2G" not in str(texts(due, "foreign"))
    assert "1042-S, if the person lives abroad: withhold 30%, USD 3,000.00" in texts(due)
    with pytest.raises(BadWithholding, match="Choose where the payee lives"):
        house.pay(claim, PayeeStatement(), cash=10_000)
    with pytest.raises(
        BadWithholding, match=r"require you to withhold 3,000.00 of this payment, not 0.00"
    ):
        house.pay(claim, FOREIGN, cash=10_000)
    with pytest.raises(BadWithholding, match=r"withhold 0.00 of this payment, not 3,000.00"):
        house.pay(claim, RESIDENT, cash=7_000, tax=3_000)
    with pytest.raises(PartsDoNotAddUp):
        house.pay(claim, FOREIGN, cash=10_000, tax=3_000)
    house.pay(claim, FOREIGN, cash=7_000, tax=3_000)
    payout = Payout.objects.get()
    assert (payout.amount, payout.cash, payout.tax) == (10_000 * UNIT, 7_000 * UNIT, 3_000 * UNIT)
    assert payout.residence == "foreign"
    assert Action.objects.get(kind="pay").body["withholding"] == {
        "residence": "foreign",
        "pack": "nevada",
        "due": 3_000 * UNIT,
        "reason": "",
    }
    assert house.balance("withheld_tax") == 3_000 * UNIT
    day = today(house.casino)
    (line,) = lists(PaidOnDays(house.casino, day, day))
    assert (line.total, line.tax) == (10_000 * UNIT, 3_000 * UNIT)
    assert line.forms == ("1042-S",)


@pytest.mark.usefixtures("nevada")
def test_another_amount_takes_a_reason_which_is_kept() -> None:
    house = WinnersHouse(10_000)
    claim = house.win()
    treaty = PayeeStatement("foreign", reason="Treaty with Malta, Form W-8BEN of today")
    house.pay(claim, treaty, cash=9_000, tax=1_000)
    record = Action.objects.get(kind="pay").body["withholding"]
    assert (record["due"], record["reason"]) == (3_000 * UNIT, treaty.reason)
    assert house.balance("withheld_tax") == 1_000 * UNIT


@pytest.mark.usefixtures("nevada")
def test_who_gives_no_taxpayer_number_is_withheld_of() -> None:
    """24% of a resident's 10,000.00; a foreigner has the 30% either way."""
    house = WinnersHouse(10_000)
    claim = house.win()
    due, bare = house.needs(claim), PayeeStatement("resident", without_number=True)
    assert due.asks_number
    assert due.tax(bare) == 2_400 * UNIT
    assert due.tax(PayeeStatement("foreign", without_number=True)) == 3_000 * UNIT
    with pytest.raises(BadWithholding, match=r"require you to withhold 2,400\.00"):
        house.pay(claim, bare, cash=10_000)
    house.pay(claim, bare, cash=7_600, tax=2_400)
    assert Action.objects.get(kind="pay").body["withholding"]["without_number"] is True


@pytest.mark.usefixtures("nevada")
def test_parts_of_a_payment_are_judged_like_the_whole() -> None:
    """2,500.00 in two parts of 1,250.00, each below the 2,000.00 of the form."""
    house = WinnersHouse(2_500)
    claim = house.win("Somebody")
    house.pay(claim, RESIDENT, cash=1_250)
    assert any(text.startswith("W-2G") for text in texts(house.needs(claim), "resident"))
    house.pay(claim, RESIDENT, cash=1_250)
    day = today(house.casino)
    (line,) = lists(PaidOnDays(house.casino, day, day))
    assert line.forms == ("W-2G",)


@pytest.mark.usefixtures("nevada")
@pytest.mark.parametrize(("paid", "forms"), [(0, ()), (500, ("W-2G",))])
def test_what_was_forfeited_unpaid_is_not_won(paid: int, forms: tuple[str, ...]) -> None:
    """1,500.00 paid; a supplement of 1,000.00 is forfeited whole, or after a part of it. The cage
    and the list of forms due say the same."""
    house = WinnersHouse(1_500)
    claim = house.win("Somebody")
    house.pay(claim, RESIDENT, cash=1_500)
    row = Hit.objects.get(number=claim.number)
    (first,) = row.payees
    further = {"line": 2, "amount": 1_000 * UNIT, "state": "forfeited"}
    parts = {"parts": {"cash": paid * UNIT} if paid else {}, "payments": [1] if paid else []}
    row.payees = [first, first | further | parts]
    row.save()
    day = today(house.casino)
    (line,) = lists(PaidOnDays(house.casino, day, day))
    assert line.forms == forms
    hit = house.hit(claim.number)
    duties = requirements(claim, hit, [(hit.payee_lines[0], UNIT)])[1]
    assert any(text.startswith("W-2G") for text in texts(duties, "resident")) is bool(forms)


@pytest.mark.usefixtures("nevada")
def test_whose_seat_won_nothing_any_more_has_no_gap_in_the_list_of_forms() -> None:
    """Of no payee the sum is nothing, which is zero: a column of numbers has no other word."""
    house = WinnersHouse(1_500)
    claim = house.win("Somebody")
    house.pay(claim, RESIDENT, cash=1_500)
    row = Hit.objects.get(number=claim.number)
    row.payees = [each | {"state": "reversed", "payments": []} for each in row.payees]
    row.save()
    day = today(house.casino)
    paid = PaidOnDays(house.casino, day, day)
    assert [each.won for each in paid.players] == [0]
    assert isinstance(list(lists(paid)), list)


def test_where_nothing_is_withheld_payments_say_nothing_of_it() -> None:
    house = WinnersHouse(100)
    claim = house.win()
    assert house.needs(claim).is_empty
    with pytest.raises(BadWithholding, match=r"require you to withhold 0.00"):
        house.pay(claim, PayeeStatement(), cash=90, tax=10)
    house.pay(claim, PayeeStatement(), cash=100)
    action = Action.objects.get(kind="pay")
    parts = {"chips": 0, "cash": 100 * UNIT, "equivalent": 0}
    assert action.body == {"line": 1, "seat": 3, "parts": parts}
    assert not Account.objects.filter(code="withheld_tax").exists()


def noon(casino: Casino) -> Casino:
    """The casino in a zone where it is about noon now, so that no day ends meanwhile."""
    off = 12 - timezone.now().hour
    casino.timezone = f"Etc/GMT{-off:+d}" if off else "Etc/GMT"
    return casino


def test_a_threshold_changes_with_the_gaming_day_of_its_date(
    write_pack: Callable[..., None],
) -> None:
    """From its date on 1,000.00 ask for the form. At noon of that date the gaming day before goes
    on where days begin in the afternoon, and has ended where they begin in the morning."""
    house = WinnersHouse(1_000)
    claim = house.win()
    casino = noon(house.casino)
    date = timezone.now().astimezone(ZoneInfo(casino.timezone)).date()
    write_pack(
        f"rule: cash_report, since: 2020-01-01, until: {date - DAY}, source: A, form: F,"
        " above: 1000",
        f"rule: cash_report, since: {date}, source: B, form: F, at_least: 1000",
    )
    for hour, forms in ((16, []), (6, ["F: USD 1,000.00 to this person today"])):
        casino.day_starts = dt.time(hour)
        casino.save()
        assert texts(house.needs(claim)) == forms
    assert [each.source for each in rules_at(casino, date).rules] == ["B"]


def test_rules_of_a_day_count_all_of_the_person(write_pack: Callable[..., None]) -> None:
    write_pack(
        "rule: tax_form, since: 2020-01-01, source: A, form: F, above: 150, per: person_and_day,"
        " withholding_percent: 12.5"
    )
    house = WinnersHouse(100)
    first = house.win("Somebody")
    assert house.needs(first).is_empty
    house.pay(first, PayeeStatement(), chips=100)
    second = house.win("Somebody")
    due = house.needs(second)
    assert not due.asks_residence
    assert texts(due) == ["F: withhold 12.5%, USD 12.50"]
    assert due.tax(NOTHING_STATED) == due.tax(RESIDENT) == 125 * UNIT // 10


@given(
    st.integers(1, 10**12), st.decimals(Decimal("0.01"), Decimal("99.99"), places=2), st.booleans()
)
def test_tax_is_the_nearest_minor_unit(minor: int, percent: Decimal, is_yen: bool) -> None:
    casino = Casino(minor_digits=0 if is_yen else 2)
    unit = UNIT if is_yen else UNIT // 100
    tax = tax_of(minor * unit, percent, casino)
    exact = Decimal(minor) * unit * percent / 100
    assert tax % unit == 0
    assert abs(tax - exact) <= Decimal(unit) / 2
    assert 0 <= tax <= minor * unit


def test_a_pack_that_cannot_be_read_stops_payments_and_says_so(
    write_pack: Callable[..., None],
) -> None:
    house = WinnersHouse(100)
    claim = house.win()
    write_pack("rule: tax_form, since: 2020-01-01, source: A, form: F, above: nothing")
    page = page_of("aroha", f"/claims/main/{claim.number}/cage/")
    assert "Payments cannot be checked against the local rules." in page
    with pytest.raises(PackError, match="cannot be read"):
        house.pay(claim, cash=100)
    assert not Action.objects.filter(kind="pay").exists()
