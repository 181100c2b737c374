"""Each report of the worked month against figures that were worked out by hand.

The story is that of `tests.support.houses.office.office_month`; every amount below follows from it
with pencil and paper. Nothing here is read from the database but the reports themselves.
"""

import datetime as dt
from dataclasses import replace
from pathlib import Path

import pytest
from pypdf import PdfReader
from pytest_django import Settings

from settlement.closing.display_days import keep_display_days
from settlement.core.gaming_day import day_of
from settlement.models import DisplayDay
from settlement.people.rights.roles import grant, revoke
from settlement.people.shared.security_log import What, note
from settlement.reports.catalogue import reports
from settlement.reports.definitions.definition import Filters
from settlement.reports.writers import pdf_file
from settlement.reports.writers.sheet import Sheet
from tests.support.cases.confirmed_house import person
from tests.support.houses.office.office_house import money
from tests.support.houses.office.office_month import FRIDAY, SATURDAY, SUNDAY, OfficeMonth
from tests.support.houses.office.report_lines import lines, totals, typed

MAIN = {"system": "main"}


@pytest.fixture
def filters(month: OfficeMonth) -> Filters:
    return Filters(month.system.casino, FRIDAY, SUNDAY, MAIN)


def test_1_roll_forward(filters: Filters) -> None:
    moved = ("from_operator", "from_drop", "from_commission", "opened", "resets", "rounding")
    assert lines("roll-forward", filters, "day", "tier", "opening", *moved) == typed("""
        2026-10-30  quads     0.00  0.00  4.00  2.00    50.00      0.00   0.00
        2026-10-31  quads    56.00  0.00  0.40  0.20     0.00     50.00   0.00
        2026-11-01  quads    50.00  0.00  0.00  0.00     0.00      0.00   0.00
        2026-10-30  royal     0.00  7.00  7.20  0.00  1000.00   2000.00   0.80
        2026-10-31  royal  1001.00  2.50  2.40  0.00     0.00  -1000.00  -0.30
        2026-11-01  royal  1033.00  0.50  0.00  0.00     0.00   1000.00   0.50
    """)
    more = ("held", "returned", "adjustments", "reversals", "closing", "prior", "hits")
    assert lines("roll-forward", filters, "day", "tier", *more) == typed("""
        2026-10-30  quads      0.00     0.00   0.00     0.00    56.00   0.00  0
        2026-10-31  quads    -56.00     0.00  -0.60     0.00    50.00   0.00  1
        2026-11-01  quads      0.00     0.00   0.00    56.00   106.00  56.00  0
        2026-10-30  royal  -2015.00     0.00   1.00     0.00  1001.00   0.00  2
        2026-10-31  royal      0.00  1003.00  24.40     0.00  1033.00   2.70  0
        2026-11-01  royal  -1034.00     0.00   0.00  1034.00  2034.00   0.00  1
    """)
    ends = ("overflow", "reserve", "displayed", "variance")
    assert lines("roll-forward", filters, "day", "tier", *ends) == typed("""
        2026-10-30  quads  1.20  0.00    56.00   0.00
        2026-10-31  quads  0.00  0.00    50.00   0.00
        2026-11-01  quads  0.00  0.00   106.00   0.00
        2026-10-30  royal  0.00  0.00  1000.00  -1.00
        2026-10-31  royal  0.00  2.00  1033.00   0.00
        2026-11-01  royal  0.00  0.00  2034.00   0.00
    """)


def test_2_round_ledger(filters: Filters) -> None:
    friday = Filters(filters.casino, FRIDAY, FRIDAY, MAIN)
    rounds = lines("round-ledger", friday, "table_code", "round", "what", "contributed")
    whole = [("round started", "0.50"), ("round completed", "1.60")]
    expected = [("t3", f"{number}", *each) for number in range(1, 5) for each in whole]
    expected += [("t7", f"{number}", *each) for number in range(1, 7) for each in whole]
    expected += [("t3", "5", "round started", "0.50")]
    expected += [("t7", f"{number}", *each) for number in (7, 8) for each in whole]
    expected += [("t7", "9", "round started", "0.50"), ("t7", "-", "missed rounds", "1.00")]
    assert rounds == expected
    # 12 whole rounds, two of claims, two missed: 25.20 + 1.00 + 1.00
    assert totals("round-ledger", friday)["contributed"] == money("27.20")
    saturday = Filters(filters.casino, SATURDAY, SATURDAY, MAIN)
    assert lines("round-ledger", saturday, "round", "what", "pot", "drop", "contributed")[-3:] == [
        ("9", "round started", "40.00", "1.00", "0.50"),
        ("9", "round completed", "40.00", "1.00", "1.60"),
        ("9", "void round", "40.00", "1.00", "-1.60"),
    ]


def test_3_meters(filters: Filters) -> None:
    names = ("opening", "contributed", "other_in", "other_out", "closing", "hits")
    # other_in of the royal flush: 1000 + 2000 + 0.80 + 1.00 on Friday, 1003 + 24.40 on Saturday,
    # 1000 + 0.50 + 1034 on Sunday; other_out: 2015, then 1000.30, then 1034.
    assert lines("meters", filters, "tier", *names) == typed("""
        quads  0.00   6.60   156.00    -56.60   106.00  1
        royal  0.00  19.60  6063.70  -4049.30  2034.00  3
    """)


def test_4_terms_changes(filters: Filters) -> None:
    names = ("version", "at", "changed", "was", "is_now", "proposed_by", "agreed_by")
    assert lines("terms-changes", filters, *names) == typed("""
        1  30_01:00  All:_these_are_the_first_terms_of_this_jackpot  -  -  mere  david
        2  01_02:15  Royal_Flush:_reset_amount  NZD_1,000.00  NZD_1,200.00  anahera  mere
        2  01_02:15  Four_of_a_kind:_name_of_the_prize  Quads  Four_of_a_kind  anahera  mere
    """)


def test_5_hit_register(filters: Filters) -> None:
    names = ("claim", "table_code", "round", "tier", "state", "pool_before", "amount", "confirmed")
    assert lines("hit-register", filters, *names, "paid") == typed("""
        1  t3   5  royal  paid      1011.50  1012.00  1012.00  1012.00
        2  t7   9  royal  rejected  1002.70     0.00     0.00     0.00
        3  t7  10  quads  paid        56.00    56.00    56.00     0.00
        4  t3  10  royal  reversed  1033.50  1034.00  1034.00  1034.00
    """)
    # Verified after ten minutes of a day (claim 1: a day, 5 and 10 minutes after the rejection).
    steps = ("seconds_to_reported", "seconds_to_verified", "seconds_to_confirmed")
    ends = ("seconds_to_paid", "seconds_in_all", "reason", "ended_by", "agreed_by")
    assert lines("hit-register", filters, "claim", *steps, *ends) == typed("""
        1  0  87420  300  180  87900  -    -        -
        2  0      -    -    -  86700  R04  anahera  mere
        3  0    660  300    -      -  -    -        -
        4  0    600  300  180   1080  R13  anahera  david
    """)


def test_6_derivation(filters: Filters) -> None:
    first = [row[1:] for row in lines("derivation", filters, "claim", "what", "amount", "rule")]
    at = next(place for place, row in enumerate(first) if row[0] == "The pool when gaming day"
              " 2026-10-31 began")  # fmt: skip
    assert [row[:2] for row in first[:at] if row[1] != "-"] == [
        ("The pool when gaming day 2026-10-30 began", "0.00"),
        ("Contributions of that day before the hand", "11.50"),
        ("Opening, hits, resets and adjustments of that day before the hand", "1000.00"),
        ("Prize pool before the hit", "1011.50"),
        ("What counts, the larger, rounded up to whole 1.00", "1012.00"),
        ("Amount reserved", "1012.00"),
        ("Of it from the prize pool", "1011.50"),
        ("Of it from the operator, by rounding and display", "0.50"),
        ("The pool was topped up to its reset amount from the reserve", "4.00"),
        ("The pool was topped up to its reset amount from the operator", "996.00"),
        (first[12][0], "1012.00"),
        ("Seat 3 (winning hand): all of what was confirmed", "1012.00"),
        ("Seat 3: paid in chips", "12.00"),
        ("Seat 3: paid in cash", "1000.00"),
    ]
    assert first[12][0].startswith("Confirmed by sione and mere, sequence no. ")
    assert ("Seat 3: forfeited", "56.00", "19.15") in first


def test_7_payouts(filters: Filters) -> None:
    names = ("day", "what", "claim", "slip", "chips_micros", "cash_micros", "amount_micros")
    assert lines("payouts", filters, *names) == typed("""
        2026-10-31  payout    1  MAIN-1-1-1  12.00   500.00   512.00
        2026-11-01  payout    1  MAIN-1-1-2   0.00   500.00   500.00
        2026-11-01  payout    4  MAIN-4-1-1   0.00  1034.00  1034.00
        2026-11-01  reversal  4  -            0.00   -34.00   -34.00
    """)
    people = ("verified_by", "confirmed_by", "paid_by", "proposed_by", "agreed_by", "slips")
    assert lines("payouts", filters, *people, "slip_by") == typed("""
        sione  mere  aroha  -        -      1  aroha
        sione  mere  aroha  -        -      1  aroha
        sione  mere  aroha  -        -      1  aroha
        -      -     -      anahera  david  -  -
    """)
    assert totals("payouts", filters)["amount_micros"] == money("2,012.00")


def test_8_payments_by_method(filters: Filters) -> None:
    names = ("day", "what", "cashier", "payments", "chips", "cash", "equivalent", "amount")
    assert lines("payments-by-method", filters, *names) == typed("""
        2026-10-31  payout    aroha  1  12.00   500.00  0.00   512.00
        2026-11-01  payout    aroha  2   0.00  1534.00  0.00  1534.00
        2026-11-01  reversal  -      1   0.00   -34.00  0.00   -34.00
    """)


OWN_PACK = """
name: Own
currency: NZD
rules:
  - {rule: cash_report, since: 2020-01-01, source: Own, form: C1, above: 1500, of: cash,
     per: person_and_day, cash_in: apart}
  - {rule: tax_form, since: 2020-01-01, source: Own, form: T1, at_least: 1012}
  - {rule: tax_form, since: 2020-01-01, source: Own, form: T2, at_least: 1012.01}
"""


def test_9_tax_and_cash_reporting(filters: Filters, settings: Settings, tmp_path: Path) -> None:
    """One person won 1,012.00, paid in two parts, and 1,034.00; on Sunday 1,534.00 in cash. Of
    those who won in the wing nobody knows who they are."""
    filters = replace(filters, codes={})  # of the whole casino
    settings.JURISDICTION_DIR = str(tmp_path)
    settings.JURISDICTIONS = {filters.casino.code: "own"}
    (tmp_path / "own.yaml").write_text(OWN_PACK)
    names = ("day", "what", "player", "payouts", "total", "cash", "tax", "forms")
    assert lines("tax-and-cash-reports", filters, *names) == typed("""
        2026-10-31  person        1  1   512.00   500.00    0.00  T1
        2026-11-01  person        1  2  1534.00  1534.00    0.00  C1,_T1,_T2
        2026-11-01  unidentified  -  3  2506.00   806.00  200.00  -
        2026-11-01  recovered     -  0   -34.00   -34.00    0.00  -
    """)
    assert totals("tax-and-cash-reports", filters) == {
        "rows": 4,
        "payouts": 6,
        "total": money("4,518.00"),
        "cash": money("2,806.00"),
        "tax": money("200.00"),
    }


def test_10_adjustments(filters: Filters) -> None:
    names = ("what", "tier", "table_code", "round", "rounds", "pool", "other", "source", "reason")
    assert lines("adjustments", filters, *names) == typed("""
        missed_rounds  royal  t7  -  2   1.00   0.00  operator          -
        adjust_pool    royal  -   -  -  25.00   0.00  operator          A04
        void_round     quads  t3  9  -  -0.60   0.00  commission,_drop  wrong_count
        void_round     royal  t3  9  -  -0.60  -0.40  drop,_pot         wrong_count
    """)


def test_11_drop(filters: Filters) -> None:
    names = ("day", "table_code", "expected", "counted", "variance", "entered_by", "state")
    assert lines("drop", filters, *names, "owner", "explanation", "signed_by") == typed("""
        2026-10-30  t3  4.00  4.00   0.00  aroha  -     -     -              -
        2026-10-30  t7  8.00  7.00  -1.00  aroha  sign  mere  Recounted:_t7  david
        2026-10-31  t3  3.00  3.00   0.00  aroha  -     -     -              -
    """)


def test_12_liability(filters: Filters) -> None:
    names = ("pool", "reserve", "overflow", "held", "payable", "unclaimed", "to_return")
    assert lines("liability", filters, "day", *names, "adjustments", "liability") == typed("""
        2026-10-30  1057.00  0.00  1.20  2015.00    0.00   0.00  0.00  0.00  3073.20
        2026-10-31  1083.00  2.00  0.00     0.00  500.00  56.00  0.00  0.00  1641.00
        2026-11-01  2140.00  0.00  0.00     0.00    0.00   0.00  0.00  0.00  2140.00
    """)
    bank = ("bank", "variance", "entered_by", "explanation", "signed_by")
    assert lines("liability", filters, "day", *bank) == typed("""
        2026-10-30  3073.20   0.00  ines  -                -
        2026-10-31  1640.00  -1.00  ines  Recounted:_bank  david
        2026-11-01  -        -      -     -                -
    """)


def test_13_display_accuracy(month: OfficeMonth, filters: Filters) -> None:
    """Of readings one by one, and added up by the worker, which comes to the same."""
    names = ("day", "table_code", "readings", "exact", "apart", "unknown", "largest", "slowest_ms")
    expected = typed("""
        2026-10-30  t3  2  2  0  0  0.00  1500
        2026-10-30  t7  1  0  1  0  0.05     0
        2026-10-31  t3  2  1  0  1  0.00   500
        2026-10-31  t7  1  0  0  1     -     0
        2026-11-01  t3  1  1  0  0  0.00     0
    """)
    assert lines("display-accuracy", filters, *names) == expected
    sums = {"rows": 5, "readings": 7, "exact": 4, "apart": 1, "unknown": 2}
    assert totals("display-accuracy", filters) == sums
    month.clock.on(minutes=6)
    assert keep_display_days(month.system) == 3
    assert keep_display_days(month.system) == 0
    assert DisplayDay.objects.count() == 5
    assert lines("display-accuracy", filters, *names) == expected
    assert totals("display-accuracy", filters) == sums
    month.read_back("t3", 1, royal=1, slow=60)  # what comes behind them counts, too
    more = typed("2026-11-01  t3  2  1  0  1  0.00  60000")
    assert lines("display-accuracy", filters, *names) == expected[:4] + more


def test_14_significant_events(filters: Filters) -> None:
    names = ("what", "kind", "subject", "jackpot", "tier", "text", "person", "ended_by")
    assert lines("significant-events", filters, *names) == [
        ("incident", "handset", "t7", "-", "-", "No answer", "sione", "-"),
        ("entry", "reverse claim", "MAIN-4", "house", "royal", "R13", "anahera", "david"),
    ]


def test_15_unclaimed(filters: Filters) -> None:
    names = ("what", "debit", "credit", "amount", "unclaimed", "claim", "tier")
    assert lines("unclaimed", filters, *names) == typed("""
        unclaimed      payable    unclaimed     56.00   56.00  3  quads
        forfeit        unclaimed  quads:pool    56.00  -56.00  3  quads
        reverse_claim  operator   royal:pool  1000.00    0.00  4  royal
        reverse_claim  paid_cash  royal:pool    34.00    0.00  4  royal
    """)


def test_16_player_fund(filters: Filters) -> None:
    names = ("day", "opening", "funded", "refunded", "house_in", "paid", "recovered", "house_out")
    # Friday: 12 rounds of 1.60. The house: 1050 to open, 7.00 for 14 rounds and 1.00 for two that
    # were missed, resets of 996.00 and 999.20, rounding of 0.50 and 0.30.
    assert lines("player-fund", filters, *names, "closing", "of_house") == typed("""
        2026-10-30     0.00  19.20  0.00  3054.00     0.00   0.00    0.00  3073.20  3054.00
        2026-10-31  3073.20   6.40  1.60    74.50   512.00   0.00  999.50  1641.00  2129.00
        2026-11-01  1641.00   0.00  0.00  1999.00  1534.00  34.00    0.00  2140.00  4128.00
    """)


def test_17_return(filters: Filters) -> None:
    rows = {what: (number, amount) for what, number, amount in
            lines("quarterly-return", filters, "what", "number", "amount")}  # fmt: skip
    assert rows == {
        "opening": ("-", "0.00"),
        "funded": ("-", "25.60"),
        "refunded": ("-", "1.60"),
        "house in": ("-", "5127.50"),
        "paid": ("-", "2046.00"),
        "recovered": ("-", "34.00"),
        "house out": ("-", "999.50"),
        "closing": ("-", "2140.00"),
        "liability": ("-", "2140.00"),
        "tax": ("-", "0.00"),
        "tax due": ("-", "0.00"),
        "bank": ("-", "-"),
        "bank variance": ("-", "-"),
        "hits": ("4", "3105.00"),
        "no prize": ("0", "-"),
        "returned": ("-", "1003.00"),
        "confirmed": ("3", "2102.00"),
        "payouts": ("3", "2046.00"),
        "recoveries": ("1", "34.00"),
        "unclaimed": ("-", "0.00"),
        "adjustments": ("3", "24.40"),
        "drop": ("3", "15.00"),
        "counted": ("-", "14.00"),
        "drop variance": ("-", "-1.00"),
        "prior": ("5", "58.70"),
        "terms": ("2", "-"),
        "events": ("2", "-"),
    }


def test_20_prior_period(filters: Filters) -> None:
    names = ("day", "what", "concerns", "claim", "pool", "other", "held", "owed", "paid", "sources")
    assert lines("prior-period", filters, *names) == typed("""
        2026-10-31  reject_claim   2026-10-30  2   2.70  0.80  -1003.00     0.00    0.00  999.50
        2026-10-31  confirm_claim  2026-10-30  1   0.00  0.00  -1012.00  1012.00    0.00    0.00
        2026-10-31  pay            2026-10-30  1   0.00  0.00      0.00  -512.00  512.00    0.00
        2026-11-01  pay            2026-10-30  1   0.00  0.00      0.00  -500.00  500.00    0.00
        2026-11-01  forfeit        2026-10-31  3  56.00  0.00      0.00   -56.00    0.00    0.00
    """)


def test_21_monthly_roll_forward(filters: Filters) -> None:
    names = ("month", "tier", "days", "opening", "from_drop", "held", "returned", "adjustments")
    assert lines("monthly-roll-forward", filters, *names, "closing") == typed("""
        2026-10  quads  2     0.00  4.40    -56.00     0.00  -0.60    50.00
        2026-11  quads  1    50.00  0.00      0.00     0.00   0.00   106.00
        2026-10  royal  2     0.00  9.60  -2015.00  1003.00  25.40  1033.00
        2026-11  royal  1  1033.00  0.00  -1034.00     0.00   0.00  2034.00
    """)


def test_22_audit_trail(filters: Filters) -> None:
    """Its times are the database's; of a person it has what that person did."""
    note(None, What.REFUSED, "ines", "/claims/: not yours")
    note(None, What.EXPORTED, "ines", "Payouts")
    grant(person("ines"), "Surveillance", by="olga")
    grant(person("ines"), "Cashier", filters.casino, by="olga")
    revoke(person("ines"), "Surveillance", by="petra")
    day = day_of(dt.datetime.now(dt.UTC), filters.casino)  # not of the story
    ines, olga = (Filters(filters.casino, day, day, {"person": who}) for who in ("ines", "olga"))
    of_ines = lines("audit-trail", ines, "words", "is_now")
    assert of_ines[0] == (
        "Person added",
        '{"detail": "username:  -> ines", "database role": "jackpot"}',
    )
    assert of_ines[-2:] == [
        ("Action refused", '{"detail": "/claims/: not yours"}'),
        ("Exported a report", '{"detail": "Payouts"}'),
    ]
    assert lines("audit-trail", olga, "words", "subject") == [("Made: Role", "ines")] * 2
    petra = Filters(filters.casino, day, day, {"person": "petra"})
    assert lines("audit-trail", petra, "words", "is_now") == [("Removed: Role", "-")]


def test_a_pdf_bears_page_and_pages_each_and_the_totals_below_the_rows(
    filters: Filters, tmp_path: Path
) -> None:
    definition = reports()["ledger"]
    report = definition.report(filters)
    totals = definition.totals(report)
    origin = [("Made by", "ines"), ("Checkpoint", "main at entry 64")]
    path = tmp_path / "ledger.pdf"
    pdf_file.write(Sheet(definition, filters, report, totals, origin), path, lambda _rows: None)
    pages = [page.extract_text().split() for page in PdfReader(path).pages]
    assert len(pages) > 2
    for number, words in enumerate(pages, start=1):
        text = " ".join(words)
        assert f"Page {number} of {len(pages)}" in text
        for each in ("General ledger", "Harbour Casino", "Reason", "main at entry 64"):
            assert each in text, (number, each)
    total = f"{totals['rows']:,} rows {totals['amount'] / 1_000_000:,.2f}"
    assert [number for number, words in enumerate(pages, 1) if total in " ".join(words)] == [
        len(pages)
    ]
