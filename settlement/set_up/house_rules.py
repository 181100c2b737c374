"""What holds in a casino of what two people decide: the newest row of each limit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from jackpot.labels.figures import write_money
from jackpot.models import Entry, Terms
from settlement.core.gaming_day import today
from settlement.models import (
    CountingRule,
    IdleLimit,
    MissedRoundsLimit,
    MoneyCount,
    SecondManagerLimit,
    SetUpProposal,
    SignaturePolicy,
    TermsFactor,
    VarianceLimit,
)
from settlement.people.rights.roles import ROLE_NAMES
from settlement.people.sessions.idle_limits import DEFAULT_MINUTES
from settlement.set_up import escalation
from settlement.set_up.counting import Counting
from settlement.set_up.counting import rules_of as counting_rules
from settlement.signatures import policy
from tables.models import Casino, JackpotSystem

Kind = SetUpProposal.Kind


@dataclass(frozen=True)
class HouseRule:
    """A rule as it holds now; `since` has the row's people and time, None: nobody decided yet.

    `of`: which of several limits of a kind.
    """

    kind: str
    label: str
    value: str
    since: Any = None
    of: str = ""
    is_time: bool = False
    choices: tuple[tuple[str, Any], ...] = ()
    takes_day: bool = False  # from which gaming day on, beside the value
    levels: tuple[escalation.Level | None, ...] = ()  # of an escalation; None: not used
    stays: bool = False  # nobody proposes another value any more

    @property
    def may_be_empty(self) -> bool:
        """Whether no value at all is one: never."""
        return self.kind == Kind.SECOND_MANAGER


def rules_of(casino: Casino) -> list[HouseRule]:
    """Every rule of the house that takes two people."""
    second = SecondManagerLimit.objects.filter(casino=casino).order_by("id").last()
    signed = SignaturePolicy.objects.filter(casino=casino).order_by("id").last()
    missed = MissedRoundsLimit.objects.filter(casino=casino).order_by("id").last()
    factor = TermsFactor.objects.filter(casino=casino).order_by("id").last()
    return [
        HouseRule(
            Kind.SECOND_MANAGER,
            _("Two managers confirm above"),
            _amount(casino, second.amount) if second and second.amount is not None else _("Never"),
            second,
        ),
        HouseRule(
            Kind.SIGNATURES,
            _("Signed by people themselves, with a passkey"),
            _signed(casino, signed),
            signed,
            choices=tuple(SignaturePolicy.Acts.choices),
        ),
        HouseRule(
            Kind.MISSED_ROUNDS,
            _("Missed rounds of a table and day that one person credits"),
            str(_missed_rounds(casino)),
            missed,
        ),
        HouseRule(
            Kind.TERMS_FACTOR,
            _("Figures of terms are typed again above a factor of"),
            str(factor.factor if factor else TermsFactor.DEFAULT),
            factor,
        ),
        *(_variance(casino, MoneyCount.Kind(of)) for of in MoneyCount.Kind.values),
        *(_counting(casino, MoneyCount.Kind(of)) for of in MoneyCount.Kind.values),
        *_idle_limits(casino),
        _escalation(casino),
        HouseRule(
            Kind.DAY_STARTS,
            _("Start of the gaming day"),
            f"{casino.day_starts:%H:%M}",
            is_time=True,
            stays=is_posted(casino),
        ),
    ]


def is_posted(casino: Casino) -> bool:
    """Whether zone and start of the day stay, as orders of the casino were folded by them."""
    terms = Terms.objects.filter(system=OuterRef("pk"))
    entries = Entry.objects.filter(system=OuterRef("pk"))
    systems = JackpotSystem.objects.filter(casino=casino)
    return systems.filter(Exists(terms) | Exists(entries)).exists()


def _missed_rounds(casino: Casino) -> int:
    """As the guard has it, whether or not anybody decided it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT missed_rounds_alone(%s)", [casino.pk])
        ((count,),) = cursor.fetchall()
    return int(count)


def _signed(casino: Casino, row: SignaturePolicy | None) -> str:
    """Before anybody decided: that it begins with keys of two people."""
    label = str(SignaturePolicy.Acts(policy.of_casino(casino.pk)).label)
    if row is not None or policy.of_casino(casino.pk) != SignaturePolicy.Acts.NONE:
        return label
    return _("None yet: it begins as soon as passkeys of two people sign")


def _variance(casino: Casino, of: MoneyCount.Kind) -> HouseRule:
    row = VarianceLimit.objects.filter(casino=casino, kind=of).order_by("id").last()
    label = _("A finding is opened above a variance of: %(of)s") % {"of": of.label}
    value = _amount(casino, row.amount) if row else _amount(casino, 0)
    return HouseRule(Kind.VARIANCE_LIMIT, label, value, row, of.value)


def _counting(casino: Casino, of: MoneyCount.Kind) -> HouseRule:
    """That which holds today, and what takes its place next."""
    counting, now = Counting(None, counting_rules(casino.pk, of)), today(casino)
    row, following = counting.rule_on(now), counting.change_after(now)
    value = _counted_from(row) if row else _("From the first one that is entered")
    if following is not None:
        value = f"{value}. {_counted_from(following)}"
    return HouseRule(
        Kind.COUNTING,
        _("Counted, and asked for when a day is closed: %(of)s") % {"of": of.label},
        value,
        row or following,
        of.value,
        choices=(("yes", _("Counted")), ("no", _("Not counted"))),
        takes_day=True,
    )


def _counted_from(rule: CountingRule) -> str:
    text = _("From %(since)s on") if rule.is_counted else _("Not from %(since)s on")
    return text % {"since": rule.since}


def _idle_limits(casino: Casino) -> list[HouseRule]:
    newest = IdleLimit.objects.filter(casino=casino).select_related("role").order_by("id")
    rows = {str(each.role): each for each in newest}
    return [
        HouseRule(
            Kind.IDLE_LIMIT,
            _("Minutes until an untouched screen locks: %(role)s") % {"role": ROLE_NAMES[role]},
            str(rows[role].minutes if role in rows else minutes),
            rows.get(role),
            role,
        )
        for role, minutes in DEFAULT_MINUTES.items()
    ]


def _escalation(casino: Casino) -> HouseRule:
    levels = escalation.levels_of(casino)
    unused = (None,) * (escalation.MOST - len(levels))
    return HouseRule(
        Kind.ESCALATION,
        _("Who is notified of waiting claims"),
        escalation.in_words(escalation.text_of(levels)),
        escalation.decided(casino),
        levels=(*levels, *unused),
    )


def _amount(casino: Casino, micros: int) -> str:
    return write_money(micros, casino)
