"""The reported cards of a claim on its page, and what the rules say of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from rules.games import FLOP_CARDS, GAMES
from settlement.claims.detail import ClaimDetail
from settlement.core.words.translation import translated
from settlement.pages.claims.panels.hand.assessment import readable_cards, reasons_by_side
from settlement.pages.claims.panels.parts import wins


def cards_context(detail: ClaimDetail, names: Mapping[str, str]) -> dict[str, Any]:
    """The reported cards seat by seat, what the rules say."""
    hit, examination = detail.hit, detail.examination
    verdict, report = examination.verdict, hit.read_report
    game = GAMES.get(examination.round.game or "")
    context: dict[str, Any] = {
        "round": examination.round,
        "game": translated(game.label) if game else None,
    }
    if verdict is None or report is None:
        return {**context, "hands": [], "called_seats": hit.called_seats}
    board = report.board
    counts = FLOP_CARDS if report.flop_on_request else len(board)
    winners = examination.winners(hit)
    seats = zip(report.hands, verdict.seats, strict=True)
    return {
        **context,
        "report": report,
        "hands": [
            {
                **msgspec.structs.asdict(hand),
                "board": board[:counts],
                "counts": [str(card) for card in seat.hand.cards] if seat.hand else None,
                "made": translated(seat.label),
                "wins": wins(hand.seat, winners, hit),
            }
            for hand, seat in seats
        ],
        "after_flop": board[counts:],
        "later_boards": list(enumerate(report.boards[1:], start=2)),
        "faulty": verdict.faults,
        **reasons_by_side(hit, verdict.reasons, names, detail.tier_terms),
        "winners": sorted(winners),
        "reported_count": len(readable_cards(report)),
    }
