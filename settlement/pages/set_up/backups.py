"""Backups: what was tried, what is kept, and what a disaster now would take away."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from settlement.backups import runs, tool_choice
from settlement.models import BackupRun
from settlement.pages.shared.decorators import opens_for
from tables.visibility.scope import sees_all

MOST_SHOWN = 12  # three months of weekly trials
STEPS = {
    "look": _("Look at the archive and the live order"),
    "restore": _("Restore the files and check each"),
    "recover": _("Recover to the moment"),
    "compare": _("Compare with the live order"),
    "verify": _("Verifier"),
    "begin_era": _("Rehearse the new era"),
}


@dataclass(frozen=True)
class RunLine:
    """A run as the page shows it."""

    run: BackupRun

    @property
    def seconds(self) -> int:
        return round((self.run.ended_at - self.run.started_at).total_seconds())

    @property
    def made_at(self) -> dt.datetime | None:
        return _instant(self.run.facts.get("made_at"))

    @property
    def target(self) -> dt.datetime | None:
        return _instant(self.run.facts.get("target"))

    @property
    def steps(self) -> list[tuple[Any, float]]:
        steps = self.run.facts.get("steps", ())
        return [(STEPS.get(each["step"], each["step"]), each["seconds"]) for each in steps]

    @property
    def stock(self) -> list[dict[str, Any]]:
        """Base backups, the newest first."""
        rows = self.run.facts.get("kept", ())
        return [{**each, "ended_at": _instant(each["ended_at"])} for each in reversed(rows)]

    @property
    def most_behind(self) -> int | None:
        """Blocks of the system that would lose most."""
        return max(
            (each["blocks_behind"] for each in self.run.facts.get("systems", ())), default=None
        )


@require_safe
@opens_for("set_up_casino")
def backups(request: HttpRequest) -> HttpResponse:
    """For whoever sees every casino: a backup holds them all."""
    if not sees_all():
        raise Http404
    tried = BackupRun.objects.filter(kind=runs.Kind.RESTORE).order_by("-id")[:MOST_SHOWN]
    base_runs = BackupRun.objects.filter(kind=runs.Kind.BASE).order_by("-id")[:MOST_SHOWN]
    since = runs.unproved_since()
    trials, bases = [RunLine(each) for each in tried], [RunLine(each) for each in base_runs]
    newest_base = next((each for each in bases if each.run.backup), None)
    proved = runs.newest(runs.Kind.RESTORE)
    is_chosen = tool_choice.is_chosen()
    is_unproved = since is not None and timezone.now() - since > runs.UNPROVED_AFTER
    is_proved = proved is not None and not is_unproved and not trials[0].run.fault
    context = {
        "is_chosen": is_chosen,
        "tool": settings.BACKUP_TOOL if is_chosen else None,
        "days": settings.BACKUP_DAYS if is_chosen else None,
        "trials": trials,
        "bases": bases,
        "stock": newest_base.stock if newest_base else [],
        "made_at": newest_base.run.ended_at if newest_base else None,
        "proved_at": proved.ended_at if proved else None,
        "is_unproved": is_unproved,
        "proof": "ok" if is_proved else "bad" if is_chosen else "",
    }
    return render(request, "console/set_up/backups.html", context)


def _instant(text: str | None) -> dt.datetime | None:
    return dt.datetime.fromisoformat(text) if text else None
