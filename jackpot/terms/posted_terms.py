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
from jackpot.terms.document import (
    FromDrop,
    FromPot,
    HandWins,
    Increment,
    JackpotTerms,
    PerRound,
    TierTerms,
)
from jackpot.terms.money import BASIS_POINTS, format_exact
from rules.commission import CommissionError
from rules.conditions import refuses_19_16
from rules.games import JACKPOT_GAMES
from rules.phrases import Figure, Phrase
from rules.terms import TermsError
from rules.wording import series


def parse(document: dict[str, Any]) -> JackpotTerms:
    """Terms from their JSON form, checked as a whole. TermsError says what to correct."""
    try:
        terms = msgspec.convert(document, JackpotTerms)
    except msgspec.ValidationError as error:
        raise TermsError("The terms cannot be read: %(fault)s.", fault=error) from error
    ineligible = sorted({*terms.games} - {*JACKPOT_GAMES})
    if ineligible or not terms.games:
        raise TermsError(
            "A jackpot is for %(games)s (19.7(a)), not for %(others)s.",
            games=", ".join(JACKPOT_GAMES),
            others=", ".join(ineligible) or Phrase("no game"),
        )
    codes = [tier.code for tier in terms.tiers]
    if (not codes and not terms.closed) or len(set(codes)) != len(codes):
        raise TermsError("A jackpot needs at least one tier, and each tier its own code.")
    if len({tier.rank for tier in terms.tiers}) != len(codes):
        raise TermsError("Two tiers have the same rank: say which is the higher prize.")
    for tier in terms.tiers:
        check(tier)
        if tier.limit is not None and tier.limit < tier.reset:
            raise TermsError("The limit of %(prize)s is below its reset amount.", prize=tier.name)
        strange = sorted({*tier.qualifies().games} - {*terms.games})
        if strange:
            raise TermsError(
                "%(prize)s names the game %(game)s, the jackpot does not.",
                prize=tier.name,
                game=strange[0],
            )
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
        raise TermsError("The drop: %(fault)s", fault=error.phrase) from error
    is_part = any(part.source == "commission" for part in _parts(terms))
    if is_part and not is_of_rounds(terms.commission):
        raise TermsError(
            "No commission is taken of a round by what is posted (8.2(c), 8.4): no prize can have a"
            " part of it."
        )


def notices(
    terms: JackpotTerms, digits: int, currency: str, unclaimed_days: int | None = None
) -> list[Phrase]:
    """The notice to be displayed at each table (19.4, 19.5), generated from the terms.

    `unclaimed_days`: after how many days a prize that nobody takes is booked as unclaimed.
    """

    def money(micros: int) -> str:
        return Figure(format_exact(micros, digits), currency)

    if not terms.tiers:
        return []  # it was closed
    lines = [_funded(terms)]
    for tier in sorted(terms.tiers, key=lambda tier: tier.rank):
        if tier.code in terms.suspended:
            lines.append(Phrase("%(prize)s is not in play at present.", prize=tier.name))
        lines += [of_prize(tier.name, line) for line in _conditions(tier, digits)]
        lines += notice_lines(tier, money)
        lines += [of_prize(tier.name, grows(part, money)) for part in tier.increments]
        if tier.limit is not None:
            lines.append(
                Phrase(
                    "%(prize)s: contributions stop at %(limit)s; what is taken above is kept for"
                    " the next prize.",
                    prize=tier.name,
                    limit=money(tier.limit),
                )
            )
    lines += [*_dropped(terms, money), *fed_by.notice_lines(terms), *_at_tables(terms)]
    if any(tier.high_hand() for tier in terms.tiers):
        lines.append(
            Phrase(
                "Periods are counted from the start of the gaming day; the last of a day ends with"
                " it. A hand belongs to the period in which the console records it. Money that"
                " nobody wins stays in the pool for the next period."
            )
        )
    lines += _identified(terms, money)
    return lines + _paid(terms, unclaimed_days) + _in_general(terms)


def of_prize(name: str, words: Phrase) -> Phrase:
    """Say of which prize something is posted."""
    return Phrase("%(prize)s: %(words)s", prize=name, words=words)


def _conditions(tier: TierTerms, digits: int) -> list[Phrase]:
    """What wins the prize (19.5)."""
    won_by = tier.qualifies()
    return [won_by.notice(digits), *([REFUSES_19_16] if refuses_19_16(won_by) else [])]


def _at_tables(terms: JackpotTerms) -> list[Phrase]:
    """What is held, or left out, where a table's display or button does not work as it should."""
    lines = []
    if terms.dark_minutes is not None:
        minutes = Phrase("a minute")
        if terms.dark_minutes > 1:
            minutes = Phrase("%(number)s minutes", number=terms.dark_minutes)
        lines.append(
            Phrase(
                "While the display of a table has been dark for %(minutes)s or more, rounds that"
                " begin there do not take part until the table is resumed; rounds in play finish as"
                " they began, and no hand is void.",
                minutes=minutes,
            )
        )
    if terms.presses_a_minute is not None:
        times = Phrase("once")
        if terms.presses_a_minute > 1:
            times = Phrase("%(number)s times", number=terms.presses_a_minute)
        lines.append(
            Phrase(
                "If the button of a table is pressed more than %(times)s within a minute, what the"
                " further rounds add is held until a supervisor has decided whether they were"
                " played; no hand is held.",
                times=times,
            )
        )
    return lines


def _dropped(terms: JackpotTerms, money: Callable[[int], str]) -> list[Phrase]:
    """The posted commission (8.1), and steps of the drop (19.2)."""
    lines = [] if terms.commission is None else [commission_notice(terms.commission, money)]
    step_lines = [
        Phrase("%(take)s from a pot of %(pot)s", take=money(step.take), pot=money(step.pot_from))
        for step in terms.drop_steps
    ]
    if step_lines:
        steps = Phrase.joined(step_lines, ", ")
        lines.append(Phrase("Taken from the pot for the jackpot: %(steps)s.", steps=steps))
    return lines


def _identified(terms: JackpotTerms, money: Callable[[int], str]) -> list[Phrase]:
    """What players must show; the rest of the evidence is the house's own."""
    above = terms.evidence.get("identity")
    if above is None:
        return []
    if not above:
        return [Phrase("Winners show a document with a photograph.")]
    return [
        Phrase(
            "Winners of more than %(amount)s show a document with a photograph.",
            amount=money(above),
        )
    ]


REFUSES_19_16 = Phrase(
    "a player who asks for the flop after all others have folded does not win this prize, although"
    " rule 19.16 lets the hand be tabled."
)
_FROM = {
    "per_round": Phrase("the operator"),
    "pot": Phrase("pots"),
    "commission": Phrase("the commission"),
    "drop": Phrase("chips taken for the jackpot"),
}


def _funded(terms: JackpotTerms) -> Phrase:
    """Whose money it is, by source (19.2)."""
    if terms.funding == "operator":
        return Phrase("Funded by the operator alone.")
    tags = {str(type(part).__struct_config__.tag) for part in _parts(terms)}
    sources = [words for tag, words in _FROM.items() if tag in tags]
    custody = Phrase(
        "What players put in is kept for prizes; the operator is its custodian, and gives what"
        " prizes and new starts need beyond it."
    )
    if not sources:
        return Phrase("Funded. %(custody)s", custody=custody)
    return Phrase("Funded from %(sources)s. %(custody)s", sources=series(sources), custody=custody)


def _paid(terms: JackpotTerms, unclaimed_days: int | None) -> list[Phrase]:
    """What counts, how it is divided, and what happens to what nobody takes (19.13, 19.14)."""
    shares = any(len(tier.plan or {}) > 1 for tier in terms.tiers)
    table = any("table" in (tier.plan or {}) for tier in terms.tiers)
    odd = Phrase(
        "Equal hands share in whole payable units; any remainder goes to the hand with the "
        "highest card by suit: spades, hearts, diamonds, clubs."
    )
    if shares and table:
        clockwise = Phrase(
            "Odd units of a table share are given one each, clockwise from the button."
        )
        odd = Phrase.joined([odd, clockwise], " ")
    when = Phrase("the posted time")
    if unclaimed_days is not None:
        when = Phrase("%(number)s days", number=unclaimed_days)
    return [
        Phrase(
            "What counts is the larger of the prize's value when the hand is recorded and what the"
            " display last showed before it, rounded up; the operator pays the difference. A"
            " display that still shows the value from before an earlier hand of that prize does not"
            " count for the later one."
        ),
        odd,
        Phrase(
            "A prize that nobody takes within %(when)s of its confirmation is booked as unclaimed"
            " and is still paid on demand, until two people declare it forfeited; it then goes back"
            " to the prize pool.",
            when=when,
        ),
        Phrase("Hands in other games win nothing. If no deck is named, the 52-card deck is used."),
    ]


def _in_general(terms: JackpotTerms) -> list[Phrase]:
    """What is posted of every jackpot."""
    return [
        Phrase(
            "Prizes are awarded in the order hands are recorded. If an earlier claim is rejected,"
            " its amount passes to the next valid claim. If table clocks suggest a different order"
            " of two hands, neither is paid until a casino manager and compliance have reviewed it;"
            " until then the recorded order stands."
        ),
        Phrase(
            "A round's contribution feeds the pool when it is recorded: one taken at the completion"
            " of the round comes after a hand of that round and feeds the new pool."
        ),
        Phrase(
            "With two or more boards only the first counts; a hand that qualifies for several"
            " prizes of this jackpot wins %(prizes)s.",
            prizes=HAND_WINS[terms.hand_wins],
        ),
    ]


HAND_WINS: dict[HandWins, Phrase] = {
    "highest": Phrase("the highest only"),
    "each": Phrase("each of them"),
}


def _parts(terms: JackpotTerms) -> list[Increment]:
    return [part for tier in terms.tiers for part in tier.increments]


def grows(part: Increment, money: Callable[[int], str]) -> Phrase:
    """What a round adds, as it is posted (19.4); `money` writes an amount of micros."""
    adds = _adds(part, money)
    if part.into == "reserve":
        return Phrase("%(adds)s into the reserve for the next prize.", adds=adds)
    return Phrase.joined([adds, "."])


def _adds(part: Increment, money: Callable[[int], str]) -> Phrase:
    if isinstance(part, PerRound):
        amount, least = money(part.amount), part.players_min
        if least:
            return Phrase(
                "the operator adds %(amount)s for each round with at least %(players)s players"
                " dealt in",
                amount=amount,
                players=least,
            )
        return Phrase("the operator adds %(amount)s for each round", amount=amount)
    share = percent(part.basis_points)
    if isinstance(part, FromDrop):
        return Phrase("%(share)s of the jackpot drop is added", share=share)
    if isinstance(part, FromPot):
        adds = Phrase("%(share)s of the called pot is added", share=share)
    else:
        adds = Phrase("%(share)s of the commission is added", share=share)
    if part.cap is None:
        return adds
    return Phrase("%(adds)s, at most %(cap)s a round", adds=adds, cap=money(part.cap))
