"""Every kind of rule: what it must say, how a fault is told, what holds on a day, what is next."""

import datetime as dt
import re
from decimal import Decimal
from itertools import chain
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from settlement import tasks
from settlement.jurisdiction.kinds import KINDS
from settlement.jurisdiction.layouts import FACTS, ROW_FACTS, layouts
from settlement.jurisdiction.pack import Rule
from settlement.jurisdiction.returns import returns_of
from settlement.jurisdiction.rules import (
    PackError,
    load,
    packs,
    read_again,
    retention_years,
    rules_at,
)
from settlement.jurisdiction.words import in_words
from settlement.reports.catalogue import reports
from tables.models import Alarm, Casino, JackpotSystem

PROJECT = Path(__file__).parents[3]
NOTE = "source: A law"
# Of each kind one that says what it must, and nothing else.
LEAST = {
    "cash_report": "form: A, above: 10, of: cash",
    "tax_form": "form: A, at_least: 10",
    "shared_form": "form: A, at_least: 10",
    "backup_withholding": "form: A, at_least: 10, withholding_percent: 24",
    "identification": "at_least: 10",
    "retention": "years: 5",
    "ties": "ties: first",
    "failure": "of_failure: hand, remedy: void",
    "exclusion": "winnings: forfeited",
    "report_layout": "title: Monthly, period: month, reports: [payouts]",
}

FORM = """
form: A
name: A form
country: Here
filing: the casino
sections: [{title: All, boxes: [{name: Name, fact: filer.name}]}]
"""
TABLE = FORM.replace("boxes", "rows: payouts, columns").replace("filer.name", "slip, width: 5")


@pytest.fixture
def own(settings: Settings, tmp_path: Path) -> Path:
    settings.JURISDICTION_DIR = str(tmp_path)
    settings.JURISDICTIONS = {"harbour": "own"}
    return tmp_path / "own.yaml"


def write(file: Path, *rules: str, currency: str = "NZD") -> None:
    """A pack of these rules, each with a law and a first day."""
    lines = [f"  - {{since: 2026-01-01, {NOTE}, {rule}}}" for rule in rules]
    file.write_text("\n".join(["name: Own", f"currency: '{currency}'", "rules:", *lines]))


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_can_be_written_and_is_said_in_words(own: Path, kind: str) -> None:
    write(own, f"rule: {kind}, {LEAST[kind]}")
    (rule,) = load("own").rules
    text = in_words(rule, "NZD")
    assert text
    assert not re.search(r"None|\{|%\(", text)


def test_a_rule_whose_source_nobody_compared_says_so(own: Path) -> None:
    write(
        own,
        "rule: retention, years: 5",
        "rule: retention, years: 5, records: money, checked: 2026-11-26",
        "rule: retention, years: 5, records: claims, house_policy: true",
    )
    standing = ("(source not confirmed)", "Keep records of money 5 years", "(house policy)")
    for rule, words in zip(load("own").rules, standing, strict=True):
        assert in_words(rule, "NZD").endswith(words)


def test_of_the_packs_that_come_along_two_rules_are_not_confirmed() -> None:
    open_ones = [
        (name, rule.rule, rule.source.split(",")[0].split(" (")[0])
        for name in packs()
        for rule in load(name).rules
        if rule.is_unconfirmed
    ]
    assert open_ones == [
        ("nevada", "retention", "Nevada Gaming Commission Regulations 5.110 and 6.060"),
        ("nevada", "failure", "Nevada Gaming Commission Regulation 5.110"),
    ]


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("rule: retention", "rule 1 (retention, A law) says no years: add it"),
        ("rule: ties, ties: first, years: 3", "says years, which a ties does not have"),
        ("rule: cash_report, form: A", "names no amount: add at_least or above"),
        ("rule: failure, of_failure: hand", "says no remedy: add it"),
        ("rule: report_layout, title: A, period: month", "says no reports: add it"),
        ("rule: tax_form, form: A, above: -1", "not above zero: correct it"),
        ("rule: tax_form, form: A, above: 1, withholding_percent: 100", "between 0 and 100"),
        (
            "rule: tax_form, form: A, above: 1, indexed: true, until: 2027-06-30",
            "let it end with the year",
        ),
        ("rule: cash_report, form: A, above: 1, cash_in: apart", "say of: cash"),
        (
            "rule: tax_form, form: A, above: 1, per: person_and_day, parts: year",
            "counts a day: take parts out",
        ),
        ("rule: cash_report, form: A, above: x", "rule 1, above: Invalid decimal"),
        ("rule: cash_reports", "rule 1, rule: Invalid enum value 'cash_reports'"),
        ("rule: ties, ties: firs", "rule 1, ties: Invalid enum value 'firs'"),
        ("rule: ties, ties: first, tie: 1", "known are rule, since, source, until"),
    ],
)
def test_a_fault_names_the_file_the_rule_and_the_mend(own: Path, rule: str, words: str) -> None:
    write(own, rule)
    with pytest.raises(PackError) as refusal:
        load("own")
    assert "own.yaml" in str(refusal.value)
    assert words in str(refusal.value)


def test_what_is_no_yaml_is_refused(own: Path) -> None:
    for text, words in (("rules: [", "it is not YAML"), ("", "Expected `object`, got `null`")):
        own.write_text(text)
        with pytest.raises(PackError, match=re.escape(words)):
            load("own")


def test_two_rules_of_a_kind_hold_on_one_day_in_neither_order(own: Path) -> None:
    early = "rule: retention, years: 5"
    late = "rule: retention, years: 7, since: 2027-01-01"
    rules = [f"  - {{{NOTE}, {early}, since: 2026-01-01}}", f"  - {{{NOTE}, {late}}}"]
    for lines in (rules, rules[::-1]):
        own.write_text("\n".join(["name: Own", "currency: ''", "rules:", *lines]))
        with pytest.raises(PackError, match=r"rule 2 .* and rule 1 are of one kind"):
            load("own")
    write(own, early, "rule: retention, records: identification, years: 7")
    assert len(load("own").rules) == 2


W_2G = ((2025, 600), (2026, 2_000))


@pytest.mark.parametrize("place", ["nevada", "new_jersey"])
def test_thresholds_of_the_united_states_by_date(place: str) -> None:
    pack = load(place)

    def one(kind: str, form: str, day: dt.date) -> Rule:
        (rule,) = [each for each in pack.on(day) if (each.rule, each.form) == (kind, form)]
        return rule

    for year, amount in W_2G:
        for day in (dt.date(year, 1, 1), dt.date(year, 12, 31)):
            form = one("tax_form", "W-2G", day)
            assert form.is_reached(Decimal(amount))
            assert not form.is_reached(Decimal(amount) - Decimal("0.01"))
            backup = one("backup_withholding", "W-2G", day)
            assert backup.at_least == amount
            assert backup.withholding_percent == 24
            assert one("shared_form", "5754", day).at_least == amount
    day = dt.date(2026, 6, 1)
    cash = one("cash_report", "FinCEN Form 112", day)
    assert not cash.is_reached(Decimal(10_000))
    assert cash.is_reached(Decimal("10000.01"))
    assert (cash.of, cash.per, cash.cash_in) == ("cash", "person_and_day", "apart")
    foreign = one("tax_form", "1042-S", day)
    assert foreign.residence == "foreign"
    assert foreign.withholding_percent == 30
    assert foreign.is_reached(Decimal("0.01"))


@pytest.mark.parametrize("name", ["neutral", "new_zealand", "nevada", "new_jersey", "france"])
def test_every_pack_says_what_becomes_of_each_failure(name: str) -> None:
    day = dt.date(2026, 11, 28)
    rules = [each for each in load(name).on(day) if each.rule == "failure"]
    assert sorted(each.of_failure or "" for each in rules) == ["amount", "hand", "round"]
    assert all(each.source for each in rules)


def test_thresholds_of_new_zealand_and_france_by_date() -> None:
    new_zealand = {each.rule: each for each in load("new_zealand").on(dt.date(2026, 6, 1))}
    assert new_zealand["cash_report"].is_reached(Decimal(10_000))
    assert not new_zealand["cash_report"].is_reached(Decimal("9999.99"))
    assert new_zealand["identification"].is_reached(Decimal(6_000))
    by_day = {}
    for day in (dt.date(2020, 2, 13), dt.date(2020, 2, 14)):
        rules = [each for each in load("france").on(day) if each.rule == "identification"]
        by_day[day] = [(each.form != "", each.is_reached(Decimal(2_000))) for each in rules]
    assert by_day == {
        dt.date(2020, 2, 13): [(False, False)],
        dt.date(2020, 2, 14): [(False, True), (True, False)],
    }


@pytest.mark.django_db
def test_retention_is_by_kind_of_record(settings: Settings) -> None:
    casino = Casino(code="harbour", name="Harbour", currency="EUR")
    settings.JURISDICTIONS = {"harbour": "france"}
    day = dt.date(2026, 6, 1)
    assert retention_years(casino, "money", day) == 11
    assert retention_years(casino, "identification", day) == 5
    assert retention_years(casino, "claims", day) == 5  # by the rule for all
    assert retention_years(casino, "money", dt.date(1990, 1, 1)) is None


def test_a_return_of_every_pack_names_reports_that_there_are() -> None:
    for name in packs():
        layouts = [each for each in load(name).rules if each.rule == "report_layout"]
        assert layouts, name
        for layout in layouts:
            assert not set(layout.reports) - reports().keys(), (name, layout.title)


@pytest.mark.django_db
def test_a_return_is_that_of_the_rules_on_the_last_day_of_its_period(own: Path) -> None:
    before, since = "until: 2026-09-30, reports: [payouts]", "since: 2026-10-01, reports: [meters]"
    kind = "rule: report_layout, title: Return, period: quarter"
    lines = [f"{NOTE}, {kind}, since: 2026-01-01, {before}", f"{NOTE}, {kind}, {since}"]
    rules = "".join(f"  - {{{line}}}\n" for line in lines)
    own.write_text(f"name: Own\ncurrency: ''\nrules:\n{rules}")
    casino = Casino(code="harbour", name="Harbour", currency="NZD")
    for day, codes in (((2026, 10, 5), ("payouts",)), ((2027, 1, 5), ("meters",))):
        (due,) = returns_of(casino, dt.date(*day))
        assert due.reports == codes
    assert returns_of(casino, dt.date(2026, 1, 5)) == []  # no rule held in that quarter


@pytest.mark.django_db
def test_a_slip_of_the_pen_stops_no_payment_and_raises_an_alarm(own: Path) -> None:
    system = JackpotSystem.objects.create(
        casino=Casino.objects.create(code="harbour", name="Harbour", currency="NZD"),
        code="main",
        name="Main floor",
    )
    write(own, "rule: cash_report, form: A, above: 10, of: cash")
    tasks.watch_rules()
    assert not Alarm.objects.exists()
    before = load("own")
    own.write_text(own.read_text().replace("above: 10", "above: ten dollars"))
    assert load("own") == before
    with pytest.raises(PackError, match="rule 1, above"):
        read_again("own")
    with pytest.raises(CommandError, match="rule 1, above"):
        call_command("jurisdiction")
    tasks.watch_rules()
    alarm = Alarm.objects.get()
    assert (alarm.kind, alarm.subject, alarm.system) == ("jurisdiction_pack", "harbour", system)
    assert "Harbour: The jurisdiction pack own.yaml cannot be read: rule 1, above" in alarm.message
    write(own, "rule: cash_report, form: A, above: 20, of: cash")
    assert load("own").rules[0].above == 20


@pytest.mark.django_db
def test_an_amount_of_a_year_before_raises_an_alarm(own: Path) -> None:
    Casino.objects.create(code="harbour", name="Harbour", currency="NZD")
    rule = f"since: 2020-01-01, {NOTE}, rule: tax_form, form: A, above: 10, indexed: true"
    own.write_text(f"name: Own\ncurrency: NZD\nrules: [{{{rule}}}]")
    tasks.watch_rules()
    text = "Harbour, A: The amount is that of 2020 and changes each year: add a rule for"
    assert text in Alarm.objects.get().message


@pytest.mark.parametrize(
    ("folder", "text", "words"),
    [
        ("filers", "name: ''", "The filer harbour.yaml cannot be read: name: Expected `str`"),
        ("filers", "nam: A", "known are name, trade_name"),
        ("forms", FORM.replace("filer.name", "filer.nme"), "asks for filer.nme, which is unknown"),
        ("forms", FORM.replace("fact", "text: A, fact"), "has a fact and a text: keep one"),
        ("forms", FORM.replace("boxes", "columns"), "has boxes, or rows with columns: keep one"),
        ("forms", FORM.replace("fact", "fct"), "section 1, box 1: Object contains unknown field"),
        ("forms", TABLE, "section 1: the widths of its columns do not add up to 12"),
    ],
)
@pytest.mark.django_db
def test_files_of_forms_and_filers_are_checked_too(
    own: Path, folder: str, text: str, words: str
) -> None:
    Casino.objects.create(code="harbour", name="Harbour", currency="NZD")
    (own.parent / folder).mkdir()
    (own.parent / folder / "harbour.yaml").write_text(text)
    with pytest.raises(CommandError, match=re.escape(words)):
        call_command("jurisdiction")


def test_a_rule_names_a_draft_that_there_is(own: Path) -> None:
    write(own, "rule: cash_report, form: A, above: 10, of: cash, draft: harbour")
    with pytest.raises(PackError, match="names the draft harbour, which there is not"):
        load("own")
    (own.parent / "forms").mkdir()
    (own.parent / "forms" / "harbour.yaml").write_text(FORM)
    write(
        own,
        "rule: cash_report, form: A, above: 10, of: cash, draft: harbour",
        "rule: ties, ties: first",
    )
    assert load("own").rules[0].draft == "harbour"


@pytest.mark.django_db
def test_the_command_says_what_holds_and_what_changes_next(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Casino.objects.create(code="harbour", name="Harbour", currency="NZD")
    first = f"{NOTE}, rule: tax_form, form: A, above: 600, indexed: true"
    own.write_text(
        "name: Own\ncurrency: NZD\nrules:\n"
        f"  - {{since: 2025-01-01, until: 2025-12-31, {first}}}\n"
        f"  - {{since: 2026-01-01, {first.replace('600', '2000')}}}\n"
    )
    call_command("jurisdiction", "harbour", "--day", "2025-12-31")
    output = capsys.readouterr().out
    assert "tax_form: A, above NZD 600 in one payment, indexed each year" in output
    assert "2026-01-01 begins: tax_form: A, above NZD 2,000" in output
    assert "2026-01-01 ends: tax_form: A, above NZD 600" in output
    assert "changes each year: add a rule" not in output
    call_command("jurisdiction", "harbour", "--day", "2027-01-01")
    output = capsys.readouterr().out
    assert "The amount is that of 2026 and changes each year: add a rule for 2027." in output
    assert "Nothing changes later." in output
    assert [each.above for each in rules_at(Casino.objects.get(), dt.date(2027, 1, 1)).rules] == [
        2000
    ]


def test_the_command_refuses_a_return_of_reports_that_are_not_there(own: Path) -> None:
    write(own, "rule: report_layout, title: Monthly, period: month, reports: [payouts, nothing]")
    with pytest.raises(CommandError, match=r"own.yaml, rule 1 \(Monthly\).*: nothing. Choose from"):
        call_command("jurisdiction")


def test_the_page_for_whoever_writes_a_pack_has_every_kind_and_field() -> None:
    """docs/packs.md: a row for each kind with the fields that it needs and may have."""
    page = (PROJECT / "docs" / "packs.md").read_text()
    for name, kind in KINDS.items():
        (row,) = [
            line
            for line in page.splitlines()
            if line.startswith(f"| `{name}` |") and line.count("|") == 5
        ]
        _, _, needed, allowed, _where, _ = row.split("|")
        amount = {"at_least", "above"} if kind.amount else set()
        assert set(re.findall(r"`(\w+)`", needed)) == kind.needed | amount, name
        assert set(re.findall(r"`(\w+)`", allowed)) == kind.allowed, name
    for field in Rule.__struct_fields__:
        assert re.search(rf"`{field}\b", page), field
    for fact in (*FACTS, *chain(*ROW_FACTS.values())):
        assert f"`{fact}`" in page, fact
    for draft in layouts():
        assert f"`{draft}`" in page, draft
