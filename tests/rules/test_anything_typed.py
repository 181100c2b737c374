"""Whatever a dealer types, the answer is a verdict with reasons, never an error."""

import dataclasses

from hypothesis import given
from hypothesis import strategies as st

from rules.bad_beat import BadBeat
from rules.dead_hands import DEAD_HANDS, MISDEALS
from rules.decks import FULL_DECK
from rules.games import GAMES
from rules.hands import Category
from rules.high_hand import HighHand
from rules.report import HandReport, ReportedSeat
from rules.terms import Weakest
from rules.tiers import TierTerms
from rules.verdict import judge, remaining_by_suit
from tests.support.play.rules.rules_floor import FOURS, HOUSE, ROYAL, best_tier

SHORT = dataclasses.replace(FOURS, decks=(40, 36, 32), flop_seen=True)
BEAT = BadBeat(Weakest(Category.TWO_PAIR), Weakest(Category.TWO_PAIR), every_loser=True)
HIGH = HighHand(Weakest(Category.ONE_PAIR), 60, hole_cards_playing=1)
TIERS: dict[str, TierTerms] = {
    "royal": ROYAL,
    "fours": FOURS,
    "house": HOUSE,
    "short": SHORT,
    "beat": BEAT,
    "high": HIGH,
}

card_texts = st.sampled_from([str(card) for card in FULL_DECK.cards]) | st.text(max_size=4)
hands = st.lists(card_texts, max_size=8).map(tuple)
numbers = st.integers(-(2**53), 2**53) | st.integers(-2, 12)
seats = st.builds(
    ReportedSeat,
    seat=numbers,
    hole=hands,
    exposed=st.sampled_from(["yes", "refused", "not_requested"]),
    folded=st.booleans(),
    participating=st.booleans(),
    won_pot=st.booleans(),
    dead=st.none() | st.sampled_from([*DEAD_HANDS, "", "?"]),
)
anything = st.builds(
    HandReport,
    game=st.sampled_from([*GAMES]) | st.text(max_size=10),
    deck=st.sampled_from([52, 40, 36, 32]) | numbers,
    boards=st.lists(hands, max_size=7).map(tuple),
    flop_on_request=st.booleans(),
    seats=st.lists(seats, max_size=12).map(tuple),
    players_dealt=st.none() | numbers,
    pot_minor=st.none() | numbers,
    round_void=st.booleans(),
    misdeal=st.none() | st.sampled_from([*MISDEALS, "", "?"]),
)


@st.composite
def nearly_right(draw):
    """A round as it could have been dealt, with a slip of the finger or none."""
    game = GAMES[draw(st.sampled_from(["holdem", "pineapple", "crazy_pineapple", "omaha"]))]
    deck = [str(card) for card in draw(st.permutations(FULL_DECK.cards))]
    board = tuple(deck.pop() for _ in range(draw(st.sampled_from([5, 5, 3, 4, 2, 6]))))
    holes = [
        tuple(deck.pop() for _ in range(game.hole_cards)) for _ in range(draw(st.integers(1, 4)))
    ]
    slip = draw(st.none() | card_texts)
    if slip is not None:
        holes[0] = (slip, *holes[0][1:])
    return HandReport(
        game=game.code,
        deck=draw(st.sampled_from([52, 52, 36])),
        boards=(board,),
        flop_on_request=draw(st.booleans()),
        seats=tuple(
            ReportedSeat(
                number, hole, "yes", folded=draw(st.booleans()), participating=True, won_pot=False
            )
            for number, hole in enumerate(holes, start=1)
        ),
        players_dealt=draw(st.none() | st.integers(1, 11)),
        pot_minor=draw(st.none() | st.integers(0, 10**6)),
    )


@given(anything | nearly_right())
def test_a_verdict_is_always_given(reported):
    verdict = judge(reported, TIERS)
    assert [each.seat for each in verdict.seats] == [each.seat for each in reported.seats]
    for reason in verdict.reasons:
        assert reason.text.endswith(".")
        assert reason.text.isprintable()
        assert reason.rule
        assert reason.code
    if verdict.faults:
        assert any(reason.against for reason in verdict.reasons)
        assert best_tier(verdict, [*TIERS]) is None


@given(anything | nearly_right())
def test_what_qualifies_has_a_reason_for_it_and_none_against(reported):
    verdict = judge(reported, TIERS)
    for each, reported_seat in zip(verdict.seats, reported.seats, strict=True):
        if not each.tiers:
            continue
        assert each.hand is not None
        assert reported_seat.participating
        assert not reported_seat.folded
        assert reported_seat.exposed != "refused"
        assert not reported.round_void
        for tier in each.tiers:
            reasons = [r for r in verdict.reasons if r.seat == each.seat and r.tier == tier]
            assert [r.code for r in reasons] == ["qualifies"]
            terms = TIERS[tier]
            if isinstance(terms, BadBeat):
                assert terms.losing.reached_by(each.hand.value)
            else:
                assert terms.shortfall(each.hand) is None
            assert reported.game in terms.games
            assert reported.deck in terms.decks


@given(nearly_right())
def test_whoever_is_beaten_is_beaten_by_somebody_higher(reported):
    verdict = judge(reported, TIERS)
    losers = [seat.hand.value for seat in verdict.qualifying("beat") if seat.hand]
    beaters = [seat.hand.value for seat in verdict.seats if "beat" in seat.beats and seat.hand]
    assert bool(losers) == bool(beaters)
    assert all(loser < beater for loser in losers for beater in beaters)
    assert not any({"beat"} <= {*seat.tiers} & {*seat.beats} for seat in verdict.seats)


@given(anything | nearly_right())
def test_what_remains_of_the_deck_is_always_said(reported):
    remaining = remaining_by_suit(reported)
    assert list(remaining) == (["s", "h", "d", "c"] if reported.deck in (52, 40, 36, 32) else [])


@given(nearly_right())
def test_the_same_report_has_the_same_verdict(reported):
    assert judge(reported, TIERS) == judge(reported, TIERS)
