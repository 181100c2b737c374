"""An evening of what is hard: a completion that was forgotten, nine clubs in a short deck, a hand
with three claims, a rejection that is reversed after others were paid, an adjustment that is
refused. The verifier and the replay agree with all of it.
"""

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from jackpot.models import Tier
from jackpot.terms.money import MICROS
from jackpot.writer import commands
from settlement.audit.reconciliation import reconcile
from settlement.claims import services as claims
from settlement.claims.decisions import wrong_rejections
from settlement.floor import missed_rounds
from settlement.people.rights.permissions import Reauthenticated
from settlement.pools import adjustments
from simulation import answers
from tables.models import GamingTable
from tables.protocol import messages
from tests.support.houses.evening import ROYAL_HAND, Evening
from tests.support.people.cast import ClaimHouse
from tests.support.play.books import royal_terms
from tests.support.suite.databases import administer, clone, used_by_django
from verifier import UnitRecords, verify

NINE_CLUBS = ("Kc Qc 8c 7c", "Ac Jc Tc 6c 5d")  # of a 40-card deck


def three_prizes() -> dict[str, Any]:
    """A hand wins each prize that it is good for; rounds feed by the operator and from the pot."""
    (royal,) = royal_terms()["tiers"]
    royal["increments"] = [*royal["increments"], {"source": "pot", "basis_points": 100}]
    tiers = [
        {
            **royal,
            "code": code,
            "name": name,
            "rank": rank,
            "reset": reset * MICROS,
            "qualifying": {
                "weakest": {"category": category, "ranks": []},
                "games": ["holdem", "omaha"],
                "decks": [52, 40],
            },
        }
        for rank, (code, name, category, reset) in enumerate(
            [
                ("royal", "Royal Flush", "royal_flush", 1000),
                ("steel", "Straight Flush", "straight_flush", 200),
                ("quads", "Four of a Kind", "four_of_a_kind", 50),
            ],
            1,
        )
    ]
    return {
        **royal_terms(),
        "funding": "players",
        "games": ["holdem", "omaha"],
        "hand_wins": "each",
        "tiers": tiers,
    }


class HardEvening(Evening):
    """Played once, through the services."""

    def __init__(self, url: str, journals: Path) -> None:
        self.url, self.journals = url, journals
        self._folder, self._journals = journals, {}
        with override_settings(CLAIM_WAIT_S=0):
            ClaimHouse.__init__(self, three_prizes(), tables=("t3", "t7", "t8"))
            self._forgotten_completion()
            self._nine_clubs()
            self._three_claims()
            self._reversed_rejection()
            self._refused_adjustment()
        for journal in self._journals.values():
            journal.close()

    def _forgotten_completion(self) -> None:
        self.open("t3")
        for _ in range(3):
            self.press("t3")
        self.post()
        before = self.balance("royal:pool")
        table = GamingTable.objects.select_related("system__casino").get(code="t3")
        figures = {"pot": 100 * MICROS}
        missed_rounds.credit(
            table,
            self.person("anahera"),
            missed_rounds.MissedCredit(
                count=1, evidence="camera 4", rounds=[1], completion=True, figures=figures
            ),
        )
        self.post()
        assert self.balance("royal:pool") == before + MICROS  # 1% of 100.00, and no 0.50 again
        self.say("t3", messages.RoundCompleted, round=1, pot=10_000)  # it comes after all
        self.post()
        assert self.balance("royal:pool") == before + MICROS

    def _nine_clubs(self) -> None:
        fields = {"game": "omaha", "deck": 40, "dealer": "d", "seats_in_play": [1, 2, 3, 4]}
        self.say("t8", messages.SessionOpened, **fields)
        self.press("t8")
        self.report("t8", NINE_CLUBS)
        self.post()
        assert [self._prize(number) for number in (1, 2, 3)] == ["royal", "steel", "quads"]

    def _prize(self, number: int) -> str:
        tier = self.hit(number).tier
        assert tier is not None
        return tier.code

    def _three_claims(self) -> None:
        self.press("t3")
        self.report("t3", ROYAL_HAND)
        self.post()
        assert [self._prize(number) for number in (4, 5, 6)] == ["royal", "steel", "quads"]
        self.reject(4)
        for number in (1, 2, 3, 5, 6):
            self.confirm(number)
            self.pay(number)

    def _reversed_rejection(self) -> None:
        """Typed as folded by a slip and rejected; what the next hand won by that is paid. Then the
        unit corrects its report, and two others take the rejection back."""
        self.press("t3")
        self.call("t3")
        self.report("t3", ROYAL_HAND, folded=True)
        self.open("t7")
        self.press("t7")
        self.report("t7", ROYAL_HAND)
        self.post()
        assert [self._prize(number) for number in (7, 8, 9, 10)] == [
            *("royal", "royal", "steel", "quads")
        ]
        mine = self.hit(7).held
        self.reject(7)
        theirs = self.hit(8).held
        for number in (8, 9, 10):
            self.confirm(number)
            self.pay(number)
        self.report("t3", ROYAL_HAND)
        self.post()
        operator = self.balance("operator")
        proposal = wrong_rejections.propose(
            self.claim(7), self.person("sione"), reason="A slip", evidence="camera 12"
        )
        wrong_rejections.agree(proposal, Reauthenticated(self.person("david")))
        self.post()
        assert [self._prize(number) for number in (7, 11, 12)] == ["royal", "steel", "quads"]
        assert (self.hit(7).held, self.hit(8).held) == (mine, theirs)
        assert self.balance("operator") < operator
        for number in (7, 11, 12):
            self._confirm_by_others(number)
            self.pay(number)

    def _confirm_by_others(self, number: int) -> None:
        claim, anahera = self.claim(number), self.person("anahera")
        answers.answer(claim, anahera)
        claims.verify(claim, anahera)
        self.confirm_due(number)

    def _refused_adjustment(self) -> None:
        """Two take back all that the pool holds: the first does, the second is refused there."""
        tier = Tier.objects.select_related("system__casino").get(code="quads")
        pool = self.balance("quads:pool")
        proposed = [
            adjustments.propose(
                adjustments.PoolAdjustment(
                    tier,
                    into="pool",
                    source="operator",
                    amount=-pool,
                    reason="A05",
                    evidence="typed twice",
                    below_reset="the prize is closed tomorrow",
                ),
                self.person(first),
            )
            for first in ("anahera", "sione")
        ]
        for proposal in proposed:
            adjustments.agree(proposal, Reauthenticated(self.person("mere")))
        self.post()
        first, second = (
            commands.answer(self.system, proposal.decision.command or 0) for proposal in proposed
        )
        assert not first.refused
        assert second.refused
        assert self.balance("quads:pool") == 0


@pytest.fixture
def hard_evening(
    template_database: str, django_db_blocker: DjangoDbBlocker, tmp_path: Path
) -> Iterator[HardEvening]:
    with clone(template_database) as database, used_by_django(database, django_db_blocker):
        yield HardEvening(database.url, tmp_path)


@pytest.mark.postgres
def test_verifier_reconciliation_and_replay_agree(
    hard_evening: HardEvening, template_database: str
) -> None:
    assert reconcile(hard_evening.system).differences == []
    report = verify(hard_evening.url, UnitRecords(hard_evening.journals))
    assert report.ok, report.lines()
    name = f"{urlsplit(hard_evening.url).path[1:]}_again"
    administer("CREATE DATABASE {} TEMPLATE {}", name, template_database)
    try:
        output = StringIO()
        into = hard_evening.url.replace(f"/{name.removesuffix('_again')}", f"/{name}")
        call_command("replay", "--into", into, "--system", "main", stdout=output)
        assert "the same hashes and rows" in output.getvalue()
    finally:
        administer("DROP DATABASE {} WITH (FORCE)", name)
