"""Whether a round, a player and his hand are eligible for a tier (rules 1.0, 19 and 20.1)."""

from collections.abc import Iterable
from dataclasses import dataclass

from rules.best import BestHand
from rules.dead_hands import DEAD_HANDS, MISDEALS
from rules.decks import DECKS, Deck
from rules.games import Game
from rules.hands import describe
from rules.phrases import Phrase
from rules.reasons import Reason
from rules.report import HandReport, ReportedSeat
from rules.tiers import TierTerms
from rules.wording import amount, series

PENDING = frozenset({"players_pending", "pot_pending"})
"""The codes of reasons that wait for a figure which the terms ask for."""


@dataclass(frozen=True, slots=True)
class Holding:
    """A player's best hand in a reported round, to be held against the terms of the tiers.

    >>> from rules.report import HandReport, ReportedSeat
    >>> seat = ReportedSeat(3, ("Js", "Ts"), "yes", folded=True, participating=True, won_pot=False)
    >>> board = ("As", "Ks", "Qs", "2d", "2c")
    >>> report = HandReport("holdem", 52, (board, board[:3]), False, (seat,), 6, 100)
    >>> from rules.best import best_hand
    >>> from rules.cards import parse_cards
    >>> from rules.games import GAMES
    >>> hand = best_hand(GAMES["holdem"], parse_cards(seat.hole), parse_cards(board))
    >>> held = Holding(report, GAMES["holdem"], seat, hand)
    >>> describe(held.hand.value)
    'royal flush'
    """

    report: HandReport
    game: Game
    seat: ReportedSeat
    hand: BestHand


def round_reasons(report: HandReport, game: Game | None, deck: Deck | None) -> Iterable[Reason]:
    """Yield what bars the whole round from the jackpot.

    >>> from rules.report import HandReport, ReportedSeat
    >>> seat = ReportedSeat(3, ("Js", "Ts"), "yes", folded=True, participating=True, won_pot=False)
    >>> board = ("As", "Ks", "Qs", "2d", "2c")
    >>> report = HandReport("holdem", 52, (board, board[:3]), False, (seat,), 6, 100)
    >>> from rules.games import GAMES
    >>> [reason.code for reason in round_reasons(report, GAMES["draw"], DECKS[52])]
    ['game_not_eligible']
    """
    if report.round_void:
        misdeal = MISDEALS.get(report.misdeal or "")
        void = Phrase("The round is void, so no hand of it can qualify. Reject the claim.")
        if misdeal:
            void = Phrase(
                "The round is void: %(misdeal)s, so no hand of it can qualify. Reject the claim.",
                misdeal=misdeal.text,
            )
        yield Reason(
            misdeal.rule if misdeal else "20.1",
            void,
            against=True,
            seat=None,
            tier=None,
            code="round_void",
        )
    if game is not None and not game.jackpot_eligible:
        yield Reason(
            "19.7(a)",
            Phrase(
                "%(game)s carries no jackpot. If another game was dealt amend the report, "
                "otherwise reject the claim.",
                game=game.label,
            ),
            against=True,
            seat=None,
            tier=None,
            code="game_not_eligible",
        )
    if deck is None:
        yield Reason(
            "4.1",
            Phrase(
                "A deck of %(size)s cards is reported; jackpots are played for with the "
                "52-card deck. If that was dealt amend the report, otherwise reject the claim.",
                size=report.deck,
            ),
            against=True,
            seat=None,
            tier=None,
            code="deck_not_eligible",
        )


def player_reasons(seat: ReportedSeat) -> Iterable[Reason]:
    """Yield what the player did, or is, that bears on every tier.

    >>> from rules.report import ReportedSeat
    >>> seat = ReportedSeat(3, ("Js", "Ts"), "yes", folded=True, participating=True, won_pot=False)
    >>> [reason.code for reason in player_reasons(seat)]
    ['folded']
    """

    number = seat.seat

    def finding(rule: str, code: str, text: Phrase, *, against: bool = True) -> Reason:
        return Reason(rule, text, against=against, seat=number, tier=None, code=code)

    if seat.folded:
        text = Phrase("Seat %(seat)s folded: a folded hand is no longer eligible.", seat=number)
        yield finding("19.17", "folded", text)
    if seat.dead is not None:
        ruling = DEAD_HANDS.get(seat.dead)
        text = Phrase("Seat %(seat)s has a dead hand.", seat=number)
        if ruling:
            text = Phrase(
                "Seat %(seat)s has a dead hand: the player %(ruling)s.",
                seat=number,
                ruling=ruling.text,
            )
        yield finding(ruling.rule if ruling else "20", "dead_hand", text)
    if seat.exposed == "refused":
        text = Phrase(
            "Seat %(seat)s was asked to expose the hole cards and refused: the hand is not "
            "eligible.",
            seat=number,
        )
        yield finding("19.17", "refused", text)
    if not seat.participating:
        text = Phrase(
            "Seat %(seat)s does not take part in the jackpot: it is payable to participating "
            "players only.",
            seat=number,
        )
        yield finding("1.0", "not_participating", text)
    if seat.exposed == "not_requested":
        text = Phrase(
            "Seat %(seat)s was not asked to expose the hole cards. That does not count against the "
            "player; see that the cards are face up before you verify.",
            seat=number,
        )
        yield finding("19.17", "exposure_not_requested", text, against=False)


def tier_reasons(
    held: Holding, tier: str, terms: TierTerms, shortfall: Phrase | None, decimals: int
) -> tuple[Reason, ...]:
    """Hold an eligible player's hand against the terms of one tier (19.5).

    The hand qualifies when no reason speaks against it; a ``..._pending`` reason says that a
    figure which the terms ask for is not yet known. ``shortfall`` is what the hand lacks.

    >>> from rules.report import HandReport, ReportedSeat
    >>> seat = ReportedSeat(3, ("Js", "Ts"), "yes", folded=True, participating=True, won_pot=False)
    >>> board = ("As", "Ks", "Qs", "2d", "2c")
    >>> report = HandReport("holdem", 52, (board, board[:3]), False, (seat,), 6, 100)
    >>> from rules.best import best_hand
    >>> from rules.cards import parse_cards
    >>> from rules.games import GAMES
    >>> hand = best_hand(GAMES["holdem"], parse_cards(seat.hole), parse_cards(board))
    >>> held = Holding(report, GAMES["holdem"], seat, hand)
    >>> from rules.hands import Category
    >>> from rules.terms import Qualifying, Weakest
    >>> terms = Qualifying(Weakest(Category.ROYAL_FLUSH), pot_min_minor=200)
    >>> (reason,) = tier_reasons(held, "royal", terms, None, decimals=2)
    >>> reason.text
    'Seat 3, tier royal: the pot was 1.00; it must be at least 2.00.'
    """
    criteria: tuple[_Criterion, ...] = (
        *_hand_criteria(held, terms, shortfall),
        *_player_criteria(held.report, terms),
        *_pot_criteria(held.report, terms, decimals),
    )
    name = describe(held.hand.value)
    failed = tuple(criterion for criterion in criteria if criterion[0])
    if failed:
        criteria = failed  # a figure that is still to come cannot save the hand
    else:
        five = " ".join(str(card) for card in held.hand.cards)
        text = Phrase("%(hand)s (%(cards)s) meets the posted terms.", hand=name, cards=five)
        criteria = ((False, "qualifies", text), *criteria)
    return tuple(
        Reason(
            "19.5",
            of_seat_and_tier(held.seat.seat, tier, text),
            against=against,
            seat=held.seat.seat,
            tier=tier,
            code=code,
        )
        for against, code, text in criteria
    )


def beat_reason(held: Holding, tier: str, losers: tuple[int, ...]) -> Reason:
    """Say that the hand beat those that win a bad beat (19.5).

    >>> from rules.report import HandReport, ReportedSeat
    >>> seat = ReportedSeat(3, ("Js", "Ts"), "yes", folded=True, participating=True, won_pot=False)
    >>> board = ("As", "Ks", "Qs", "2d", "2c")
    >>> report = HandReport("holdem", 52, (board, board[:3]), False, (seat,), 6, 100)
    >>> from rules.best import best_hand
    >>> from rules.cards import parse_cards
    >>> from rules.games import GAMES
    >>> hand = best_hand(GAMES["holdem"], parse_cards(seat.hole), parse_cards(board))
    >>> held = Holding(report, GAMES["holdem"], seat, hand)
    >>> beat_reason(held, "beat", losers=(5,)).text
    'Seat 3, tier beat: royal flush beats the hand of seat 5.'
    """
    name = describe(held.hand.value)
    whose = series([Phrase("seat %(seat)s", seat=number) for number in losers])
    text = Phrase("%(hand)s beats the hand of %(seats)s.", hand=name, seats=whose)
    return Reason(
        "19.5",
        of_seat_and_tier(held.seat.seat, tier, text),
        against=False,
        seat=held.seat.seat,
        tier=tier,
        code="beats",
    )


def of_seat_and_tier(seat: int, tier: str, finding: Phrase) -> Phrase:
    """Say of which seat and tier something was found.

    >>> of_seat_and_tier(3, "royal", Phrase("the pot was 1.00."))
    'Seat 3, tier royal: the pot was 1.00.'
    """
    return Phrase(
        "Seat %(seat)s, tier %(tier)s: %(finding)s", seat=seat, tier=tier, finding=finding
    )


_Criterion = tuple[bool, str, Phrase]
"""Whether it speaks against the hand, its code and its text."""


def _hand_criteria(
    held: Holding, terms: TierTerms, shortfall: Phrase | None
) -> Iterable[_Criterion]:
    """Yield where game, deck, hand, flop and showdown fall short of the terms."""
    if held.game.code not in terms.games:
        text = Phrase("%(game)s is not among the posted games.", game=held.game.label)
        yield True, "game_not_eligible", text
    if held.report.deck not in terms.decks:
        name = DECKS[held.report.deck].name
        text = Phrase("the %(deck)s is not among the posted ones.", deck=name)
        yield True, "deck_not_eligible", text
    if shortfall is not None:
        hand = describe(held.hand.value)
        text = Phrase("%(hand)s does not qualify: %(lacking)s.", hand=hand, lacking=shortfall)
        yield True, "below_terms", text
    if terms.flop_seen and held.report.flop_on_request:
        text = Phrase("the terms ask that the flop was dealt in play, not on request.")
        yield True, "no_flop", text
    if terms.showdown_needed:
        dealt = len(held.report.boards[0])
        if held.report.flop_on_request or dealt < held.game.community_cards:
            text = Phrase(
                "the terms ask that all community cards were dealt in play, not on request."
            )
            yield True, "no_showdown", text


def _player_criteria(report: HandReport, terms: TierTerms) -> Iterable[_Criterion]:
    """Yield where the number of players dealt in falls short, or is not known."""
    least = terms.players_dealt_min
    if least is None:
        return
    if report.players_dealt is None:
        text = Phrase(
            "at least %(least)s players must have been dealt in. Enter how many there were.",
            least=least,
        )
        yield False, "players_pending", text
    elif report.players_dealt < least:
        text = Phrase(
            "%(players)s players were dealt in; at least %(least)s must have been.",
            players=report.players_dealt,
            least=least,
        )
        yield True, "too_few_players", text


def _pot_criteria(report: HandReport, terms: TierTerms, decimals: int) -> Iterable[_Criterion]:
    """Yield where the pot falls short, or is not known before the round is completed."""
    least = terms.pot_min_minor
    if least is None:
        return
    if report.pot_minor is None:
        text = Phrase(
            "the pot must be at least %(least)s and is not yet known. "
            "Wait for the round's completion before you confirm.",
            least=amount(least, decimals),
        )
        yield False, "pot_pending", text
    elif report.pot_minor < least:
        text = Phrase(
            "the pot was %(pot)s; it must be at least %(least)s.",
            pot=amount(report.pot_minor, decimals),
            least=amount(least, decimals),
        )
        yield True, "pot_below_minimum", text
