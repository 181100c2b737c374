"""How fast the best of seven cards is found, beside three libraries: same hands, one run.

    python -m benchmarks.hand_speed [--hands 20000] [--seed 19]

Each gets the hands in cards of its own, made beforehand, and ranks them in turns of 250: a busy
moment of the machine slows all alike. Time is that of the processor; medians are of the turns.
First every hand is ranked once by each, so that tables which fill as hands come are full; what
the first hands cost is shown separately. treys, phevaluator (its last release in Python alone) and
PokerKit are pure Python. Required: as fast as the fastest of them, and 20 times PokerKit.
"""

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import phevaluator
import pokerkit
import treys

from rules.best import best_hand
from rules.decks import FULL_DECK
from rules.games import GAMES

TURN = 250
POKERKIT_HANDS = 2_500
TIMES_POKERKIT = 20.0

Ranker = Callable[[Any], object]


def peers(hands: list[tuple[Any, ...]]) -> dict[str, tuple[Ranker, list[Any]]]:
    """Each evaluator with the hands in its own cards; ours with all that it can be asked."""
    game, evaluator = GAMES["holdem"], treys.Evaluator()
    ours = [(hand[:2], hand[2:]) for hand in hands]
    texts = [[str(card) for card in hand] for hand in hands]
    numbers = [[phevaluator.Card(text).id_ for text in hand] for hand in texts]
    their_cards = [[phevaluator.Card(text) for text in hand] for hand in texts]
    of_treys = [[treys.Card.new(text) for text in hand] for hand in texts]
    of_pokerkit = [list(pokerkit.Card.parse("".join(hand))) for hand in texts]
    return {
        "rules best_hand": (lambda hand: best_hand(game, *hand), ours),
        "rules best_hand and its value": (lambda hand: best_hand(game, *hand).value, ours),
        "rules best_hand and its cards": (lambda hand: best_hand(game, *hand).cards, ours),
        "phevaluator, numbers": (lambda hand: phevaluator.evaluate_cards(*hand), numbers),
        "phevaluator, cards": (lambda hand: phevaluator.evaluate_cards(*hand), their_cards),
        "treys": (lambda hand: evaluator.evaluate(hand[:2], hand[2:]), of_treys),
        "PokerKit": (
            lambda hand: pokerkit.StandardHighHand.from_game(hand[:2], hand[2:]),
            of_pokerkit[:POKERKIT_HANDS],
        ),
    }


def first_hands_us(rank: Ranker, hands: list[Any]) -> float:
    """Microseconds for each hand of a first pass over all."""
    begin = time.process_time()
    for hand in hands:
        rank(hand)
    return (time.process_time() - begin) / len(hands) * 1e6


def measure(rankers: dict[str, tuple[Ranker, list[Any]]], hands: int) -> dict[str, float]:
    """Microseconds for a hand: the median of the turns, which the evaluators take one by one."""
    turns: dict[str, list[float]] = {name: [] for name in rankers}
    for begin in range(0, hands, TURN):
        for name, (rank, dealt) in rankers.items():
            batch = dealt[begin : begin + TURN]
            if batch:
                turns[name].append(first_hands_us(rank, batch))
    return {name: statistics.median(times) for name, times in turns.items()}


def main() -> None:
    """Measure, print, and fail when a requirement is missed."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--hands", type=int, default=20_000)
    options.add_argument("--seed", type=int, default=19)
    arguments = options.parse_args()
    rng = random.Random(arguments.seed)
    rankers = peers([tuple(rng.sample(FULL_DECK.cards, 7)) for _ in range(arguments.hands)])
    first = {name: first_hands_us(rank, hands) for name, (rank, hands) in rankers.items()}
    medians = measure(rankers, arguments.hands)
    mine = medians["rules best_hand"]
    print(f"{arguments.hands} seven-card hands, seed {arguments.seed}; microseconds for a hand")
    print(f"{'':32}{'median':>9}{'first pass':>12}{'to best_hand':>14}")
    for name, median in medians.items():
        print(f"{name:32}{median:9.2f}{first[name]:12.2f}{median / mine:13.2f}x")
    others = {name: median for name, median in medians.items() if not name.startswith("rules")}
    fastest = min(others, key=lambda name: others[name])
    print(f"the fastest other: {fastest}, {others[fastest] / mine:.2f} times as long")
    if mine > others[fastest] or others["PokerKit"] < TIMES_POKERKIT * mine:
        sys.exit("Too slow: a requirement is missed.")


if __name__ == "__main__":
    main()
