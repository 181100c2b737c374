"""The cards of a report, read as they should lie on the layout."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules.cards import SUITS, Card, CardError, parse_card
from rules.dead_hands import MISDEALS
from rules.decks import DECKS, Deck
from rules.games import FLOP_CARDS
from rules.phrases import Phrase
from rules.reasons import Reason, fault
from rules.report import HandReport
from rules.wording import series

_DEFECTIVE = MISDEALS["defective_deck"]


@dataclass(frozen=True, slots=True)
class Layout:
    """The cards that could be read, and what is wrong with the others.

    >>> Layout(boards=(), holes=(), faults=()).faults
    ()
    """

    boards: tuple[tuple[Card, ...], ...]
    holes: tuple[tuple[Card, ...], ...]
    """In the order of the reported seats."""
    faults: tuple[Reason, ...]


def read_layout(report: HandReport, deck: Deck | None) -> Layout:
    """Read all cards of a report; with a deck, refuse the cards that it has not (4.1).

    A card that is reported twice is a fault (one deck: 3.3(a)). Later boards share with the first
    what lay there when the others were dealt: nothing, the flop, or flop and turn (18.8.4).

    >>> from rules.report import ReportedSeat
    >>> seat = ReportedSeat(3, ("Js", "10s"), "yes", folded=False, participating=True, won_pot=True)
    >>> report = HandReport("holdem", 52, (("As", "Ks", "Js"),), False, (seat,), None, None)
    >>> [fault.code for fault in read_layout(report, DECKS[52]).faults]
    ['not_a_card', 'card_twice']
    """
    faults: list[Reason] = []
    boards = tuple(
        tuple(_read(texts, _board_name(place), None, deck, faults))
        for place, texts in enumerate(report.boards)
    )
    holes = tuple(
        tuple(_read(each.hole, _seat_name(each.seat), each.seat, deck, faults))
        for each in report.seats
    )
    seats = [each.seat for each in report.seats]
    return Layout(boards, holes, (*faults, *_reported_twice(boards, holes, seats)))


def remaining_by_suit(report: HandReport) -> dict[str, tuple[Card, ...]]:
    """The cards that nobody reported, by suit from spades to clubs, the highest first.

    They are what must be found when the rest of the deck is sorted into suits and counted
    (older 19.10). Cards that cannot be read are left out of account; for a deck that is not
    played with the answer is empty.

    >>> report = HandReport("holdem", 32, (("As", "Ks", "Js"),), False, (), None, None)
    >>> " ".join(map(str, remaining_by_suit(report)["s"]))
    'Qs Ts 9s 8s 7s'
    """
    deck = DECKS.get(report.deck)
    if deck is None:
        return {}
    layout = read_layout(report, deck)
    used_cards = {card for cards in (*layout.boards, *layout.holes) for card in cards}
    return {
        suit: tuple(card for card in deck.cards if card.suit == suit and card not in used_cards)
        for suit in SUITS
    }


def _board_name(place: int) -> Phrase:
    """Name a board as the floor does."""
    return Phrase("the board") if place == 0 else Phrase("board %(board)s", board=place + 1)


def _seat_name(seat: int) -> Phrase:
    """Name the place of hole cards."""
    return Phrase("seat %(seat)s", seat=seat)


def _dealt_again(first: tuple[Card, ...], later: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards of a later board that were dealt for it alone (18.8.4); the river always is."""
    flop, turn = FLOP_CARDS, FLOP_CARDS + 1
    if len(later) < flop or set(later[:flop]) != set(first[:flop]):
        return later
    return later[turn:] if later[flop:turn] == first[flop:turn] else later[flop:]


def _read(
    texts: Iterable[str], where: Phrase, seat: int | None, deck: Deck | None, faults: list[Reason]
) -> Iterable[Card]:
    """Yield the cards that can be read; note a fault for each of the others."""
    for text in texts:
        try:
            card = parse_card(text)
        except CardError as error:
            sentence = Phrase(
                "%(place)s: %(advice)s Amend the report.",
                place=where.with_capital(),
                advice=error.phrase,
            )
            faults.append(fault("9.1", "not_a_card", sentence, seat))
            continue
        if deck is not None and card not in deck:
            sentence = Phrase(
                "%(place)s: the %(card)s is not in the %(deck)s. "
                "Look at the layout and amend the report, the card or the deck.",
                place=where.with_capital(),
                card=card.name,
                deck=deck.name,
            )
            faults.append(fault("4.1", "not_in_deck", sentence, seat))
            continue
        yield card


def _reported_twice(
    boards: Sequence[tuple[Card, ...]], holes: Iterable[tuple[Card, ...]], seats: Iterable[int]
) -> Iterable[Reason]:
    """Yield a fault for each card that is reported more than once."""
    places: dict[Card, list[tuple[Phrase, int | None]]] = {}
    for seat, hole in zip(seats, holes, strict=True):
        for card in hole:
            places.setdefault(card, []).append((_seat_name(seat), seat))
    first = next(iter(boards), ())
    for place, board in enumerate(boards):
        for card in board if place == 0 else _dealt_again(first, board):
            places.setdefault(card, []).append((_board_name(place), None))
    for card, positions in places.items():
        if len(positions) > 1:
            yield _twice(card, positions)


def _twice(card: Card, positions: list[tuple[Phrase, int | None]]) -> Reason:
    """Word the fault of a card that was found at several places."""
    times = Phrase("twice") if len(positions) == 2 else Phrase("%(n)s times", n=len(positions))
    names = list(dict.fromkeys(name for name, _ in positions))
    if len(names) > 1:
        where = Phrase("%(times)s: %(places)s", times=times, places=series(names))
    else:
        where = Phrase("%(times)s at %(place)s", times=times, place=names[0])
    sentence = Phrase(
        "The %(card)s is reported %(where)s. Look at the layout and amend the report. "
        "If the card does lie there more than once the deck is defective (%(rule)s).",
        card=card.name,
        where=where,
        rule=_DEFECTIVE.rule,
    )
    return fault("3.3(a)", "card_twice", sentence, positions[0][1])
