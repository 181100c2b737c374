"""23: the forms that payments of some days ask for, and which were filed by whom, when and under
which reference."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_noop as _
from psycopg import sql

from settlement.payments.form_filings import STATES, ListedForm, forms_between
from settlement.people.rights.permissions import name_of
from settlement.reports.definitions.definition import Definition, Field, Filters, as_query

COLUMNS = (
    Field("day", _("Gaming day"), "day", note=_("Of the first payment that the form is about.")),
    Field(
        "player",
        _("Identified as"),
        "number",
        note=_("The number of the first identification by the same document: no name."),
        link="player",
    ),
    Field("form", _("Form"), note=_("As the rule of the place names it.")),
    Field(
        "condition",
        _("Condition"),
        note=_("What the console does not know, and who files the form must."),
    ),
    Field("amount", _("Amount"), "money", note=_("What the form is about now.")),
    Field(
        "deadline", _("File by"), "day", note=_("The last day by the rule; empty: it says none.")
    ),
    Field("state", _("State"), words=STATES, note=_("On the day on which the report is made.")),
    Field(
        "filed_amount", _("Filed amount"), "money", note=_("What the form said as it was filed.")
    ),
    Field("filed_on", _("Filed on"), "day", note=_("The day that was entered.")),
    Field("reference", _("Reference"), note=_("Under which it was filed.")),
    Field("filed_by", _("Entered by"), note=_("Who entered that it was filed.")),
    Field("entered_at", _("Entered at"), "local", note=_("When that was entered.")),
    Field("source", _("Source"), note=_("Where the rule stands that asks for the form.")),
    Field("deadline_source", _("Source of the last day"), note=_("Where that stands.")),
)
_LOGIN = Field("filed_login", "")  # by which the report is filtered


def _row(form: ListedForm) -> dict[str, Any]:
    due, filing = form.due, form.filing
    row: dict[str, Any] = {
        "day": due.day,
        "player": due.person,
        "form": due.rule.form,
        "condition": due.condition,
        "amount": due.amount,
        "deadline": form.deadline,
        "state": form.state,
        "source": due.source,
        "deadline_source": form.deadline_source,
    }
    if filing is not None:
        row |= {
            "filed_amount": filing.amount,
            "filed_on": filing.filed_on,
            "reference": filing.reference,
            "filed_by": name_of(filing.person),
            "entered_at": filing.at,
            "filed_login": filing.person.get_username(),
        }
    return row


def _query(filters: Filters) -> sql.Composed:
    forms = forms_between(filters.casino, filters.first, filters.last)
    return as_query((*COLUMNS, _LOGIN), [_row(each) for each in forms])


REPORT = Definition(
    number=23,
    code="forms",
    title=_("Forms due and filed"),
    question=_("Which forms do payments ask for, until when, and which were filed by whom?"),
    columns=COLUMNS,
    order="day, player, form",
    query=_query,
    compared={"player": "player", "person": _LOGIN.source},
    rules=("31 CFR 1021.311", "IRC 6041"),
    is_of_casino=True,
)
