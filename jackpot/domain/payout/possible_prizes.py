"""Which prizes an open hand may still turn out to be for, beside those that it has claims for.

A call is taken at its word, and so is a report: whoever corrects one amends the hand (rule 5 in
`docs/domain.md`). What neither says is open: the cards of a hand that nobody has read, as far as
its call leaves room, and the figures that prizes ask for until they are final (rule 10).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from jackpot.domain.state.played_rounds import Round
from jackpot.domain.state.verdicts import hand_report, is_missing, judged
from jackpot.hits.states import DECIDED, STANDING, HitState
from jackpot.terms.document import JackpotTerms, TierTerms
from jackpot.terms.money import micros_to_minor
from rules.decks import DECKS
from rules.implications import cards_imply, minimums_imply, never_both


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """What is known of an open hand."""

    claims: tuple[tuple[str | None, HitState], ...]  # the prize of each, and its state
    report: dict[str, Any] | None  # None: nobody has read it
    round: Round
    is_round_known: bool
    terms: tuple[JackpotTerms, ...]
    prizes: tuple[TierTerms, ...]  # what is won at its table, of these terms
    digits: int  # decimals of the currency

    def may_be_for(self) -> set[str] | None:
        """The codes of the prizes; None where the rules fail on the report."""
        if self.round.void is not None:
            return set()  # no hand of it wins anything (20.1)
        able = self._by_call() if self.report is None else self._by_report(self.report)
        if able is None:
            return None
        other_tiers = {tier for tier, state in self.claims if state != HitState.WITHDRAWN}
        tiers = [tier for tier in self.prizes if tier.code in able - other_tiers]
        return {tier.code for tier in tiers if not self._is_barred(tier, able)}

    def _by_call(self) -> set[str]:
        """What neither the call nor anything that is known of the round speaks against."""
        return {
            tier.code
            for tier in self.prizes
            if self._is_played(tier, tier)
            and self._has_pot(tier, unknown=True)
            and not any(never_both(each.qualifies(), tier.qualifies()) for each in self._called())
        }

    def _by_report(self, report: dict[str, Any]) -> set[str] | None:
        """What its cards are good for, whatever figures of its round still come.

        The completion has the last word on the pot. The players dealt in are as the report says,
        or else as the last of start and completion says.
        """
        is_completed, is_counted = self.round.completed is not None, self._is_counted()
        if (is_completed and is_counted) or not any(map(_has_minimum, self.prizes)):
            return set()
        by_report = hand_report(report, self.round, self.digits)
        by_report = replace(
            by_report,
            pot_minor=by_report.pot_minor if is_completed else None,
            players_dealt=by_report.players_dealt if is_counted else None,
        )
        requirements = {tier.code: tier.qualifies() for tier in self.prizes}
        verdict = judged(by_report, requirements, self.digits)
        if is_missing(verdict):
            return None
        return {tier.code for tier in self.prizes if verdict.qualifying(tier.code)}

    def _is_barred(self, tier: TierTerms, able: set[str]) -> bool:
        """Whether the hand, if it were for that prize, would be for a higher one instead: of
        this jackpot or of one that it was called for, where the highest prize alone is won."""
        called = {each.code for each in self._called()}
        granted = {code for code, state in self.claims if state in DECIDED}
        for jackpot in self.terms:
            own = {each.code: each.rank for each in jackpot.tiers}
            below = min((own[code] for code in called & own.keys()), default=0)
            if jackpot.hand_wins != "highest":
                continue
            if tier.code in own:
                if granted & own.keys() or tier.rank < below:
                    return True
                below = tier.rank
            higher = (each for each in self.prizes if own.get(each.code, below) < below)
            if any(self._is_certain(each, tier, able) for each in higher):
                return True
        return False

    def _is_certain(self, other: TierTerms, tier: TierTerms, able: set[str]) -> bool:
        """Whether the hand meets the terms of another prize if it meets those of this one."""
        players, pot = minimums_imply(tier.qualifies(), other.qualifies())
        if self.report is not None:
            players, pot = players or self._is_counted(), pot or self.round.completed is not None
            return other.code in able and players and pot
        if not (players and (pot or self._has_pot(other)) and self._is_played(other, tier)):
            return False
        met = [tier.qualifies(), *(each.qualifies() for each in self._called())]
        return all(
            any(cards_imply(each, other.qualifies(), DECKS[deck]) for each in met)
            for deck in self._decks(tier)
        )

    def _called(self) -> list[TierTerms]:
        """The prizes that it was called for, if nobody has read it."""
        standing = {tier for tier, state in self.claims if state in STANDING}
        is_read = self.report is not None
        return [tier for tier in self.prizes if tier.code in standing and not is_read]

    def _is_played(self, tier: TierTerms, beside: TierTerms) -> bool:
        """Whether the round's game and deck, or where they are not known those of the prize
        beside it, are among those of the tier."""
        qualifying, game = tier.qualifies(), self.round.game
        is_known = self.is_round_known and game is not None
        games = {game} if is_known else {*beside.qualifies().games}
        return games <= {*qualifying.games} and {*self._decks(beside)} <= {*qualifying.decks}

    def _decks(self, tier: TierTerms) -> tuple[int, ...]:
        deck = self.round.deck
        return (deck,) if self.is_round_known and deck is not None else tier.qualifies().decks

    def _has_pot(self, tier: TierTerms, *, unknown: bool = False) -> bool:
        """Whether the pot that the completion said is enough; `unknown`: where it said none."""
        if self.round.completed is None or self.round.pot is None or not self.is_round_known:
            return unknown
        least = tier.qualifies().pot_min_minor
        return least is None or micros_to_minor(self.round.pot, self.digits) >= least

    def _is_counted(self) -> bool:
        """Whether it is final how many were dealt in."""
        is_reported = self.report is not None and bool(self.report.get("seats_dealt"))
        return is_reported or None not in (self.round.started, self.round.completed)


def _has_minimum(tier: TierTerms) -> bool:
    qualifying = tier.qualifies()
    return qualifying.pot_min_minor is not None or qualifying.players_dealt_min is not None
