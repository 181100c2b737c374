"""A figure of terms that moves far is typed again by both; tables that do not exist are refused."""

import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from jackpot.terms.money import MICROS
from jackpot.terms.posted_terms import parse
from jackpot.writer import commands
from settlement.approvals import proposals
from settlement.core.errors import BadTerms, FiguresNotRetyped, WrongState
from settlement.models import Proposal, RetypedFigures
from settlement.people.rights.permissions import Reauthenticated
from settlement.terms import drafts, figures
from settlement.terms.next_hit import Cost, next_hits
from tests.support.cases.confirmed_house import person
from tests.support.people.cast import ClaimHouse, as_
from tests.support.people.permissions.authorisation import refused
from tests.support.people.roles import acting_as
from tests.support.play.books import royal_terms
from tests.support.suite.kept_house import kept_house

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_writer")]
TWELVE, WRONG = 12 * MICROS, 25_000 * MICROS
KEY = "royal.reset"


def build_house() -> ClaimHouse:
    return ClaimHouse(royal_terms(reset=TWELVE))


house = kept_house(build_house)


def propose(house: ClaimHouse, typed: dict[str, int] | None = None, **terms: Any) -> Proposal:
    document = royal_terms(**{"reset": WRONG, **terms})
    with acting_as("web"):
        return drafts.propose(house.system, person("sione"), document, figures=typed)


def agree(proposal: Proposal, typed: dict[str, int] | None = None, by: str = "mere") -> None:
    with acting_as("web"):
        drafts.agree(proposal, Reauthenticated(person(by)), typed)


def moved(house: ClaimHouse, before: dict[str, Any], after: dict[str, Any]) -> list[Any]:
    figure_moves = figures.moves(parse(before), parse(after), house.system.casino)
    return [(move.figure.key, move.words, move.is_large(3)) for move in figure_moves]


def test_each_of_the_two_types_it_again(house: ClaimHouse) -> None:
    with pytest.raises(FiguresNotRetyped, match=r"NZD 12.00 to NZD 25,000.00, × 2,083") as error:
        propose(house)
    assert [*error.value.fields] == [KEY]
    with pytest.raises(FiguresNotRetyped):
        propose(house, {KEY: 2_500 * MICROS})
    assert not Proposal.objects.exists()
    proposal = propose(house, {KEY: WRONG})
    with pytest.raises(FiguresNotRetyped):
        agree(proposal)
    with pytest.raises(FiguresNotRetyped):
        agree(proposal, {KEY: WRONG + 1})
    agree(proposal, {KEY: WRONG})
    house.post()
    rows = RetypedFigures.objects.order_by("id").values_list("person__username", "figures")
    assert [*rows] == [("sione", {KEY: WRONG}), ("mere", {KEY: WRONG})]
    assert house.head.terms_number == 2


def test_what_moves_little_is_not_asked_for(house: ClaimHouse) -> None:
    proposal = propose(house, reset=3 * TWELVE)
    agree(proposal)
    assert not RetypedFigures.objects.exists()
    with pytest.raises(FiguresNotRetyped):
        propose(house, reset=TWELVE, payable_unit=MICROS * 4)


def test_every_kind_of_figure(house: ClaimHouse) -> None:
    before, after = royal_terms(reset=0), royal_terms(reset=TWELVE, share=2_000)
    assert moved(house, before, after) == [
        ("royal.reset", "from nothing", True),
        ("royal.share", "÷ 5", True),
    ]
    after = royal_terms(increments=[{"source": "per_round", "amount": MICROS}])
    assert moved(house, royal_terms(), after) == [("royal.per_round.pool.1", "× 2", False)]
    pot = {"source": "pot", "basis_points": 100, "cap": 5 * MICROS}
    more = {"source": "pot", "basis_points": 450, "cap": MICROS}
    players: dict[str, Any] = {"funding": "players", "dark_minutes": 5}
    assert moved(
        house,
        royal_terms(increments=[pot], limit=2_000 * MICROS) | players,
        royal_terms(increments=[more], limit=7_000 * MICROS) | {**players, "dark_minutes": 60},
    ) == [
        ("dark_minutes", "× 12", True),
        ("royal.limit", "× 3.5", True),
        ("royal.pot.pool.1", "× 4.5", True),
        ("royal.pot.pool.1.cap", "÷ 5", True),
    ]
    qualifying = royal_terms()["tiers"][0]["qualifying"] | {"pot_min_minor": 2_000}
    assert moved(
        house,
        royal_terms(qualifying=qualifying | {"players_dealt_min": 4}),
        royal_terms(qualifying=qualifying | {"players_dealt_min": 5, "pot_min_minor": 20_000}),
    ) == [("royal.pot_min", "× 10", True), ("royal.players", "× 1.2", False)]


def test_a_house_has_a_factor_of_its_own(house: ClaimHouse) -> None:
    output = io.StringIO()
    name = ("set_terms_factor", "harbour")
    call_command(*name, "10", "--first=mere", "--second=david", stdout=output)
    assert "more than a factor of 10" in output.getvalue()
    agree(propose(house, reset=10 * TWELVE))
    with pytest.raises(CommandError, match="from 1 to"):
        call_command(*name, "0", "--first=mere", "--second=david")
    with (
        acting_as("web"),
        pytest.raises(Exception, match="permission denied"),
        transaction.atomic(),
    ):
        call_command(*name, "900", "--first=mere", "--second=david")


def test_terms_that_changed_meanwhile_are_proposed_again(house: ClaimHouse) -> None:
    """What was typed moved far from 12.00; from 20,000.00 it does not."""
    proposal = propose(house, {KEY: WRONG})
    house.decide("put_terms", terms=royal_terms(reset=20_000 * MICROS))
    with pytest.raises(WrongState, match="propose it again"):
        agree(proposal)


def test_the_database_asks_that_both_typed_the_same(house: ClaimHouse) -> None:
    proposal = propose(house, {KEY: WRONG})
    with acting_as("web"), refused("figures"):
        proposals.agree(proposal, Reauthenticated(person("mere")))

    def typed(value: int) -> None:
        RetypedFigures.objects.create(
            proposal=proposal, person=person("mere"), figures={KEY: value}
        )

    with acting_as("web"), refused("figures"):
        proposals.agree(proposal, Reauthenticated(person("mere")), lambda: typed(WRONG + 1))
    with acting_as("web"), transaction.atomic():
        proposals.agree(proposal, Reauthenticated(person("mere")), lambda: typed(WRONG))
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def test_a_table_that_does_not_exist_is_refused(house: ClaimHouse) -> None:
    document = {**royal_terms(reset=TWELVE), "tables": ["t3", "t33"]}
    with pytest.raises(BadTerms, match="Main floor has no table t33"), acting_as("web"):
        drafts.propose(house.system, person("sione"), document)
    with pytest.raises(IntegrityError, match="unknown_table"), transaction.atomic():
        commands.queue(house.system, "put_terms", {"terms": document}, first="mere", second="david")
    with acting_as("web"):
        drafts.propose(house.system, person("sione"), {**document, "tables": ["t3"]})


def test_what_the_next_hit_costs_the_house(house: ClaimHouse) -> None:
    """The pool holds 12.00 and 0.50; a hit pays 13.00, and the house fills up to the reset."""
    house.open("t3")
    house.press("t3")
    house.post()
    fixed = royal_terms(reset=WRONG, prize=500 * MICROS)
    for after, cost in (
        (royal_terms(reset=WRONG), Cost(13 * MICROS, WRONG + MICROS // 2)),
        (fixed, Cost(500 * MICROS, WRONG + 500 * MICROS - 12_500_000)),
    ):
        (next_hit,) = next_hits(house.system, parse(royal_terms(reset=TWELVE)), parse(after))
        assert next_hit.before == Cost(13 * MICROS, TWELVE + MICROS // 2)
        assert (next_hit.after, next_hit.opening, next_hit.is_changed) == (cost, 0, True)
    (opened,) = next_hits(house.system, None, parse(royal_terms(code="new", reset=WRONG)))
    assert opened == next_hits(house.system, None, parse(royal_terms(code="new", reset=WRONG)))[0]
    assert (opened.before, opened.after, opened.opening) == (None, Cost(WRONG, WRONG), WRONG)


def test_by_the_api(house: ClaimHouse) -> None:
    address = "/api/systems/main/propose-terms/"
    body: dict[str, Any] = {"terms": royal_terms(reset=WRONG)}
    answer = as_("sione").post(address, body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (422, "figures_not_retyped")
    assert [*answer.json()["fields"]] == [KEY]
    answer = as_("sione").post(address, body | {"figures": {KEY: WRONG}}, format="json")
    assert answer.status_code == 201, answer.content
