"""Words of the rule book and of posted terms by code, in the language of who reads them."""

from __future__ import annotations

from jackpot.domain.command_handlers import ADJUSTMENTS, REJECTIONS
from jackpot.terms.awards import CAPACITY
from jackpot.terms.document import HandWins
from jackpot.terms.posted_terms import HAND_WINS as _HAND_WINS
from jackpot.terms.required_evidence import WORDS, Thing
from rules.games import GAMES, JACKPOT_GAMES
from rules.hands import Category
from rules.wording import SUIT_NAMES
from settlement.core.words.translation import Labels

GAME_NAMES = Labels({code: game.label for code, game in GAMES.items()})
JACKPOT_GAME_NAMES = Labels({code: GAMES[code].label for code in JACKPOT_GAMES})
SUITS = Labels(SUIT_NAMES)
SUIT_TITLES = Labels({suit: name.with_capital() for suit, name in SUIT_NAMES.items()})
CATEGORIES: Labels[str] = Labels(
    {each.name.lower(): each.label.with_capital() for each in reversed(Category)}
)
"""The kinds of hand as terms name them, the highest first."""
CAPACITIES: Labels[str] = Labels(dict(CAPACITY.items()))
CAPACITY_TITLES: Labels[str] = Labels(
    {role: words.with_capital() for role, words in CAPACITY.items()}
)
HAND_WINS: Labels[HandWins] = Labels(_HAND_WINS)
EVIDENCE: Labels[Thing] = Labels(WORDS)
EVIDENCE_TITLES: Labels[Thing] = Labels(
    {thing: words.with_capital() for thing, words in WORDS.items()}
)
REASONS_TO_ADJUST = Labels(ADJUSTMENTS)
REASONS_TO_REJECT = Labels({code: words for code, (_, words) in REJECTIONS.items()})
