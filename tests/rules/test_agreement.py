"""Agreement with evaluators of other authors, which rank hands by other means, on random deals.

Where their rules are ours, nothing may differ. Where they are not, nothing is compared:

* PokerKit's lookups know no Manila (9.3(f): ace high only) and no decks of 40 or 32 cards.
* PokerKit, treys and phevaluator know a royal flush as the highest straight flush; the rule
  book gives it its own name (9.1(a)). Categories are compared with that name taken away.
* treys and phevaluator rank with the 52-card deck only, and treys no Omaha as we deal it.
"""

import random
import subprocess
import sys
from collections.abc import Sequence
from itertools import combinations, pairwise, product
from typing import NamedTuple

import numpy as np
import pytest
from pokerkit import Card as TheirCard
from pokerkit import OmahaHoldemHand, ShortDeckHoldemHand, StandardHighHand
from treys import Card as TreysCard
from treys import Evaluator

from rules.best import BestHand, best_hand
from rules.cards import Card
from rules.decks import DECKS, FULL_DECK
from rules.games import GAMES
from tests.support.suite.run_length import share

SEEDS = (190_712, 190_713, 190_714, 190_715)[: share(4)]
HANDS = 25_000
"""For each seed and game: 300,000 hands in all, every one against PokerKit."""

IN_FULL = 1_000
"""How many of each are also ranked by PokerKit's own choice of five cards."""

PRIMES = dict(zip("23456789TJQKA", (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41), strict=True))
THEIR_LABELS = {"High card": "no pair"}
GAMES_AND_DECKS = {
    "holdem": (GAMES["holdem"], FULL_DECK, StandardHighHand),
    "omaha": (GAMES["omaha"], FULL_DECK, OmahaHoldemHand),
    "short deck": (GAMES["holdem"], DECKS[36], ShortDeckHoldemHand),
}
_entries: dict[tuple[type, tuple[str, ...], bool], tuple[int, str]] = {}


class Table(NamedTuple):
    """The deals of one game and seed, and how we rank them."""

    code: str
    dealt: list[tuple[tuple[Card, ...], tuple[Card, ...]]]
    ours: list[BestHand]


def their_cards(cards):
    """Cards as PokerKit has them."""
    return list(TheirCard.parse("".join(map(str, cards))))


def entry(theirs, five: Sequence[Card]) -> tuple[int, str]:
    """PokerKit's place and label of five cards, remembered by ranks and whether of one suit."""
    key = (theirs, tuple(sorted(c.rank for c in five)), len({c.suit for c in five}) == 1)
    if key not in _entries:
        entry_of_theirs = theirs.lookup.get_entry(their_cards(five))
        _entries[key] = (entry_of_theirs.index, entry_of_theirs.label.value)
    return _entries[key]


def choices(code):
    """Every five places among hole cards and board that the game allows."""
    if code == "omaha":
        return [h + b for h in combinations(range(4), 2) for b in combinations(range(4, 9), 3)]
    return list(combinations(range(7), 5))


def their_bests(code, theirs, dealt):
    """The highest of PokerKit's entries for every five cards that the game allows, deal by deal.

    Five cards are distinguished by the product of a prime for each rank, and whether of one suit;
    PokerKit is asked once for each.
    """
    cards = [hole + board for hole, board in dealt]
    primes = np.array([[PRIMES[card.rank] for card in deal] for deal in cards])
    suits = np.array([["shdc".index(card.suit) for card in deal] for deal in cards])
    places = np.array(choices(code))
    of_one_suit = (suits[:, places] == suits[:, places[:, :1]]).all(axis=2)
    keys = primes[:, places].prod(axis=2) * 2 + of_one_suit
    different, first, which = np.unique(keys, return_index=True, return_inverse=True)
    entries = []
    for number in first:
        deal, choice = divmod(int(number), len(places))
        entries.append(entry(theirs, [cards[deal][place] for place in places[choice]]))
    assert len(entries) == len(different)
    ranked = np.array([place for place, _ in entries])[which.reshape(keys.shape)]
    best = ranked.max(axis=1)
    labels = dict(entries)
    return [(int(place), labels[int(place)]) for place in best]


def deals(seed, game, deck):
    """Random deals: two of three from the whole deck, one of its higher half in two suits."""
    rng = random.Random(seed)
    few = tuple(card for card in deck.cards if card.suit in "sh" and card.rank_value >= 6)
    for number in range(HANDS):
        dealt = tuple(rng.sample(few if number % 3 == 2 else deck.cards, game.hole_cards + 5))
        yield dealt[: game.hole_cards], dealt[game.hole_cards :]


# In a process of its own: its tables take 430 MB, which each worker would keep.
_PHEVALUATOR = """
import sys
from phevaluator import evaluate_cards, evaluate_omaha_cards
evaluate = evaluate_omaha_cards if sys.argv[1] == "omaha" else evaluate_cards
for line in sys.stdin:
    print(evaluate(*line.split()))
"""


def phevaluators_places(code, dealt):
    """phevaluator's place of every deal, the best hand first."""
    lines = "".join(" ".join(map(str, board + hole)) + "\n" for hole, board in dealt)
    ranked = subprocess.run(
        [sys.executable, "-c", _PHEVALUATOR, code],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
    )
    return [int(line) for line in ranked.stdout.split()]


def tables(*codes):
    """Each game with each seed; tests of the same deals follow one another, and rank them once."""
    pairs = list(product(codes, SEEDS))
    return pytest.mark.parametrize(
        "table", pairs, ids=[f"{code}, seed {seed}" for code, seed in pairs], indirect=True
    )


@pytest.fixture(scope="module")
def table(request: pytest.FixtureRequest) -> Table:
    code, seed = request.param
    game, deck, _ = GAMES_AND_DECKS[code]
    dealt = list(deals(seed, game, deck))
    return Table(code, dealt, [best_hand(game, hole, board, deck) for hole, board in dealt])


@pytest.mark.slow
@tables(*GAMES_AND_DECKS)
def test_pokerkit_ranks_every_hand_as_we_do(table):
    theirs = GAMES_AND_DECKS[table.code][2]
    ranked = set()
    bests = their_bests(table.code, theirs, table.dealt)
    for (hole, board), mine, (place, label) in zip(table.dealt, table.ours, bests, strict=True):
        ours = mine.value.category.label.replace("royal", "straight")
        assert ours == THEIR_LABELS.get(label, label.lower()), (hole, board)
        assert entry(theirs, mine.cards) == (place, label), (hole, board)
        ranked.add((mine.strength, place))
    for (hole, board), (place, _) in zip(table.dealt[:IN_FULL], bests[:IN_FULL], strict=True):
        chosen = theirs.from_game(their_cards(hole), their_cards(board))
        assert chosen.entry.index == place, (hole, board)
    assert_same_order(ranked, rising=True)


@pytest.mark.slow
@tables("holdem", "omaha")
def test_phevaluator_ranks_every_hand_as_we_do(table):
    places = phevaluators_places(table.code, table.dealt)
    ours = (mine.strength for mine in table.ours)
    assert_same_order(set(zip(ours, places, strict=True)), rising=False)


@pytest.mark.slow
@tables("holdem")
def test_treys_ranks_every_hand_as_we_do(table):
    evaluator = Evaluator()
    treys_cards = {card: TreysCard.new(str(card)) for card in FULL_DECK.cards}
    ranked = set()
    for (hole, board), mine in zip(table.dealt, table.ours, strict=True):
        place = evaluator.evaluate([treys_cards[c] for c in hole], [treys_cards[c] for c in board])
        ranked.add((mine.strength, place))
    assert_same_order(ranked, rising=False)


def assert_same_order(ranked: set[tuple[int, int]], *, rising: bool) -> None:
    """Each strength must have one place, and the places must rise or fall with the strengths."""
    assert len({mine for mine, _ in ranked}) == len({place for _, place in ranked}) == len(ranked)
    for (_, place), (_, next_place) in pairwise(sorted(ranked)):
        assert (place < next_place) is rising
