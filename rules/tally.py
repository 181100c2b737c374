"""Cards as numbers that add up: one sum says all that can matter about a hand.

The tally of a card has three fields. Added up over different cards they count how many there
are of each suit, how many of each rank, and hold one bit for each card:

====================  ===========  ============================================
bits                  field        of each card
====================  ===========  ============================================
0 to 15               suit counts  1 in the four bits of its suit
16 to 54              rank counts  1 in the three bits of its rank
55 to 106             cards        the bit of its rank among the 13 of its suit
====================  ===========  ============================================

Of a rank there are four cards. Of a suit an Omaha player may see nine, four of his own and five on
the board, and no game of the rule book shows a player more cards than that: ``MOST_CARDS``.
"""

from itertools import product

MOST_CARDS = 9

LOWEST_RANK = 2
RANKS_OF_ALL_DECKS = 13

BITS_OF_SUIT = 4
SUIT_BITS = 4 * BITS_OF_SUIT
"""Width of the suit counts, and where the rank counts begin."""

CARD_SHIFT = SUIT_BITS + 3 * RANKS_OF_ALL_DECKS
"""Where the bits of the single cards begin."""

SUIT_COUNTS = (1 << SUIT_BITS) - 1
RANK_COUNTS = (1 << 3 * RANKS_OF_ALL_DECKS) - 1
RANK_SET = (1 << RANKS_OF_ALL_DECKS) - 1
"""One bit for each rank, the two lowest."""


def card_tally(rank_value: int, suit: int) -> int:
    """The number of one card; suits are counted from spades, 0, to clubs, 3.

    >>> ace_of_clubs = card_tally(14, 3)
    >>> bin(ace_of_clubs >> CARD_SHIFT).count("1"), ace_of_clubs & SUIT_COUNTS
    (1, 4096)
    """
    rank = rank_value - LOWEST_RANK
    card = 1 << (CARD_SHIFT + RANKS_OF_ALL_DECKS * suit + rank)
    return card | rank_count(rank_value) << SUIT_BITS | 1 << BITS_OF_SUIT * suit


def rank_count(rank_value: int, cards: int = 1) -> int:
    """The rank counts of so many cards of one rank.

    >>> rank_count(3, 2) == 2 * rank_count(3) == 16
    True
    """
    return cards << 3 * (rank_value - LOWEST_RANK)


def rank_bit(rank_value: int) -> int:
    """The bit of a rank in a set of ranks.

    >>> rank_bit(2), rank_bit(14)
    (1, 4096)
    """
    return 1 << (rank_value - LOWEST_RANK)


def are_different(tally: int, cards: int) -> bool:
    """Say whether a sum of so many tallies is one of different cards.

    A sum of n powers of two has n bits set only if all of them differ.

    >>> two, three = card_tally(2, 0), card_tally(3, 0)
    >>> are_different(two + three, 2), are_different(two + two, 2)
    (True, False)
    """
    return (tally >> CARD_SHIFT).bit_count() == cards


def _flush_shifts() -> bytes:
    """For all suit counts, where the cards of the suit with five or more begin; 0 for none."""
    shifts = bytearray(1 << SUIT_BITS)
    for number in range(5, MOST_CARDS + 1):
        others = [*product(range(MOST_CARDS - number + 1), repeat=3)]
        for suit in range(4):
            begin = CARD_SHIFT + RANKS_OF_ALL_DECKS * suit
            for counts in others:
                of_suits = [*counts[:suit], number, *counts[suit:]]
                shifts[sum(n << BITS_OF_SUIT * place for place, n in enumerate(of_suits))] = begin
    return bytes(shifts)


FLUSH_SHIFTS = _flush_shifts()
"""By the suit counts of up to nine cards: the shift to the set of ranks of the suit that makes
a flush, or 0 if none does."""
