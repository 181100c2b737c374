"""Who gets which part of a prize (19.13, 16.5(e), 17.5(e); Robert's ties 4 and 5(a))."""

from __future__ import annotations

from collections import Counter

from verifier.fold.books.state import State
from verifier.fold.books.tier_balance import Hit
from verifier.fold.claims.candidates import known_of
from verifier.fold.claims.hands import Figures, Report, winning
from verifier.fold.claims.unjudged_hands import is_unjudged
from verifier.fold.terms import cards
from verifier.fold.terms.shapes import Refusal, require
from verifier.fold.terms.terms import Tier

_ROUND_THE_TABLE = 23  # more seats than any table has
_BASIS = 10_000


def due(state: State, hit: Hit, amount: int) -> set[tuple[int, str, int]]:
    """Seat, role and part of everybody who is paid of an amount confirmed now.

    The whole is divided, with what was confirmed before; everybody is brought up to his part of
    it. Who has an odd unit more keeps it, and who is named last misses it.
    """
    report, tier = hit.report or {}, state.tier(hit.tier or "", hit.terms)
    require(not is_unjudged(state, hit), "the console could not judge the hand")
    roles = winning(report, known_of(state, hit), state.prizes(hit), tier)
    require(bool(next(iter(roles.values()))), "no seat wins the prize as the hand is reported")
    if any(role == "table" for role, _ in tier.plan):
        roles["table"] = _table(tier, report, {seat for seats in roles.values() for seat in seats})
    played = known_of(state, hit)
    had = Counter[int]()
    for line in hit.payees:
        had[line.seat] += line.amount
    parts = _parts(had.total() + amount, tier, roles)
    whole: dict[int, int] = {}
    for role, part in parts:
        if role == "table":
            whole |= _from_the_button(part, roles[role], tier.unit, report.get("button_seat"))
        else:
            whole |= _by_highest_card(part, roles[role], tier.unit, report, played)
    missing = {seat: max(0, part - had[seat]) for seat, part in whole.items()}
    odd = sum(missing.values()) - amount
    for seat in [*missing][::-1]:
        keeps = max(0, missing[seat] - odd)
        odd, missing[seat] = odd - (missing[seat] - keeps), keeps
    role_of = {seat: role for role, seats in roles.items() for seat in seats}
    return {(seat, role_of[seat], part) for seat, part in missing.items() if part}


def _table(tier: Tier, report: Report, paid: set[int]) -> list[int]:
    """The other participating players who were dealt in."""
    seats_dealt = report.get("seats_dealt")
    if not seats_dealt:
        raise Refusal("nobody said which seats were dealt in")
    outside = {
        hand["seat"]
        for hand in report["hands"]
        if not hand["participating"] or (hand["folded"] and not tier.folded_share)
    }
    return sorted(set(seats_dealt) - paid - outside)


def _parts(total: int, tier: Tier, roles: dict[str, list[int]]) -> list[tuple[str, int]]:
    """Each role's part in whole units; what is left over is the first's."""
    parts = [
        (role, total * points // _BASIS // tier.unit * tier.unit if roles[role] else 0)
        for role, points in tier.plan
    ]
    first, part = parts[0]
    left = total - sum(part for _, part in parts)
    return [(first, part + left), *((role, part) for role, part in parts[1:] if roles[role])]


def _by_highest_card(
    part: int, seats: list[int], unit: int, report: Report, played: Figures
) -> dict[int, int]:
    """Equal parts, and all that is left over to the highest card by suit."""
    equal = part // unit // len(seats) * unit
    shares = dict.fromkeys(seats, equal)
    left = part - equal * len(seats)
    if left:
        highest = {
            seat: max(map(cards.card_order, _deciding(seat, report, played))) for seat in seats
        }
        shares[max(seats, key=lambda seat: highest[seat])] += left
    return shares


def _from_the_button(part: int, seats: list[int], unit: int, button: int | None) -> dict[int, int]:
    """Equal parts, and one odd unit each, clockwise from the button, which is last."""
    if button is None:
        require(len(seats) == 1, "nobody said where the button was")
        return {seats[0]: part}
    units, odd = divmod(part // unit, len(seats))
    after = sorted(seats, key=lambda seat: (seat - button - 1) % _ROUND_THE_TABLE)
    more = after[:odd]
    return {seat: (units + (seat in more)) * unit for seat in seats}


def _deciding(seat: int, report: Report, played: Figures) -> list[str]:
    """The cards that decide on what is left over: all hole cards; in Omaha those that play."""
    hole: list[str] = next(hand["hole"] for hand in report["hands"] if hand["seat"] == seat)
    if played.game != "omaha":
        return hole
    board = report["boards"][0][: 3 if report.get("flop_on_request") else 5]
    return cards.best(played.game, hole, board, played.deck or 0)[2]
