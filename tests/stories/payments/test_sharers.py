"""A royal of 24,000.00 whose winner says that her partner, who sat nowhere, owns half of it."""

import datetime as dt
import uuid
from collections.abc import Callable, Iterable
from dataclasses import replace
from decimal import Decimal

import pytest
from django.db import DatabaseError, connection, transaction
from pytest_django import Settings

from settlement.claims import services as claims
from settlement.claims.services import catch_up
from settlement.core.errors import BadSharer, Excluded, KeyUsed, NotPermitted, WrongState
from settlement.core.gaming_day import today
from settlement.evidence import identification, sharers
from settlement.evidence.identification import PlayerIdentity
from settlement.evidence.sharers import NewSharer
from settlement.exclusions import imports
from settlement.jurisdiction.forms_due import FormDue, forms_due
from settlement.jurisdiction.payments import PayeeStatement
from settlement.jurisdiction.persons_day import lists
from settlement.jurisdiction.recipients import PaidOnDays
from settlement.models import IdentificationLook, Payout, Record, Sharer
from settlement.payments import form_filings
from settlement.payments.form_drafts import draft_form
from settlement.people.rights.permissions import Reauthenticated
from tables.models import Casino
from tests.support.cases.claims.slips import read
from tests.support.cases.hands.worked_example import BOARD
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.units.cardroom import CardRoom, money

OpenRoom = Callable[..., CardRoom]
BORN = dt.date(1980, 1, 1)
ANA = PlayerIdentity(
    3, "Ana Ruiz", BORN, "passport", "XA3", tax_number="078-05-1120", address="7 Elm Street, Reno"
)
JO = PlayerIdentity(
    *(3, "Jo Falk", dt.date(1979, 8, 7), "passport", "LK 41-88"),
    tax_number="078-05-0001",
    address="9 Oak Road, Elko",
    country="US",
)
KIM = PlayerIdentity(3, "Kim Adler", dt.date(1985, 2, 3), "identity_card", "ID 77", country="US")
JO_KEY = uuid.UUID("00000000-0000-4000-8000-000000000173")
KIM_KEY = uuid.UUID("00000000-0000-4000-8000-000000000174")
NOBODY = dict.fromkeys(("name", "tax_number", "address", "country"), "")
REGISTER = """name,born,kind,from,until,reference
FALK Jo,1979-08-07,self,2026-01-01,2031-01-01,SE-118
"""


@pytest.fixture
def room(open_room: OpenRoom, settings: Settings) -> CardRoom:
    """Seat 3 won all of it, and Ana is identified there; the claim is confirmed."""
    settings.JURISDICTIONS = {"harbour": "nevada"}
    room = open_room(royal_terms(reset=money(23_999.50)))
    Casino.objects.update(currency="USD")
    unit = room.unit(3)
    room.play(unit, 1)
    room.posted(unit, unit.report_hand([BOARD], [{"seat": 3, "hole": ["As", "Ks"]}]))
    with acting_as("web"):
        identification.identify(room.claim(), room.people["mere"], ANA)
    room.verify()
    room.confirm()
    assert room.hit().held == money(24_000)
    return room


def share(room: CardRoom, amount: float, who: PlayerIdentity = JO, **more: object) -> Sharer:
    with acting_as("web"):
        new = replace(NewSharer(who, money(amount)), **more)  # type: ignore[arg-type]
        return sharers.add(room.claim(), room.people["lucia"], new)


def pay(room: CardRoom, *amounts: float) -> None:
    """The payee lives in the country."""
    for amount in amounts:
        with acting_as("web"):
            cashier, here = Reauthenticated(room.people["lucia"]), PayeeStatement("resident")
            claims.pay(room.claim(), cashier, 1, {"cash": money(amount)}, statement=here)
    catch_up(room.system)


def due() -> list[FormDue]:
    casino = Casino.objects.get()
    return forms_due(PaidOnDays(casino, today(casino), today(casino)))


def won(forms: Iterable[FormDue], form: str) -> list[float]:
    return sorted(each.amount / money(1) for each in forms if each.rule.form == form)


def drafted(room: CardRoom, form: str, sharer: int = 0) -> str:
    payout = Payout.objects.select_related("claim__system__casino").latest("pk")
    with acting_as("web"):
        return read(draft_form(payout, form, room.people["lucia"], sharer))


def test_each_has_a_w2g_of_the_own_half_and_one_5754_names_both(room: CardRoom) -> None:
    jo = share(room, 12_000)
    pay(room, 24_000)
    forms = due()
    assert won(forms, "W-2G") == [12_000, 12_000]
    assert won(forms, "5754") == [24_000]
    assert won(forms, "FinCEN Form 112") == [12_000, 24_000]  # who was handed it, and for whom
    assert {each.sharer for each in forms if each.rule.form == "W-2G"} == {0, jo.pk}
    assert not any(each.condition for each in forms if each.rule.form == "5754")
    text = drafted(room, "form_5754")
    assert "Amount received 24,000.00" in text
    table = text[text.index("Part II") :]
    assert "Ana Ruiz 078-05-1120 7 Elm Street, Reno 12,000.00 50.00%" in table
    assert "Jo Falk 078-05-0001 9 Oak Road, Elko 12,000.00 50.00%" in table
    hers, theirs = drafted(room, "w_2g"), drafted(room, "w_2g", jo.pk)
    for text, who, other in ((hers, "Ana Ruiz", "Jo Falk"), (theirs, "Jo Falk", "Ana Ruiz")):
        assert who in text
        assert other not in text
        assert "Reportable winnings 12,000.00" in text
    assert [*IdentificationLook.objects.values_list("purpose", flat=True)] == ["form"] * 3
    cash = drafted(room, "fincen_112", jo.pk)
    assert "Jo Falk" in cash
    assert "24,000.00" not in cash
    room.balanced()


def test_odd_amounts_and_parts_add_up_to_the_cent(room: CardRoom) -> None:
    """A third each of 24,000.00 paid as 0.01, 9,999.99 and 14,000.00."""
    third = sharers.part_of(money(24_000), Decimal("33.33"), room.system.casino) / money(1)
    assert third == 7_999.2
    for who in (JO, KIM):
        share(room, third, who)
    pay(room, 0.01, 9_999.99, 14_000)
    forms = due()
    assert won(forms, "W-2G") == [7_999.2, 7_999.2, 8_001.6]
    for each in (each for each in forms if each.rule.form == "W-2G"):
        assert each.total == each.won, each
        assert all(part.amount % money(0.01) == 0 for part in each.payouts)
    assert sum(each.total for each in forms if each.rule.form == "W-2G") == money(24_000)


def test_who_owns_little_of_a_reportable_prize_is_reported_as_well(room: CardRoom) -> None:
    """No limit is judged by a part: a prize is not reported less for being shared."""
    share(room, 100)
    pay(room, 24_000)
    assert won(due(), "W-2G") == [100, 23_900]
    assert won(due(), "5754") == [24_000]


def test_a_persons_day_counts_the_own_part_beside_what_they_are_paid(room: CardRoom) -> None:
    jo = share(room, 12_000)
    pay(room, 24_000)
    casino = Casino.objects.get()
    ana, jos = lists(PaidOnDays(casino, today(casino), today(casino)))
    assert (ana.total, ana.shared, jos.total, jos.shared) == (
        *(money(24_000), 0),
        *(0, money(12_000)),
    )
    assert jos.person == sharers.number_of(jo)
    assert {"FinCEN Form 112", "W-2G"} <= {*jos.forms}
    assert "5754" in ana.forms


def test_a_filing_is_of_the_payee_or_of_the_sharer(room: CardRoom) -> None:
    jo = share(room, 12_000)
    pay(room, 24_000)
    payout, casino = (
        Payout.objects.select_related("claim__system__casino").get(),
        Casino.objects.get(),
    )
    day = today(casino)

    def states() -> dict[int, str]:
        forms = form_filings.forms_between(casino, day, day)
        return {each.first_sharer: each.state for each in forms if each.due.rule.form == "W-2G"}

    with acting_as("web"):
        form = form_filings.FormOf(payout, "W-2G", jo.pk)
        form_filings.file(form, room.people["priya"], filed_on=day, reference="7")
    assert states() == {0: "open", jo.pk: "filed"}
    nameless = replace(JO, **NOBODY)  # type: ignore[arg-type]
    quarter = share(room, 6_000, nameless, replaces=jo.pk, reason="A quarter")
    assert states() == {0: "open", quarter.pk: "changed"}
    typed = share(
        room, 12_000, JO, replaces=quarter.pk, reason="Half of it, and the document again"
    )
    assert states() == {0: "open", typed.pk: "filed"}
    form = form_filings.FormOf(payout, "W-2G", typed.pk)
    with acting_as("web"), pytest.raises(WrongState, match="filed already"):
        form_filings.file(form, room.people["priya"], filed_on=day, reference="8")


@pytest.mark.parametrize("of_payee", [True, False])
def test_what_one_of_them_filed_does_not_hide_what_the_other_owes(
    room: CardRoom, monkeypatch: pytest.MonkeyPatch, *, of_payee: bool
) -> None:
    jo = share(room, 12_000)
    pay(room, 24_000)
    casino, payout = (
        Casino.objects.get(),
        Payout.objects.select_related("claim__system__casino").get(),
    )
    day = today(casino)
    with acting_as("web"):
        form = form_filings.FormOf(payout, "W-2G", 0 if of_payee else jo.pk)
        form_filings.file(form, room.people["priya"], filed_on=day, reference="7")
    monkeypatch.setattr(form_filings, "today", lambda _casino: dt.date(day.year + 3, 2, 1))
    assert form_filings.first_day_of(casino) == day


def test_more_than_the_seat_won_is_refused(room: CardRoom) -> None:
    share(room, 12_000)
    with pytest.raises(BadSharer, match=r"at most 12,000\.00"):
        share(room, 12_000.01, KIM)
    with pytest.raises(BadSharer, match="above zero"):
        share(room, 0.001, KIM)
    with pytest.raises(BadSharer, match="Choose a seat"):
        share(room, 1, replace(KIM, seat=4))
    share(room, 12_000, KIM)
    pay(room, 24_000)
    assert won(due(), "W-2G") == [12_000, 12_000]  # nothing of it is Ana's own
    row = Sharer.objects.earliest("pk")
    row.pk, row.key, row.reason = None, JO_KEY, "Forged"
    with (
        acting_as("web"),
        pytest.raises(DatabaseError, match="did not win that much"),
        transaction.atomic(),
    ):
        row.save(force_insert=True)


def test_neither_the_player_nor_the_same_sharer_twice(room: CardRoom) -> None:
    with pytest.raises(BadSharer, match="the player of seat 3"):
        share(room, 1, replace(ANA, document_number="xa 3"))
    share(room, 1)
    with pytest.raises(BadSharer, match="already"):
        share(room, 1)


def test_a_sharer_is_withdrawn_or_replaced_before_the_payment(room: CardRoom) -> None:
    first = share(room, 12_000)
    with acting_as("web"), pytest.raises(NotPermitted):
        sharers.withdraw(first, room.people["priya"], "Wrong")
    for field in ("tax_number", "address", "country"):  # which would be kept for nobody
        nameless = replace(JO, **{**NOBODY, field: "US"})  # type: ignore[arg-type]
        with pytest.raises(BadSharer, match="Enter the name"):
            share(room, 6_000, nameless, replaces=first.pk, reason="The number was left out")
    nameless = replace(JO, **NOBODY)  # type: ignore[arg-type]
    second = share(room, 6_000, nameless, replaces=first.pk, reason="A quarter")
    assert second.identification_id == first.identification_id
    with acting_as("web"):
        reversal = sharers.withdraw(second, room.people["lucia"], "She changed her mind")
        with pytest.raises(WrongState, match="withdrawn already"):
            sharers.withdraw(second, room.people["lucia"], "Again")
    assert sharers.standing(room.claim()) == []
    assert [each.kind for each in sharers.of_claim(room.claim())] == [
        *("added", "withdrawn", "added", "withdrawn"),
    ]
    assert (reversal.reverses_id, reversal.reason) == (second.pk, "She changed her mind")
    pay(room, 24_000)
    assert won(due(), "W-2G") == [24_000]


def test_after_a_payment_only_a_correction_with_its_reason(room: CardRoom) -> None:
    share(room, 12_000)
    pay(room, 4_000)
    with pytest.raises(WrongState, match="is paid: enter why"):
        share(room, 1, KIM)
    jo = sharers.standing(room.claim())[0]
    share(room, 6_000, KIM, replaces=jo.pk, reason="The wrong document was copied")
    pay(room, 20_000)
    assert won(due(), "W-2G") == [6_000, 18_000]


def test_an_excluded_sharer_stops_the_payment(room: CardRoom) -> None:
    """Whether the list is there first or later, and though the sharer is withdrawn again."""
    casino, priya, content = room.system.casino, room.people["priya"], REGISTER.encode()
    with acting_as("web"):
        file = imports.preview(casino, priya, "National register", content)
        choice = imports.Choice("National register", content, file.sha256, is_whole=True)
        imports.confirm(casino, priya, choice)
    jo = share(room, 12_000)
    with pytest.raises(Excluded, match="seat 3"):
        pay(room, 24_000)
    with acting_as("web"):
        sharers.withdraw(jo, room.people["lucia"], "Excluded")
    with pytest.raises(Excluded, match="seat 3"):
        pay(room, 24_000)
    assert room.balance("paid_cash") == 0
    share(room, 1, KIM)
    sharers.withdraw(sharers.standing(room.claim())[0], room.people["lucia"], "Nothing stops Kim")
    with acting_as("web"):  # whoever releases the payment reads who stopped it, and nobody else
        players = identification.look(room.claim(), priya, "review")
        assert [(each.name, each.is_withdrawn) for each in players] == [
            *(("Ana Ruiz", False), ("Jo Falk", True)),
        ]
        assert identification.sharer_on_form(room.claim(), jo.identification_id, priya) is None


def test_the_same_key_is_one_sharer(room: CardRoom) -> None:
    new = NewSharer(JO, money(1))
    with acting_as("web"):
        lucia, claim = room.people["lucia"], room.claim()
        first = sharers.add(claim, lucia, new, key=JO_KEY)
        assert sharers.add(claim, lucia, new, key=JO_KEY) == first
        with pytest.raises(KeyUsed):
            sharers.add(claim, lucia, replace(new, amount=money(2)), key=JO_KEY)
        for other in (KIM, replace(JO, tax_number="078-05-0009"), replace(JO, name="Jo Falck")):
            with pytest.raises(KeyUsed):
                sharers.add(claim, lucia, NewSharer(other, money(1)), key=JO_KEY)
        again = NewSharer(replace(JO, **NOBODY), money(2), first.pk, "Two")  # type: ignore[arg-type]
        second = sharers.add(claim, lucia, again, key=KIM_KEY)
        assert sharers.add(claim, lucia, again, key=KIM_KEY) == second
        with pytest.raises(KeyUsed):
            sharers.add(claim, lucia, replace(again, who=KIM), key=KIM_KEY)
    assert Record.objects.filter(source="settlement_sharer", row=first.pk, by="lucia").exists()
    assert Sharer.objects.count() == 3


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE settlement_sharer SET amount = 1",
        "DELETE FROM settlement_sharer",
        "TRUNCATE settlement_sharer CASCADE",
    ],
)
@pytest.mark.parametrize("role", ["web", None])
def test_nobody_rewrites_a_sharer(room: CardRoom, statement: str, role: str | None) -> None:
    share(room, 1)
    with acting_as(role), connection.cursor() as cursor, pytest.raises(DatabaseError):
        cursor.execute(statement)
