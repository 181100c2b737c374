"""Faults of a report: what cannot have happened, so that it must have been reported wrongly."""

from collections.abc import Iterable

from rules.dead_hands import DEAD_HANDS, MISDEALS, can_happen
from rules.decks import Deck
from rules.games import FLOP_CARDS, Game
from rules.phrases import Phrase
from rules.reasons import Reason, fault
from rules.report import HandReport, ReportedSeat
from rules.wording import series

FEWEST_PLAYERS = 2

MOST_BOARDS = 7
"""Community cards are dealt up to seven times (18.8.2)."""


def report_faults(report: HandReport, game: Game, deck: Deck) -> Iterable[Reason]:
    """Yield what is impossible in a report of the game, except the cards themselves.

    >>> from rules.decks import DECKS
    >>> from rules.games import GAMES
    >>> report = HandReport("holdem", 52, (("As", "Ks"),), False, (), 11, None)
    >>> [fault.code for fault in report_faults(report, GAMES["holdem"], DECKS[52])]
    ['no_hands', 'board_count', 'too_many_players']
    """
    yield from seat_faults(report)
    yield from _board_faults(report, game)
    yield from _flop_request_faults(report)
    yield from _river_faults(report, game)
    yield from _player_faults(report, game, deck)
    yield from _misdeal_faults(report, game)
    for seat in report.seats:
        yield from _hole_faults(seat, report, game)
        yield from _ruling_faults(seat, game)


def seat_faults(report: HandReport) -> Iterable[Reason]:
    """Yield the faults of the list of seats, which are the same in every game.

    >>> report = HandReport("holdem", 52, (), False, (), None, None)
    >>> [fault.code for fault in seat_faults(report)]
    ['no_hands']
    """
    numbers = [each.seat for each in report.seats]
    if not numbers:
        sentence = Phrase(
            "No hand is reported. Enter the seat and the hole cards and amend the report."
        )
        yield fault("19.11", "no_hands", sentence)
    for number in sorted(set(numbers)):
        if number < 1:
            sentence = Phrase(
                "Seat %(seat)s does not exist. Name the player's seat and amend the report.",
                seat=number,
            )
            yield fault("19.11", "not_a_seat", sentence, number)
        if numbers.count(number) > 1:
            sentence = Phrase(
                "Seat %(seat)s is reported %(times)s. Keep the player's own hand there, give the"
                " others their seats, and amend the report.",
                seat=number,
                times=Phrase.counted(numbers.count(number), "%(number)s time", "%(number)s times"),
            )
            yield fault("19.11", "seat_twice", sentence, number)


def _board_faults(report: HandReport, game: Game) -> Iterable[Reason]:
    """Yield a fault when the first board cannot be one (16.3(a) to 16.5(a))."""
    number = len(report.boards[0]) if report.boards else 0
    if not FLOP_CARDS <= number <= game.community_cards:
        sentence = Phrase(
            "%(cards)s on the first board; there must be %(least)s to %(most)s. Look at the layout"
            " and amend the report.",
            cards=_community_cards(number),
            least=FLOP_CARDS,
            most=game.community_cards,
        )
        yield fault(f"{game.rule}.3(a)", "board_count", sentence)
    if len(report.boards) > MOST_BOARDS:
        boards = Phrase.counted(len(report.boards), "%(number)s board", "%(number)s boards")
        sentence = Phrase(
            "%(boards)s reported; community cards are dealt up to %(most)s times. Look at the"
            " layout and amend the report.",
            boards=boards.with_capital(),
            most=MOST_BOARDS,
        )
        yield fault("18.8.2", "too_many_boards", sentence)


def _community_cards(number: int) -> Phrase:
    """So many community cards, to begin a sentence."""
    cards = Phrase.counted(number, "%(number)s community card", "%(number)s community cards")
    return cards.with_capital()


def _hole_faults(seat: ReportedSeat, report: HandReport, game: Game) -> Iterable[Reason]:
    """Yield a fault when a hand has the wrong number of hole cards.

    A folded hand lies in the muck and a refused one is unseen: some of their cards may be missing.
    A dead hand may have any number: that may be what made it dead (20.1(f), (g)).
    """
    if seat.dead is not None:
        return
    board_cards = len(report.boards[0]) if report.boards else 0
    allowed = game.hole_card_counts(board_cards, report.flop_on_request)
    unseen = seat.folded or seat.exposed == "refused"
    if len(seat.hole) in allowed or (unseen and len(seat.hole) < max(allowed)):
        return
    sentence = Phrase(
        "Seat %(seat)s: %(cards)s reported; %(game)s has %(allowed)s here. Look at the layout and"
        " amend the report.",
        seat=seat.seat,
        cards=Phrase.counted(len(seat.hole), "%(number)s hole card", "%(number)s hole cards"),
        game=game.label,
        allowed=series([str(number) for number in allowed], "or"),
    )
    if len(seat.hole) == game.dealt_cards:
        dead = Phrase("If the player did not discard in time the hand may be dead (20.33).")
        sentence = Phrase.joined([sentence, dead], " ")
    yield fault(f"{game.rule}.1(c)", "hole_count", sentence, seat.seat)


def _flop_request_faults(report: HandReport) -> Iterable[Reason]:
    """Yield a fault when the flop was asked for although others were in, or nobody (19.16)."""
    live = _live(report)
    if report.flop_on_request and report.seats and not live:
        sentence = Phrase(
            "The flop is reported as asked for, and every hand as folded. The hand that was "
            "tabled is live: say whose it is and amend the report. If it was folded no flop counts."
        )
        yield fault("19.16", "nobody_live", sentence)
    if report.flop_on_request and len(live) > 1:
        sentence = Phrase(
            "The flop is reported as asked for, but %(seats)s had not folded. "
            "Say who folded, or that the flop was dealt in play, and amend the report.",
            seats=series(live),
        )
        yield fault("19.16", "others_not_folded", sentence)


def _live(report: HandReport) -> list[Phrase]:
    """The seats whose hands are neither folded nor dead."""
    return [
        Phrase("seat %(seat)s", seat=each.seat)
        for each in report.seats
        if not each.folded and not each.dead
    ]


def _river_faults(report: HandReport, game: Game) -> Iterable[Reason]:
    """Yield a fault when two live hands are compared before the last card (16.5(a), 17.5(a))."""
    live = _live(report)
    dealt = len(report.boards[0]) if report.boards else 0
    if len(live) > 1 and dealt < game.community_cards and not report.flop_on_request:
        sentence = Phrase(
            "%(cards)s, and %(seats)s had not folded: two hands that are in go to the last card. "
            "Enter all %(most)s, or say who folded, and amend the report.",
            cards=_community_cards(dealt),
            seats=series(live),
            most=game.community_cards,
        )
        yield fault(f"{game.rule}.5(a)", "no_river", sentence)


def _misdeal_faults(report: HandReport, game: Game) -> Iterable[Reason]:
    """Yield a fault when the round is void for what cannot happen in the game (20.1)."""
    misdeal = MISDEALS.get(report.misdeal or "")
    if report.round_void and misdeal is not None and not can_happen(misdeal, game.code):
        sentence = Phrase(
            "The round is void because %(misdeal)s: that is no misdeal in %(game)s. "
            "Name the misdeal, or the game that was dealt, and amend the report.",
            misdeal=misdeal.text,
            game=game.label,
        )
        yield fault(misdeal.rule, "misdeal_of_another_game", sentence)


def _ruling_faults(seat: ReportedSeat, game: Game) -> Iterable[Reason]:
    """Yield a fault when a hand was ruled dead for what cannot happen in the game (20)."""
    ruling = DEAD_HANDS.get(seat.dead or "")
    if ruling is not None and not can_happen(ruling, game.code):
        sentence = Phrase(
            "Seat %(seat)s has a dead hand because the player %(ruling)s: that cannot happen in "
            "%(game)s. Name what made it dead, or the game that was dealt, and amend the report.",
            seat=seat.seat,
            ruling=ruling.text,
            game=game.label,
        )
        yield fault(ruling.rule, "dead_hand_of_another_game", sentence, seat.seat)


def _player_faults(report: HandReport, game: Game, deck: Deck) -> Iterable[Reason]:
    """Yield a fault when the number of players, or the pot, cannot be right (5.1)."""
    reported = len({each.seat for each in report.seats})
    dealt = reported if report.players_dealt is None else report.players_dealt
    most = game.most_players(deck)
    if max(dealt, reported) > most:
        sentence = Phrase(
            "%(players)s players are reported; %(game)s with the %(deck)s has %(most)s at most. "
            "Count the players dealt in and amend the report; if so many were dealt in, a casino "
            "supervisor decides on the round (20.1).",
            players=max(dealt, reported),
            game=game.label,
            deck=deck.name,
            most=most,
        )
        yield fault("5.1", "too_many_players", sentence)
    if report.pot_minor is not None and report.pot_minor < 0:
        sentence = Phrase("The reported pot is below zero. Amend the report and enter the pot.")
        yield fault("8.5", "pot_negative", sentence)
    if report.players_dealt is not None and report.players_dealt < FEWEST_PLAYERS:
        sentence = Phrase(
            "%(players)s dealt in: no round is played by fewer than %(least)s. Count the players"
            " dealt in and amend the report.",
            players=_players(max(dealt, 0)),
            least=FEWEST_PLAYERS,
        )
        yield fault("19.11", "too_few_dealt", sentence)
    if dealt < reported:
        sentence = Phrase(
            "%(players)s dealt in, but %(hands)s reported. Count the players and amend the report.",
            players=_players(dealt),
            hands=Phrase.counted(reported, "%(number)s hand", "%(number)s hands"),
        )
        yield fault("19.11", "fewer_dealt_than_reported", sentence)


def _players(number: int) -> Phrase:
    """So many players, to begin a sentence."""
    return Phrase.counted(number, "%(number)s player", "%(number)s players").with_capital()
