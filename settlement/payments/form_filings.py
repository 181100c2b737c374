"""Forms that payments ask for, until when each is filed, and which were: by whom, when and under
which reference. A filing that was entered wrongly is reversed by a further row, and never changed.

A form is known by its name and by the first of the payments that it is about, and where it is of
somebody who shares the prize and sat nowhere by that sharer. Who is entered again with another part
is the same person, whose form stays filed.
"""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.models import Exists, Min, OuterRef, Prefetch, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from settlement.core import guards
from settlement.core.errors import USED, BadFigure, KeyUsed, WrongState
from settlement.core.gaming_day import day_of, start_of, today
from settlement.core.input import required_text
from settlement.core.words.house_alarms import HouseAlarm
from settlement.core.words.translation import Labels, in_english
from settlement.jurisdiction import deadlines
from settlement.jurisdiction.forms_due import FormDue, forms_due, forms_of
from settlement.jurisdiction.recipients import PaidOnDays
from settlement.jurisdiction.rules import retention_years
from settlement.jurisdiction.yaml_file import FileFault
from settlement.models import FilingFile, FormFiling, Payout, Sharer
from settlement.models.payouts import LONGEST_REFERENCE
from settlement.people.rights.permissions import require
from tables.alarms import raise_alarm
from tables.models import Casino, JackpotSystem

Kind = FormFiling.Kind
OVERDUE = "forms_overdue"  # an alarm
STATES = Labels(
    {
        "overdue": gettext_noop("Overdue"),
        "open": gettext_noop("To be filed"),
        "changed": gettext_noop("Filed, changed since"),
        "filed": gettext_noop("Filed"),
    }
)
_NUMBERS = """
    WITH sharer AS MATERIALIZED (
        SELECT id, identification_id AS identification FROM settlement_sharer WHERE id = ANY(%s)
    )
    SELECT sharer.id, each.number
    FROM numbers_of_players((SELECT array_agg(identification) FROM sharer)) AS each
    JOIN sharer USING (identification)
"""
SOON = dt.timedelta(days=7)
KEY_FIELDS = (
    "payout_id",
    "sharer_id",
    "form",
    "kind",
    "filed_on",
    "reference",
    "reverses_id",
    "reason",
)


@dataclass(frozen=True, slots=True)
class FormOf:
    """A form by its name, the first of the payments that it is about, and the sharer of whom it is,
    by number; 0: of the payee."""

    payout: Payout
    name: str
    sharer: int = 0


@dataclass(frozen=True)
class ListedForm:
    """A form that is due, and its filing where one stands. `day`: that of now in the casino."""

    due: FormDue
    day: dt.date
    filing: FormFiling | None = None

    @cached_property
    def deadline(self) -> dt.date | None:
        return deadlines.deadline_of(self.due)

    @property
    def deadline_source(self) -> str:
        return deadlines.source_of(self.due)

    @cached_property
    def state(self) -> str:
        """One of STATES; `changed`: another amount was paid since than the form said."""
        if self.filing is not None:
            return "filed" if self.filing.amount == self.due.amount else "changed"
        return "overdue" if self.deadline is not None and self.deadline < self.day else "open"

    @property
    def is_soon(self) -> bool:
        """Whether its last days run."""
        last = self.deadline
        return self.state == "open" and last is not None and last <= self.day + SOON

    @property
    def first_payout(self) -> int:
        return self.due.payouts[0].payout

    @property
    def first_sharer(self) -> int:
        """Whose part of that payment it is about, by number; 0: the payee's."""
        return self.due.payouts[0].sharer


def forms_between(casino: Casino, first: dt.date, last: dt.date) -> list[ListedForm]:
    """Every form of these gaming days: those that are overdue first, then by their last day."""
    due = forms_due(PaidOnDays(casino, first, last))
    filings = _filings(due)
    now = today(casino)
    forms = [ListedForm(each, now, filing) for each, filing in zip(due, filings, strict=True)]
    return sorted(forms, key=_urgency)


def _urgency(form: ListedForm) -> tuple[int, dt.date, dt.date, int]:
    place = [*STATES].index(form.state)
    return place, form.deadline or dt.date.max, form.due.day, form.first_payout


def _filings(due: Sequence[FormDue]) -> list[FormFiling | None]:
    """Of each form the filing that stands: entered by any of its payments, as another one may be
    the first since who was paid is known better."""
    payouts = {part.payout for each in due for part in each.payouts}
    rows = FormFiling.objects.filter(payout__in=payouts, kind=Kind.FILED, reversed_by=None)
    rows = rows.select_related("person").defer("person__password")  # which no worker reads
    rows = rows.prefetch_related(Prefetch("files", _files()))
    sharers = {part.sharer for each in due for part in each.payouts}
    person_of = _numbers_of_sharers(sharers | {row.sharer_id or 0 for row in rows})
    filings = {(row.payout_id, person_of[row.sharer_id or 0], row.form): row for row in rows}
    candidates = (
        [
            filings.get((part.payout, person_of[part.sharer], each.rule.form))
            for part in each.payouts
        ]
        for each in due
    )
    return [next(filter(None, each), None) for each in candidates]


def _numbers_of_sharers(sharers: Collection[int]) -> dict[int, int]:
    """By the number of each row of a sharer that of the person; 0, the payee, is 0."""
    numbers = {0: 0}
    if rows := [each for each in sharers if each]:
        with connection.cursor() as cursor:
            cursor.execute(_NUMBERS, [rows])
            numbers.update(cursor.fetchall())
    return numbers


def _files() -> QuerySet[FilingFile]:
    """With who attached each: a list names them all."""
    return FilingFile.objects.select_related("person").defer("person__password")


def file(
    form: FormOf,
    user: Any,
    *,
    filed_on: dt.date,
    reference: str,
    key: uuid.UUID | None = None,
) -> FormFiling:
    """Enter that a form was filed.

    WrongState where no such form is due or one is filed already, BadFigure for a date that cannot
    be.
    """
    payout = form.payout
    casino = payout.claim.system.casino
    require(user, "file_form", payout.claim.system)
    reference = required_text(
        reference, _("Enter the reference under which it was filed."), LONGEST_REFERENCE
    )
    row = FormFiling(
        payout=payout, form=form.name, kind=Kind.FILED, filed_on=filed_on, reference=reference
    )
    row.sharer_id = form.sharer or None
    if (earlier := _of_key(key, user, row)) is not None:
        return earlier
    due = _due(form)
    if not day_of(payout.at, casino) <= filed_on <= today(casino):
        raise BadFigure(
            _("Enter the day of filing: from the payment on, and not later than today.")
        )
    if _filings([due]) != [None]:
        raise WrongState(_("This form is filed already: reverse that entry if it is wrong."))
    row.amount = due.amount
    return _enter(row, user, key)


def reverse(
    filing: FormFiling, user: Any, reason: str, *, key: uuid.UUID | None = None
) -> FormFiling:
    """Undo an entry: the form was not filed, or not so, or is filed anew as corrected."""
    require(user, "file_form", filing.payout.claim.system)
    reason = required_text(reason, _("Enter why it is reversed."))
    row = FormFiling(
        payout=filing.payout,
        sharer_id=filing.sharer_id,
        form=filing.form,
        kind=Kind.REVERSED,
        amount=filing.amount,
        filed_on=filing.filed_on,
        reverses=filing,
        reason=reason,
    )
    if (earlier := _of_key(key, user, row)) is not None:
        return earlier
    if filing.kind != Kind.FILED or FormFiling.objects.filter(reverses=filing).exists():
        raise WrongState(_("This filing is reversed already."))
    return _enter(row, user, key)


def _due(form: FormOf) -> FormDue:
    payout = form.payout
    for each in forms_of(payout.claim.system.casino, [payout]).get(payout.pk, ()):
        first = each.payouts[0]
        if (each.rule.form, first.payout, first.sharer) == (form.name, payout.pk, form.sharer):
            return each
    raise WrongState(_("The local rules require no such form for this payment."))


def _of_key(key: uuid.UUID | None, user: Any, row: FormFiling) -> FormFiling | None:
    """What this key entered before: a second click answers for the first."""
    earlier = FormFiling.objects.filter(key=key).first() if key else None
    if earlier is None:
        return None
    differs = any(getattr(earlier, name) != getattr(row, name) for name in KEY_FIELDS)
    if differs or earlier.person_id != user.pk:
        raise KeyUsed(USED)
    return earlier


def _enter(row: FormFiling, user: Any, key: uuid.UUID | None) -> FormFiling:
    row.person, row.key = user, key or uuid.uuid4()
    row.number = FormFiling.objects.filter(payout=row.payout, form=row.form).count() + 1
    try:
        with transaction.atomic(), guards.in_words():
            row.save(force_insert=True)
    except IntegrityError as race:
        raise WrongState(_("A colleague was quicker: look at the list again.")) from race
    return row


def filings_of(casino: Casino) -> list[FormFiling]:
    """Every row of a casino, reversals too, the newest first."""
    rows = FormFiling.objects.filter(payout__claim__system__casino=casino)
    return list(
        rows.select_related("person", "reversed_by", "payout__claim__system")
        .prefetch_related(Prefetch("files", _files()))
        .order_by("-pk")
    )


def first_day_of(casino: Casino) -> dt.date:
    """From where lists begin: at the latest with the year before, of which forms may be filed in
    this one; else with the oldest payment by which no form was filed, as long as the local rules
    have payments kept. So what is overdue stays until it is filed."""
    now = today(casino)
    latest = dt.date(now.year - 1, 1, 1)
    unfiled = _without_filing(Payout.objects.filter(claim__system__in=_systems(casino)))
    if years := retention_years(casino, "money", now):
        oldest_kept = dt.date(now.year - years, 1, 1)
        unfiled = unfiled.filter(at__gte=start_of(oldest_kept, casino))
    oldest = unfiled.aggregate(at=Min("at"))["at"]
    return min(latest, day_of(oldest, casino)) if oldest else latest


def _without_filing(payouts: QuerySet[Payout]) -> QuerySet[Payout]:
    """Those by which no form of the payee was filed, or none of somebody who shares the prize."""
    filed = FormFiling.objects.filter(kind=Kind.FILED, reversed_by=None)
    of_payee = filed.filter(payout=OuterRef("pk"), sharer=None)
    of_sharer = filed.filter(
        payout=OuterRef(OuterRef("pk")), sharer__identification=OuterRef("identification")
    )
    waiting = Sharer.objects.filter(
        ~Exists(of_sharer),
        claim=OuterRef("claim"),
        seat=OuterRef("seat"),
        kind=Sharer.Kind.ADDED,
        reversed_by=None,
    )
    return payouts.filter(~Exists(of_payee) | Exists(waiting))


def _systems(casino: Casino) -> QuerySet[JackpotSystem]:
    return JackpotSystem.objects.for_money().filter(casino=casino)


def raise_for_overdue() -> None:
    """One alarm for each casino with forms that were not filed in time."""
    with in_english():
        for casino in Casino.objects.order_by("pk"):
            try:
                forms = forms_between(casino, first_day_of(casino), today(casino))
            except FileFault:
                continue  # which is an alarm of its own
            late = [each for each in forms if each.state == "overdue"]
            if late:
                raise_alarm(
                    OVERDUE,
                    casino.code,
                    HouseAlarm.OVERDUE_FORMS
                    % {
                        "casino": casino.name,
                        "count": len(late),
                        "form": late[0].due.rule.form,
                        "day": late[0].deadline,
                    },
                    _systems(casino).order_by("pk").first(),
                )
