"""Lists as a person wants them: narrowed and sorted, under a name of the person's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import connection, transaction
from django.http import QueryDict
from django.utils.translation import gettext as _

from settlement.core import guards
from settlement.core.errors import BadSetUp, WrongState
from settlement.core.input import clean_text
from settlement.models import SavedView

MOST = 12  # of one person for one list
LONGEST_NAME, LONGEST_VALUE, LONGEST_QUERY = 40, 200, 1000
USUAL = "view=usual"  # in the address of a list: as it opens for everybody
_NARROWED = ("from", "to", "least", "most", "written", "person", "sort")
_REPORT = ("system", "jackpot", "tier", "table", "person", "from", "to")
# What of an address is kept, by the name of the list's address; of a report by its code.
PAGES: Mapping[str, tuple[str, ...]] = {
    "claims": ("standing", "system", "table", "tier", *_NARROWED),
    "payouts": ("casino", "system", *_NARROWED),
    "findings": _NARROWED,
    "people": ("role", "state", "casino", "q", "sort"),
    "devices": ("state", "system", "q", "sort"),
    "tables": ("state", "system", "q", "sort"),
    "incidents": ("kind", "system", "table", "person", "from", "to", "q", "sort"),
    "irregularities": ("kind", "system", "table", "person", "from", "to", "q", "sort"),
    "log-ins": ("person", "q", "sort"),
    # Nobody who is excluded is looked for in an address.
    "exclusions": ("casino", "list", "kind", "person", "from", "to", "sort"),
    "exports": ("casino", "report", "state", "person", "from", "to", "sort"),
    "report:round-ledger": ("casino", "system", "table", "from", "to", "sort"),
    "report:payouts": ("casino", *_REPORT, "sort"),
    "audit-trail": ("from", "to", "person", "area", "subject", "address", "sort"),
}


def cleaned(page: str, query: QueryDict) -> str:
    """What is kept of a query of that list, in one order; empty where nothing is."""
    choices = QueryDict(mutable=True)
    for name in PAGES[page]:
        if text := clean_text(query.get(name, ""), LONGEST_VALUE):
            choices[name] = text
    if not {"least", "most"} & choices.keys():
        choices.pop("written", None)  # it says of them how they are written
    return choices.urlencode()


def views_of(person: Any, page: str) -> list[SavedView]:
    """The person's own, by name."""
    return list(SavedView.objects.filter(person_id=person.pk, page=page))


def save(person: Any, page: str, name: str, query: str, *, is_default: bool = False) -> SavedView:
    """Keep the list as it is under a name; one of that name is replaced."""
    if page not in PAGES:
        raise BadSetUp(_("Views of this list cannot be saved."))
    name, choices = _name(name), cleaned(page, QueryDict(query))
    if len(choices) > LONGEST_QUERY:
        raise BadSetUp(_("This view is too long to save: remove a filter or a column."))
    with transaction.atomic():
        _wait_for_others(person)
        rows = SavedView.objects.filter(person_id=person.pk, page=page)
        if not rows.filter(name=name).exists() and rows.count() >= MOST:
            raise WrongState(
                _("You have %(most)s views of this list: delete one.") % {"most": MOST}
            )
        view, _new = rows.update_or_create(
            name=name, defaults={"person_id": person.pk, "page": page, "query": choices}
        )
        if is_default:
            set_default(person, view.pk, is_default=True)
    return view


def rename(person: Any, number: int, name: str) -> None:
    """Under a name that no other one of the list has."""
    name = _name(name)
    twice = _("You have a view of that name: choose another one.")
    with guards.in_words((("saved_view_once", WrongState, twice),)):
        _own(person, number).update(name=name)


def remove(person: Any, number: int) -> None:
    _own(person, number).delete()


@transaction.atomic
def set_default(person: Any, number: int, *, is_default: bool) -> None:
    """The list opens so, or as it does for everybody."""
    _wait_for_others(person)
    view = _own(person, number).first()
    if view is None:
        return
    SavedView.objects.filter(person_id=person.pk, page=view.page, is_default=True).update(
        is_default=False
    )
    if is_default:
        _own(person, number).update(is_default=True)


def _wait_for_others(person: Any) -> None:
    """One change of the person's views at a time, to the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('saved_views'), %s)", [person.pk])


def _own(person: Any, number: int) -> Any:
    return SavedView.objects.filter(pk=number, person_id=person.pk)


def _name(text: str) -> str:
    name = clean_text(text, LONGEST_NAME)
    if not name:
        raise BadSetUp(_("Enter a name for the view."))
    return name
