"""Findings of variances: somebody takes one and explains it, another person signs that.

A finding is opened with the count (`settlement.drop.counts`) whose variance is above the limit of
the house, which two people set on the page Rules of the house, or its owner by `manage.py
set_variance_limit`. A count that is corrected needs no explanation any more; the one that corrects
it may.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from settlement.core import guards
from settlement.core.errors import SamePerson, WrongState
from settlement.core.input import required_text
from settlement.models import Finding, FindingStep, VarianceLimit
from settlement.people.rights.permissions import require
from tables.models import Casino, JackpotSystem
from tables.visibility.scope import visible

Kind = FindingStep.Kind
PERMISSIONS = {
    Kind.TAKE: "explain_finding",
    Kind.EXPLAIN: "explain_finding",
    Kind.SIGN: "sign_finding",
    Kind.RETURN: "sign_finding",
}


def limit_of(casino: Casino | int, kind: str) -> int:
    """The highest variance in micros that nobody has to explain; nothing where none was set."""
    newest = VarianceLimit.objects.filter(casino=casino, kind=kind).order_by("pk").last()
    return newest.amount if newest is not None else 0


def findings() -> QuerySet[Finding]:
    """All findings that the person may see, the newest first."""
    rows = Finding.objects.select_related(
        "count__system__casino", "count__table", "count__person", "count__corrected_by"
    ).prefetch_related("steps__person")
    scope = visible()
    if scope is not None:
        rows = rows.filter(count__system__in=scope.systems)
    return rows.order_by("-pk")


def open_findings(
    system: JackpotSystem | None = None, through: dt.date | None = None
) -> QuerySet[Finding]:
    """Those that nobody has signed and no later count corrects; of days up to `through`."""
    rows = findings().filter(count__corrected_by=None)
    rows = rows.exclude(pk__in=FindingStep.objects.filter(kind=Kind.SIGN).values("finding"))
    if system is not None:
        rows = rows.filter(count__system=system)
    return rows if through is None else rows.filter(count__day__lte=through)


def newest_step(finding: Finding) -> FindingStep | None:
    """Where it stands."""
    return next(iter(reversed(finding.steps.all())), None)


def owner(finding: Finding) -> Any | None:
    """Who took it last."""
    owners = [step.person for step in finding.steps.all() if step.kind == Kind.TAKE]
    return owners[-1] if owners else None


def take(finding: Finding, user: Any) -> FindingStep:
    """Become the owner, who explains it."""
    _require(finding, user, Kind.TAKE)
    newest = newest_step(finding)
    if newest is not None and newest.kind not in (Kind.TAKE, Kind.RETURN):
        raise WrongState(_("This finding is explained already."))
    return _write(finding, user, Kind.TAKE)


def explain(finding: Finding, user: Any, note: str) -> FindingStep:
    """Say where the variance comes from; who does is its owner."""
    _require(finding, user, Kind.EXPLAIN)
    note = required_text(note, _("Explain the variance."))
    newest, taken_by = newest_step(finding), owner(finding)
    if newest is not None and newest.kind == Kind.EXPLAIN and taken_by != user:
        raise WrongState(_("This finding is explained already: sign it or send it back."))
    with transaction.atomic():
        if taken_by != user:
            _write(finding, user, Kind.TAKE)
        return _write(finding, user, Kind.EXPLAIN, note)


def sign(finding: Finding, user: Any) -> FindingStep:
    """Accept the explanation of somebody else; the finding is closed."""
    _second(finding, user, Kind.SIGN)
    return _write(finding, user, Kind.SIGN)


def send_back(finding: Finding, user: Any, note: str) -> FindingStep:
    """Say what the explanation lacks."""
    _second(finding, user, Kind.RETURN)
    return _write(finding, user, Kind.RETURN, required_text(note, _("Enter what is missing.")))


def _second(finding: Finding, user: Any, kind: str) -> None:
    _require(finding, user, kind)
    newest = newest_step(finding)
    if newest is None or newest.kind != Kind.EXPLAIN:
        raise WrongState(_("Nobody has explained this finding yet."))
    if newest.person_id == user.pk:
        raise SamePerson(_("You explained this finding: somebody else must sign it off."))


def _require(finding: Finding, user: Any, kind: str) -> None:
    require(user, PERMISSIONS[Kind(kind)], finding.count.system)
    if getattr(finding.count, "corrected_by", None) is not None:
        raise WrongState(_("A later count corrects this one: there is nothing left to explain."))
    newest = newest_step(finding)
    if newest is not None and newest.kind == Kind.SIGN:
        raise WrongState(_("This finding is signed off already."))


def _write(finding: Finding, user: Any, kind: str, note: str = "") -> FindingStep:
    with guards.in_words():
        return FindingStep.objects.create(finding=finding, kind=kind, note=note, person=user)
