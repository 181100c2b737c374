"""The high hand: a prize for the best hand of a period (rules 19.5, 19.6)."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

from rules.best import BestHand
from rules.conditions import Conditions, read_round, sentences
from rules.phrases import Phrase
from rules.possible import kinds_from, require_kinds, require_players, require_winnable
from rules.reading import read_object, read_weakest, require_whole, write_weakest
from rules.requirements import Requirement
from rules.terms import hand_or_higher
from rules.weakest import TermsError, Weakest
from rules.wording import series

Ties = Literal["first", "shared"]
"""Who wins when the best hands of a period are equal: the one recorded first, or all."""

Unclaimed = Literal["stays", "added"]
"""What becomes of a fixed prize that nobody wins: its money stays in the pool and the next prize
is the same, or it is added to the next prize."""


@dataclass(frozen=True, slots=True)
class HighHand(Conditions):
    """The posted criteria of a high hand. Raises TermsError for what cannot be met."""

    floor: Weakest
    """The floor hand: nothing lower wins, however quiet the period."""
    period_minutes: int
    hole_cards_playing: int = 0
    """At least so many hole cards must be among the five."""
    ties: Ties = "first"
    unclaimed: Unclaimed = "stays"

    def __post_init__(self) -> None:
        """Refuse criteria that contradict the rules or each other."""
        Conditions.__post_init__(self)
        if len(self.decks) != 1:
            raise TermsError("Hands of different decks do not compare: name one deck.")
        require_whole(self.period_minutes, "period_minutes", 1, 60 * 24 * 366)
        if self.ties not in get_args(Ties):
            raise _not_of("ties", Ties)
        if self.unclaimed not in get_args(Unclaimed):
            raise _not_of("unclaimed", Unclaimed)
        require_kinds(self, self.floor)
        require_winnable(self, kinds_from(self, self.floor.category))
        require_players(self)

    @property
    def of_every_hand(self) -> Requirement:
        """What is asked of the hole cards of every hand that ``by_category`` does not name."""
        return Requirement(self.hole_cards_playing)

    def shortfall(self, hand: BestHand) -> Phrase | None:
        """Say what a hand lacks that it could win the period; None if it lacks nothing."""
        if not self.floor.reached_by(hand.value):
            return Phrase("the floor hand is %(hand)s", hand=self.floor.label)
        return self.asked_of(hand.value.category).shortfall(hand)

    def to_json(self) -> dict[str, Any]:
        """The terms as plain JSON values; ``from_json`` reads them back."""
        return {
            "kind": "high_hand",
            "floor": write_weakest(self.floor),
            "period_minutes": self.period_minutes,
            "hole_cards_playing": self.hole_cards_playing,
            "ties": self.ties,
            **({"unclaimed": self.unclaimed} if self.unclaimed != "stays" else {}),
            **self.round_json(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "HighHand":
        """Read terms written by ``to_json``. Raises TermsError for what is not such terms."""
        read = read_object(
            data, Phrase("The terms"), {"kind", *(field.name for field in fields(cls))}
        )
        if read.pop("kind", None) != "high_hand":
            raise TermsError("The kind of these terms must be high_hand.")
        if "floor" not in read or "period_minutes" not in read:
            raise TermsError("Name the floor hand and the length of the period.")
        read["floor"] = read_weakest(read["floor"])
        for name, kind in (("ties", Ties), ("unclaimed", Unclaimed)):
            if not isinstance(read.get(name, ""), str):
                raise _not_of(name, kind)
        return cls(**read_round(read))

    def notice(self, decimals: int = 2) -> Phrase:
        """The sentences to be posted (rule 19.5).

        >>> from rules.hands import Category
        >>> HighHand(Weakest(Category.FULL_HOUSE), 60, games=("holdem",)).notice()
        'The highest hand of each period of 60 minutes wins in Hold-em. A full house, or any \
higher hand, can win. Of equal hands the one recorded first wins.'
        """
        texts = [
            Phrase(
                "the highest hand of each period of %(minutes)s minutes wins in %(games)s",
                minutes=self.period_minutes,
                games=self.where,
            ),
            Phrase("%(hand)s can win", hand=hand_or_higher(self.floor)),
        ]
        texts += self.hole_card_notice()
        texts += self.round_notice(decimals)
        if self.ties == "first":
            texts.append(Phrase("of equal hands the one recorded first wins"))
        else:
            texts.append(Phrase("of equal hands each wins a share"))
        if self.unclaimed == "added":
            texts.append(Phrase("a prize that nobody wins is added to that of the next period"))
        return sentences(texts)


def _not_of(name: str, choices: object) -> TermsError:
    """Say what a field may be."""
    return TermsError(
        "%(field)s must be %(allowed)s.", field=name, allowed=series(get_args(choices), "or")
    )
