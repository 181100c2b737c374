"""What every kind of tier may ask: of the round, and of hole cards by kind of hand (rule 19.5)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from rules.decks import DECKS, FULL_DECK
from rules.games import GAMES, JACKPOT_GAMES
from rules.hands import Category
from rules.phrases import Phrase
from rules.reading import read_numbers, read_texts, require_flag, require_whole
from rules.requirements import (
    ByCategory,
    Requirement,
    read_by_category,
    require_by_category,
    requirement_notice,
    write_by_category,
)
from rules.weakest import TermsError
from rules.wording import amount, quoted, series


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """The posted criteria that a round must meet. Raises TermsError for what cannot be met.

    >>> Conditions(games=("holdem",), decks=(36,)).where
    'Hold-em with the 36-card deck'
    """

    players_dealt_min: int | None = None
    pot_min_minor: int | None = None
    """The smallest pot, in minor units of the currency."""
    games: tuple[str, ...] = JACKPOT_GAMES
    decks: tuple[int, ...] = (FULL_DECK.size,)
    """The sizes of the decks that the tier may be won with (4.1)."""
    flop_seen: bool = False
    """The flop must have been dealt in play, so not on request (19.16)."""
    showdown_needed: bool = False
    """All community cards must have been dealt: neither a flop on request (19.16) nor a round
    that ended by folding before the last card qualifies."""
    by_category: ByCategory = ()
    """What is asked of the hole cards of single kinds of hand, instead of ``of_every_hand``."""
    flop_on_request_grants: ClassVar[bool] = True
    """A hand can win on a flop that its player asked for when all others had folded (19.16)."""

    def __post_init__(self) -> None:
        """Refuse criteria that contradict the rules."""
        require_flag(self.flop_seen, "flop_seen")
        require_flag(self.showdown_needed, "showdown_needed")
        if self.players_dealt_min is not None:
            require_whole(self.players_dealt_min, "players_dealt_min", 2, 10)
        if self.pot_min_minor is not None:
            require_whole(self.pot_min_minor, "pot_min_minor", 1, 10**12)
        _require_jackpot_games(self.games)
        _require_decks(self.decks)
        require_by_category(self.by_category)

    @property
    def of_every_hand(self) -> Requirement:
        """What is asked of the hole cards of every hand; each kind of terms says it."""
        return Requirement()

    def asked_of(self, category: Category) -> Requirement:
        """What is asked of the hole cards of a kind of hand."""
        return dict(self.by_category).get(category, self.of_every_hand)

    @property
    def asks_of_hole_cards(self) -> bool:
        """Not the value of a hand alone decides."""
        requirements = (self.of_every_hand, *(each for _, each in self.by_category))
        return any(each.asks for each in requirements)

    @property
    def players_needed(self) -> int:
        """So few players can win it at the least."""
        return self.players_dealt_min or 1

    def can_be_won_with(self, game: str, deck: int) -> bool:
        """Whether a round of that game with that deck can win: both are named, and so many
        players as are asked for fit (5.1).

        >>> Conditions(decks=(36,)).can_be_won_with("holdem", 52)
        False
        """
        if game not in self.games or deck not in self.decks:
            return False
        return GAMES[game].most_players(DECKS[deck]) >= self.players_needed

    def hole_card_notice(self) -> list[Phrase]:
        """The sentences to be posted about hole cards, without capital and full stop."""
        return list(requirement_notice(self.of_every_hand, self.by_category))

    def round_notice(self, decimals: int) -> list[Phrase]:
        """The sentences to be posted about the round, without capital and full stop."""
        sentences = []
        if self.players_dealt_min is not None:
            players = self.players_dealt_min
            sentences.append(
                Phrase("at least %(players)s players must have been dealt in", players=players)
            )
        if self.pot_min_minor is not None:
            pot = amount(self.pot_min_minor, decimals)
            sentences.append(Phrase("the pot must be at least %(pot)s", pot=pot))
        if self.flop_seen:
            sentences.append(Phrase("the flop must have been dealt in play, not on request"))
        if self.showdown_needed:
            sentences.append(
                Phrase("all community cards must have been dealt in play, not on request")
            )
        return sentences

    @property
    def where(self) -> Phrase:
        """The games, and the decks unless it is the full one: "Hold-em and Omaha"."""
        games = series([GAMES[code].label for code in self.games])
        if self.decks == (FULL_DECK.size,):
            return games
        decks = series([DECKS[size].name for size in self.decks], "or")
        return Phrase("%(games)s with the %(decks)s", games=games, decks=decks)

    def round_json(self) -> dict[str, Any]:
        """The conditions as plain JSON values."""
        return {
            "players_dealt_min": self.players_dealt_min,
            "pot_min_minor": self.pot_min_minor,
            "games": list(self.games),
            "decks": list(self.decks),
            "flop_seen": self.flop_seen,
            "showdown_needed": self.showdown_needed,
            **({"by_category": write_by_category(self.by_category)} if self.by_category else {}),
        }


def read_round(read: Mapping[str, Any]) -> dict[str, Any]:
    """Make lists of a JSON object into the tuples that Conditions has.

    >>> read_round({"games": ["omaha"], "flop_seen": True})
    {'games': ('omaha',), 'flop_seen': True}
    """
    conditions = dict(read)
    if "games" in conditions:
        conditions["games"] = read_texts(conditions["games"], "games")
    if "decks" in conditions:
        conditions["decks"] = read_numbers(conditions["decks"], "decks")
    if "by_category" in conditions:
        conditions["by_category"] = read_by_category(conditions["by_category"])
    return conditions


def refuses_19_16(terms: Conditions) -> tuple[str, ...]:
    """The names of the posted conditions that refuse what rule 19.16 grants.

    Where all others have folded, a player with an eligible hand may table it and ask for the flop;
    these conditions refuse that hand all the same. A bad beat has none: nobody is left to beat it.

    >>> refuses_19_16(Conditions(flop_seen=True)), refuses_19_16(Conditions(pot_min_minor=500))
    (('flop_seen',), ())
    """
    if not terms.flop_on_request_grants:
        return ()
    return tuple(name for name in ("flop_seen", "showdown_needed") if getattr(terms, name))


def sentences(texts: list[Phrase]) -> Phrase:
    """Make full sentences of phrases.

    >>> sentences([Phrase("one thing"), Phrase("another")])
    'One thing. Another.'
    """
    return Phrase.joined((Phrase.joined([text.with_capital(), "."]) for text in texts), " ")


def _require_jackpot_games(games: tuple[str, ...]) -> None:
    """Raise TermsError unless these are games that a jackpot may be conducted on (19.7(a))."""
    if not games:
        raise TermsError("Name at least one game.")
    if len(set(games)) != len(games):
        raise TermsError("Name each game only once.")
    for code in games:
        if code not in JACKPOT_GAMES:
            allowed = series(JACKPOT_GAMES, "or")
            raise TermsError(
                "%(game)s carries no jackpot (19.7(a)): name %(allowed)s.",
                game=quoted(code),
                allowed=allowed,
            )


def _require_decks(decks: tuple[int, ...]) -> None:
    """Raise TermsError unless these are decks that poker is played with (4.1)."""
    if not decks:
        raise TermsError("Name at least one deck.")
    if len(set(decks)) != len(decks):
        raise TermsError("Name each deck only once.")
    for size in decks:
        if size not in DECKS:
            allowed = series([str(each) for each in DECKS], "or")
            raise TermsError(
                "There is no deck of %(size)s cards (4.1): name %(allowed)s.",
                size=size,
                allowed=allowed,
            )
