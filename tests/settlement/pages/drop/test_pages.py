"""Pages of drop and bank, findings, and what of them keeps a gaming day open."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from settlement.audit.reconciliation import reconcile
from settlement.closing import closes
from settlement.closing.checklist import points
from settlement.closing.movements import keep_closed_days
from settlement.core.errors import WrongState
from settlement.core.gaming_day import start_of
from settlement.drop import counts, findings
from settlement.drop.counts import Figure
from settlement.models import Finding, MoneyCount
from settlement.people.rights.permissions import Reauthenticated
from tests.support.cases.confirmed_house import person
from tests.support.houses.drop import FRIDAY, SATURDAY, THURSDAY, UNIT, DropHouse
from tests.support.pages.page_staff import logged_in, page_of, refused, reply, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
DAY = "/drop/?system=main&day=2026-10-30"


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> DropHouse:
    return DropHouse(monkeypatch)


def test_a_day_is_counted_by_hand(house: DropHouse) -> None:
    assert "Not counted" in page_of("tane", DAY)
    assert "Enter a count" not in page_of("tane", DAY)
    assert "Bank balance" not in page_of("aroha", DAY).partition("Enter a count")[2]
    assert "Entered." in reply("aroha", DAY, where="t3", amount="2.00")
    assert "To correct it, enter a reason" in refused("aroha", DAY, where="t3", amount="3.00")
    assert "Enter the amount" in refused("aroha", DAY, where="t3")
    reply("ines", DAY, where="bank:", amount="1,004.00")
    page = page_of("mere", DAY)
    assert "1 variance must be explained or signed off" in page
    assert "-2.00" not in page
    assert "-$1.00" in page or "-1.00" in page.replace("−", "-").replace("$", "")
    assert "This gaming day is not over" in page_of("mere", "/drop/?day=2026-10-31")
    assert "No drop on this day" in page_of("mere", "/drop/?day=2026-10-29")
    reply("aroha", DAY, where="t3", amount="3.00", note="One chip was in the tray")
    assert "One chip was in the tray" in page_of("mere", DAY)


@pytest.mark.parametrize(("seconds", "is_over"), [(59, False), (60, True)])
def test_a_day_is_offered_a_minute_after_its_end(
    house: DropHouse, seconds: int, is_over: bool
) -> None:
    """Not while counts of it are refused: the writer's clock may be behind."""
    house.clock.now = start_of(SATURDAY, house.system.casino) + dt.timedelta(seconds=seconds)
    page, ines = page_of("aroha", DAY), logged_in("ines")
    assert ("This gaming day is not over" in page) is not is_over
    assert ("Enter a count" in page) is is_over
    assert ("Not counted" in page) is is_over
    for address in ("/drop/", "/drop/?day=1999-01-01"):
        assert ines.get(address).context["day"] == (FRIDAY if is_over else THURSDAY)
    for what in ("drop", "bank"):
        rows = ines.get(f"/api/systems/main/{what}/").json()["results"]
        assert {row["day"] for row in rows} == ({str(FRIDAY)} if is_over else set())
        rows = ines.get(f"/api/systems/main/{what}/?from={FRIDAY}").json()["results"]
        assert bool(rows) is is_over


def test_whoever_counts_sees_what_is_expected_after_the_count(house: DropHouse) -> None:
    """3.00 are expected of t3: Aroha counts, Mere does not."""
    blind = "Shown after the count"
    before = page_of("aroha", DAY)
    assert blind in before
    assert "3.00" not in before
    manager = page_of("mere", DAY)
    assert "3.00" in manager
    assert blind not in manager
    reply("aroha", DAY, where="t3", amount="2.00")
    after = page_of("aroha", DAY)
    assert "3.00" in after
    assert after.count(blind) == 1  # of t7


def test_a_day_with_many_counts_costs_no_more_queries(house: DropHouse) -> None:
    mere = logged_in("mere")

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert mere.get(DAY).status_code == 200
        return len(captured)

    counts.record(house.system, person("aroha"), [Figure(FRIDAY, 0, house.table("t3"))])
    few = queries()
    counts.record(house.system, person("aroha"), [Figure(FRIDAY, 0, house.table("t7"))])
    assert queries() <= few
    assert few < 45


def test_findings_are_explained_and_signed_on_their_page(house: DropHouse) -> None:
    assert "No variance is open" in page_of("mere", "/findings/")
    counts.record(house.system, person("aroha"), [Figure(FRIDAY, UNIT, house.table("t3"))])
    step = f"/findings/{Finding.objects.get().pk}/"
    assert "No owner" in page_of("mere", "/findings/")
    assert "Take ownership" not in page_of("tane", "/findings/")
    assert "Nobody has explained" in reply("david", step, step="sign")
    reply("mere", step, step="take")
    assert "Explain the variance." in reply("mere", step, step="explain", note=" ")
    reply("mere", step, step="explain", note="The box was opened at noon")
    assert (
        "Sign off" not in page_of("mere", "/findings/").partition("Open")[2].partition("Signed")[0]
    )
    assert "Sign off" in page_of("david", "/findings/")
    reply("david", step, step="return", note="By whom?")
    reply("mere", step, step="explain", note="By the pit boss")
    reply("david", step, step="sign")
    page = page_of("ines", "/findings/")
    assert "No variance is open" in page
    assert "By the pit boss" in page


def test_what_is_not_counted_keeps_the_day_open(house: DropHouse) -> None:
    house.post()
    reconcile(house.system)

    def texts(day: dt.date = FRIDAY) -> list[str]:
        return [point.text for point in points(house.system, day)]

    assert texts() == []  # this house has never counted
    aroha, ines = person("aroha"), person("ines")
    counts.record(house.system, aroha, [Figure(FRIDAY, 2 * UNIT, house.table("t3"))])
    counts.record(house.system, ines, [Figure(THURSDAY, 0)])
    house.post()
    reconcile(house.system)
    assert texts() == [
        "Table 7: its drop is not counted.",
        "The bank balance is not entered.",
        "Table 3, 2026-10-30: the variance is not explained.",
    ]
    friday = closes.period(house.system, "2026-10-30")
    assert friday is not None
    with pytest.raises(WrongState, match="Table 7: its drop is not counted"):
        closes.propose(friday, ines)
    page = logged_in("mere").get("/closing/main/2026-10-30/").content.decode()
    assert "/drop/?system=main&amp;day=2026-10-30" in page
    assert "Cashier or compliance" in page
    counts.record(house.system, aroha, [Figure(FRIDAY, UNIT, house.table("t7"))])
    counts.record(house.system, ines, [Figure(FRIDAY, 1004 * UNIT)])
    findings.explain(Finding.objects.get(), person("mere"), "A chip in the tray")
    house.post()
    reconcile(house.system)
    assert texts() == ["Table 3, 2026-10-30: the variance is explained, and not signed off."]
    findings.sign(findings.findings().get(), ines)
    house.post()
    reconcile(house.system)
    assert texts() == []
    closes.propose(friday, ines)
    house.clock.on(days=1)
    late = MoneyCount.objects.get(table=house.table("t7"))
    correction = Figure(FRIDAY, 0, house.table("t7"), "the box was another day's")
    (count,) = counts.record(house.system, aroha, [correction])
    assert count.corrects == late
    assert "Table 7, 2026-10-30: the variance is not explained." in texts(SATURDAY)


def test_findings_are_sorted_and_narrowed(house: DropHouse) -> None:
    aroha = person("aroha")
    counts.record(house.system, aroha, [Figure(FRIDAY, 0, house.table("t3"))])
    counts.record(house.system, aroha, [Figure(FRIDAY, 3 * UNIT, house.table("t7"))])
    three, seven = (Finding.objects.get(count__table__code=code) for code in ("t3", "t7"))

    def order(query: str) -> list[int]:
        page = logged_in("mere").get(f"/findings/?{query}")
        assert page.status_code == 200
        return [row["finding"].pk for row in page.context["open"]]

    assert order("") == order("sort=-opened") == [seven.pk, three.pk]
    assert order("sort=opened") == order("sort=variance") == [three.pk, seven.pk]
    assert order("sort=-variance") == [seven.pk, three.pk]
    assert order("least=3.00") == [three.pk]  # by how large it is, either way
    assert order("most=2.50") == [seven.pk]
    assert order("to=2026-10-29") == []
    assert order("from=2026-10-30&person=aroha&sort=day") == [three.pk, seven.pk]
    assert "No open finding matches" in page_of("mere", "/findings/?least=9.00")


def test_a_count_after_the_close_is_marked_with_what_counts_where(house: DropHouse) -> None:
    """Friday is closed with 3.00 and 1.00 counted and 1,004.00 at the bank; on Sunday table 7 is
    corrected to 0.50, as is the bank to 1,003.50."""
    aroha, ines = person("aroha"), person("ines")
    figures = [Figure(FRIDAY, 3 * UNIT, house.table("t3")), Figure(FRIDAY, UNIT, house.table("t7"))]
    counts.record(house.system, aroha, figures)
    counts.record(house.system, ines, [Figure(FRIDAY, 1004 * UNIT)])
    house.post()
    reconcile(house.system)
    friday = closes.period(house.system, "2026-10-30")
    assert friday is not None
    proposal = closes.propose(friday, ines)
    assert proposal is not None
    closes.agree(proposal, Reauthenticated(person("mere")))
    house.post()
    keep_closed_days(house.system)
    assert "After the close" not in page_of("mere", DAY)
    house.clock.on(days=1)
    correction = Figure(FRIDAY, UNIT // 2, house.table("t7"), "the box was another day's")
    counts.record(house.system, aroha, [correction])
    bank = Figure(FRIDAY, 1003 * UNIT + UNIT // 2, note="as the bank corrected it")
    counts.record(house.system, ines, [bank])
    house.post()
    page = words(logged_in("mere").get(DAY))
    assert page.count("After the close") == 2
    stands = "which reports of the day show. This count stands in report 20 on 1 Nov 2026."
    assert f"1.00 at the close, {stands}" in page
    assert f"1,004.00 at the close, {stands}" in page
    days = f"?from={FRIDAY}&to={FRIDAY}"
    rows = logged_in("ines").get(f"/api/systems/main/drop/{days}").json()["results"]
    names = ("table", "counted_micros", "is_after_close", "counted_at_close_micros")
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("t3", 3 * UNIT, False, None),
        ("t7", UNIT // 2, True, UNIT),
    ]
