"""Two managers act at once on one claim, step after step; the reference is `play.desk`.

Each step is two real actions of two people over two connections, beside a writer that may come
between them, while rounds go on. Whatever comes of it must be what comes of one action after the
other, in one order or the other: who was refused, each payment, every account. Five thousand
actions and more in CI, a fifth of them in `make test`, in parts; HYPOTHESIS_EXAMPLES=250 makes
a longer run of each part (100 steps an example).
"""

import json
import os
import random
import threading
from collections import Counter
from collections.abc import Callable
from functools import partial
from math import ceil
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule
from pytest_django import Settings

from jackpot.terms.money import MICROS
from settlement.approvals import proposals
from settlement.audit.reconciliation import reconcile
from settlement.claims import services as claims
from settlement.claims.decisions import reversals, wrong_rejections
from settlement.core.errors import RuleBroken
from settlement.models import Claim, Proposal
from settlement.payments import services as payments
from settlement.people.rights.permissions import Reauthenticated
from tables.process.prepared_statements import prepared_cursor
from tests.support.people.cast import ALL_YES, REASON
from tests.support.people.roles import acting_as
from tests.support.people.staff import DeskHouse, Staff
from tests.support.play.models.desk import APART, Desk, Press, outcomes
from tests.support.play.models.reference_model import Pencil, Terms
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.run_length import IS_WHOLE, share
from tests.support.suite.steps import Record, count
from verifier import verify

PEOPLE = ("ana", "ben", "cleo", "dan", "eve", "finn")
KINDS = (
    *("verify", "confirm", "propose_rejection", "withdraw_rejection", "second_rejection"),
    *("pay", "withhold", "release", "propose_forfeit", "propose_reversal"),
    "reverse_rejection",  # proposes it
)
ON_PROPOSALS = ("agree", "withdraw")
MONEY = ("royal:pool", "royal:held", "operator", "rounding", "payable", "paid_cash")
TABLES = ("t3", "t7")
PER_ROUND = MICROS // 2
PARTS = 2  # each with a database of its own, for as many processes
STEPS = share(2_500) // PARTS  # of each, or more: five thousand actions in CI, two at once
STEPS_OF_ONE = 100
IDLE = 2
EXAMPLES = int(os.environ.get("HYPOTHESIS_EXAMPLES") or ceil(STEPS / STEPS_OF_ONE))
_SEEDS = st.integers(0, 2**32)
_ROUNDS = st.sampled_from([0, 0, 0, 1, 2])
_BESIDE = st.sampled_from(["", "", "", "", "stands", "falls"])
# All at one moment.
_STATE = """
    SELECT jsonb_build_array(
        (SELECT to_jsonb(h) FROM jackpot_hit h
         WHERE (h.system_id, h.number) = (%(system)s, %(number)s)),
        (SELECT coalesce(jsonb_object_agg(username, kinds), '{}') FROM (
            SELECT u.username, jsonb_agg(a.kind) AS kinds FROM settlement_claim k
            JOIN settlement_action a ON a.claim_id = k.id AND a.kind = ANY(%(apart)s)
            JOIN auth_user u ON u.id = a.person_id
            WHERE (k.system_id, k.number) = (%(system)s, %(number)s) GROUP BY u.username) did),
        (SELECT coalesce(jsonb_agg(jsonb_build_array(
                p.id, replace(p.kind, 'reverse_claim', 'reversal'), u.username,
                coalesce(p.body -> 'line', '0'), d.id IS NULL) ORDER BY p.id), '[]')
         FROM settlement_proposal p JOIN auth_user u ON u.id = p.person_id
         LEFT JOIN settlement_proposaldecision d ON d.proposal_id = p.id
         WHERE p.system_id = %(system)s AND p.body -> 'hit' = to_jsonb(%(number)s::bigint)),
        (SELECT jsonb_object_agg(code, balance) FROM jackpot_account
         WHERE system_id = %(system)s),
        (SELECT coalesce(jsonb_agg(command), '[]') FROM jackpot_entry
         WHERE (system_id, hit) = (%(system)s, %(number)s) AND outcome ? 'refused'))::text
"""


class TwoManagers(RuleBasedStateMachine):
    """Claims in pairs, the second of which is worked on by people who may do everything."""

    staff: ClassVar[Staff]
    counts: ClassVar[Counter[str]]

    def __init__(self) -> None:
        super().__init__()
        self.house = DeskHouse(self.staff)
        terms = self.house.system.terms.get().document["tiers"][0]
        self.desk = Desk(Pencil(Terms(terms["payable_unit"], terms["reset"], 10_000)))
        self.proposed: list[int] = []  # their keys in the database, in the order of the desk's
        self.steps = 0
        self.idle = 0  # pairs of actions, one after the other, that were all refused
        for table in TABLES:
            self.house.open(table)

    @initialize(before=st.integers(1, 4), after=st.integers(1, 4))
    def first_hits(self, before: int, after: int) -> None:
        self.two_hits(before, after)

    def two_hits(self, before: int, after: int) -> None:
        for number, (table, rounds) in enumerate(
            zip(TABLES, (before, after), strict=True), self.desk.number - 1
        ):
            self.play(table, rounds)
            self.house.call(table)
            self.house.report(table)
            self.desk.pencil.timeline.append(("hit", number))
        self.house.post()
        claims.catch_up(self.house.system)
        claims_with_casino = Claim.objects.select_related("system__casino")
        self.claim = claims_with_casino.get(system=self.house.system, number=self.desk.number)
        claims.answer_checklist(self.claim, self.staff.users["ana"], ALL_YES, {})
        self.compare()

    def play(self, table: str, rounds: int) -> None:
        for _ in range(rounds):
            self.house.press(table)
        self.desk.pencil.timeline.append(("contribution", "operator", "pool", rounds * PER_ROUND))

    @rule(seed=_SEEDS, rounds=_ROUNDS, beside=_BESIDE)
    def at_once(self, seed: int, rounds: int, beside: str) -> None:
        self.go_on(rounds, beside)
        self.two_press(seed, between=False)

    @rule(seed=_SEEDS, rounds=_ROUNDS, beside=_BESIDE)
    def at_once_beside_the_writer(self, seed: int, rounds: int, beside: str) -> None:
        self.go_on(rounds, beside)
        self.two_press(seed, between=True)

    def go_on(self, rounds: int, beside: str) -> None:
        """What others do: rounds are played, the first claim is decided; in the end two come. So it
        is, too, where nothing could be done for a while."""
        self.play("t3", rounds)
        goes_on = beside or self.idle >= IDLE
        if goes_on and self.desk.first_is_open:
            self.decide_the_first(stands=beside != "falls")
        elif goes_on and self.desk.is_over:
            self.desk = self.desk.next_pair()
            self.two_hits(1, 1 + rounds)

    def decide_the_first(self, *, stands: bool) -> None:
        """What it adds to ours is a supplement."""
        first = self.desk.number - 1
        held = self.house.hit(first).held
        if stands:
            payees = [{"seat": 3, "amount": held}]
            body: dict[str, Any] = {"hit": first, "amount": held, "payees": payees}
            assert not self.house.decide("confirm_claim", with_actions=True, **body).refused
        else:
            body = {"hit": first, **REASON}
            assert not self.house.decide("reject_claim", with_actions=True, **body).refused
        self.desk.decide_first(held if stands else None)
        self.compare()

    def two_press(self, seed: int, *, between: bool) -> None:
        """What is pressed follows from the seed and from how things stand: who wins a race is not
        Hypothesis's to say, so it draws nothing that depends on it."""
        self.steps += 1
        dice = random.Random(f"{seed}, step {self.steps}")
        ann, bob = dice.sample(PEOPLE, 2)
        presses = (self.press(dice, ann), self.press(dice, bob))
        met = threading.Barrier(2)
        futures = [self.staff.people.submit(self.carry_out, met, press) for press in presses]
        if between:
            self.house.posting()
        answers = dict(zip(presses, (each.result() for each in futures), strict=True))
        self.house.post()
        state, declined = self.recorded_state()
        effects = {
            press
            for press, answer in answers.items()
            if answer is not None and getattr(answer, "number", None) not in declined
        }
        ways = outcomes(self.desk, presses)
        right = [after for after, did in ways if did == effects and self.says(after) == state]
        assert right, (
            f"{presses[0]} and {presses[1]} came to {sorted(map(str, effects))}, {state}; one after"
            f" the other they come to"
            f" {[(sorted(map(str, did)), self.says(after)) for after, did in ways]}"
        )
        self.desk = right[0]
        self.counts.update(press.kind for press in effects)
        self.idle = 0 if effects else self.idle + 1

    def compare(self) -> None:
        (state, _), says = self.recorded_state(), self.says(self.desk)
        assert state == says, f"{state}, and by the desk {says}"

    def press(self, dice: random.Random, who: str) -> Press:
        """What this person presses: mostly what may be done, sometimes anything."""
        lines = self.desk.lines
        line = dice.randint(1, len(lines) or 1)
        rest = lines[line - 1].rest if lines else 0
        due = self.desk.due if self.desk.state not in ("rejected", "reversed") else 0
        every: list[Press] = []
        for kind in KINDS:
            amount = {"confirm": due, "pay": dice.choice((rest, rest // 2))}
            about = line if kind in ("pay", "withhold", "release", "propose_forfeit") else 0
            every.append(Press(kind, who, about, amount.get(kind, 0)))
        for at in range(len(self.desk.proposals)):
            every += [Press(kind, who, proposal=at) for kind in ON_PROPOSALS]
        likely = [press for press in every if self.desk.may(press)]
        return dice.choice(likely if likely and dice.random() < 0.8 else every)

    def carry_out(self, met: threading.Barrier, press: Press) -> Any:
        """What the console answers; None where it refused at the desk."""
        action = self.service(press)
        met.wait()
        try:
            return action()
        except RuleBroken:
            return None

    def service(self, press: Press) -> Callable[[], Any]:
        claim, user = self.claim, self.staff.users[press.who]
        again = Reauthenticated(user)
        if press.kind in ON_PROPOSALS:
            with_people = Proposal.objects.select_related("system__casino", "person", "decision")
            proposal = with_people.get(pk=self.proposed[press.proposal])
            if press.kind == "withdraw":
                return partial(proposals.withdraw, proposal, user, "It was wrong")
            agree: Any = {
                Proposal.Kind.FORFEIT: payments.agree_forfeit,
                Proposal.Kind.REVERSE_CLAIM: reversals.agree,
                Proposal.Kind.REVERSE_REJECTION: wrong_rejections.agree,
            }[Proposal.Kind(proposal.kind)]
            return partial(agree, proposal, again)
        parts = {"cash": press.amount}
        ways: dict[str, Callable[[], Any]] = {
            "verify": partial(claims.verify, claim, user),
            "confirm": partial(claims.confirm, claim, again, press.amount),
            "propose_rejection": partial(claims.propose_rejection, claim, user, **REASON),
            "withdraw_rejection": partial(claims.withdraw_rejection, claim, user, note="No"),
            "second_rejection": partial(claims.second_rejection, claim, again),
            "pay": partial(claims.pay, claim, Reauthenticated(user), press.line, parts),
            "withhold": partial(payments.withhold, claim, user, press.line, "No passport"),
            "release": partial(payments.release, claim, user, press.line, "Here it is"),
            "propose_forfeit": partial(
                payments.propose_forfeit, claim, user, press.line, "Barred by law"
            ),
            "propose_reversal": partial(
                reversals.propose, claim, user, reason="R13", evidence="Camera 4", recovered={}
            ),
            "reverse_rejection": partial(
                wrong_rejections.propose, claim, user, reason="A slip", evidence="Camera 4"
            ),
        }
        return ways[press.kind]

    def recorded_state(self) -> tuple[Any, list[int]]:
        """What the database says of the claim, of who did what, and of the money; and the commands
        on the claim that the writer declined."""
        names = {"system": self.house.system.pk, "number": self.desk.number, "apart": [*APART]}
        with prepared_cursor() as cursor:
            ((document,),) = cursor.execute(_STATE, names)
        hit, did, proposed, balances, declined = json.loads(document)
        lines = [(line["amount"], line["parts"]["cash"], line["state"]) for line in hit["payees"]]
        self.proposed = [key for key, *_ in proposed]
        assert sum(balances.values()) == 0
        money = {name: balances.get(name, 0) for name in MONEY}
        people = {who: set(kinds) for who, kinds in did.items()}
        open_or_not = [tuple(each) for _, *each in proposed]
        claim = (hit["state"], hit["confirmed"], lines, people, open_or_not)
        return (claim, money), declined

    def says(self, desk: Desk) -> Any:
        """The same, as the desk has it."""
        money = {**desk.pencil.play(), "payable": desk.payable, "paid_cash": desk.paid}
        return (desk.expected_state(), {name: money.get(name, 0) for name in MONEY})

    def teardown(self) -> None:
        self.house.close()
        claims.catch_up(self.house.system)
        with acting_as("worker"):
            assert reconcile(self.house.system).differences == []


@pytest.mark.parametrize("part", range(1, PARTS + 1))
def test_two_managers_at_once(
    fresh_database: FreshDatabase, settings: Settings, record_property: Record, part: int
) -> None:
    settings.CLAIM_WAIT_S = 0
    TwoManagers.staff, TwoManagers.counts = Staff(*PEOPLE, "mere", "david"), Counter()
    step_count, examples = 0, EXAMPLES
    try:
        while step_count < STEPS:
            step_count += count(TwoManagers, _like(examples))
            examples = ceil((STEPS - step_count) / STEPS_OF_ONE)
    finally:
        TwoManagers.staff.close()
    if IS_WHOLE:
        assert {*TwoManagers.counts} == {*KINDS, *ON_PROPOSALS}, "not everything came about"
    report = verify(fresh_database.url)
    assert report.ok, report.lines()
    record_property("steps", f"TwoManagers, part {part}: {step_count:,}")


def _like(examples: int) -> settings:
    return settings(
        max_examples=examples,
        stateful_step_count=STEPS_OF_ONE,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
