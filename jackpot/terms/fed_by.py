"""Which rounds feed a tier (19.2, 19.3): what its game and deck can win, or what is posted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jackpot.terms.document import FedBy, JackpotTerms, TierTerms
from rules.decks import DECKS
from rules.games import GAMES
from rules.phrases import Phrase
from rules.weakest import TermsError
from rules.wording import quoted, series


@dataclass(frozen=True, slots=True)
class Deal:
    """What contributions of a round may ask of it; `flop`: None where nobody said."""

    game: str | None
    deck: int | None
    stakes: str | None = None
    players: int = 0
    flop: bool | None = None


NOTHING_POSTED = FedBy()


def meets(tier: TierTerms, deal: Deal) -> bool:
    """Whether the round is one of which something is taken for the tier, as it is posted."""
    fed_by = tier.fed_by or NOTHING_POSTED
    return (
        (fed_by.games is None or deal.game in fed_by.games)
        and (fed_by.decks is None or deal.deck in fed_by.decks)
        and (fed_by.stakes is None or deal.stakes in fed_by.stakes)
        and deal.players >= fed_by.players_min
    )


def can_win(tier: TierTerms, deal: Deal) -> bool:
    """Whether the game and the deck of the round can win the tier."""
    if deal.game is None or deal.deck is None:
        return False
    return tier.qualifies().can_be_won_with(deal.game, deal.deck)


def is_its_play(tier: TierTerms, deal: Deal) -> bool:
    """Whether game and deck are those that feed the tier: as posted, else those that win it."""
    fed_by = tier.fed_by or NOTHING_POSTED
    if fed_by.games is None and fed_by.decks is None:
        return can_win(tier, deal)
    won_by = tier.qualifies()
    games = won_by.games if fed_by.games is None else fed_by.games
    decks = won_by.decks if fed_by.decks is None else fed_by.decks
    return deal.game in games and deal.deck in decks


def in_play(terms: JackpotTerms, table: str, game: str | None, deck: int | None) -> bool:
    """Whether a round that begins at the table can win one of the jackpot's prizes."""
    deal = Deal(game, deck)
    return terms.takes_part(table, game) and any(
        can_win(tier, deal) for tier in terms.tiers if tier.code not in terms.suspended
    )


def check(terms: JackpotTerms) -> None:
    """Refuse what no round of the jackpot can be. TermsError says what to correct."""
    for tier in terms.tiers:
        fed_by = tier.fed_by or NOTHING_POSTED
        lists = {
            Phrase("games"): fed_by.games,
            Phrase("decks"): fed_by.decks,
            Phrase("stakes"): fed_by.stakes,
        }
        for name, posted in lists.items():
            if posted is not None and (not posted or len({*posted}) != len(posted)):
                raise TermsError(
                    "%(prize)s is fed by: name at least one of the %(list)s, each once, or leave"
                    " it out.",
                    prize=tier.name,
                    list=name,
                )
        if strange := [game for game in fed_by.games or () if game not in terms.games]:
            raise TermsError(
                "%(prize)s is fed by %(game)s, which is no game of the jackpot.",
                prize=tier.name,
                game=quoted(strange[0]),
            )
        if strange_decks := [deck for deck in fed_by.decks or () if deck not in DECKS]:
            raise TermsError("There is no deck of %(size)s cards (4.1).", size=strange_decks[0])


def notice_lines(terms: JackpotTerms) -> Iterator[Phrase]:
    """Which rounds feed what, as it is posted (19.4)."""
    for tier in terms.tiers:
        if tier.fed_by is not None:
            rounds = rounds_in_words(tier)
            yield Phrase(
                "%(prize)s is fed by rounds of %(rounds)s.", prize=tier.name, rounds=rounds
            )
    yield Phrase(
        "A round feeds only prizes that its game and deck can win, unless set otherwise here."
    )
    if terms.funding == "players":
        yield Phrase(
            "What players put in for a prize that the round does not feed goes to those of this"
            " jackpot that can be won at the table; if there is none it is kept to be returned to"
            " players."
        )


def rounds_in_words(tier: TierTerms) -> Phrase:
    """The rounds that feed the tier, as part of a sentence."""
    won_by, fed_by = tier.qualifies(), tier.fed_by or NOTHING_POSTED
    games = series([GAMES[game].label for game in fed_by.games or won_by.games])
    decks = series([DECKS[size].name for size in fed_by.decks or won_by.decks], "or")
    words = [Phrase("%(games)s with the %(decks)s", games=games, decks=decks)]
    if fed_by.stakes is not None:
        words.append(Phrase("at stakes of %(stakes)s", stakes=series(list(fed_by.stakes), "or")))
    if fed_by.players_min:
        least = fed_by.players_min
        words.append(Phrase("with at least %(players)s players dealt in", players=least))
    if fed_by.flop_dealt:
        words.append(Phrase("what players put in only if a flop was dealt"))
    return Phrase.joined(words, ", ")
