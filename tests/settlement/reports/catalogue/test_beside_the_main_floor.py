"""Reports of the systems beside the main floor of the worked month, with figures by hand."""

from settlement.reports.definitions.definition import Filters
from tests.support.houses.office.office_house import money
from tests.support.houses.office.office_month import FRIDAY, SUNDAY, OfficeMonth
from tests.support.houses.office.report_lines import lines, totals, typed


def test_the_annex_is_its_own(month: OfficeMonth) -> None:
    annex = Filters(month.system.casino, FRIDAY, SUNDAY, {"system": "annex"})
    assert lines("roll-forward", annex, "day", "from_operator", "opened", "closing") == typed("""
        2026-10-30  0.00  1000.00  1000.00
        2026-10-31  1.00     0.00  1001.00
        2026-11-01  0.00     0.00  1001.00
    """)
    assert lines("hit-register", annex, "claim", "tier", "amount") == [("1", "-", "0.00")]


def test_the_wing_has_what_the_main_floor_has_not(month: OfficeMonth) -> None:
    """Fixed prizes, contributions of pots, a cover, tax that is withheld, and a cheque."""
    wing = Filters(month.system.casino, SUNDAY, SUNDAY, {"system": "wing"})
    # Five rounds of 0.50 and two of 0.40; two hits with a reset of 1,000.00 each. Rounding of 0.70
    # for claim 1 (1,002.30) and 0.50 for claim 2 (1,000.50), of which 1,003.00 were confirmed when
    # claim 1 was rejected: 2.00 are covered. Quads hold 200.40, the operator adds 299.60 to 500.00.
    fed = ("from_operator", "from_pot", "from_commission", "resets", "prizes", "covered")
    names = ("tier", "opening", *fed, "rounding", "closing")
    assert lines("roll-forward", wing, *names) == typed("""
        quads   200.00  0.00  0.00  0.40   200.00  299.60  0.00  0.00   200.00
        royal  1000.00  2.50  0.80  0.00  2000.00    0.00  2.00  1.20  1000.50
    """)
    wing_totals = totals("roll-forward", wing)
    assert wing_totals["held"] + wing_totals["returned"] == money(
        "-2,506.00"
    )  # 1,003, 1,003 and 500
    paid = ("what", "payments", "chips", "cash", "equivalent", "tax", "amount")
    assert lines("payments-by-method", wing, *paid) == typed("""
        payout  3  500.00  806.00  1000.00  200.00  2506.00
    """)
    owed = ("pool", "held", "payable", "to_return", "liability", "tax")
    assert lines("liability", wing, *owed) == typed("1200.50  0.00  0.00  2.00  1202.50  150.00")
