"""What is worth knowing about a reported round and speaks against nobody (rules 16 to 19)."""

from collections.abc import Iterable, Sequence

from rules.best import BestHand
from rules.games import FLOP_CARDS, Game
from rules.phrases import Phrase
from rules.reasons import Reason
from rules.report import HandReport, ReportedSeat


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

    def remark(rule: str, code: str, text: Phrase) -> Reason:
        return Reason(rule, text, against=False, seat=None, tier=None, code=code)

    if len(report.boards) > 1:
        text = Phrase(
            "More than one board was dealt. Only the first counts; the others are evidence."
        )
        yield remark("19.18", "later_board", text)
    number = len(report.boards[0]) if report.boards else 0
    if report.flop_on_request:
        if number > FLOP_CARDS:
            text = Phrase(
                "All others had folded and the flop was asked for: its three cards count, the later"
                " ones are evidence."
            )
        else:
            text = Phrase(
                "All others had folded and the flop was asked for: its three cards count."
            )
        yield remark("19.16", "flop_on_request", text)
    elif FLOP_CARDS <= number < game.community_cards:
        text = Phrase(
            "The round ended with %(number)s community cards. Check on the layout that no more "
            "were dealt in play; if there were, amend the report.",
            number=number,
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

    def remark(rule: str, code: str, text: Phrase, seat: int) -> Reason:
        return Reason(rule, text, against=False, seat=seat, tier=None, code=code)

    for seat in report.seats:
        if seat.folded and seat.won_pot:
            text = Phrase(
                "Seat %(seat)s is reported as folded and as the winner of the pot. A hand that "
                "was folded is not eligible: see which of the two it was.",
                seat=seat.seat,
            )
            yield remark("19.17", "pot_to_folded_hand", text, seat.seat)
        elif seat.dead is not None and seat.won_pot:
            text = Phrase(
                "Seat %(seat)s is reported with a dead hand and as the winner of the pot. A "
                "dead hand has no claim to it: see which of the two it was.",
                seat=seat.seat,
            )
            yield remark("20", "pot_to_dead_hand", text, seat.seat)
        elif report.flop_on_request and not (seat.folded or seat.dead or seat.won_pot):
            text = Phrase(
                "All others had folded, so the pot was seat %(seat)s's, which is not reported "
                "to have won it. See who was in when the flop was asked for.",
                seat=seat.seat,
            )
            yield remark("19.16", "pot_not_to_last", text, seat.seat)
    worths = [
        (hand.value, seat)
        for seat, hand in zip(report.seats, hands, strict=True)
        if hand is not None and is_shown(seat)
    ]
    top = max((value for value, _ in worths), default=None)
    highest = [seat for value, seat in worths if value == top]
    paid = [seat for _, seat in worths if seat.won_pot]
    if len(report.boards) == 1 and paid and not any(seat.won_pot for seat in highest):
        text = Phrase(
            "Seat %(seat)s is reported to have won the pot, and seat %(highest)s to "
            "have shown the higher hand. Cards speak: look at the layout and at the pots, and "
            "amend the report if a card, a fold or the winner was typed wrong.",
            seat=paid[0].seat,
            highest=highest[0].seat,
        )
        yield remark("16.5(d), 17.5(d)", "pot_to_lower_hand", text, paid[0].seat)


def is_shown(seat: ReportedSeat) -> bool:
    """Say whether the hand was live at the end and could be seen.

    >>> from rules.report import ReportedSeat
    >>> is_shown(ReportedSeat(3, (), "refused", folded=False, participating=True, won_pot=False))
    False
    """
    return not seat.folded and seat.exposed != "refused" and seat.dead is None
