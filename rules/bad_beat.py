"""The bad beat: a prize for a strong hand that was beaten (rules 19.5, 19.6)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from rules.best import BestHand
from rules.conditions import Conditions, read_round, sentences
from rules.games import GAMES
from rules.hands import Category, describe
from rules.phrases import Phrase
from rules.possible import kinds_from, require_kinds, require_players, require_winnable
from rules.reading import read_object, read_weakest, require_flag, require_whole, write_weakest
from rules.requirements import Requirement
from rules.weakest import TermsError, Weakest


@dataclass(frozen=True, slots=True)
class BadBeat(Conditions):
    """The posted criteria of a bad beat. Raises TermsError for what cannot be met."""

    losing: Weakest
    """The beaten hand is at least this."""
    beaten_by: Weakest
    """The hand that beats it is at least this, and higher."""
    hole_cards_playing: int = 2
    """At least so many hole cards must be among the five of either hand."""
    losers_min: int = 1
    """So many hands as asked for must have been beaten."""
    every_loser: bool = False
    """Each beaten hand as asked for wins; otherwise only the highest, and its equals."""
    flop_on_request_grants: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Refuse criteria that contradict the rules or each other."""
        Conditions.__post_init__(self)
        require_whole(self.losers_min, "losers_min", 1, 9)
        require_flag(self.every_loser, "every_loser")
        self._require_beatable()
        require_kinds(self, self.losing)
        losing = kinds_from(self, self.losing.category)
        require_winnable(self, [kind for kind in losing if kind is not Category.ROYAL_FLUSH])
        require_winnable(self, kinds_from(self, self.beaten_by.category))
        require_players(self)

    @property
    def players_needed(self) -> int:
        """So many hands must be beaten, by one more."""
        return max(self.players_dealt_min or 0, self.losers_min + 1)

    @property
    def of_every_hand(self) -> Requirement:
        """What is asked of the hole cards of either hand where ``by_category`` does not name it."""
        return Requirement(self.hole_cards_playing)

    def _require_beatable(self) -> None:
        """Raise TermsError where no hand beats the one that must lose."""
        if self.losing.category is Category.ROYAL_FLUSH:
            raise TermsError("Nothing beats a royal flush: name a lower losing hand.")
        both = self.asked_of(Category.STRAIGHT_FLUSH).hole_cards_playing == 2 or all(
            GAMES[code].hole_cards_exactly == 2 for code in self.games
        )
        if self.losing == Weakest(Category.STRAIGHT_FLUSH, ("K",)) and both:
            raise TermsError(
                "With two hole cards of either playing no royal flush beats a king-high straight"
                " flush: name a lower losing hand."
            )

    def to_json(self) -> dict[str, Any]:
        """The terms as plain JSON values; ``from_json`` reads them back."""
        return {
            "kind": "bad_beat",
            "losing": write_weakest(self.losing),
            "beaten_by": write_weakest(self.beaten_by),
            "hole_cards_playing": self.hole_cards_playing,
            "losers_min": self.losers_min,
            "every_loser": self.every_loser,
            **self.round_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "BadBeat":
        """Read terms written by ``to_json``. Raises TermsError for what is not such terms."""
        read = read_object(
            data, Phrase("The terms"), {"kind", *(field.name for field in fields(cls))}
        )
        if read.pop("kind", None) != "bad_beat":
            raise TermsError("The kind of these terms must be bad_beat.")
        if "losing" not in read or "beaten_by" not in read:
            raise TermsError("Name the losing hand and the hand that beats it.")
        read["losing"] = read_weakest(read["losing"])
        read["beaten_by"] = read_weakest(read["beaten_by"])
        return cls(**read_round(read))

    def notice(self, decimals: int = 2) -> Phrase:
        """The sentences to be posted (rule 19.5).

        >>> from rules.hands import Category
        >>> quads = Weakest(Category.FOUR_OF_A_KIND)
        >>> BadBeat(Weakest(Category.FULL_HOUSE, ("A",)), quads, games=("holdem",)).notice()
        'Full house, aces full, or any higher hand, wins in Hold-em when it is beaten by \
four of a kind or any higher hand. Two hole cards must play in either hand. Of several beaten \
hands the highest wins.'
        """
        texts = [
            Phrase(
                "%(losing)s, or any higher hand, wins in %(games)s "
                "when it is beaten by %(beaten_by)s or any higher hand",
                losing=self.losing.label,
                games=self.where,
                beaten_by=self.beaten_by.label,
            )
        ]
        texts += [
            Phrase("%(requirement)s in either hand", requirement=each)
            for each in self.hole_card_notice()
        ]
        if self.losers_min > 1:
            texts.append(_several_beaten(self.losers_min))
        if self.every_loser:
            texts.append(Phrase("of several beaten hands each wins"))
        else:
            texts.append(Phrase("of several beaten hands the highest wins"))
        return sentences([*texts, *self.round_notice(decimals)])


def _several_beaten(number: int) -> Phrase:
    """So many hands as asked for must be beaten."""
    hands = Phrase.counted(number, "%(number)s such hand", "%(number)s such hands")
    return Phrase("at least %(hands)s must be beaten", hands=hands)


@dataclass(frozen=True, slots=True)
class ShownHand:
    """A hand that was shown down: not folded, and all its cards are known.

    >>> from rules.best import best_hand
    >>> from rules.cards import parse_cards
    >>> from rules.games import GAMES
    >>> hole, board = parse_cards("As Ad"), parse_cards("Ah Kh Ks 7d 7c")
    >>> ShownHand(3, best_hand(GAMES["holdem"], hole, board)).eligible
    True
    """

    seat: int
    hand: BestHand
    eligible: bool = True
    """The player takes part in the jackpot; who does not may beat a hand all the same."""


@dataclass(frozen=True, slots=True)
class BeatOutcome:
    """Who lost and who beat whom, and why the others did not.

    >>> BeatOutcome(losers=(2,), beaters=(5,), shortfalls={5: Phrase("it was not beaten")}).losers
    (2,)
    """

    losers: tuple[int, ...]
    """The seats that win the prize of the beaten hand."""
    beaters: tuple[int, ...]
    """The seats that hold the hand that beat them."""
    shortfalls: Mapping[int, Phrase]
    """By seat, what the hand lacks for the prize of the beaten hand."""


def settle(terms: BadBeat, hands: Sequence[ShownHand]) -> BeatOutcome:
    """Find the beaten hands that win: cards speak, whatever was said of the pot.

    >>> from rules.best import best_hand
    >>> from rules.cards import parse_cards
    >>> from rules.games import GAMES
    >>> from rules.hands import Category
    >>> terms = BadBeat(Weakest(Category.FULL_HOUSE), Weakest(Category.FOUR_OF_A_KIND))
    >>> board = parse_cards("Ah Kh Ks 7d 7c")
    >>> holes = {2: parse_cards("As Ad"), 5: parse_cards("Kd Kc")}
    >>> shown = [ShownHand(s, best_hand(GAMES["holdem"], h, board)) for s, h in holes.items()]
    >>> outcome = settle(terms, shown)
    >>> outcome.losers, outcome.beaters
    ((2,), (5,))
    """
    top = max((each.hand.value for each in hands), default=None)
    beaters = tuple(each for each in hands if each.hand.value == top)
    playing = [each for each in beaters if _cards_lacking(terms, each) is None]
    beaten: list[ShownHand] = []
    shortfalls: dict[int, Phrase] = {}
    for each in hands:
        lacking = _lacking(terms, each, beaters, any_plays=bool(playing))
        if lacking is None:
            beaten.append(each)
        else:
            shortfalls[each.seat] = lacking
    if len(beaten) < terms.losers_min:
        few = _several_beaten(terms.losers_min)
        shortfalls |= {each.seat: few for each in beaten}
        beaten = []
    if beaten and not terms.every_loser:
        highest = max(each.hand.value for each in beaten)
        lower = [each for each in beaten if each.hand.value < highest]
        too_low = Phrase("a higher hand was beaten too")
        shortfalls |= {each.seat: too_low for each in lower}
        beaten = [each for each in beaten if each.hand.value == highest]
    return BeatOutcome(
        tuple(each.seat for each in beaten),
        tuple(each.seat for each in playing) if beaten else (),
        shortfalls,
    )


def _lacking(
    terms: BadBeat, each: ShownHand, beaters: tuple[ShownHand, ...], *, any_plays: bool
) -> Phrase | None:
    """Say what a hand lacks to be a beaten hand as asked for."""
    if not each.eligible:
        return Phrase("the player takes no part in the jackpot")
    if not terms.losing.reached_by(each.hand.value):
        return Phrase("the lowest losing hand is %(hand)s", hand=terms.losing.label)
    if (cards := _cards_lacking(terms, each)) is not None:
        return cards
    if each in beaters:
        return Phrase("it was not beaten")
    best = beaters[0].hand.value
    if not terms.beaten_by.reached_by(best):
        return Phrase(
            "it was beaten by %(hand)s, lower than %(least)s",
            hand=describe(best),
            least=terms.beaten_by.label,
        )
    if not any_plays:
        lacking = _cards_lacking(terms, beaters[0])
        return Phrase("%(requirement)s in the hand that beats it", requirement=lacking)
    return None


def _cards_lacking(terms: BadBeat, each: ShownHand) -> Phrase | None:
    """Say what is asked of the hole cards of such a hand that this one has not."""
    return terms.asked_of(each.hand.value.category).shortfall(each.hand)
