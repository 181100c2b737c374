"""Dividing a prize among several players (rules 11.4(d), 16.5(e) and 17.5(e); Robert's ties)."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.best import BestHand
from rules.cards import Card
from rules.games import Game
from rules.phrases import PhrasedError


@dataclass(frozen=True, slots=True)
class Claimant:
    """A player with an equal right to the prize.

    >>> from rules.cards import parse_cards
    >>> Claimant(3, parse_cards("Kh 2c")).seat
    3
    """

    seat: int
    cards: tuple[Card, ...]
    """The cards that decide who gets the remainder: see ``deciding_cards``."""


@dataclass(frozen=True, slots=True)
class PlannedShare:
    """What a share plan gives to one group of payees, which divides it equally.

    >>> PlannedShare(2_500, seats=(1, 2, 4)).basis_points
    2500
    """

    basis_points: int
    seats: tuple[int, ...]
    cards: tuple[tuple[Card, ...], ...] | None = None
    """Seat by seat the cards that decide who gets the group's remainder; None: from the button."""


BASIS_POINTS = 10_000


def deciding_cards(game: Game, hole: Sequence[Card], best: BestHand) -> tuple[Card, ...]:
    """The cards whose highest decides who gets the remainder.

    All hole cards in Hold-em, its variations and Two Card Manila (16.5(e), 14.4(e)); those used
    in Omaha and Three Card Manila (17.5(e), 15.4(e)); of a Draw or stud hand the player's own
    cards in it (11.4(d), 12.4(e), 13.4(e)).

    >>> from rules.best import best_hand
    >>> from rules.cards import parse_cards
    >>> from rules.games import GAMES
    >>> hole, board = parse_cards("As Kd Kc 3h"), parse_cards("Ks Kh 9d 7c 2s")
    >>> best = best_hand(GAMES["omaha"], hole, board)
    >>> [str(card) for card in deciding_cards(GAMES["omaha"], hole, best)]
    ['Kd', 'Kc']
    """
    return tuple(hole) if game.all_hole_cards_decide else best.hole_used


def divide_equally(amount: int, claimants: Sequence[Claimant], unit: int) -> tuple[int, ...]:
    """Divide an amount into equal shares of whole payable units, in the order of the claimants.

    The whole remainder goes to the claimant with the highest card by suit: the highest rank,
    and among equal ranks spades, hearts, diamonds, clubs (16.5(e), 17.5(e)). Amount and unit
    are in the same unit of money. Raises ValueError when the amount is negative or not a
    multiple of the unit, the unit is not positive, nobody claims or a seat claims twice, and
    when a remainder cannot be given because cards are missing or two claimants name one card.

    >>> from rules.cards import parse_cards
    >>> three = Claimant(3, parse_cards("Kh 2c"))
    >>> five = Claimant(5, parse_cards("Ks 2d"))
    >>> divide_equally(1001, [three, five], unit=1)
    (500, 501)
    """
    _require_divisible(amount, [claimant.seat for claimant in claimants], unit)
    units, left_over = divmod(amount // unit, len(claimants))
    shares = [units * unit] * len(claimants)
    if left_over:
        shares[_place_of_highest_card(claimants)] += left_over * unit
    return tuple(shares)


def divide_from_button(
    amount: int, seats: Sequence[int], unit: int, button: int, seats_at_table: int = 10
) -> tuple[int, ...]:
    """Divide an amount into equal shares, and the remainder by one unit each from the button.

    The first odd unit goes to the first of the seats clockwise from the button, which is last
    itself; nobody gets more than one (Robert's ties 4 and 5(a)). The shares are in the order of
    the seats given. Raises ValueError for what cannot be divided, and for a seat or a button
    that is not at the table.

    >>> divide_from_button(1001, [2, 7, 9], unit=1, button=8)
    (334, 333, 334)
    """
    _require_divisible(amount, seats, unit)
    if not all(1 <= seat <= seats_at_table for seat in (*seats, button)):
        raise PhrasedError(
            "Seats and button are numbered from 1 to %(seats)s.", seats=seats_at_table
        )
    units, left_over = divmod(amount // unit, len(seats))
    clockwise = sorted(seats, key=lambda seat: (seat - button - 1) % seats_at_table)
    lucky = set(clockwise[:left_over])
    return tuple((units + (seat in lucky)) * unit for seat in seats)


def divide_by_plan(
    amount: int,
    plan: Sequence[PlannedShare],
    unit: int,
    button: int | None,
    seats_at_table: int = 10,
) -> dict[int, int]:
    """Divide an amount by a posted share plan: by seat, what it is paid (19.13).

    Each group gets its part of the amount in whole payable units, rounded down, and divides it:
    a group with cards as a pot is divided, any other from the button, which a group of one seat
    does not need. What rounding leaves goes to the group named first, so the parts add up. A
    group without seats (nobody else was dealt in) leaves its part to the group named first.
    Raises ValueError for what cannot be divided and for parts that do not come to 100%.

    >>> beaten, winner = PlannedShare(5000, (3,)), PlannedShare(2500, (7,))
    >>> table = PlannedShare(2500, (1, 2, 4))
    >>> divide_by_plan(100_001, [beaten, winner, table], unit=1, button=3)
    {3: 50001, 7: 25000, 1: 8333, 2: 8333, 4: 8334}
    """
    _require_divisible(amount, [seat for share in plan for seat in share.seats], unit)
    if sum(share.basis_points for share in plan) != BASIS_POINTS:
        raise PhrasedError("The parts of a share plan must come to 100%.")
    if any(share.basis_points < 0 for share in plan):
        raise PhrasedError("A part of a share plan cannot be below zero.")
    if not plan[0].seats:
        raise PhrasedError(
            "The first group must have a seat: it receives the remainders of the others."
        )
    parts = [
        amount * share.basis_points // BASIS_POINTS // unit * unit if share.seats else 0
        for share in plan
    ]
    parts[0] += amount - sum(parts)
    paid: dict[int, int] = {}
    for share, part in zip(plan, parts, strict=True):
        if share.seats:
            divided = _divided(part, share, unit, button, seats_at_table)
            paid |= dict(zip(share.seats, divided, strict=True))
    return paid


def _divided(
    part: int, share: PlannedShare, unit: int, button: int | None, seats_at_table: int
) -> tuple[int, ...]:
    """The part of one group, divided among its seats."""
    if share.cards is not None:
        claimants = [Claimant(*each) for each in zip(share.seats, share.cards, strict=True)]
        return divide_equally(part, claimants, unit)
    if len(share.seats) == 1:
        return (part,)
    if button is None:
        raise PhrasedError("Name the seat of the button: odd units go clockwise from it.")
    return divide_from_button(part, share.seats, unit, button, seats_at_table)


def _require_divisible(amount: int, seats: Sequence[int], unit: int) -> None:
    """Raise ValueError for what cannot be divided."""
    if unit <= 0:
        raise PhrasedError("The payable unit must be more than zero.")
    if amount < 0 or amount % unit:
        raise PhrasedError(
            "%(amount)s is not a whole number of payable units of %(unit)s.",
            amount=amount,
            unit=unit,
        )
    if not seats:
        raise PhrasedError("Name at least one claimant.")
    if len(set(seats)) != len(seats):
        raise PhrasedError("A seat is named twice among the claimants.")


def _place_of_highest_card(claimants: Sequence[Claimant]) -> int:
    """Where in the order the claimant with the highest card by suit stands."""
    places = [(card, place) for place, claimant in enumerate(claimants) for card in claimant.cards]
    if len({place for _, place in places}) != len(claimants):
        raise PhrasedError("Name the cards of every claimant: they decide on the remainder.")
    if len({card for card, _ in places}) != len(places):
        raise PhrasedError("A card is named twice among the claimants: correct the hands.")
    return max(places)[1]
