"""For which prizes an open hand may still be, beside those that it is claimed for.

Calls and reports are taken at their word. A hand that nobody has read is for anything that its call
leaves room for; of one that was read figures may still come. Of a jackpot whose highest prize alone
is won nothing is for a prize that could not be won without a higher one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from verifier.fold.books.rounds import Round
from verifier.fold.books.state import State
from verifier.fold.books.tier_balance import Hit
from verifier.fold.claims.candidates import known_of
from verifier.fold.claims.hands import prizes
from verifier.fold.claims.unjudged_hands import is_unjudged, waits
from verifier.fold.terms import cards
from verifier.fold.terms.terms import Tier

Qualifying = dict[str, Any]
_AWARDED = ("confirmed", "paid")


def may_turn_out(state: State, hit: Hit) -> set[str]:
    """Further prizes that the hand of an open claim may be for; its first one speaks for it."""
    hand, posted = state.hand(hit), state.prizes(hit)
    round_ = state.round(hit.table, hit.round, None)
    if round_.is_void or hit is not next((claim for claim in hand if claim.state == "held"), None):
        return set()
    is_read = hit.tier is not None and hit.report is not None and not waits(hit)
    if is_read and is_unjudged(state, hit):
        return {tier.code for tier in posted}
    stands = {claim.tier for claim in hand if claim.state in ("held", *_AWARDED)}
    called = [tier for tier in posted if tier.code in stands]
    if is_read:
        candidates = _by_cards(state, hit, round_, posted)
    else:
        candidates = _by_call(state, hit, round_, posted, called)
    claimed = {claim.tier for claim in hand if claim.state != "withdrawn"}
    awarded_tiers = {claim.tier for claim in hand if claim.state in _AWARDED}
    words = [] if is_read else called
    return {
        code
        for code, above in candidates.items()
        if code not in claimed and not _goes_higher(state, hit, code, above, awarded_tiers, words)
    }


def _goes_higher(
    state: State,
    hit: Hit,
    code: str,
    above: set[str],
    awarded_tiers: set[str | None],
    called: list[Tier],
) -> bool:
    """Whether it would be for a higher prize instead; `above`: what it wins if it wins this one."""
    for terms in state.in_effect(hit.terms):
        if terms.each:
            continue
        ranks = {tier.code: tier.rank for tier in terms.tiers}
        words = [ranks[tier.code] for tier in called if tier.code in ranks]
        limit = min(words, default=0)
        if code in ranks:
            if not awarded_tiers.isdisjoint(ranks) or ranks[code] < limit:
                return True
            limit = ranks[code]
        if any(ranks.get(other, limit) < limit for other in above):
            return True
    return False


def _by_cards(state: State, hit: Hit, round_: Round, posted: list[Tier]) -> dict[str, set[str]]:
    """What a read hand is for if figures that are still to come say nothing against it, and what
    it is then for as well: the pot until the round's completion, who was dealt in until both ends
    of the round unless the report counts them."""
    report = hit.report or {}
    counted = bool(report.get("seats_dealt")) or (round_.is_started and round_.is_completed)
    if (round_.is_completed and counted) or not any(map(_has_minimum, posted)):
        return {}
    facts = known_of(state, hit)
    if not counted:
        facts = replace(facts, dealt=None)
    if not round_.is_completed:
        facts, report = replace(facts, pot_minor=None), {**report, "pot": None}
    able = prizes(report, facts, posted)
    final = {"players_dealt_min": counted, "pot_min_minor": round_.is_completed}
    return {
        tier.code: {
            other.code
            for other in posted
            if other.code in able
            and all(final[name] or _asks_more(tier, other, name) for name in final)
        }
        for tier in posted
        if tier.code in able
    }


def _by_call(
    state: State, hit: Hit, round_: Round, posted: list[Tier], called: list[Tier]
) -> dict[str, set[str]]:
    """The same of a hand that nobody has read, by its call and what is known of its round."""
    is_known = hit.round > 0
    pot = round_.pot(state.unit) if is_known and round_.is_completed else None

    def is_enough(tier: Tier) -> bool:
        return pot is not None and pot >= (tier.qualifying.get("pot_min_minor") or 0)

    candidates = {}
    for tier in posted:
        games = {round_.game} if is_known and round_.game else {*_games(tier)}
        decks = {round_.deck} if is_known and round_.deck else {*_decks(tier)}
        played = games, decks
        if not _is_for(played, tier) or (pot is not None and not is_enough(tier)):
            continue
        if any(_suits_differ(tier, word) for word in called):
            continue
        candidates[tier.code] = {
            other.code
            for other in posted
            if _is_for(played, other)
            and _asks_more(tier, other, "players_dealt_min")
            and (is_enough(other) or _asks_more(tier, other, "pot_min_minor"))
            and all(
                any(follows(word.qualifying, other.qualifying, deck) for word in (tier, *called))
                for deck in decks
            )
        }
    return candidates


def _games(tier: Tier) -> list[str]:
    return list(tier.qualifying.get("games", cards.JACKPOT_GAMES))


def _decks(tier: Tier) -> list[int]:
    return list(tier.qualifying.get("decks", [52]))


def _is_for(played: tuple[set[str], set[int]], tier: Tier) -> bool:
    games, decks = played
    return games.issubset(_games(tier)) and decks.issubset(_decks(tier))


def _asks_more(tier: Tier, other: Tier, name: str) -> bool:
    """Whether a minimum of the other is met where that of the tier is."""
    least = other.qualifying.get(name)
    return least is None or (tier.qualifying.get(name) or 0) >= least


def _has_minimum(tier: Tier) -> bool:
    qualifying = tier.qualifying
    return any(qualifying.get(name) is not None for name in ("pot_min_minor", "players_dealt_min"))


def _suits_differ(one: Tier, other: Tier) -> bool:
    """Flushes of two suits have no room on one board."""
    suits = {each.qualifying.get("suit") for each in (one, other)}
    return len(suits - {None}) > 1


def follows(won: Qualifying, qualifying: Qualifying, deck: int) -> bool:
    """Whether cards that win by the one document surely win by the other; the flop with them."""
    if qualifying.get("showdown_needed") and not won.get("showdown_needed"):
        return False
    if qualifying.get("flop_seen") and not (won.get("flop_seen") or won.get("showdown_needed")):
        return False
    if qualifying.get("suit") not in (None, won.get("suit")):
        return False
    if qualifying.get("kind") != "bad_beat":
        return _as_good(won, _least(won), qualifying, _least(qualifying), deck)
    return (
        won.get("kind") == "bad_beat"
        and won.get("losers_min", 1) >= qualifying.get("losers_min", 1)
        and all(
            _as_good(won, won[end], qualifying, qualifying[end], deck)
            for end in ("losing", "beaten_by")
        )
    )


def _least(qualifying: Qualifying) -> dict[str, Any]:
    """The lowest hand of who wins."""
    lowest: dict[str, Any] = (
        qualifying.get("losing") or qualifying.get("floor") or qualifying["weakest"]
    )
    return lowest


def _as_good(
    won: Qualifying, low: dict[str, Any], qualifying: Qualifying, needed: dict[str, Any], deck: int
) -> bool:
    """Whether whoever has at least the one hand, as posted, has at least the other, as posted."""
    lowest = (low["category"], _values(low))
    if not cards.reaches(lowest, needed["category"], _values(needed), deck):
        return False
    from_here = cards.place(low["category"], deck)
    kinds = (kind for kind in cards.CATEGORIES if cards.place(kind, deck) >= from_here)
    return all(_hole_cards_suffice(_own(won, kind), _own(qualifying, kind), kind) for kind in kinds)


def _values(hand: dict[str, Any]) -> list[int]:
    return [cards.RANKS.index(each) + 2 for each in hand.get("ranks", [])]


def _own(qualifying: Qualifying, kind: str) -> Qualifying:
    """What is asked of hole cards in such a hand; usually both play in a bad beat."""
    usual = 2 if qualifying.get("kind") == "bad_beat" else 0
    own: Qualifying = qualifying.get("by_category", {}).get(
        kind, {"hole_cards_playing": usual, **qualifying}
    )
    return own


def _hole_cards_suffice(won: Qualifying, qualifying: Qualifying, kind: str) -> bool:
    if won.get("pair_in_hole"):
        return True  # nobody has such a hand without a pair, or both cards play and name it
    if qualifying.get("pair_in_hole"):
        return False
    played = won.get("hole_cards_playing", 0)
    if kind in cards.KIND_RANKS and won.get("kicker_counts", True):
        played = played if qualifying.get("kicker_counts", True) else 0
    return bool(played >= qualifying.get("hole_cards_playing", 0))
