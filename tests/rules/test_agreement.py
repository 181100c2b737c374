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
from itertools import combinations, pairwise

import pytest
from pokerkit import Card as TheirCard
from pokerkit import OmahaHoldemHand, ShortDeckHoldemHand, StandardHighHand
from treys import Card as TreysCard
from treys import Evaluator

from rules.best import best_hand
from rules.cards import Card
from rules.decks import DECKS, FULL_DECK
from rules.games import GAMES

SEEDS = (190_712, 190_713, 190_714, 190_715)
HANDS = 25_000
"""For each seed and game: 300,000 hands in all, every one against PokerKit."""

IN_FULL = 1_000
"""How many of each are also ranked by PokerKit's own choice of five cards."""

THEIR_LABELS = {"High card": "no pair"}
GAMES_AND_DECKS = {
    "holdem": (GAMES["holdem"], FULL_DECK, StandardHighHand),
    "omaha": (GAMES["omaha"], FULL_DECK, OmahaHoldemHand),
    "short deck": (GAMES["holdem"], DECKS[36], ShortDeckHoldemHand),
}
_entries: dict[tuple[type, tuple[str, ...], bool], tuple[int, str]] = {}


def their_cards(cards):
    """Cards as PokerKit has them."""
    return list(TheirCard.parse("".join(map(str, cards))))


def entry(theirs, five: tuple[Card, ...]) -> tuple[int, str]:
    """PokerKit's place and label of five cards, remembered by ranks and whether of one suit."""
    key = (theirs, tuple(sorted(c.rank for c in five)), len({c.suit for c in five}) == 1)
    if key not in _entries:
        found = theirs.lookup.get_entry(their_cards(five))
        _entries[key] = (found.index, found.label.value)
    return _entries[key]


def their_best(code, theirs, hole, board):
    """The highest of PokerKit's entries for every five cards that the game allows."""
    if code == "omaha":
        fives = [two + three for two in combinations(hole, 2) for three in combinations(board, 3)]
    else:
        fives = list(combinations(hole + board, 5))
    return max(entry(theirs, five) for five in fives)


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


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS, ids="seed {}".format)
@pytest.mark.parametrize("code", GAMES_AND_DECKS)
def test_pokerkit_ranks_every_hand_as_we_do(code, seed):
    print("seed", seed)  # noqa: T201 - a failure names the deals
    game, deck, theirs = GAMES_AND_DECKS[code]
    ranked = set()
    for number, (hole, board) in enumerate(deals(seed, game, deck)):
        mine = best_hand(game, hole, board, deck)
        place, label = their_best(code, theirs, hole, board)
        ours = mine.value.category.label.replace("royal", "straight")
        assert ours == THEIR_LABELS.get(label, label.lower()), (hole, board)
        assert entry(theirs, mine.cards) == (place, label), (hole, board)
        ranked.add((mine.strength, place))
        if number < IN_FULL:
            chosen = theirs.from_game(their_cards(hole), their_cards(board))
            assert chosen.entry.index == place, (hole, board)
    assert_same_order(ranked, rising=True)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS, ids="seed {}".format)
@pytest.mark.parametrize("code", ["holdem", "omaha"])
def test_phevaluator_ranks_every_hand_as_we_do(code, seed):
    game, deck, _ = GAMES_AND_DECKS[code]
    dealt = list(deals(seed, game, deck))
    places = phevaluators_places(code, dealt)
    ours = (best_hand(game, hole, board).strength for hole, board in dealt)
    assert_same_order(set(zip(ours, places, strict=True)), rising=False)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS, ids="seed {}".format)
def test_treys_ranks_every_hand_as_we_do(seed):
    game, deck, _ = GAMES_AND_DECKS["holdem"]
    evaluator = Evaluator()
    known = {card: TreysCard.new(str(card)) for card in deck.cards}
    ranked = set()
    for hole, board in deals(seed, game, deck):
        place = evaluator.evaluate([known[c] for c in hole], [known[c] for c in board])
        ranked.add((best_hand(game, hole, board).strength, place))
    assert_same_order(ranked, rising=False)


def assert_same_order(ranked: set[tuple[int, int]], *, rising: bool) -> None:
    """Each strength must have one place, and the places must rise or fall with the strengths."""
    assert len({mine for mine, _ in ranked}) == len({place for _, place in ranked}) == len(ranked)
    for (_, place), (_, next_place) in pairwise(sorted(ranked)):
        assert (place < next_place) is rising
