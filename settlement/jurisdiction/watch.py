"""An alarm where the rules of a casino cannot be read, or an indexed amount is of a year before."""

from __future__ import annotations

from collections.abc import Iterator

from settlement.core.gaming_day import today
from settlement.core.translation import in_english
from settlement.jurisdiction.filers import filer_of
from settlement.jurisdiction.layouts import load_layout
from settlement.jurisdiction.rules import pack_of, read_again, rules_at
from settlement.jurisdiction.words import age_in_words
from settlement.jurisdiction.yaml_file import FileFault
from tables.alarms import raise_alarm
from tables.models import Casino

ALARM = "jurisdiction_pack"


def raise_for_rules() -> None:
    """One alarm for a casino, with the first thing that is wrong."""
    with in_english():
        for casino in Casino.objects.order_by("pk"):
            if fault := next(_faults(casino), ""):
                raise_alarm(ALARM, casino.code, fault, casino.systems.order_by("pk").first())


def _faults(casino: Casino) -> Iterator[str]:
    try:
        day = today(casino)
        read_again(pack_of(casino))
        filer_of(casino)
        for rule in rules_at(casino, day).rules:
            if rule.draft:
                load_layout(rule.draft)
            if text := age_in_words(rule, day):
                yield f"{casino.name}, {rule.form or rule.rule}: {text}"
    except FileFault as fault:
        yield f"{casino.name}: {fault}"
