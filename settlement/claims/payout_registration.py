"""The register of payments: a row for each that the order took, with the act behind it."""

from __future__ import annotations

from jackpot.domain.command_handlers import METHODS
from jackpot.models import Entry
from settlement.models import Act, Payout
from tables.alarms import raise_alarm
from tables.models import JackpotSystem


def register_payouts(system: JackpotSystem) -> None:
    """Write each payment that the order took into the register. Idempotent."""
    registered = Payout.objects.filter(claim__system=system).values("entry_seq")
    paid = Entry.objects.filter(
        system=system, type="pay", hit__isnull=False, outcome__paid__isnull=False
    ).exclude(seq__in=registered)
    for entry in paid:
        acts = Act.objects.select_related("person", "claim").defer("person__password")
        act = acts.filter(claim__system=system, kind=Act.Kind.PAY, command=entry.command).first()
        if act is None:
            raise_alarm(
                "payout_without_act",
                f"{system.code} entry {entry.seq}",
                f"Entry {entry.seq} of {system.name} paid hit {entry.hit}, and no act of a cashier"
                " stands behind it. Stop payouts and call technical support.",
                system,
            )
            continue
        Payout.objects.bulk_create(
            [
                Payout(
                    claim=act.claim,
                    line=entry.outcome["line"],
                    part=entry.outcome["part"],
                    seat=entry.outcome["seat"],
                    entry_seq=entry.seq,
                    at=entry.at,
                    cashier=act.person.get_username(),
                    amount=entry.outcome["paid"],
                    **{method: act.body["parts"][method] for method in METHODS},
                )
            ],
            ignore_conflicts=True,
        )
