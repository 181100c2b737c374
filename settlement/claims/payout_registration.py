"""The register of payments: a row for each that the order took, with the action behind it.

It stands with claims, below `payments`: bringing claims up to the order (`services.catch_up`) opens
them and registers what was paid of them, in one step.
"""

from __future__ import annotations

from jackpot.domain.command_handlers import METHODS, TAX
from jackpot.models import Entry
from settlement.core.words.house_alarms import HouseAlarm
from settlement.models import Action, Payout
from tables.alarms import raise_alarm
from tables.models import JackpotSystem


def register_payouts(system: JackpotSystem) -> None:
    """Write each payment that the order took into the register. Idempotent."""
    registered = Payout.objects.filter(claim__system=system).values("entry_seq")
    paid = Entry.objects.filter(
        system=system, type="pay", hit__isnull=False, outcome__paid__isnull=False
    ).exclude(seq__in=registered)
    for entry in paid:
        actions = Action.objects.select_related("person", "claim").defer("person__password")
        action = actions.filter(
            claim__system=system, kind=Action.Kind.PAY, command=entry.command
        ).first()
        if action is None:
            raise_alarm(
                "payout_without_action",
                f"{system.code} entry {entry.seq}",
                HouseAlarm.NO_CASHIER
                % {"entry": entry.seq, "system": system.name, "hit": entry.hit},
                system,
            )
            continue
        Payout.objects.bulk_create(
            [
                Payout(
                    claim=action.claim,
                    line=entry.outcome["line"],
                    part=entry.outcome["part"],
                    seat=entry.outcome["seat"],
                    entry_seq=entry.seq,
                    at=entry.at,
                    cashier=action.person.get_username(),
                    amount=entry.outcome["paid"],
                    **{method: action.body["parts"][method] for method in METHODS},
                    tax=action.body["parts"].get(TAX, 0),
                    residence=action.body.get("withholding", {}).get("residence", ""),
                )
            ],
            ignore_conflicts=True,
        )
