"""The posted terms of a jackpot as data: what the engine executes is what the notice says.

One document describes a jackpot with all its tiers; it is versioned, and a version takes
effect by an entry of the order. Amounts are micros.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from jackpot.terms import fed_by
from jackpot.terms.awards import check, notice_lines, percent
from jackpot.terms.commission import is_of_rounds
from jackpot.terms.commission import notice as commission_notice
from jackpot.terms.document import FromDrop, FromPot, HandWins, Increment, JackpotTerms, PerRound
from jackpot.terms.money import BASIS_POINTS, format_exact
from rules.commission import CommissionError
from rules.conditions import refuses_19_16
from rules.games import JACKPOT_GAMES
from rules.terms import TermsError
from rules.wording import listed


def parse(document: dict[str, Any]) -> JackpotTerms:
    """Terms from their JSON form, checked as a whole. TermsError says what to correct."""
    try:
        terms = msgspec.convert(document, JackpotTerms)
    except msgspec.ValidationError as error:
        raise TermsError(f"The terms cannot be read: {error}.") from error
    ineligible = sorted({*terms.games} - {*JACKPOT_GAMES})
    if ineligible or not terms.games:
        raise TermsError(
            f"A jackpot is for {', '.join(JACKPOT_GAMES)} (19.7(a)),"
            f" not for {', '.join(ineligible) or 'no game'}."
        )
    codes = [tier.code for tier in terms.tiers]
    if (not codes and not terms.closed) or len(set(codes)) != len(codes):
        raise TermsError("A jackpot needs at least one tier, and each tier its own code.")
    if len({tier.rank for tier in terms.tiers}) != len(codes):
        raise TermsError("Two tiers have the same rank: say which is the higher prize.")
    for tier in terms.tiers:
        check(tier)
        if tier.limit is not None and tier.limit < tier.reset:
            raise TermsError(f"The limit of {tier.name} is below its reset amount.")
        strange = sorted({*tier.qualifies().games} - {*terms.games})
        if strange:
            raise TermsError(f"{tier.name} names the game {strange[0]}, the jackpot does not.")
    _check_takings(terms)
    fed_by.check(terms)
    funded = {"operator" if isinstance(part, PerRound) else "players" for part in _parts(terms)}
    if terms.funding == "operator" and "players" in funded:
        raise TermsError("A jackpot that takes player money must be marked player-funded (19.2).")
    return terms


def _check_takings(terms: JackpotTerms) -> None:
    """Refuse a drop or a commission that cannot be taken, or shared."""
    shares = [part.basis_points for part in _parts(terms) if isinstance(part, FromDrop)]
    if shares and sum(shares) != BASIS_POINTS:
        raise TermsError("The tiers' shares of the jackpot drop must come to 100%.")
    if shares and not terms.drop_steps:
        raise TermsError("A jackpot funded by a drop needs its posted steps of the pot.")
    try:
        _ = terms.drop
    except CommissionError as error:
        raise TermsError(f"The drop: {error}") from error
    is_part = any(part.source == "commission" for part in _parts(terms))
    if is_part and not is_of_rounds(terms.commission):
        raise TermsError(
            "No commission is taken of a round by what is posted (8.2(c), 8.4): no prize can have a"
            " part of it."
        )


def notices(
    terms: JackpotTerms, digits: int, currency: str, unclaimed_days: int | None = None
) -> list[str]:
    """The notice to be displayed at each table (19.4, 19.5), generated from the terms.

    `unclaimed_days`: after how many days a prize that nobody takes is booked as unclaimed.
    """

    def money(micros: int) -> str:
        return f"{currency} {format_exact(micros, digits)}"

    if not terms.tiers:
        return []  # it was closed
    lines = [_funded(terms)]
    for tier in sorted(terms.tiers, key=lambda tier: tier.rank):
        if tier.code in terms.suspended:
            lines.append(f"{tier.name} is not in play at present.")
        lines.append(f"{tier.name}: {tier.qualifies().notice(digits)}")
        if refuses_19_16(tier.qualifies()):
            lines.append(f"{tier.name}: {REFUSES_19_16}")
        lines.extend(notice_lines(tier, money))
        lines.extend(f"{tier.name}: {grows(part, money)}" for part in tier.increments)
        if tier.limit is not None:
            lines.append(
                f"{tier.name}: contributions stop at {money(tier.limit)}; what is taken above"
                " is kept for the next prize."
            )
    lines += [*_dropped(terms, money), *fed_by.notice_lines(terms)]
    if terms.dark_minutes is not None:
        minutes = "a minute" if terms.dark_minutes == 1 else f"{terms.dark_minutes} minutes"
        lines.append(
            f"While the display of a table has been dark for {minutes} or more, rounds that begin"
            " there do not take part until the table is resumed; rounds in play finish as they"
            " began, and no hand is void."
        )
    if terms.presses_a_minute is not None:
        times = "once" if terms.presses_a_minute == 1 else f"{terms.presses_a_minute} times"
        lines.append(
            f"If the button of a table is pressed more than {times} within a minute, what the"
            " further rounds add is held until a supervisor has decided whether they were played;"
            " no hand is held."
        )
    if any(tier.high_hand() for tier in terms.tiers):
        lines.append(
            "Periods are counted from the start of the gaming day; the last of a day ends with it."
            " A hand belongs to the period in which the console records it. Money that nobody wins"
            " stays in the pool for the next period."
        )
    lines += _identified(terms, money)
    return lines + _paid(terms, unclaimed_days) + _in_general(terms)


def _dropped(terms: JackpotTerms, money: Callable[[int], str]) -> list[str]:
    """The posted commission (8.1), and steps of the drop (19.2)."""
    taken = [
        f"{money(step.take)} from a pot of {money(step.pot_from)}" for step in terms.drop_steps
    ]
    lines = [] if terms.commission is None else [commission_notice(terms.commission, money)]
    return lines + ([f"Taken from the pot for the jackpot: {', '.join(taken)}."] if taken else [])


def _identified(terms: JackpotTerms, money: Callable[[int], str]) -> list[str]:
    """What players must show; the rest of the evidence is the house's own."""
    above = terms.evidence.get("identity")
    if above is None:
        return []
    which = f"Winners of more than {money(above)}" if above else "Winners"
    return [f"{which} show a document with a photograph."]


REFUSES_19_16 = (
    "a player who asks for the flop after all others have folded does not win this prize, although"
    " rule 19.16 lets the hand be tabled."
)
_FROM = {"per_round": "the operator", "pot": "pots", "commission": "the commission"}


def _funded(terms: JackpotTerms) -> str:
    """Whose money it is, by source (19.2)."""
    if terms.funding == "operator":
        return "Funded by the operator alone."
    tags = {str(type(part).__struct_config__.tag) for part in _parts(terms)}
    sources = [words for tag, words in _FROM.items() if tag in tags]
    sources += ["chips taken for the jackpot"] if "drop" in tags else []
    named = f" from {listed(sources)}" if sources else ""
    return (
        f"Funded{named}. What players put in is kept for prizes; the operator is its custodian, and"
        " gives what prizes and new starts need beyond it."
    )


def _paid(terms: JackpotTerms, unclaimed_days: int | None) -> list[str]:
    """What counts, how it is divided, and what becomes of what nobody takes (19.13, 19.14)."""
    shares = any(len(tier.plan or {}) > 1 for tier in terms.tiers)
    table = any("table" in (tier.plan or {}) for tier in terms.tiers)
    odd = (
        "Equal hands share in whole payable units; what is left over goes to the hand with the"
        " highest card by suit: spades, hearts, diamonds, clubs."
    )
    if shares and table:
        odd += " Of a table share one odd unit each goes clockwise from the button."
    when = "the posted time" if unclaimed_days is None else f"{unclaimed_days} days"
    return [
        "What counts is the larger of the prize's value when the hand is recorded and what the"
        " display last showed before it, rounded up; the operator pays the difference. A display"
        " that still shows the value from before an earlier hand of that prize does not count for"
        " the later one.",
        odd,
        f"A prize that nobody takes within {when} of its confirmation is booked as unclaimed and is"
        " still paid on demand, until two people declare it forfeited; it then goes back to the"
        " prize pool.",
        "Games that are not named win nothing. Where no deck is named, the deck of 52 cards is"
        " played with.",
    ]


def _in_general(terms: JackpotTerms) -> list[str]:
    """What is posted of every jackpot."""
    return [
        "Prizes are awarded in the order hands are recorded. If an earlier claim is rejected, its"
        " amount passes to the next valid claim. If table clocks suggest a different order of two"
        " hands, neither is paid until a casino manager and compliance have reviewed it; until"
        " then the recorded order stands.",
        "A round's contribution feeds the pool when it is recorded: one taken at the completion"
        " of the round comes after a hand of that round and feeds the new pool.",
        "With two or more boards only the first counts; a hand that qualifies for several prizes"
        f" of this jackpot wins {HAND_WINS[terms.hand_wins]}.",
    ]


HAND_WINS: dict[HandWins, str] = {"highest": "the highest only", "each": "each of them"}


def _parts(terms: JackpotTerms) -> list[Increment]:
    return [part for tier in terms.tiers for part in tier.increments]


def grows(part: Increment, money: Callable[[int], str]) -> str:
    """What a round adds, as it is posted (19.4); `money` writes an amount of micros."""
    where = "" if part.into == "pool" else " into the reserve for the next prize"
    if isinstance(part, PerRound):
        players = f" with at least {part.players_min} players dealt in" if part.players_min else ""
        return f"the operator adds {money(part.amount)} for each round{players}{where}."
    if isinstance(part, FromDrop):
        return f"{percent(part.basis_points)} of the jackpot drop is added{where}."
    of = "called pot" if isinstance(part, FromPot) else "commission"
    cap = f", at most {money(part.cap)} a round" if part.cap is not None else ""
    return f"{percent(part.basis_points)} of the {of} is added{cap}{where}."
