"""How far a rehearsal is: each step is done when its rows say so, from the terms to the books."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Subquery
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from jackpot.hits.states import OPEN_STATES
from jackpot.models import Entry, Hit, Terms
from settlement.core.words.translation import Labels
from settlement.models import Action, Claim, Payout, Reconciliation, SetUpProposal, SlipPrint
from tables.intake.presence import SILENT_AFTER_S
from tables.models import Casino, DisplayReading, JackpotSystem, UnitPresence
from tables.visibility.scope import only

STEPS = Labels(
    {
        "terms": _("Terms: proposed by one, put into effect by two"),
        "unit": _("A table unit, or the practice unit, has joined"),
        "recorded": _("A round was recorded in the sequence"),
        "displayed": _("A display read back what it shows"),
        "claim": _("A jackpot hand was reported, and its claim is open"),
        "verified": _("The claim is verified: evidence and checklist"),
        "confirmed": _("The claim is confirmed by somebody else"),
        "paid": _("The cage has paid"),
        "printed": _("The slip is printed"),
        "reconciled": _("Reconciliation agrees, the payment included"),
    }
)


@dataclass(frozen=True)
class RehearsalStep:
    """A step of a rehearsal; `is_next`: the first that is not done."""

    code: str
    is_done: bool
    is_next: bool

    @property
    def label(self) -> str:
        return STEPS[self.code]


@dataclass(frozen=True)
class Rehearsal:
    """A rehearsal with its steps in their order, and the number of its newest claim."""

    system: JackpotSystem
    steps: tuple[RehearsalStep, ...]
    claim: int | None
    is_in_use: bool  # a unit of it is on, or a claim of it is open
    has_open_claim: bool
    proven: int | None  # up to which entry the books agreed first, the payment included

    @property
    def is_passed(self) -> bool:
        return all(step.is_done for step in self.steps)

    @property
    def next(self) -> RehearsalStep | None:
        return next((step for step in self.steps if step.is_next), None)


def rehearsals(casinos: Any) -> list[Rehearsal]:
    """Those of these casinos, the newest first, by one query; the caller may see the casinos."""
    casinos = list(casinos)  # before more is seen
    with only(None):
        rows = JackpotSystem.objects.rehearsals().filter(casino__in=casinos)
        rows = rows.select_related("casino").annotate(**_conditions()).order_by("-pk")
        return [_rehearsal(row) for row in rows]


def is_passed(casino: Casino) -> bool:
    """Whether a rehearsal went all the way."""
    return any(each.is_passed for each in rehearsals([casino]))


def is_waived(casino: Casino) -> bool:
    """Whether two people decided to open without one."""
    kind = SetUpProposal.Kind.OPEN_UNREHEARSED
    return SetUpProposal.objects.filter(casino=casino, kind=kind, decision__agreed=True).exists()


def _conditions() -> dict[str, Any]:
    """What is asked of the rows of each system."""
    mine = {"system": OuterRef("pk")}
    verified = Action.objects.filter(claim__system=OuterRef("pk"), kind=Action.Kind.VERIFY)
    payouts = Payout.objects.filter(claim__system=OuterRef("pk"))
    reconciled = Reconciliation.objects.filter(**mine, differences=[]).filter(
        Exists(
            Payout.objects.filter(
                claim__system=OuterRef("system"), entry_seq__lte=OuterRef("up_to_seq")
            )
        )
    )
    since = timezone.now() - dt.timedelta(seconds=SILENT_AFTER_S)
    units = UnitPresence.objects.filter(table__system=OuterRef("pk"))
    return {
        "is_heard": Exists(units.filter(online=True, heard_at__gte=since)),
        "has_open_claim": Exists(Hit.objects.filter(**mine, state__in=OPEN_STATES)),
        "has_terms": Exists(Terms.objects.filter(**mine)),
        "has_unit": Exists(units),
        "has_recorded": Exists(Entry.objects.filter(**mine, type="round_started")),
        "has_displayed": Exists(DisplayReading.objects.filter(table__system=OuterRef("pk"))),
        "has_claim": Exists(Claim.objects.filter(**mine)),
        "has_verified": Exists(verified),
        "has_confirmed": Exists(Hit.objects.filter(**mine, confirmed__gt=0)),
        "has_paid": Exists(payouts),
        "has_printed": Exists(SlipPrint.objects.filter(payout__claim__system=OuterRef("pk"))),
        "has_reconciled": Exists(reconciled),
        "proven": Subquery(reconciled.order_by("pk").values("up_to_seq")[:1]),
        "newest_claim": Claim.objects.filter(**mine).order_by("-number").values("number")[:1],
    }


def _rehearsal(row: Any) -> Rehearsal:
    step_states = {code: bool(getattr(row, f"has_{code}")) for code in STEPS}
    first = next((code for code, is_done in step_states.items() if not is_done), None)
    steps = tuple(RehearsalStep(code, step_states[code], code == first) for code in STEPS)
    in_use = row.is_heard or row.has_open_claim
    return Rehearsal(row, steps, row.newest_claim, in_use, row.has_open_claim, row.proven)
