"""Which prize a reported hand is for (19.5, 19.7, 19.10 to 19.18)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from verifier.fold.claims import bad_beats
from verifier.fold.terms import cards
from verifier.fold.terms.card_requirements import hole_cards_do
from verifier.fold.terms.misdeals import DEAD_HANDS, happens_in
from verifier.fold.terms.shapes import each, fields, flag, maybe, one_of, require, text, whole
from verifier.fold.terms.terms import Tier

Report = dict[str, Any]
_MOST_BOARDS = 7  # 18.8.2
_SEATS = maybe(each(whole(1, 23), 0, 23))


def _card(value: Any) -> None:
    text(8)(value)
    control = any(c < " " or "\x7f" <= c <= "\x9f" for c in value)
    require(not control, f"{value!r} has control characters")


def report_shape(report: Any) -> None:
    """A report as a unit sends it or somebody types it; Refusal for anything else."""
    fields(
        report,
        {"boards": each(each(_card), 0, _MOST_BOARDS), "hands": each(_hand_shape)},
        {
            "flop_on_request": flag,
            "seats_dealt": _SEATS,
            "button_seat": maybe(whole(1, 23)),
            "pot": maybe(whole(0, 10**12)),
        },
    )


def _hand_shape(hand: Any) -> None:
    fields(
        hand,
        {
            "seat": whole(1, 23),
            "hole": each(_card, 0, 10),
            "exposed": one_of("yes", "refused", "not_requested"),
            "folded": flag,
            "participating": flag,
            "won_pot": flag,
        },
        {"dead": maybe(one_of(*DEAD_HANDS))},
    )


@dataclass(frozen=True, slots=True)
class Figures:
    """What is known of a hand's round: its game, its deck, how many were dealt in, the pot."""

    game: str | None
    deck: int | None
    dealt: int | None
    pot_minor: int | None


def prizes(report: Report, facts: Figures, tiers: list[Tier]) -> list[str]:
    """Those of the tiers (the highest prize first) that a seat of the report wins.

    Nothing while the report cannot be true as it stands. A figure that nobody gave yet speaks
    against nobody: the place is kept.
    """
    figures = _figures(report, facts, tiers)
    if figures is None:
        return []
    return [tier.code for tier in tiers if next(iter(_by_hands(report, figures, tier).values()))]


def winning(report: Report, facts: Figures, tiers: list[Tier], tier: Tier) -> dict[str, list[int]]:
    """The seats that win a prize by their hands, by role, whose prize it is first; none while a
    figure is missing."""
    figures = _figures(report, facts, tiers)
    if figures is None or _lacks_figures(figures, tier):
        return {"winner": []}
    seats_by_role = _by_hands(report, figures, tier)
    if tier.is_high_hand:
        best = max((_worth(report, figures, seat) for seat in seats_by_role["winner"]), default=[])
        return {
            "winner": [s for s in seats_by_role["winner"] if _worth(report, figures, s) == best]
        }
    return seats_by_role


def strength(report: Report | None, facts: Figures, tiers: list[Tier], tier: Tier) -> list[int]:
    """What the best hand of the report is worth that may win; nothing while none is known."""
    figures = _figures(report, facts, tiers) if report is not None else None
    if report is None or figures is None:
        return []
    seats = _by_hands(report, figures, tier)["winner"]
    return max((_worth(report, figures, seat) for seat in seats), default=[])


def _worth(report: Report, facts: Figures, seat: int) -> list[int]:
    """A seat's hand as numbers that compare as hands do: its kind from 1 to 10, then its ranks."""
    hole = next(hand["hole"] for hand in report["hands"] if hand["seat"] == seat)
    board = report["boards"][0][: 3 if report.get("flop_on_request") else 5]
    (category, ranks), _, _ = cards.best(facts.game or "", hole, board, facts.deck or 0)
    return [cards.place(category, facts.deck or 0) + 1, *ranks]


def _by_hands(report: Report, facts: Figures, tier: Tier) -> dict[str, list[int]]:
    hands = report["hands"]
    if tier.qualifying.get("kind") != "bad_beat":
        return {"winner": [hand["seat"] for hand in hands if _wins(hand, report, facts, tier)]}
    losers, winners = bad_beats.settle(report, facts.game or "", facts.deck or 0, tier)
    if not losers or not _round_is_as_asked(report, facts, tier):
        return {"loser": [], "winner": []}
    return {"loser": losers, "winner": winners}


def _lacks_figures(facts: Figures, tier: Tier) -> bool:
    """Whether the terms ask for something that nobody has said."""
    qualifying = tier.qualifying
    return (qualifying.get("players_dealt_min") is not None and facts.dealt is None) or (
        qualifying.get("pot_min_minor") is not None and facts.pot_minor is None
    )


def _figures(report: Report, facts: Figures, tiers: list[Tier]) -> Figures | None:
    """What is known with what the report adds; nothing where the report cannot be true."""
    decks = {52}.union(*(tier.qualifying.get("decks", [52]) for tier in tiers))
    if facts.game not in cards.JACKPOT_GAMES or facts.deck not in decks:
        return None
    seats_dealt = report.get("seats_dealt")
    dealt = len(set(seats_dealt)) if seats_dealt else facts.dealt
    pot = report.get("pot") if facts.pot_minor is None else facts.pot_minor
    figures = Figures(facts.game, facts.deck, dealt, pot)
    return None if _impossible(report, figures) else figures


def _impossible(report: Report, facts: Figures) -> bool:
    """Cards that are none or lie twice; a board, or numbers of cards or players, that cannot be."""
    hands, boards, request = report["hands"], report["boards"], report.get("flop_on_request", False)
    game, deck = facts.game or "", facts.deck or 0
    board = boards[0] if boards else []
    seats = [hand["seat"] for hand in hands]
    everything = [card for cards in (*boards, *(hand["hole"] for hand in hands)) for card in cards]
    all_cards = [*_dealt(boards), *(card for hand in hands for card in hand["hole"])]
    in_play = sum(not hand["folded"] and not hand.get("dead") for hand in hands)
    dealt = len(set(seats)) if facts.dealt is None else facts.dealt
    most = cards.most_players(game, deck)
    allowed = _hole_counts(game, len(board), request)
    return (
        not hands
        or len(set(seats)) < len(seats)
        or not all(cards.is_card(card, deck) for card in everything)
        or len(set(all_cards)) < len(all_cards)
        or not 3 <= len(board) <= 5
        or (request and in_play != 1)  # 19.16
        or (not request and in_play > 1 and len(board) < 5)  # 16.5(a), 17.5(a)
        or (facts.dealt is not None and facts.dealt < 2)
        or max(dealt, len(set(seats))) > most
        or dealt < len(set(seats))
        or not all(_has_its_cards(hand, allowed) for hand in hands)
        or not all(happens_in(hand.get("dead") or "", game) for hand in hands)
    )


def _dealt(boards: list[list[str]]) -> list[str]:
    """Every community card as often as it was dealt: later boards share the flop with the first,
    or flop and turn, where these lay there already; never the river (18.8.4)."""
    first = boards[0] if boards else []
    cards_dealt = [*first]
    for later in boards[1:]:
        shared = 0
        if len(later) >= 3 and {*later[:3]} == {*first[:3]}:
            shared = 4 if len(later) > 3 and [later[3]] == first[3:4] else 3
        cards_dealt += later[shared:]
    return cards_dealt


def _has_its_cards(hand: dict[str, Any], allowed: tuple[int, ...]) -> bool:
    """A folded hand lies in the muck, a refused one is unseen: of these some may be missing. A dead
    one may have any number."""
    if hand.get("dead"):
        return True
    number = len(hand["hole"])
    unseen = hand["folded"] or hand["exposed"] == "refused"
    return number in allowed or (unseen and number < max(allowed))


def _hole_counts(game: str, board: int, request: bool) -> tuple[int, ...]:
    """How many hole cards a player may have: nobody discards once the others folded (19.16)."""
    dealt, held, discard_after = cards.JACKPOT_GAMES[game]
    if discard_after is not None and (request or board <= discard_after):
        return held, dealt
    return (held,)


def _wins(hand: dict[str, Any], report: Report, facts: Figures, tier: Tier) -> bool:
    if hand["folded"] or hand["exposed"] == "refused" or not hand["participating"]:
        return False  # 19.17, 1.0
    if not hand["hole"] or hand.get("dead"):
        return False
    if not _round_is_as_asked(report, facts, tier):
        return False
    board = report["boards"][0][: 3 if report.get("flop_on_request") else 5]
    return _good_enough(tier.qualifying, facts.game or "", facts.deck or 0, hand["hole"], board)


def _round_is_as_asked(report: Report, facts: Figures, tier: Tier) -> bool:
    """What the terms ask of the round, whatever the hands (19.5)."""
    qualifying, board, request = tier.qualifying, report["boards"][0], report.get("flop_on_request")
    game, deck = facts.game or "", facts.deck or 0
    if game not in qualifying.get("games", cards.JACKPOT_GAMES) or deck not in qualifying.get(
        "decks", [52]
    ):
        return False
    if request and qualifying.get("flop_seen"):
        return False
    if qualifying.get("showdown_needed") and (request or len(board) < 5):
        return False
    least_dealt, least_pot = qualifying.get("players_dealt_min"), qualifying.get("pot_min_minor")
    if least_dealt is not None and facts.dealt is not None and facts.dealt < least_dealt:
        return False
    return least_pot is None or facts.pot_minor is None or facts.pot_minor >= least_pot


def _good_enough(
    qualifying: dict[str, Any], game: str, deck: int, hole: list[str], board: list[str]
) -> bool:
    """The player's best hand against the lowest that qualifies (19.5, decision 0008)."""
    hand, used, held = cards.best(game, hole, board, deck)
    weakest = qualifying.get("weakest") or qualifying["floor"]
    ranks = [cards.RANKS.index(each) + 2 for each in weakest.get("ranks", [])]
    if not cards.reaches(hand, weakest["category"], ranks, deck):
        return False
    suit = qualifying.get("suit")
    if suit is not None and any(card[1] != suit for card in used):
        return False
    return hole_cards_do(qualifying, hand, held, 0)
