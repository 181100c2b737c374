"""Alarms of the rules: they cannot be read, a file is not that to which two people agreed, an
indexed amount is of a year before, or somebody was paid whom they ask to be identified and was not.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from django.db.models import Exists, OuterRef
from django.utils import timezone

from settlement.core.gaming_day import day_of, today
from settlement.core.words.house_alarms import HouseAlarm
from settlement.core.words.translation import in_english
from settlement.jurisdiction.filers import filer_of
from settlement.jurisdiction.forms_due import counted
from settlement.jurisdiction.layouts import load_layout
from settlement.jurisdiction.pack import Rule
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
    player is, and that nobody identified: no list of forms knows of it."""
    subjects = set(Alarm.objects.filter(kind=UNIDENTIFIED).values_list("subject", flat=True))
    who = Identification.objects.filter(claim=OuterRef("claim"), seat=OuterRef("seat"))
    packs: dict[int, PacksOfCasino] = {}
    systems = JackpotSystem.objects.for_money()
    rows = Payout.objects.filter(
        ~Exists(who), claim__system__in=systems, at__gte=timezone.now() - _LOOKS_BACK
    )
    with in_english():
        for payout in rows.select_related("claim__system__casino").order_by("pk"):
            system = payout.claim.system
            name = f"{system.code.upper()}-{payout.claim.number}"
            subject = f"{name} seat {payout.seat}"
            casino = payout.claim.system.casino
            if casino.pk not in packs:
                packs[casino.pk] = packs_of(casino)
            rule = _asks_who(payout, packs[casino.pk])
            if rule is None or subject in subjects:
                continue
            subjects.add(subject)
            raise_alarm(
                UNIDENTIFIED,
                subject,
                HouseAlarm.UNIDENTIFIED
                % {
                    "seat": payout.seat,
                    "claim": name,
                    "rule": in_words(rule, system.casino.currency),
                    "source": rule.source,
                },
                system,
            )


def _asks_who(payout: Payout, packs: PacksOfCasino) -> Rule | None:
    """The rule that asks for identification of this payment by itself, if one does."""
    try:
        rules = packs.rules_on(day_of(payout.at, packs.casino)).of("identification")
    except FileFault:
        return None  # which is an alarm of its own
    reached = (each for each in rules if each.is_reached(counted(each, payout.amount, payout.cash)))
    return next(reached, None)
