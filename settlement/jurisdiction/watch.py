"""Alarms of the rules: they cannot be read, a file is not that to which two people agreed, an
indexed amount is of a year before, or somebody was paid whom they ask to be identified and was not.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator

from django.db.models import Exists, OuterRef
from django.utils import timezone

from jackpot.models import Hit
from settlement.core.gaming_day import day_of, today
from settlement.core.words.house_alarms import HouseAlarm
from settlement.core.words.translation import in_english
from settlement.jurisdiction.filers import filer_of
from settlement.jurisdiction.layouts import load_layout
from settlement.jurisdiction.pack import Rule
from settlement.jurisdiction.payments import is_reached, won_by
from settlement.jurisdiction.persons_day import PaidToSeat
from settlement.jurisdiction.rules import PacksOfCasino, is_of_house, packs_of, read_again
from settlement.jurisdiction.words import age_in_words, in_words
from settlement.jurisdiction.yaml_file import FileFault
from settlement.models import Identification, Payout
from tables.alarms import raise_alarm
from tables.models import Alarm, Casino, JackpotSystem

ALARM = "jurisdiction_pack"
UNIDENTIFIED = "paid_unidentified"
_LOOKS_BACK = dt.timedelta(days=7)


def raise_for_rules() -> None:
    """One alarm for a casino, with the first thing that is wrong."""
    with in_english():
        for casino in Casino.objects.order_by("pk"):
            if fault := next(_faults(casino), ""):
                raise_alarm(ALARM, casino.code, fault, _first_system(casino))


def _first_system(casino: Casino) -> JackpotSystem | None:
    return JackpotSystem.objects.for_money().filter(casino=casino).order_by("pk").first()


def _faults(casino: Casino) -> Iterator[str]:
    try:
        day, packs = today(casino), packs_of(casino)
        # Past days keep their packs: reports and forms of them read every file that ever held.
        for name in packs.in_use:
            read_again(name)
        for name in dict.fromkeys(
            (packs.name_on(day), *(each.pack for each in packs.planned_after(day)))
        ):
            if is_of_house(name) and packs.is_changed(name):
                yield HouseAlarm.CHANGED_PACK % {"casino": casino.name, "pack": name}
        filer_of(casino)
        for rule in packs.rules_on(day).rules:
            if rule.draft:
                load_layout(rule.draft)
            if text := age_in_words(rule, day):
                yield f"{casino.name}, {rule.form or rule.rule}: {text}"
    except FileFault as fault:
        yield f"{casino.name}: {fault}"


def raise_for_unidentified() -> None:
    """One alarm for each seat that was paid so much that the rules of that gaming day ask who its
    player is, and that nobody identified: no list of forms knows of it. All that a seat won, and
    all that it was paid on a day, is one person's, whatever the parts."""
    subjects = set(Alarm.objects.filter(kind=UNIDENTIFIED).values_list("subject", flat=True))
    packs: dict[int, PacksOfCasino] = {}
    rows = _unidentified()
    hits = _hits(rows)
    of_days: Counter[tuple[int, int, dt.date]] = Counter()
    cash_of_days: Counter[tuple[int, int, dt.date]] = Counter()
    with in_english():
        for payout in rows:
            system = payout.claim.system
            casino = system.casino
            if casino.pk not in packs:
                packs[casino.pk] = packs_of(casino)
            day = payout.claim_id, payout.seat, day_of(payout.at, casino)
            of_days[day] += payout.amount
            cash_of_days[day] += payout.cash
            name = f"{system.code.upper()}-{payout.claim.number}"
            subject = f"{name} seat {payout.seat}"
            if subject in subjects:
                continue
            won = won_by(hits[system.pk, payout.claim.number], payout.seat)
            paid = PaidToSeat(of_days[day], cash_of_days[day])
            rule = _asks_who(day[2], won, paid, packs[casino.pk])
            if rule is None:
                continue
            subjects.add(subject)
            raise_alarm(
                UNIDENTIFIED,
                subject,
                HouseAlarm.UNIDENTIFIED
                % {
                    "seat": payout.seat,
                    "claim": name,
                    "rule": in_words(rule, casino.currency),
                    "source": rule.source,
                },
                system,
            )


def _unidentified() -> list[Payout]:
    """Payments of late to players whom nobody identified, in their order."""
    who = Identification.objects.filter(claim=OuterRef("claim"), seat=OuterRef("seat"))
    systems = JackpotSystem.objects.for_money()
    rows = Payout.objects.filter(
        ~Exists(who), claim__system__in=systems, at__gte=timezone.now() - _LOOKS_BACK
    )
    return list(rows.select_related("claim__system__casino").order_by("pk"))


def _hits(payouts: Iterable[Payout]) -> dict[tuple[int, int], Hit]:
    claims = {(payout.claim.system_id, payout.claim.number) for payout in payouts}
    rows = Hit.objects.filter(
        system__in={system for system, _ in claims}, number__in={number for _, number in claims}
    )
    return {(hit.system_id, hit.number): hit for hit in rows}


def _asks_who(day: dt.date, won: int, paid: PaidToSeat, packs: PacksOfCasino) -> Rule | None:
    """The rule of that gaming day that asks for identification of who won so much in a claim and
    was paid so much of it on the day, if one does."""
    try:
        rules = packs.rules_on(day).of("identification")
    except FileFault:
        return None  # which is an alarm of its own
    return next((each for each in rules if is_reached(each, 0, won, paid)), None)
