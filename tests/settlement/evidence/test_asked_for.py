"""A point that claims a thing is answered by the thing, above the amounts that the terms post."""

from collections.abc import Mapping
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from jackpot.terms.money import MICROS
from jackpot.terms.required_evidence import BY_DEFAULT
from settlement.audit.authorisation import without_actions
from settlement.claims import services as claims
from settlement.core.errors import ChecklistIncomplete, WrongState
from settlement.evidence import attachments, checklist
from settlement.evidence import records as evidence
from settlement.models import Action, CheckAnswer, Claim
from settlement.people.rights.permissions import Reauthenticated
from simulation import answers
from tests.support.cases.claims.asked_for import SUITS, claim, identify, review
from tests.support.cases.claims.evidence import JPEG
from tests.support.cases.confirmed_house import person
from tests.support.people.cast import ALL_YES, ClaimHouse, action, read
from tests.support.people.roles import acting_as, owner_without_guards
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
THINGS = sorted(BY_DEFAULT)
TYPED: dict[str, dict[str, Any]] = {
    "sealed": {"bag": "H-2231"},
    "display": {"reading": "1,001.00"},
    "witness": {"name": "Ana Ruiz", "capacity": "dealer"},
    "deck_counted": SUITS,
}


def a_house(**amounts: int) -> ClaimHouse:
    """One claim of 1,001.00; each thing is asked for above so many units."""
    posted = {thing: above * MICROS for thing, above in amounts.items()}
    house = ClaimHouse(royal_terms() | {"evidence": posted})
    house.hit_royal()
    claims.catch_up(house.system)
    return house


def build_strict() -> ClaimHouse:
    """Everything is asked for."""
    return a_house(**dict.fromkeys(THINGS, 0))


strict = kept_house(build_strict)


def say(
    answers: Mapping[str, str], notes: Mapping[str, str] | None = None, typed: Any = None
) -> None:
    with acting_as("web"):
        claims.answer_checklist(claim(), person("sione"), answers, notes or {}, typed or {})


def verify() -> None:
    with acting_as("web"):
        claims.verify(claim(), person("sione"))


def confirm(house: ClaimHouse) -> None:
    with acting_as("web"):
        claims.confirm(claim(), Reauthenticated(person("mere")), house.hit(1).held)


def confirm_and_end(house: ClaimHouse) -> None:
    """With what the database asks at the end of the transaction."""
    with acting_as("web"), transaction.atomic():
        claims.confirm(claim(), Reauthenticated(person("mere")), house.hit(1).held)
        connection.check_constraints()


def save(row: CheckAnswer) -> None:
    with transaction.atomic():
        row.save()


def test_yes_alone_answers_no_point_that_claims_a_thing(strict: ClaimHouse) -> None:
    say(ALL_YES)
    for thing in THINGS:
        with pytest.raises(ChecklistIncomplete):
            say({thing: "yes"})
    with pytest.raises(ChecklistIncomplete, match="Bag number is missing"):
        say({"sealed": "yes"}, typed={"sealed": {"bag": "  "}})
    with pytest.raises(ChecklistIncomplete, match="Capacity is missing"):
        say({"witness": "yes"}, typed={"witness": {"name": "Ana Ruiz"}})
    with pytest.raises(ChecklistIncomplete, match="9 spades where 8 must remain"):
        say({"deck_counted": "yes"}, typed={"deck_counted": {**SUITS, "s": 9}})
    with pytest.raises(ChecklistIncomplete) as refused:
        verify()
    sentence = str(refused.value)
    assert "Layout photographed (asked for above NZD 0.00)" in sentence
    assert "answer “no” there and enter why it is not available" in sentence
    assert set(claim().answers.values_list("item", flat=True)) == ALL_YES.keys()


def test_each_answer_refers_to_what_shows_it(strict: ClaimHouse) -> None:
    say(ALL_YES)
    with pytest.raises(ChecklistIncomplete, match="Identify the player of seat 3"):
        say({"identity": "yes"})
    identify(seat=5)
    with pytest.raises(ChecklistIncomplete, match="Identify the player of seat 3"):
        say({"identity": "yes"})
    identify()
    review()
    with acting_as("web"):
        attachments.attach(claim(), person("sione"), "The layout", JPEG)
    say(dict.fromkeys(THINGS, "yes"), typed=TYPED)
    evidence = {a.item: a.evidence for a in claim().answers.all() if a.item in THINGS}
    assert evidence == {
        "surveillance": {"footage": [claim().footage.get().pk]},
        "photographed": {"attachments": [claim().attachments.get().pk]},
        "identity": {"identifications": [row.pk for row in claim().identifications.order_by("pk")]},
        "deck_counted": {"suits": SUITS},
        **{thing: TYPED[thing] for thing in ("sealed", "display", "witness")},
    }
    verify()
    confirm(strict)
    strict.post()
    assert strict.hit(1).state == "confirmed"
    assert without_actions(strict.system.pk, 0) == []


def test_a_file_that_is_no_picture_is_no_photograph(strict: ClaimHouse) -> None:
    with acting_as("web"):
        attachments.attach(claim(), person("sione"), "Statement", b"%PDF-1.7 ... %%EOF")
    with pytest.raises(ChecklistIncomplete, match="Attach the photograph"):
        say({"photographed": "yes"})


def test_no_takes_a_reason_and_na_is_no_answer_to_what_is_asked_for(strict: ClaimHouse) -> None:
    for word in ("no", "na"):
        for code in ("frozen", "sealed"):
            with pytest.raises(ChecklistIncomplete):
                say({code: word}, {code: " "})
    with pytest.raises(ChecklistIncomplete, match=r"The terms ask for it above NZD 0\.00"):
        say({"sealed": "na"}, {"sealed": "no bags left"})
    say(ALL_YES)
    say(dict.fromkeys(THINGS, "no"), dict.fromkeys(THINGS, "The camera was dark"))
    verify()  # footage that is missing is no reason to reject: whoever confirms reads why
    confirm(strict)


def test_below_the_amount_nothing_is_asked_for() -> None:
    house = a_house(**dict.fromkeys(THINGS, 1_001))  # it comes to no more
    say(ALL_YES)
    say({"sealed": "na"}, {"sealed": "a small prize"})
    verify()
    confirm(house)


def test_just_above_the_amount_it_is_asked_for() -> None:
    a_house(sealed=1_000, witness=1_001)
    say(ALL_YES)
    with pytest.raises(ChecklistIncomplete, match=r"Deck sealed.*asked for above NZD 1,000.00"):
        verify()
    say({"sealed": "yes"}, typed=TYPED)
    verify()


def test_what_was_typed_stays_with_a_new_note(strict: ClaimHouse) -> None:
    say({"sealed": "yes"}, typed=TYPED)
    say({"sealed": "yes"}, {"sealed": "in the safe"})
    newest = checklist.answers_of(claim())["sealed"]
    assert (newest.note, newest.evidence) == ("in the safe", {"bag": "H-2231"})
    assert evidence.in_words(newest) == "H-2231"


def test_an_amended_report_asks_again_who_won_and_what_remains() -> None:
    house = a_house(identity=0, deck_counted=0)
    identify()
    say({**ALL_YES, "identity": "yes", "deck_counted": "yes"}, typed=TYPED)
    report = {**(house.hit(1).report or {})}
    report["hands"] = [{**report["hands"][0], "seat": 4}]
    report["boards"] = [["Qs", "Js", "Ts", "2d", "3d"]]
    with acting_as("web"):
        claims.amend(claim(), person("anahera"), report)
    house.post()
    with pytest.raises(ChecklistIncomplete) as refused:
        verify()
    assert "Identify the player of seat 4" in str(refused.value)
    assert "12 diamonds where 11 must remain" in str(refused.value)


def test_a_supplement_asks_for_what_the_whole_asks_for() -> None:
    """1,001.00 is safe; with the rejection before it 1,101.00, and the bag is asked for."""
    house = ClaimHouse(royal_terms() | {"evidence": {"sealed": 1_001 * MICROS}})
    house.open("t3")
    for _ in range(200):
        house.press("t3")
    house.hit_royal()
    house.hit_royal("t7")
    claims.catch_up(house.system)
    second = Claim.objects.get(number=2)
    with acting_as("web"):
        claims.answer_checklist(second, person("sione"), ALL_YES, {})
        claims.verify(second, person("sione"))
        claims.confirm(second, Reauthenticated(person("mere")), 1_001 * MICROS)
    house.post()
    with acting_as("web"):
        fields: dict[str, Any] = {"reason": "R04", "evidence": "camera 12", "affected": True}
        claims.propose_rejection(claim(), person("anahera"), **fields)
        claims.second_rejection(claim(), Reauthenticated(person("david")))
    house.post()
    due = house.hit(2).held - house.hit(2).confirmed
    assert due == 100 * MICROS
    with acting_as("web"), pytest.raises(ChecklistIncomplete, match="Still missing: Deck sealed"):
        claims.confirm(second, Reauthenticated(person("mere")), due)
    with acting_as("web"):
        answers.answer(second, person("sione"), house.hit(2).held)
        claims.confirm(second, Reauthenticated(person("mere")), due)
    house.post()
    assert house.hit(2).confirmed == 1_101 * MICROS
    with pytest.raises(WrongState, match="checklist is closed"), acting_as("web"):
        answers.answer(second, person("sione"))


def test_the_database_refuses_words_in_the_place_of_things(strict: ClaimHouse) -> None:
    other = {"footage": [10**6], "attachments": [10**6], "identifications": [10**6], "tick": 10**6}
    empty = {"bag": " ", "reading": "", "name": "Ana", "capacity": " "}
    none: dict[str, Any] = {name: [] for name in other if name != "tick"}
    wrong: list[dict[str, Any]] = [{}, other, empty, none, {**other, "suits": {}}]
    for thing in THINGS:
        for shows in wrong:
            row = CheckAnswer(
                claim=claim(), item=thing, answer="yes", person=person("sione"), evidence=shows
            )
            with acting_as("web"), pytest.raises(IntegrityError, match="where a thing is asked"):
                save(row)
    for answer in ("no", "na"):
        row = CheckAnswer(claim=claim(), item="frozen", answer=answer, person=person("sione"))
        with acting_as("web"), pytest.raises(IntegrityError, match="without a word"):
            save(row)
    assert not claim().answers.exists()


def test_the_database_refuses_a_verification_without_what_is_asked_for(
    strict: ClaimHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(ALL_YES)
    monkeypatch.setattr(evidence, "require", lambda *_: None)
    with pytest.raises(ChecklistIncomplete, match="Check the checklist"):
        verify()
    assert not Action.objects.exists()


def test_the_database_refuses_a_confirmation_without_what_is_asked_for(
    strict: ClaimHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Answered, verified, and then one answer is taken back: by whom, stands there."""
    answers.answer(claim(), person("sione"))
    verify()
    row = CheckAnswer(claim=claim(), item="sealed", answer="na", note="?", person=person("sione"))
    with acting_as("web"):
        row.save()
    with pytest.raises(ChecklistIncomplete, match="Deck sealed"):
        confirm(strict)
    monkeypatch.setattr(evidence, "require", lambda *_: None)
    with pytest.raises(IntegrityError, match="confirms a claim without: sealed"):
        confirm_and_end(strict)
    confirm(strict)  # past the guard, which is not asked before that end
    strict.post()
    (sentence,) = without_actions(strict.system.pk, 0)
    assert "hit 1 was confirmed without what the terms ask for: sealed" in sentence


def test_a_clock_that_was_set_back_takes_no_evidence_away(strict: ClaimHouse) -> None:
    """Seed 31803: the console's clock was an hour behind when a manager confirmed."""
    answers.answer(claim(), person("sione"))
    verify()
    confirm(strict)
    strict.post()
    with owner_without_guards("jackpot_command"), connection.cursor() as cursor:
        cursor.execute("UPDATE jackpot_command SET issued_at = issued_at - interval '1 hour'")
    assert without_actions(strict.system.pk, 0) == []


def test_usual_terms_say_the_same_to_page_and_database() -> None:
    house = ClaimHouse(royal_terms() | {"evidence": dict(BY_DEFAULT)})
    house.hit_royal()
    claims.catch_up(house.system)
    with connection.cursor() as cursor:
        for units, due in ((500, None), (501, "deck_counted, identity, surveillance")):
            cursor.execute("SELECT evidence_lacking(%s, %s)", [claim().pk, units * MICROS])
            assert cursor.fetchone() == (due,)
    sheet = read("/api/claims/main-1/")
    amounts = {row["item"]: row["asked_above_micros"] for row in sheet["checklist"]}
    assert {item: above for item, above in amounts.items() if above is not None} == BY_DEFAULT
    answer = action("sione", "verify", answers=ALL_YES)
    assert (answer.status_code, answer.json()["code"]) == (422, "checklist_incomplete")
    assert "Surveillance reviewed the round" in answer.json()["detail"]
