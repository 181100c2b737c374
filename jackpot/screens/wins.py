"""What screens say of hits: claims that are verified, wins, the last winners, who leads. Selectors.

Public as the displays at the tables are: prize, amount, table, and of a win the hand, which lies
face up; never a seat or a person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jackpot.display import values as display
from jackpot.display.names import Names
from jackpot.hits.states import DECIDED, HitState
from jackpot.labels.figures import in_words
from jackpot.models import Head, Hit, RoundState, Tier
from jackpot.queries.period_standing import EndedPeriod, Period, ended_periods, running
from jackpot.terms.money import micros_to_minor
from rules.best import BestHand, best_hand
from rules.cards import CardError, parse_cards
from rules.games import GAMES
from rules.hands import describe
from tables.models import JackpotSystem

MOST_WINNERS, MOST_LEADERS, MOST_PERIODS = 8, 6, 3


def news(system: JackpotSystem, current: dict[str, Any] | None, own: Names) -> list[dict[str, Any]]:
    """Of each message on the displays that is about a hit: what a screen fills itself with.

    `amount` in minor units; `kind` reported, win or not_confirmed. Empty of what is not public.
    """
    messages = {each["hit"]: each for each in (current or {"messages": []})["messages"]}
    hits = Hit.objects.filter(system=system, number__in=messages).select_related("tier", "table")
    names = _names(system, own)
    return [
        {
            **_line(system, hit, names),
            "kind": messages[hit.number]["kind"],
            "at": messages[hit.number]["at"],
            **(_hand(hit) if messages[hit.number]["kind"] == "win" else {}),
        }
        for hit in sorted(hits, key=lambda hit: hit.number)
    ]


def winners(systems: Sequence[JackpotSystem], own: Names) -> list[dict[str, Any]]:
    """The last wins that two people confirmed, the newest first."""
    by_id = {each.pk: each for each in systems}
    rows = Hit.objects.filter(system__in=by_id, state__in=DECIDED, tier__isnull=False)
    hits = rows.select_related("tier", "table").order_by("-at")[:MOST_WINNERS]
    names = {pk: _names(each, own) for pk, each in by_id.items()}
    return [
        {
            **_line(by_id[hit.system_id], hit, names[hit.system_id]),
            "at": display.as_instant(hit.at),
            **_hand(hit),
        }
        for hit in hits
    ]


@dataclass(frozen=True, slots=True)
class Board:
    """A high hand as it stands, in no language yet."""

    tier: Tier
    name: str
    period: Period | None
    ended: list[EndedPeriod]


def boards(system: JackpotSystem) -> list[Board]:
    """Of each high hand who leads its period, and who won the last ones."""
    head = Head.objects.filter(system=system).first()
    terms = display.tiers_in_effect(system.pk, head.terms_number) if head is not None else []
    posted = {tier.code: tier for tier in terms if tier.high_hand() is not None}
    if not posted:
        return []
    rows = Tier.objects.filter(system=system, code__in=posted).select_related("system__casino")
    hits = list(Hit.objects.filter(system=system, state=HitState.HELD).select_related("table"))
    return [
        Board(
            tier,
            posted[tier.code].name,
            running(tier, posted[tier.code], hits),
            ended_periods(tier, MOST_PERIODS),
        )
        for tier in rows
    ]


def board_words(board: Board, own: Names) -> dict[str, Any]:
    """The same as JSON, in the language of now."""
    system, tier, period = board.tier.system, board.tier, board.period
    return {
        "system": system.code,
        "tier": tier.code,
        "name": own.get(f"{system.code}/{tier.code}", board.name),
        "ends": display.as_instant(period.ends) if period else None,
        "leaders": [
            {
                "place": each.place,
                "hand": _capital(in_words(each.hand)),
                "english": str(each.hand),  # as the values name it
                "table": each.hit.table.name,
                "at": display.as_instant(each.hit.at),
            }
            for each in (period.contenders if period else [])[:MOST_LEADERS]
            if each.hand
        ],
        "before": [
            {
                "ends": display.as_instant(each.ends),
                "amount": micros_to_minor(each.value, system.casino.minor_digits),
                "tables": sorted({hit.table.name for hit in each.winners}),
            }
            for each in board.ended
            if each.winners
        ],
    }


def _line(system: JackpotSystem, hit: Hit, names: dict[str, str]) -> dict[str, Any]:
    won = sum(line.amount for line in hit.payee_lines) if hit.state in DECIDED else hit.held
    code = hit.tier.code if hit.tier else None
    return {
        "system": system.code,
        "hit": hit.number,
        "tier": code,
        "prize": names.get(code or "", ""),
        "amount": micros_to_minor(won, system.casino.minor_digits),
        "table": hit.table.name,
    }


def _names(system: JackpotSystem, own: Names) -> dict[str, str]:
    head = Head.objects.filter(system=system).first()
    tiers = display.tiers_in_effect(system.pk, head.terms_number) if head is not None else []
    return {tier.code: own.get(f"{system.code}/{tier.code}", tier.name) for tier in tiers}


def _hand(hit: Hit) -> dict[str, Any]:
    """The five cards that won and what they are; empty where nobody can say."""
    best = _best(hit)
    if best is None:
        return {"cards": [], "hand": ""}
    return {
        "cards": [str(card) for card in best.cards],
        "hand": _capital(in_words(describe(best.value))),
    }


def _best(hit: Hit) -> BestHand | None:
    report = hit.read_report
    row = RoundState.objects.filter(
        system=hit.system_id, table=hit.table_id, round=hit.round
    ).first()
    game = GAMES.get((row.game if row else None) or "")
    of_role = {line.role: set[int]() for line in hit.payee_lines}
    for line in hit.payee_lines:
        of_role[line.role].add(line.seat)
    seats = of_role.get("loser") or of_role.get("winner", set())  # of a bad beat: who was beaten
    if report is None or game is None:
        return None
    hands = []
    for seat in report.hands:
        if seat.seat in seats:
            try:
                hole, board = parse_cards(seat.hole), parse_cards(report.board)
                hands.append(best_hand(game, hole, board))
            except (CardError, ValueError):  # a report may hold what is no hand
                continue
    return max(hands, key=lambda hand: hand.strength, default=None)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
