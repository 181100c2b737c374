"""Judging a reported hand: which seats qualify for which tiers, and why (rule 19)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.bad_beat import BadBeat, BeatOutcome, ShownHand, settle
from rules.best import BestHand, best_hand
from rules.decks import DECKS, FULL_DECK, Deck
from rules.eligibility import (
    PENDING,
    Holding,
    beat_reason,
    player_reasons,
    round_reasons,
    tier_reasons,
)
from rules.faults import report_faults, seat_faults
from rules.games import FLOP_CARDS, GAMES, Game
from rules.hands import describe
from rules.layout import Layout, read_layout, remaining_by_suit
from rules.phrases import Phrase
from rules.reasons import Reason, fault
from rules.remarks import board_remarks, is_shown, pot_remarks
from rules.report import HandReport, ReportedSeat
from rules.tiers import TierTerms
from rules.wording import quoted

__all__ = ["Reason", "SeatVerdict", "Verdict", "judge", "remaining_by_suit"]


@dataclass(frozen=True, slots=True)
class SeatVerdict:
    """What one seat holds and what it qualifies for.

    >>> SeatVerdict(3, None, "", tiers=("royal",), pending=("royal",)).beats
    ()
    """

    seat: int
    hand: BestHand | None
    """None when the cards are unseen, faulty, or of a deck that no tier is played for with."""
    label: Phrase
    """The hand in words; empty without a hand."""
    tiers: tuple[str, ...]
    """The tiers for which the seat qualifies, in the order in which they were given."""
    pending: tuple[str, ...] = ()
    """Those of ``tiers`` that wait for a figure: the pot or the number of players (19.5)."""
    beats: tuple[str, ...] = ()
    """The bad beats in which the seat holds the hand that beat the losing one."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be said about a reported hand.

    >>> won = SeatVerdict(3, None, "royal flush", tiers=("royal", "house"))
    >>> [seat.seat for seat in Verdict((won,), (), faults=False).qualifying("house")]
    [3]
    """

    seats: tuple[SeatVerdict, ...]
    reasons: tuple[Reason, ...]
    faults: bool
    """The report is impossible as it stands: nothing qualifies until it is amended."""

    def qualifying(self, tier: str) -> tuple[SeatVerdict, ...]:
        """The seats that qualify for the tier; of a bad beat, the beaten ones."""
        return tuple(seat for seat in self.seats if tier in seat.tiers)


def judge(report: HandReport, tiers: Mapping[str, TierTerms], decimals: int = 2) -> Verdict:
    """Judge a report against the posted terms; whatever was typed, it gives reasons.

    Reasons come in the order: faults of the report, the round, the boards, then seat by seat.
    While a figure that the terms ask for is unknown the seat qualifies and is ``pending``, so
    that its place is kept. ``decimals`` are those of the currency, for the sentences.

    >>> from rules.terms import Category, Qualifying, Weakest
    >>> seat = ReportedSeat(3, ("Js", "Ts"), "yes", folded=False, participating=True, won_pot=True)
    >>> report = HandReport("holdem", 52, (("As", "Ks", "Qs", "2d", "2c"),), False, (seat,), 6, 100)
    >>> verdict = judge(report, {"royal": Qualifying(Weakest(Category.ROYAL_FLUSH))})
    >>> verdict.qualifying("royal")[0].label, verdict.reasons[0].rule
    ('royal flush', '19.5')
    """
    game, deck = GAMES.get(report.game), _deck(report, tiers)
    layout = read_layout(report, deck)
    faults = [*layout.faults, *(_unknown_game(report.game) if game is None else ())]
    barred = tuple(round_reasons(report, game, deck))
    remarks: tuple[Reason, ...] = ()
    hands: list[BestHand | None] = [None] * len(report.seats)
    if game is not None and deck is not None:
        hands = [_hand(report, game, deck, layout, place) for place in range(len(report.seats))]
    if game is not None and game.jackpot_eligible and deck is not None:
        faults.extend(report_faults(report, game, deck))
        remarks = (*board_remarks(report, game), *pot_remarks(report, hands))
    else:
        faults.extend(seat_faults(report))
    open_tiers = {} if faults or barred else tiers
    outcomes = _bad_beats(report, hands, open_tiers)
    seats: list[SeatVerdict] = []
    findings: list[Reason] = []
    for reported, hand in zip(report.seats, hands, strict=True):
        held = None if game is None or hand is None else Holding(report, game, reported, hand)
        seat, seat_reasons = _judge_seat(reported, held, open_tiers, outcomes, decimals)
        seats.append(seat)
        findings.extend(seat_reasons)
    return Verdict(tuple(seats), (*faults, *barred, *remarks, *findings), faults=bool(faults))


def _deck(report: HandReport, tiers: Mapping[str, TierTerms]) -> Deck | None:
    """The deck that was played with, if a tier is played for with it."""
    posted = {FULL_DECK.size}.union(*(terms.decks for terms in tiers.values()))
    return DECKS.get(report.deck) if report.deck in posted else None


def _unknown_game(code: str) -> tuple[Reason, ...]:
    """Word the fault of a game that is not one of the rule book's."""
    text = Phrase(
        "The game %(game)s is not known. Name the game dealt and amend the report.",
        game=quoted(code),
    )
    return (fault("19.7(a)", "unknown_game", text),)


def _hand(
    report: HandReport, game: Game, deck: Deck, layout: Layout, place: int
) -> BestHand | None:
    """The best hand of a reported seat, if all its cards are there and could be read."""
    texts, hole = report.seats[place].hole, layout.holes[place]
    board_texts = report.boards[0] if report.boards else ()
    board = layout.boards[0] if layout.boards else ()
    if len(hole) < len(texts) or len(board) < len(board_texts):
        return None
    if len(hole) not in game.hole_card_counts(len(board), report.flop_on_request):
        return None
    if (len(hole), len(board)) not in game.shapes:
        return None
    if len({*hole, *board}) < len(hole) + len(board):
        return None
    return best_hand(game, hole, board[:FLOP_CARDS] if report.flop_on_request else board, deck)


def _bad_beats(
    report: HandReport, hands: Sequence[BestHand | None], tiers: Mapping[str, TierTerms]
) -> dict[str, BeatOutcome]:
    """Who was beaten by whom, for every bad beat among the tiers."""
    held = [
        ShownHand(reported.seat, hand, eligible=reported.participating)
        for reported, hand in zip(report.seats, hands, strict=True)
        if hand is not None and is_shown(reported)
    ]
    return {
        tier: settle(terms, held) for tier, terms in tiers.items() if isinstance(terms, BadBeat)
    }


def _judge_seat(
    reported: ReportedSeat,
    held: Holding | None,
    tiers: Mapping[str, TierTerms],
    outcomes: Mapping[str, BeatOutcome],
    decimals: int,
) -> tuple[SeatVerdict, tuple[Reason, ...]]:
    """Judge one seat: the player first, then his hand against each tier."""
    reasons = list(player_reasons(reported))
    met: list[str] = []
    pending: list[str] = []
    beats: list[str] = []
    if held is not None and not any(reason.against for reason in reasons):
        for tier, terms in tiers.items():
            outcome = outcomes.get(tier)
            if outcome is not None and reported.seat in outcome.beaters:
                beats.append(tier)
                reasons.append(beat_reason(held, tier, outcome.losers))
                continue
            hand_reasons = tier_reasons(
                held, tier, terms, _shortfall(held, terms, outcome), decimals
            )
            reasons.extend(hand_reasons)
            if not any(reason.against for reason in hand_reasons):
                met.append(tier)
                if any(reason.code in PENDING for reason in hand_reasons):
                    pending.append(tier)
    hand = held.hand if held is not None else None
    label = describe(hand.value) if hand is not None else Phrase.joined([])
    verdict = SeatVerdict(reported.seat, hand, label, tuple(met), tuple(pending), tuple(beats))
    return verdict, tuple(reasons)


def _shortfall(held: Holding, terms: TierTerms, outcome: BeatOutcome | None) -> Phrase | None:
    """What the hand lacks for the tier; None if nothing."""
    if isinstance(terms, BadBeat):
        return None if outcome is None else outcome.shortfalls.get(held.seat.seat)
    return terms.shortfall(held.hand)
