"""The variations of poker (rules 5.1 and 11 to 17)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from rules.decks import Deck
from rules.phrases import Phrase

MOST_PLAYERS_EVER = 10
"""No poker game has more players, whatever the deck would allow (rule 5.1)."""

FLOP_CARDS = 3
"""The community cards that are turned first (rule 16.3(a))."""


@dataclass(frozen=True, slots=True)
class Game:
    """One variation of poker. Every game may be played with every deck (4.1, 5.1 in force)."""

    code: str
    """The name in the wire protocol."""
    label: Phrase
    dealt_cards: int
    """How many cards of his own a player is dealt."""
    hole_cards: int
    """How many of them he holds when hands are compared: one is discarded in Pineapple."""
    community_cards: int
    hole_cards_exactly: int | None
    """How many hole cards must play, no more and no fewer; None where it is his choice."""
    jackpot_eligible: bool
    """A jackpot may be conducted on the game (rule 19.7(a))."""
    rule: str
    """The section of the rule book on the game."""
    customary_decks: tuple[int, ...]
    """The sizes of the decks for which earlier editions of 5.1 list the game."""
    discard_after: int | None = None
    """How many community cards are out when players discard; None where nobody does."""
    last_card_may_be_shared: bool = False
    """When cards run out one community card stands for everybody's last (12.4(a), 13.4(a))."""
    ace_high_only: bool = False
    """With the shorter decks the ace is never low (9.3(f))."""
    all_hole_cards_decide: bool = True
    """The remainder of a divided prize goes by all hole cards, not by those used (17.5(e))."""
    shapes: frozenset[tuple[int, int]] = field(init=False, repr=False, compare=False)
    """With how many hole and community cards a hand can be compared."""

    def __post_init__(self) -> None:
        """Work out the shapes."""
        boards = range(FLOP_CARDS, self.community_cards + 1) if self.community_cards else (0,)
        holds = range(self.hole_cards, self.dealt_cards + 1)
        shapes = {(hole, board) for hole in holds for board in boards}
        if self.last_card_may_be_shared:
            shapes.add((self.hole_cards - 1, 1))
        object.__setattr__(self, "shapes", frozenset(shapes))

    def most_players(self, deck: Deck) -> int:
        """The most players for whom the deck suffices, burn cards not counted (rule 5.1).

        >>> from rules.decks import DECKS
        >>> GAMES["omaha"].most_players(DECKS[52]), GAMES["omaha"].most_players(DECKS[32])
        (10, 6)
        """
        enough_for = (deck.size - self.community_cards) // self.dealt_cards
        return min(MOST_PLAYERS_EVER, enough_for)

    def most_hole_cards_playing(self) -> int:
        """The most hole cards that can play: two in every game that carries a jackpot."""
        if self.community_cards:
            return self.hole_cards_exactly or min(self.hole_cards, 2)
        return 5

    def hole_card_counts(self, board_cards: int, flop_on_request: bool) -> tuple[int, ...]:
        """How many hole cards a player may hold when the round ends with so many board cards.

        Nobody discards once all others have folded (16.2(d), 16.3(d)). So a Pineapple or Crazy
        Pineapple player who asks for the flop may hold all three (19.16), and so does the Crazy
        Pineapple player whose opponents fold on the flop. A stud player has one card fewer of
        his own when the last is a community card (12.4(a), 13.4(a)).
        """
        if self.last_card_may_be_shared and board_cards == 1:
            return (self.hole_cards - 1,)
        if self.discard_after is None:
            return (self.hole_cards,)
        if flop_on_request or board_cards <= self.discard_after:
            return (self.hole_cards, self.dealt_cards)
        return (self.hole_cards,)


def _manila(code: str, label: Phrase, rule: str, *, decks: tuple[int, ...], dealt: int) -> Game:
    """A Manila: two hole cards and three community cards, ace high only (9.3(f), 19.7(a))."""
    return Game(
        code,
        label,
        dealt,
        dealt,
        community_cards=5,
        hole_cards_exactly=2,
        jackpot_eligible=False,
        rule=rule,
        customary_decks=decks,
        ace_high_only=True,
        all_hole_cards_decide=dealt == 2,
    )


def _own_cards(code: str, label: Phrase, rule: str, *, dealt: int, stud: bool) -> Game:
    """A game without community cards, unless the last one must be shared (rule 19.7(a))."""
    return Game(
        code,
        label,
        dealt,
        dealt,
        community_cards=0,
        hole_cards_exactly=None,
        jackpot_eligible=False,
        rule=rule,
        customary_decks=(52, 40, 32),
        last_card_may_be_shared=stud,
        all_hole_cards_decide=False,
    )


def _games() -> Iterable[Game]:
    """Yield the games of rules 11 to 17; on those with a flop a jackpot is conducted (19.7(a))."""
    holdem = Game(
        "holdem",
        Phrase("Hold-em"),
        dealt_cards=2,
        hole_cards=2,
        community_cards=5,
        hole_cards_exactly=None,
        jackpot_eligible=True,
        rule="16",
        customary_decks=(52, 32),
    )
    pineapple = replace(
        holdem, code="pineapple", label=Phrase("Pineapple"), dealt_cards=3, discard_after=0
    )
    yield holdem
    yield pineapple
    yield replace(
        pineapple, code="crazy_pineapple", label=Phrase("Crazy Pineapple"), discard_after=3
    )
    yield replace(
        holdem,
        code="omaha",
        label=Phrase("Omaha"),
        dealt_cards=4,
        hole_cards=4,
        hole_cards_exactly=2,
        rule="17",
        all_hole_cards_decide=False,
    )
    yield _manila("two_card_manila", Phrase("Two Card Manila"), "14", decks=(32,), dealt=2)
    yield _manila("three_card_manila", Phrase("Three Card Manila"), "15", decks=(36, 32), dealt=3)
    yield _own_cards("draw", Phrase("Draw"), "11", dealt=5, stud=False)
    yield _own_cards("five_card_stud", Phrase("Five Card Stud"), "12", dealt=5, stud=True)
    yield _own_cards("seven_card_stud", Phrase("Seven Card Stud"), "13", dealt=7, stud=True)


GAMES: Mapping[str, Game] = MappingProxyType({game.code: game for game in _games()})
"""The games by their code in the wire protocol."""

JACKPOT_GAMES: tuple[str, ...] = tuple(code for code in GAMES if GAMES[code].jackpot_eligible)
"""The codes of the games on which a jackpot may be conducted (rule 19.7(a))."""
