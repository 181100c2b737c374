"""Whether a round, a player and his hand are eligible for a tier (rules 1.0, 19 and 20.1)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules.best import BestHand
from rules.dead_hands import DEAD_HANDS, MISDEALS
from rules.decks import DECKS, Deck
from rules.games import FLOP_CARDS, Game
from rules.hands import describe
from rules.reasons import Reason
from rules.report import HandReport, ReportedSeat
from rules.tiers import TierTerms
from rules.wording import amount, listed

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
        because = f": {misdeal.text}" if misdeal else ""
        yield Reason(
            misdeal.rule if misdeal else "20.1",
            f"The round is void{because}, so no hand of it can qualify. Reject the claim.",
            against=True,
            seat=None,
            tier=None,
            code="round_void",
        )
    if game is not None and not game.jackpot_eligible:
        yield Reason(
            "19.7(a)",
            f"{game.label} carries no jackpot. If another game was dealt amend the report, "
            "otherwise reject the claim.",
            against=True,
            seat=None,
            tier=None,
            code="game_not_eligible",
        )
    if deck is None:
        yield Reason(
            "4.1",
            f"A deck of {report.deck} cards is reported; jackpots are played for with the "
            "52-card deck. If that was dealt amend the report, otherwise reject the claim.",
            against=True,
            seat=None,
            tier=None,
            code="deck_not_eligible",
        )


def board_remarks(report: HandReport, game: Game) -> Iterable[Reason]:
    """Yield what is worth knowing about the boards and speaks against nobody.

    >>> from rules.report import HandReport, ReportedSeat
    >>> seat = ReportedSeat(3, ("Js", "Ts"), "yes", folded=True, participating=True, won_pot=False)
    >>> board = ("As", "Ks", "Qs", "2d", "2c")
    >>> report = HandReport("holdem", 52, (board, board[:3]), False, (seat,), 6, 100)
    >>> from rules.games import GAMES
    >>> [(remark.rule, remark.code) for remark in board_remarks(report, GAMES["holdem"])]
    [('19.18', 'later_board')]
    """

    def remark(rule: str, code: str, text: str) -> Reason:
        return Reason(rule, text, against=False, seat=None, tier=None, code=code)

    if len(report.boards) > 1:
        text = "More than one board was dealt. Only the first counts; the others are evidence."
        yield remark("19.18", "later_board", text)
    number = len(report.boards[0]) if report.boards else 0
    if report.flop_on_request:
        text = "All others had folded and the flop was asked for: its three cards count"
        text += ", the later ones are evidence." if number > FLOP_CARDS else "."
        yield remark("19.16", "flop_on_request", text)
    elif FLOP_CARDS <= number < game.community_cards:
        text = (
            f"The round ended with {number} community cards. Check on the layout that no more "
            "were dealt in play; if there were, amend the report."
        )
        yield remark("16.3", "round_ended_early", text)


def pot_remarks(report: HandReport, hands: Sequence[BestHand | None]) -> Iterable[Reason]:
    """Yield where who won the pot, as reported, goes ill with the cards and the folds.

    ``hands`` are the best hands in the order of the seats. It speaks against nobody: a pot may be
    pushed wrongly, and a side pot or one of several boards goes to a lower hand (18.8.5).

    >>> from rules.report import HandReport, ReportedSeat
    >>> seat = ReportedSeat(3, ("Js", "Ts"), "yes", folded=True, participating=True, won_pot=True)
    >>> report = HandReport("holdem", 52, (("As", "Ks", "Qs"),), False, (seat,), 6, 100)
    >>> [(remark.rule, remark.code) for remark in pot_remarks(report, [None])]
    [('19.17', 'pot_to_folded_hand')]
    """

    def remark(rule: str, code: str, text: str, seat: int) -> Reason:
        return Reason(rule, text, against=False, seat=seat, tier=None, code=code)

    for seat in report.seats:
        if seat.folded and seat.won_pot:
            text = (
                f"Seat {seat.seat} is reported as folded and as the winner of the pot. A hand that "
                "was folded is not eligible: see which of the two it was."
            )
            yield remark("19.17", "pot_to_folded_hand", text, seat.seat)
        elif seat.dead is not None and seat.won_pot:
            text = (
                f"Seat {seat.seat} is reported with a dead hand and as the winner of the pot. A "
                "dead hand has no claim to it: see which of the two it was."
            )
            yield remark("20", "pot_to_dead_hand", text, seat.seat)
        elif report.flop_on_request and not (seat.folded or seat.dead or seat.won_pot):
            text = (
                f"All others had folded, so the pot was seat {seat.seat}'s, which is not reported "
                "to have won it. See who was in when the flop was asked for."
            )
            yield remark("19.16", "pot_not_to_last", text, seat.seat)
    shown = [
        (hand.value, seat)
        for seat, hand in zip(report.seats, hands, strict=True)
        if hand is not None and is_shown(seat)
    ]
    top = max((value for value, _ in shown), default=None)
    highest = [seat for value, seat in shown if value == top]
    paid = [seat for _, seat in shown if seat.won_pot]
    if len(report.boards) == 1 and paid and not any(seat.won_pot for seat in highest):
        text = (
            f"Seat {paid[0].seat} is reported to have won the pot, and seat {highest[0].seat} to "
            "have shown the higher hand. Cards speak: look at the layout and at the pots, and "
            "amend the report if a card, a fold or the winner was typed wrong."
        )
        yield remark("16.5(d), 17.5(d)", "pot_to_lower_hand", text, paid[0].seat)


def is_shown(seat: ReportedSeat) -> bool:
    """Say whether the hand was live at the end and could be seen.

    >>> from rules.report import ReportedSeat
    >>> is_shown(ReportedSeat(3, (), "refused", folded=False, participating=True, won_pot=False))
    False
    """
    return not seat.folded and seat.exposed != "refused" and seat.dead is None


def player_reasons(seat: ReportedSeat) -> Iterable[Reason]:
    """Yield what the player did, or is, that bears on every tier.

    >>> from rules.report import ReportedSeat
    >>> seat = ReportedSeat(3, ("Js", "Ts"), "yes", folded=True, participating=True, won_pot=False)
    >>> [reason.code for reason in player_reasons(seat)]
    ['folded']
    """

    def finding(rule: str, code: str, text: str, *, against: bool = True) -> Reason:
        sentence = f"Seat {seat.seat} {text}"
        return Reason(rule, sentence, against=against, seat=seat.seat, tier=None, code=code)

    if seat.folded:
        yield finding("19.17", "folded", "folded: a folded hand is no longer eligible.")
    if seat.dead is not None:
        ruling = DEAD_HANDS.get(seat.dead)
        text = f"has a dead hand: the player {ruling.text}." if ruling else "has a dead hand."
        yield finding(ruling.rule if ruling else "20", "dead_hand", text)
    if seat.exposed == "refused":
        text = "was asked to expose the hole cards and refused: the hand is not eligible."
        yield finding("19.17", "refused", text)
    if not seat.participating:
        text = "does not take part in the jackpot: it is payable to participating players only."
        yield finding("1.0", "not_participating", text)
    if seat.exposed == "not_requested":
        text = (
            "was not asked to expose the hole cards. That does not count against the player; "
            "see that the cards are face up before you verify."
        )
        yield finding("19.17", "exposure_not_requested", text, against=False)


def tier_reasons(
    held: Holding, tier: str, terms: TierTerms, shortfall: str | None, decimals: int
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
        text = f"{name} ({five}) meets the posted terms."
        criteria = ((False, "qualifies", text), *criteria)
    return tuple(
        Reason(
            "19.5",
            f"Seat {held.seat.seat}, tier {tier}: {text}",
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
    whose = listed([f"seat {number}" for number in losers])
    return Reason(
        "19.5",
        f"Seat {held.seat.seat}, tier {tier}: {name} beats the hand of {whose}.",
        against=False,
        seat=held.seat.seat,
        tier=tier,
        code="beats",
    )


_Criterion = tuple[bool, str, str]
"""Whether it speaks against the hand, its code and its text."""


def _hand_criteria(held: Holding, terms: TierTerms, shortfall: str | None) -> Iterable[_Criterion]:
    """Yield where game, deck, hand, flop and showdown fall short of the terms."""
    if held.game.code not in terms.games:
        yield True, "game_not_eligible", f"{held.game.label} is not among the posted games."
    if held.report.deck not in terms.decks:
        name = DECKS[held.report.deck].name
        yield True, "deck_not_eligible", f"the {name} is not among the posted ones."
    if shortfall is not None:
        text = f"{describe(held.hand.value)} does not qualify: {shortfall}."
        yield True, "below_terms", text
    if terms.flop_seen and held.report.flop_on_request:
        text = "the terms ask that the flop was dealt in play, not on request."
        yield True, "no_flop", text
    if terms.showdown_needed:
        dealt = len(held.report.boards[0])
        if held.report.flop_on_request or dealt < held.game.community_cards:
            text = "the terms ask that all community cards were dealt in play, not on request."
            yield True, "no_showdown", text


def _player_criteria(report: HandReport, terms: TierTerms) -> Iterable[_Criterion]:
    """Yield where the number of players dealt in falls short, or is not known."""
    least = terms.players_dealt_min
    if least is None:
        return
    if report.players_dealt is None:
        text = f"at least {least} players must have been dealt in. Enter how many there were."
        yield False, "players_pending", text
    elif report.players_dealt < least:
        text = f"{report.players_dealt} players were dealt in; at least {least} must have been."
        yield True, "too_few_players", text


def _pot_criteria(report: HandReport, terms: TierTerms, decimals: int) -> Iterable[_Criterion]:
    """Yield where the pot falls short, or is not known before the round is completed."""
    least = terms.pot_min_minor
    if least is None:
        return
    if report.pot_minor is None:
        text = (
            f"the pot must be at least {amount(least, decimals)} and is not yet known. "
            "Wait for the round's completion before you confirm."
        )
        yield False, "pot_pending", text
    elif report.pot_minor < least:
        text = (
            f"the pot was {amount(report.pot_minor, decimals)}; "
            f"it must be at least {amount(least, decimals)}."
        )
        yield True, "pot_below_minimum", text
