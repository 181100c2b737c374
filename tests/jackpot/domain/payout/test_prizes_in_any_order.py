"""Hands for several prizes in any order, against the pencil and against the verifier's own fold.

Two prizes, each hand wins each that it qualifies for. A state machine calls, reports, amends,
completes below and above a minimum pot, rejects and confirms; after each step every account is
what the pencil makes of the claims at their places, and the verifier, which shares no code, says
the same of every claim and every account.
"""

from dataclasses import dataclass, field
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from jackpot.domain.payout.competing_claims import CompetingClaims
from jackpot.domain.payout.payout_bounds import bounds_of
from jackpot.domain.state.books import Hit
from jackpot.terms.money import MICROS
from tests.support.cases.claims.several_prizes import BOARD, each_terms
from tests.support.play.models.reference_model import Terms, Till
from tests.support.proof.verified_books import Witnessed
from tests.support.suite.run_length import examples
from tests.support.suite.steps import Record, run
from verifier.fold.claims.payout_bounds import bounds

RESET = {"royal": 20 * MICROS, "steel": 8 * MICROS}
GIVES = {"royal": 510_003, "steel": 70_001}
MINIMUM = 2000  # the pot that the royal flush asks for, cents
# What the table sees: the hole cards, and the prizes that they win if the pot is high enough.
HANDS = {
    "As Ks": {"royal", "steel"},
    "9s 8s": {"steel"},
    "2h 4h": set[str](),
    "As Xs": set[str](),
}
TABLES = ("t0", "t1", "t2")
tables = st.sampled_from(TABLES)
holes = st.sampled_from(sorted(HANDS))
nth = st.integers(0, 7)


def terms() -> list[dict[str, Any]]:
    """One jackpot, of which a hand wins each prize."""
    document = each_terms()
    for tier in document["tiers"]:
        code = tier["code"]
        tier |= {"reset": RESET[code], "share": 7_500}
        tier["increments"] = [{"source": "per_round", "amount": GIVES[code]}]
    royal = document["tiers"][0]
    royal["qualifying"] = {**royal["qualifying"], "pot_min_minor": MINIMUM}
    return [document]


def two_jackpots() -> list[dict[str, Any]]:
    """Each prize in a jackpot of its own, at the same tables."""
    (both,) = terms()
    return [
        {**both, "code": tier["code"], "hand_wins": "highest", "tiers": [tier]}
        for tier in both["tiers"]
    ]


def the_highest() -> list[dict[str, Any]]:
    """One jackpot, of which a hand wins the highest prize alone."""
    return [{**document, "hand_wins": "highest"} for document in terms()]


def one_minimum() -> list[dict[str, Any]]:
    """The same, where both prizes ask for that pot: below it a hand wins nothing."""
    (document,) = the_highest()
    for tier in document["tiers"]:
        tier["qualifying"] = {**tier["qualifying"], "pot_min_minor": MINIMUM}
    return [document]


@dataclass
class Held:
    """A claim as the pencil has it: for which prize, how it stands, where it acts."""

    tier: str | None
    at: int
    stands: str = "open"  # open, withdrawn, rejected or confirmed


@dataclass
class Hand:
    place: int
    claims: list[Held]
    is_highest: bool  # it wins the highest prize alone
    asks: set[str]  # the prizes that ask for the minimum pot
    cards: str | None = None
    pot: int | None = None
    is_complete: bool = False

    def won(self) -> list[str]:
        prizes = HANDS[self.cards or "2h 4h"]
        if self.pot is not None and self.pot < MINIMUM:
            prizes = prizes - self.asks
        if self.is_highest and prizes:
            granted = [claim.tier for claim in self.claims if claim.stands == "confirmed"]
            return [tier for tier in granted if tier] or sorted(prizes)[:1]
        return sorted(prizes)


@dataclass
class Paper:
    """What happened, and who claims what."""

    fed: list[tuple[int, str, int]] = field(default_factory=list)
    hands: dict[tuple[str, int], Hand] = field(default_factory=dict)
    numbers: list[Held] = field(default_factory=list)  # by the claim's number

    def claims(self) -> list[Held]:
        return [claim for hand in self.hands.values() for claim in hand.claims]

    def stand(self, tier: str) -> list[Held]:
        standing_claims = (c for c in self.claims() if c.stands in ("open", "confirmed"))
        return [claim for claim in standing_claims if claim.tier == tier]

    def mend(self, hand: Hand, seq: int) -> None:
        """The undecided claims of a hand follow what it wins."""
        won = hand.won()
        if not won:
            return
        decided = {c.tier for c in hand.claims if c.stands in ("rejected", "confirmed")}
        lacking = [
            tier
            for tier in won
            if tier not in decided
            and not any((c.tier, c.stands) == (tier, "open") for c in hand.claims)
        ]
        wrong = [c for c in hand.claims if c.stands == "open" and c.tier not in won]
        wrong += [
            c for c in hand.claims if c.stands == "open" and c.tier in decided and c not in wrong
        ]
        for tier in lacking:
            resting = [c for c in hand.claims if (c.tier, c.stands) == (tier, "withdrawn")]
            if resting:
                claim = resting[0]
            elif wrong:
                claim = wrong.pop(0)
            else:
                claim = Held(tier, hand.place, "withdrawn")
                hand.claims.append(claim)
                self.numbers.append(claim)
            if claim.stands == "withdrawn":
                undecided = [c.at for c in self.claims() if c.stands == "open"]
                if claim.at < min(undecided, default=seq):
                    claim.at = seq
            later = [c for c in self.stand(tier) if c.at > claim.at and c.stands == "confirmed"]
            if later:
                claim.at = seq
            claim.tier, claim.stands = tier, "open"
        for claim in wrong:
            claim.stands = "withdrawn"

    def play(self) -> dict[str, int]:
        """Every account, from the start; and what each claim holds, by its number."""
        accounts = dict.fromkeys(("operator", "rounding"), 0)
        for tier in ("royal", "steel"):
            till = Till(Terms(MICROS, RESET[tier], 7_500))
            steps = [(seq, 0, amount) for seq, code, amount in self.fed if code == tier]
            numbers = {id(claim): n for n, claim in enumerate(self.numbers, 1)}
            steps += [(claim.at, 1, numbers[id(claim)]) for claim in self.stand(tier)]
            for _, is_hit, what in sorted(steps):
                if is_hit:
                    till.hit(what, counts_display=False)
                else:
                    till.contribution("operator", "pool", what)
            accounts |= {f"{tier}:{kind}": amount for kind, amount in till.has.items()}
            for source, amount in till.sources.items():
                accounts[source] += amount
            open_ones = [n for n in till.held if self.numbers[n - 1].stands == "open"]
            accounts[f"{tier}:held"] = sum(till.held[n] for n in open_ones)
            accounts |= {f"claim {n}": amount for n, amount in till.held.items()}
        return accounts


class Night(RuleBasedStateMachine):
    """Three tables, two prizes, and what dealers and people do about hands."""

    documents = staticmethod(terms)
    is_highest = False
    asks = {"royal"}  # noqa: RUF012 never changed

    def __init__(self) -> None:
        super().__init__()
        self.floor = Witnessed(*self.documents())
        self.paper = Paper()
        self.safe: dict[tuple[int, str], int] = {}

    @initialize()
    def open_tables(self) -> None:
        for table in TABLES:
            self.floor.open(table)
            self.press(table)

    @property
    def seq(self) -> int:
        return self.floor.books.seq

    @rule(table=tables)
    def press(self, table: str) -> None:
        self.floor.press(table)
        self.paper.fed += [(self.seq, tier, amount) for tier, amount in GIVES.items()]

    @rule(table=tables, tier=st.sampled_from(["royal", "steel", None]))
    def call(self, table: str, tier: str | None) -> None:
        key = (table, self.floor.rounds[table])
        outcome = self.floor.call(table, tier)
        if key in self.paper.hands:
            assert outcome["flags"] == ["repeat"]
            return
        self.opened(key, tier)

    def opened(self, key: tuple[str, int], tier: str | None) -> Hand:
        claim = Held(tier, self.seq)
        self.paper.numbers.append(claim)
        self.paper.hands[key] = Hand(self.seq, [claim], self.is_highest, self.asks)
        return self.paper.hands[key]

    @rule(table=tables, hole=holes)
    def report(self, table: str, hole: str) -> None:
        """The first report of a hand, or an amendment by the dealer."""
        key = (table, self.floor.rounds[table])
        hand = self.paper.hands.get(key)
        is_first = hand is None or hand.cards is None
        outcome = self.floor.report(table, hole, BOARD, seats_dealt=[1, 2, 3])
        if hand is None:
            hand = self.opened(key, None)
        if all(claim.stands in ("rejected", "confirmed") for claim in hand.claims):
            assert outcome["flags"] == ["after_decision"]
            return
        hand.cards = hole
        is_other = self.is_highest and hand.claims[0].tier == "steel" and "royal" in HANDS[hole]
        if not is_first or is_other:
            self.safe.clear()  # an amendment, also of the call, may move it to another prize
        self.paper.mend(hand, self.seq)

    @precondition(lambda self: self.claims("held", "withdrawn"))
    @rule(which=nth, hole=holes)
    def amend(self, which: int, hole: str) -> None:
        hit = self.pick(("held", "withdrawn"), which)
        seat = {"seat": 3, "hole": hole.split(), "exposed": "yes", "folded": False}
        seat |= {"participating": True, "won_pot": True}
        report = {"boards": [BOARD.split()], "hands": [seat], "seats_dealt": [1, 2, 3]}
        self.floor.decide("amend_hand", hit=hit.number, report=report)
        hand = self.paper.hands[hit.table, hit.round]
        hand.cards = hole
        self.safe.clear()
        self.paper.mend(hand, self.seq)

    @rule(table=tables, pot=st.sampled_from([MINIMUM - 1, MINIMUM]))
    def complete(self, table: str, pot: int) -> None:
        key = (table, self.floor.rounds[table])
        hand = self.paper.hands.get(key)
        if hand is None or hand.is_complete:
            return
        self.floor.complete(table, pot=pot)
        hand.pot, hand.is_complete = pot, True
        if hand.cards and any(claim.stands in ("open", "withdrawn") for claim in hand.claims):
            self.paper.mend(hand, self.seq)

    @precondition(lambda self: self.claims("held"))
    @rule(which=nth)
    def reject(self, which: int) -> None:
        hit = self.pick(("held",), which)
        self.floor.decide("reject_claim", hit=hit.number, reason="R12", evidence="", affected=True)
        self.paper.numbers[hit.number - 1].stands = "rejected"

    @precondition(lambda self: self.claims("held"))
    @rule(which=nth)
    def confirm(self, which: int) -> None:
        hit = self.pick(("held",), which)
        hand = self.paper.hands[hit.table, hit.round]
        if hit.tier is None or hit.tier not in hand.won() or hand.pot is None:
            return
        payout_bounds = bounds_of(self.floor.books, hit)
        if payout_bounds.waits_for or not payout_bounds.due:
            return  # supplements are the business of `test_order_decides_money`
        outcome = self.floor.decide(
            "confirm_claim",
            hit=hit.number,
            amount=payout_bounds.due,
            payees=[{"seat": 3, "amount": payout_bounds.due}],
        )
        assert outcome.get("confirmed") == payout_bounds.due, outcome
        self.paper.numbers[hit.number - 1].stands = "confirmed"

    @invariant()
    def every_account_is_what_paper_and_verifier_say(self) -> None:
        books, paper_balances = self.floor.books, self.paper.play()
        kinds = [f"{t}:{k}" for t in GIVES for k in ("pool", "reserve", "overflow", "held")]
        for account in ("operator", "rounding", *kinds):
            assert books.balances[account] == paper_balances.get(account, 0), account
        for account, balance in books.balances.items():
            assert self.floor.witness.balances[account] == balance, account
        assert sum(books.balances.values()) == 0

    @invariant()
    def each_claim_is_where_the_paper_has_it(self) -> None:
        paper_balances = self.paper.play()
        stands = {"held": "open", "withdrawn": "withdrawn", "rejected": "rejected"}
        for hit in self.floor.books.hits.values():
            claim = self.paper.numbers[hit.number - 1]
            ours = (hit.tier, hit.acts_at, stands.get(hit.state, "confirmed"))
            assert ours == (claim.tier, claim.at, claim.stands)
            assert hit.held == paper_balances.get(f"claim {hit.number}", 0)
            witness = self.floor.witness.hits[hit.number]
            assert (witness.tier, witness.acts_at) == ours[:2]
            assert (witness.state, witness.held) == (hit.state, hit.held)
        for hand in self.paper.hands.values():
            prizes = [claim.tier for claim in hand.claims]
            assert len(set(prizes)) == len(prizes)  # one claim for each prize

    @invariant()
    def a_safe_amount_falls_by_an_amendment_alone(self) -> None:
        for hit in self.floor.books.hits.values():
            if hit.state == "held" and hit.tier is not None:
                payout_bounds = bounds_of(self.floor.books, hit)
                witness = self.floor.witness.hits[hit.number]
                assert (payout_bounds.safe, payout_bounds.most) == bounds(
                    self.floor.witness, witness
                )
                assert payout_bounds.safe >= self.safe.get((hit.number, hit.tier), 0)
                self.safe[hit.number, hit.tier] = payout_bounds.safe

    def claims(self, *states: str) -> list[Hit]:
        return [hit for hit in self.floor.books.hits.values() if hit.state in states]

    def pick(self, states: tuple[str, ...], which: int) -> Hit:
        claims = self.claims(*states)
        return claims[which % len(claims)]


class TwoJackpots(Night):
    """The same, where each prize is of another jackpot."""

    documents = staticmethod(two_jackpots)


class TheHighest(Night):
    """The same, where a hand wins the highest prize alone."""

    documents = staticmethod(the_highest)
    is_highest = True


class OneMinimum(TheHighest):
    """The same, where one minimum is posted for both prizes: nobody waits for a higher claim."""

    documents = staticmethod(one_minimum)
    asks = {"royal", "steel"}  # noqa: RUF012 never changed

    @invariant()
    def a_higher_claim_is_before_no_lower_one(self) -> None:
        for hit in self.claims("held"):
            competing_claims = (
                CompetingClaims(self.floor.books).before(hit) if hit.tier == "steel" else []
            )
            assert all(other.tier != "royal" for other in competing_claims)


EXAMPLES = examples(120)
LIKE_THIS = settings(
    max_examples=EXAMPLES,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def test_a_night_in_any_order(record_property: Record) -> None:
    run(Night, LIKE_THIS, record_property)


def test_a_night_of_two_jackpots(record_property: Record) -> None:
    run(TwoJackpots, settings(LIKE_THIS, max_examples=EXAMPLES // 3), record_property)


def test_a_night_of_the_highest_prize_alone(record_property: Record) -> None:
    run(TheHighest, LIKE_THIS, record_property)


def test_a_night_of_one_minimum(record_property: Record) -> None:
    run(OneMinimum, settings(LIKE_THIS, max_examples=EXAMPLES // 2), record_property)
