"""Two managers act at once on one claim, step after step; the reference is `tests.settlement.desk`.

Each step is two real acts of two people over two connections, beside a writer that may come
between them. Whatever comes of it must be what comes of one act after the other, in one order or
the other: who was refused, each payment, every account. HYPOTHESIS_EXAMPLES=1000 makes a longer run
(50 steps each).
"""

import os
import random
import threading
import uuid
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from copy import deepcopy
from functools import partial
from typing import Any, ClassVar

from django.contrib.auth.models import Group, User
from django.db import connection
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
)
from pytest_django import Settings

from jackpot import commands
from jackpot.models import Account
from jackpot.money import MICROS
from settlement import claims, payments, proposals, reversals
from settlement.errors import RuleBroken
from settlement.models import Act, Claim, Proposal
from settlement.people import Reauthenticated
from settlement.reconciliation import reconcile
from settlement.roles import install_roles
from tests.databases import FreshDatabase
from tests.jackpot.books import royal_terms
from tests.jackpot.house import House
from tests.jackpot.pencil import Pencil, Terms
from tests.jackpot.steps import Record, run
from tests.roles import acting_as
from tests.settlement.cast import ALL_YES, REASON, ClaimHouse
from tests.settlement.desk import APART, OURS, Desk, Press, outcomes
from verifier import verify

PEOPLE = ("ana", "ben", "cleo", "dan", "eve", "finn")
KINDS = (
    *("verify", "confirm", "propose_rejection", "withdraw_rejection", "second_rejection"),
    *("pay", "withhold", "release", "propose_forfeit", "propose_reversal"),
)
ON_PROPOSALS = ("agree", "withdraw")
PER_ROUND = MICROS // 2
RUNS = 4  # at most, until everything came about


class Staff:
    """Threads with connections of their own: two people and the writer."""

    def __init__(self) -> None:
        self.people = ThreadPoolExecutor(2)
        self.writer = ThreadPoolExecutor(1)

    def close(self) -> None:
        met = threading.Barrier(2)
        ends = [self.people.submit(_leave, met) for _ in range(2)]
        for each in [*ends, self.writer.submit(_close)]:
            each.result()
        self.people.shutdown()
        self.writer.shutdown()


def _close() -> None:
    connection.close()  # that of the thread in which it is called


def _leave(met: threading.Barrier) -> None:
    met.wait()  # each thread takes one
    _close()


class DeskHouse(ClaimHouse):
    """A system of its own for each story; its writer has a thread of its own."""

    def __init__(self, staff: Staff) -> None:
        self.writer = staff.writer
        House.__init__(self, royal_terms(), code=f"main-{uuid.uuid4().hex[:12]}")

    def post(self) -> None:
        self.posting().result()

    def close(self) -> None:
        """The next story's writer takes its systems at once."""

        def leave() -> None:
            with acting_as("poster"):
                self.poster.give_up()

        self.writer.submit(leave).result()

    def posting(self) -> Future[None]:
        def write() -> None:
            with acting_as("poster"):
                super(DeskHouse, self).post()

        return self.writer.submit(write)


class TwoManagers(RuleBasedStateMachine):
    """One claim, the second of its tier, and people who may do everything."""

    staff: ClassVar[Staff]
    taken: ClassVar[set[str]]

    def __init__(self) -> None:
        super().__init__()
        self.house = DeskHouse(self.staff)
        terms = self.house.system.terms.get().document["tiers"][0]
        pencil = Pencil(Terms(terms["payable_unit"], terms["reset"], 10_000))
        self.desk = Desk(pencil)
        self.first_is_open = True
        self.steps = 0

    @initialize(before=st.integers(1, 4), after=st.integers(1, 4))
    def two_hits(self, before: int, after: int) -> None:
        for number, (table, rounds) in enumerate((("t3", before), ("t7", after)), 1):
            self.house.open(table)
            self.play(table, rounds)
            self.house.call(table)
            self.house.report(table)
            self.desk.pencil.story.append(("hit", number))
        self.house.post()
        claims.catch_up(self.house.system)
        found = Claim.objects.select_related("system__casino")
        self.claim = found.get(system=self.house.system, number=OURS)
        claims.answer_checklist(self.claim, _person("ana"), ALL_YES, {})

    def play(self, table: str, rounds: int) -> None:
        for _ in range(rounds):
            self.house.press(table)
            self.desk.pencil.story.append(("contribution", "operator", "pool", PER_ROUND))

    @rule(rounds=st.integers(1, 3))
    def rounds_go_on(self, rounds: int) -> None:
        self.play("t3", rounds)
        self.house.post()

    @precondition(lambda self: self.first_is_open)
    @rule(stands=st.booleans())
    def the_first_is_decided(self, stands: bool) -> None:
        """Beside the desk; what it adds to ours is a supplement."""
        self.first_is_open = False
        held = self.house.hit(1).held
        if stands:
            payees = [{"seat": 3, "amount": held}]
            body: dict[str, Any] = {"hit": 1, "amount": held, "payees": payees}
            assert not self.house.decide("confirm_claim", with_acts=True, **body).refused
            self.desk.pencil.confirmed[1] = held
        else:
            body = {"hit": 1, **REASON}
            assert not self.house.decide("reject_claim", with_acts=True, **body).refused
            self.desk.pencil.rejected.add(1)
        self.desk.first_decided()

    @rule(seed=st.integers(0, 2**32))
    def at_once(self, seed: int) -> None:
        self.two_press(seed, between=False)

    @rule(seed=st.integers(0, 2**32))
    def at_once_beside_the_writer(self, seed: int) -> None:
        self.two_press(seed, between=True)

    def two_press(self, seed: int, *, between: bool) -> None:
        """What is pressed follows from the seed and from how things stand: who wins a race is not
        Hypothesis's to say, so it draws nothing that depends on it."""
        self.steps += 1
        dice = random.Random(f"{seed}, step {self.steps}")
        ann, bob = dice.sample(PEOPLE, 2)
        presses = (self.press(dice, ann), self.press(dice, bob))
        met = threading.Barrier(2)
        given = [self.staff.people.submit(self.carry_out, met, press) for press in presses]
        if between:
            self.house.posting()
        answers = [each.result() for each in given]
        self.house.post()
        done = {
            press
            for press, answer in zip(presses, answers, strict=True)
            if answer is not None and not self.declined(answer)
        }
        ways = outcomes(self.desk, presses)
        said = self.told()
        right = [after for after, did in ways if did == done and self.says(after) == said]
        assert right, (
            f"{presses[0]} and {presses[1]} came to {sorted(map(str, done))}, {said}; one after"
            f" the other they come to"
            f" {[(sorted(map(str, did)), self.says(after)) for after, did in ways]}"
        )
        self.desk = right[0]
        self.taken.update(press.kind for press in done)

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
        likely = [press for press in every if deepcopy(self.desk).judge(press)]
        return dice.choice(likely if likely and dice.random() < 0.8 else every)

    def carry_out(self, met: threading.Barrier, press: Press) -> Any:
        """What the console answers; None where it refused at the desk."""
        act = self.service(press)
        met.wait()
        try:
            with acting_as("web"):
                return act()
        except RuleBroken:
            return None

    def service(self, press: Press) -> Callable[[], Any]:
        claim, user = self.claim, _person(press.who)
        again = Reauthenticated(user)
        if press.kind in ON_PROPOSALS:
            found = self.proposals()[press.proposal]
            if press.kind == "withdraw":
                return partial(proposals.withdraw, found, user, "It was wrong")
            agree: Any = {
                Proposal.Kind.FORFEIT: payments.agree_forfeit,
                Proposal.Kind.REVERSE_CLAIM: reversals.agree,
            }[Proposal.Kind(found.kind)]
            return partial(agree, found, again)
        parts = {"cash": press.amount}
        ways: dict[str, Callable[[], Any]] = {
            "verify": partial(claims.verify, claim, user),
            "confirm": partial(claims.confirm, claim, again, press.amount),
            "propose_rejection": partial(claims.propose_rejection, claim, user, **REASON),
            "withdraw_rejection": partial(claims.withdraw_rejection, claim, user, note="No"),
            "second_rejection": partial(claims.second_rejection, claim, again),
            "pay": partial(claims.pay, claim, user, press.line, parts),
            "withhold": partial(payments.withhold, claim, user, press.line, "No passport"),
            "release": partial(payments.release, claim, user, press.line, "Here it is"),
            "propose_forfeit": partial(
                payments.propose_forfeit, claim, user, press.line, "Barred by law"
            ),
            "propose_reversal": partial(
                reversals.propose, claim, user, reason="R13", evidence="Camera 4", recovered={}
            ),
        }
        return ways[press.kind]

    def proposals(self) -> list[Proposal]:
        found = Proposal.objects.filter(system=self.house.system).order_by("id")
        return list(found.select_related("system__casino", "person", "decision"))

    def declined(self, answer: Any) -> bool:
        if not isinstance(answer, commands.Answer):
            return False
        return bool(commands.answer(self.house.system, answer.number).refused)

    def told(self) -> Any:
        """What the database says of the claim, of who did what, and of the money."""
        hit = self.house.hit(OURS)
        lines = [(line["amount"], line["parts"]["cash"], line["state"]) for line in hit.payees]
        did: dict[str, set[str]] = {}
        acts = Act.objects.filter(claim=self.claim, kind__in=APART)
        for who, kind in acts.values_list("person__username", "kind"):
            did.setdefault(who, set()).add(kind)
        of = Account.objects.filter(system=self.house.system)
        balances = dict(of.values_list("code", "balance"))
        assert sum(balances.values()) == 0
        names = ("royal:pool", "royal:held", "operator", "rounding", "payable", "paid_cash")
        money = {name: balances.get(name, 0) for name in names}
        proposed = [
            (
                {"reverse_claim": "reversal"}.get(each.kind, each.kind),
                each.person.username,
                each.body.get("line", 0),
                not hasattr(each, "decision"),
            )
            for each in self.proposals()
        ]
        return ((hit.state, hit.confirmed, lines, did, proposed), money)

    def says(self, desk: Desk) -> Any:
        """The same, as the desk has it."""
        money = desk.pencil.play()
        ours = {name: money.get(name, 0) for name in ("royal:pool", "royal:held")}
        ours |= {name: money.get(name, 0) for name in ("operator", "rounding")}
        ours["payable"] = sum(line.rest for line in desk.lines)
        ours["payable"] += desk.pencil.confirmed.get(1, 0)
        ours["paid_cash"] = sum(line.paid for line in desk.lines)
        return (desk.told(), ours)

    def teardown(self) -> None:
        self.house.close()
        claims.catch_up(self.house.system)
        with acting_as("worker"):
            assert reconcile(self.house.system).differences == []


def _person(name: str) -> Any:
    return User.objects.get(username=name)


def test_two_managers_at_once(
    fresh_database: FreshDatabase, settings: Settings, record_property: Record
) -> None:
    settings.CLAIM_WAIT_S = 0
    install_roles()
    for name in PEOPLE:  # everybody may do everything: who may is another test's
        User.objects.create(username=name).groups.set(Group.objects.all())
    TwoManagers.staff, TwoManagers.taken = Staff(), set()
    try:
        for _ in range(RUNS):  # a few examples leave something out now and then
            run(TwoManagers, _SETTINGS, record_property)
            if TwoManagers.taken == {*KINDS, *ON_PROPOSALS}:
                break
    finally:
        TwoManagers.staff.close()
    assert TwoManagers.taken == {*KINDS, *ON_PROPOSALS}, "not everything came about"
    report = verify(fresh_database.url)
    assert report.ok, report.lines()


_SETTINGS = settings(
    max_examples=int(os.environ.get("HYPOTHESIS_EXAMPLES", "25")),
    stateful_step_count=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
