"""Excluded persons as they are entered, looked at and ended.

Who they are is bound by the server and never stands in a statement, an error or a log: the
database takes lists in (`import_exclusions`) and gives persons away (`look_at_exclusions`), with
the look written down.
"""

from __future__ import annotations

import datetime as dt
import json
import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables

from settlement.core import guards
from settlement.core.errors import USED, BadExclusion, KeyUsed, NotPermitted, WrongState
from settlement.core.gaming_day import today
from settlement.core.input import clean_text, required_text
from settlement.models import Exclusion, ExclusionEnd, ExclusionImport, ExclusionLook
from settlement.models.exclusions import LIST_LENGTH, REFERENCE_LENGTH
from settlement.models.identification import LONGEST, Identification
from settlement.people.rights.permissions import name_of
from settlement.people.rights.roles import held
from tables.models import Casino
from tables.process.prepared_statements import prepared_cursor

OLDEST = 120  # years
SHORTEST_NUMBER = 3  # letters and digits of a document's number
MOST_SHOWN = 50  # of those who were sought
_MARKS = str.maketrans("", "", " .,;:/_()#[]-")


@dataclass(frozen=True, slots=True, repr=False)
class Person:
    """An excluded person. It does not print itself: what prints ends in a log."""

    name: str
    born: dt.date
    kind: str
    since: dt.date
    reference: str
    document: str = ""
    document_number: str = ""
    until: dt.date | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """How many entries of a list are new, stand already, or stand and are not in it."""

    added: int
    known: int
    missing: int


@dataclass(frozen=True, slots=True, repr=False)
class Entry:
    """An entry as it is shown to whoever may look. It does not print itself either."""

    id: int
    name: str
    born: dt.date
    document: str
    document_number: str
    kind: str
    since: dt.date
    until: dt.date | None
    reference: str
    list: str
    ended: dt.date | None

    @property
    def kind_label(self) -> str:
        return str(Exclusion.Kind(self.kind).label)

    @property
    def document_label(self) -> str:
        return str(Identification.Document(self.document).label) if self.document else ""

    def is_over(self, day: dt.date) -> bool:
        """Whether it is in force no longer on that gaming day."""
        return any(last is not None and last < day for last in (self.until, self.ended))


def require_in(casino: Casino, user: Any, permission: str) -> None:
    """The person's role must allow it in that casino."""
    if not (user.is_active and held(user).may(permission, casino.pk)):
        raise NotPermitted(_("Your role does not allow this. Ask a colleague whose role does."))


def judge(person: Person) -> None:
    """BadExclusion where it cannot be entered; its words repeat nothing of who it is."""
    year = dt.datetime.now(dt.UTC).year
    number = person.document_number.translate(_MARKS)
    problems = {
        _("A name has at least two letters."): sum(map(str.isalpha, person.name)) < 2,
        _("A name has at most %(most)s characters.") % {"most": LONGEST["name"]}: len(person.name)
        > LONGEST["name"],
        _("This date of birth is not possible."): not year - OLDEST <= person.born.year <= year,
        _("The kind is self, operator or regulator."): person.kind not in Exclusion.Kind.values,
        _("It ends before it begins."): person.until is not None and person.until < person.since,
        _("Enter a first day in the years 1900 to 2999."): not 1900 <= person.since.year < 3000,
        _("A reference is needed: the order number or the form number."): not person.reference,
        _("A reference has at most %(most)s characters.") % {"most": REFERENCE_LENGTH}: len(
            person.reference
        )
        > REFERENCE_LENGTH,
        _("The document is passport, identity_card, driver_licence or other."): person.document
        not in ("", *Identification.Document.values),
        _("A document needs its number."): bool(person.document) and not number,
        _("The number of a document has at least %(least)s letters or digits.")
        % {"least": SHORTEST_NUMBER}: 0 < len(number) < SHORTEST_NUMBER,
        _("The number of a document has at most %(most)s characters.")
        % {"most": LONGEST["document_number"]}: len(person.document_number)
        > LONGEST["document_number"],
    }
    for words, applies in problems.items():
        if applies:
            raise BadExclusion(words)


@sensitive_variables()
def compare(casino: Casino, user: Any, list_name: str, persons: Sequence[Person]) -> Comparison:
    """Hold a list against what stands of it; nothing is stored."""
    require_in(casino, user, "import_exclusions")
    with prepared_cursor(is_watched=False) as cursor:
        cursor.execute(
            "SELECT added, known, missing FROM compare_exclusions(%s, %s, %s, %s::jsonb)",
            [casino.pk, list_name, user.pk, _as_json(persons)],
        )
        return Comparison(*cursor.fetchall()[0])


@dataclass(frozen=True, slots=True, repr=False)
class ExclusionList:
    """What is taken in. `is_whole`: what stands of the list and is not in it ends."""

    name: str
    persons: Sequence[Person]
    is_whole: bool = False
    file: str = ""  # the SHA-256 of what it was read from


@sensitive_variables()
def take_in(
    casino: Casino, user: Any, exclusions: ExclusionList, *, key: uuid.UUID | None = None
) -> ExclusionImport:
    """Store all of it or, where one person is refused, none; the same `key` again is the same."""
    require_in(casino, user, "import_exclusions")
    name = list_name_of(exclusions.name)
    for person in exclusions.persons:
        judge(person)
    key = key or uuid.uuid4()
    earlier = ExclusionImport.objects.filter(key=key).first()
    if earlier is not None:
        same = (earlier.casino_id, earlier.name, earlier.file, earlier.replaces, earlier.person_id)
        if same != (casino.pk, name, exclusions.file, exclusions.is_whole, user.pk):
            raise KeyUsed(USED)
        if not exclusions.file and not _has(earlier, casino, user, exclusions):
            raise KeyUsed(USED)
        return earlier
    with guards.in_words(), prepared_cursor(is_watched=False) as cursor:
        cursor.execute(
            "SELECT import_exclusions(%s, %s, %s, %s, %s, %s, %s::jsonb)",
            [
                *(casino.pk, name, exclusions.is_whole, exclusions.file, user.pk, key),
                _as_json(exclusions.persons),
            ],
        )
        number = cursor.fetchall()[0][0]
    return ExclusionImport.objects.select_related("person").get(pk=number)


@sensitive_variables()
def _has(
    last_import: ExclusionImport, casino: Casino, user: Any, exclusions: ExclusionList
) -> bool:
    """Whether an import was of these persons: what came without a file has no hash to compare.

    Entries that are over do not stand any more: of them the number alone is compared.
    """
    persons, day = set(exclusions.persons), today(casino)
    standing = [each for each in persons if each.until is None or each.until >= day]
    of_list = compare(casino, user, last_import.name, standing)
    return of_list.added == 0 and last_import.added + last_import.known == len(persons)


def list_name_of(text: str) -> str:
    """The name of a list, as it is stored."""
    return required_text(text, _("Enter the name of the list."), LIST_LENGTH)


def look(casino: Casino, user: Any, sought: str) -> tuple[list[Entry], bool]:
    """Who is sought, the newest first, and whether there are more of them. It is written down.

    `sought`: beginnings of words of a name, the number of a document, a date of birth, a
    reference; empty: everybody.
    """
    require_in(casino, user, "view_exclusions")
    with guards.in_words(), prepared_cursor(is_watched=False) as cursor:
        cursor.execute(
            "SELECT * FROM look_at_exclusions(%s, %s, %s)",
            [casino.pk, user.pk, clean_text(sought, LONGEST["name"])],
        )
        rows = cursor.fetchall()
    return [Entry(*row) for row in rows[:MOST_SHOWN]], len(rows) > MOST_SHOWN


def end(entry: Exclusion, user: Any, reason: str) -> ExclusionEnd:
    """End an entry with the present gaming day. What it stops already stays stopped."""
    require_in(entry.casino, user, "import_exclusions")
    words = required_text(reason, _("Enter why it ends, and by which document."))
    if ExclusionEnd.objects.filter(exclusion=entry).exists():
        raise WrongState(_("This entry has been ended already."))
    with guards.in_words():
        return ExclusionEnd.objects.create(
            exclusion=entry, last_day=today(entry.casino), reason=words, person=user
        )


def imports_of(casino: Casino) -> QuerySet[ExclusionImport]:
    """What was taken in, the newest first."""
    return ExclusionImport.objects.filter(casino=casino).select_related("person")


def in_force(casino: Casino) -> list[dict[str, Any]]:
    """How many entries are in force today or later, by list and kind: its code and its words."""
    day = today(casino)
    rows = Exclusion.objects.filter(casino=casino, end=None)
    rows = rows.filter(Q(until=None) | Q(until__gte=day)).order_by()
    groups = rows.values("origin__name", "kind").annotate(persons=Count("pk"))
    return [
        {"list": each["origin__name"], "persons": each["persons"]}
        | {"code": each["kind"], "kind": Exclusion.Kind(each["kind"]).label}
        for each in groups.order_by("origin__name", "kind")
    ]


def last_looks(casino: Casino) -> list[tuple[str, dt.datetime]]:
    """Who looked last, and when."""
    rows = ExclusionLook.objects.filter(casino=casino).select_related("person")[:10]
    return [(name_of(row.person), row.at) for row in rows]


def _as_json(persons: Sequence[Person]) -> str:
    return json.dumps(
        [
            {
                name: value.isoformat() if isinstance(value, dt.date) else value
                for name, value in asdict(person).items()
            }
            for person in persons
        ]
    )
