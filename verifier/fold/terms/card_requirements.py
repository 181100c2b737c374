"""What terms ask of the cards in a player's hand, and whether anybody can ever have it (19.5)."""

from __future__ import annotations

from typing import Any

from verifier.fold.terms import cards
from verifier.fold.terms.shapes import fields, flag, one_of, require, whole

Qualifying = dict[str, Any]  # as it stands in the document: `qualifying` of a tier
_FLUSHES = ("flush", "straight_flush", "royal_flush")
_WITH_PAIRS = ("one_pair", "two_pair", "three_of_a_kind", "full_house", "four_of_a_kind")


def hole_cards_do(qualifying: Qualifying, hand: cards.Hand, held: list[str], usual: int) -> bool:
    """Whether a player's own cards in a hand are what is asked of such a hand.

    A kind of hand that is named asks for what stands there and nothing else. `usual`: how many
    must play where the terms say nothing.
    """
    own = qualifying.get("by_category", {}).get(hand[0])
    if own is None:
        own = {"hole_cards_playing": usual, **qualifying}
    if own.get("pair_in_hole") and not (len(held) == 2 and held[0][0] == held[1][0]):
        return False
    playing = held
    if not own.get("kicker_counts", True):
        ranks = hand[1][: cards.KIND_RANKS.get(hand[0], 5)]
        playing = [card for card in held if cards.rank(card) in ranks]
    return len(playing) >= int(own.get("hole_cards_playing", 0))


def by_category_shape(value: Any) -> None:
    """What is asked of single kinds of hand."""
    own = {"hole_cards_playing": whole(0, 2), "pair_in_hole": flag, "kicker_counts": flag}
    require(isinstance(value, dict), f"{value!r} is no object")
    for kind, requirement in value.items():
        one_of(*cards.CATEGORIES)(kind)
        fields(requirement, {}, own)
        number = requirement.get("hole_cards_playing", 0)
        require(not (requirement.get("pair_in_hole") and number), "a pair is two cards already")
        if not requirement.get("kicker_counts", True):
            matters = number > 0 and not requirement.get("pair_in_hole")
            require(matters and kind in cards.KIND_RANKS, f"no kicker matters in a {kind}")


def can_be_won(qualifying: Qualifying) -> None:
    """Refusal of terms that no hand, or no table, can ever meet."""
    decks, is_beat = qualifying.get("decks", [52]), qualifying.get("kind") == "bad_beat"
    lowest = qualifying.get("losing") or qualifying.get("floor") or qualifying["weakest"]
    by_kind, winning = qualifying.get("by_category", {}), _from(lowest["category"], decks)
    for kind, requirement in by_kind.items():
        require(kind in winning, f"a {kind} is never asked for")
        require(
            not requirement.get("pair_in_hole") or kind in _WITH_PAIRS, f"a {kind} holds no pair"
        )
    if qualifying.get("suit") is not None:
        winning = [kind for kind in winning if kind in _FLUSHES]
    if is_beat:
        _can_be_beaten(qualifying, lowest)
        winning.remove("royal_flush")
        _some_hand(qualifying, _from(qualifying["beaten_by"]["category"], decks))
    _some_hand(qualifying, winning)
    games = qualifying.get("games") or list(cards.JACKPOT_GAMES)
    players = _players(qualifying)
    most = {(game, deck): cards.most_players(game, deck) for game in games for deck in decks}
    for game in games:
        require(max(most[game, deck] for deck in decks) >= players, f"{game} has too few players")
    for deck in decks:
        require(max(most[game, deck] for game in games) >= players, f"{deck} cards are too few")


def _players(qualifying: Qualifying) -> int:
    """So many are needed to win it."""
    beaten = qualifying.get("losers_min", 1) if qualifying.get("kind") == "bad_beat" else 0
    return max(qualifying.get("players_dealt_min") or 1, beaten + 1)


def is_won_by(qualifying: Qualifying, game: str | None, deck: int | None) -> bool:
    """Whether some round of the game with the deck can win it (19.3)."""
    if game is None or deck is None:
        return False
    is_posted = game in qualifying.get("games", cards.JACKPOT_GAMES) and deck in qualifying.get(
        "decks", [52]
    )
    return is_posted and cards.most_players(game, deck) >= _players(qualifying)


def _from(category: str, decks: list[int]) -> list[str]:
    """The kinds of hand that are as high with one of the decks."""
    return [
        kind
        for kind in cards.CATEGORIES
        if any(cards.place(kind, deck) >= cards.place(category, deck) for deck in decks)
    ]


def _some_hand(qualifying: Qualifying, kinds: list[str]) -> None:
    """One of these kinds of hand can be what is asked of it."""
    own = {**dict.fromkeys(kinds, qualifying), **qualifying.get("by_category", {})}
    able = [kind for kind in kinds if kind in _WITH_PAIRS or not own[kind].get("pair_in_hole")]
    require(bool(able), "no hand that is high enough holds a pair")


def _can_be_beaten(qualifying: Qualifying, losing: dict[str, Any]) -> None:
    """No hand beats a royal flush; and of two straight flushes that share three cards of the board
    the higher one is higher by two, if two more are in each player's hand."""
    require(losing["category"] != "royal_flush", "nothing beats a royal flush")
    flush = qualifying.get("by_category", {}).get(
        "straight_flush", {"hole_cards_playing": 2, **qualifying}
    )
    games = qualifying.get("games") or list(cards.JACKPOT_GAMES)
    two = flush.get("hole_cards_playing", 0) == 2 or {*games} == {"omaha"}
    highest = losing["category"] == "straight_flush" and losing.get("ranks") == ["K"]
    require(not (highest and two), "nothing beats a straight flush with a king")
