"""Invitations for many people from a list: every line is judged before anybody is invited.

Each invitation is one as `invitations.invite` makes it, and waits for a second person by itself.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils.translation import gettext as _

from settlement.core.errors import BadFile, BadSetUp
from settlement.core.imports import import_file
from settlement.models import Invitation
from settlement.people.rights.permissions import require
from settlement.people.rights.roles import ROLE_NAMES, ROLES
from settlement.people.staff import invitations
from settlement.people.staff.invitations import Guest
from settlement.people.staff.persons import LAST_YEAR, MAY, end_of
from tables.models import Casino

MOST_BYTES, MOST_LINES = 64 * 1024, 100
NEEDED = ("username", "last_name", "role")
OPTIONAL = ("first_name", "email", "casino", "until")
_LONGEST_NAME, _LONGEST_EMAIL = 150, 254


@dataclass(frozen=True)
class Line:
    """A line of the list; `guest` None: its problem says why nobody is invited."""

    number: int
    cells: Mapping[str, str]
    guest: Guest | None
    problem: str = ""


@dataclass(frozen=True)
class GuestList:
    """A list that was read."""

    lines: Sequence[Line]
    sha256: str

    @property
    def problems(self) -> list[Line]:
        return [line for line in self.lines if line.problem]


def preview(content: bytes) -> GuestList:
    """Who is on the list, line by line, each with its problem; nobody is invited.

    BadFile where it is no such list.
    """
    combinations = itertools.chain.from_iterable(
        itertools.combinations(OPTIONAL, size) for size in range(len(OPTIONAL) + 1)
    )
    form = import_file.Form(
        columns=[frozenset((*NEEDED, *more)) for more in combinations],
        heading=_("%(needed)s, and as you like %(optional)s")
        % {"needed": ", ".join(NEEDED), "optional": ", ".join(OPTIONAL)},
        most_bytes=MOST_BYTES,
        most_lines=MOST_LINES,
    )
    rows = import_file.read(content, form)
    judge = _Judge(cells["username"] for _number, cells in rows)
    lines = [judge.line_of(number, cells) for number, cells in rows]
    return GuestList(lines, hashlib.sha256(content).hexdigest())


@transaction.atomic
def confirm(by: Any, content: bytes, sha256: str) -> list[tuple[Invitation, str]]:
    """Invite everybody on the list that was shown, or nobody; each with the secret of the link,
    which is read here and never again. BadFile where another list comes."""
    require(by, MAY)
    guest_list = preview(content)
    if guest_list.sha256 != sha256:
        raise BadFile(_("This is not the list that was shown: choose it again."))
    if guest_list.problems:
        raise BadFile(_("Lines have problems: correct the list and choose it again."))
    guests = (line.guest for line in guest_list.lines)
    return [invitations.invite(by, guest) for guest in guests if guest is not None]


class _Judge:
    """Reads lines, and knows which log-in names, roles and casinos there are."""

    def __init__(self, names: Iterable[str]) -> None:
        names_here = {name.lower() for name in names}
        people = get_user_model().objects.all()
        self._used_names = {
            name.lower() for name in people.values_list("username", flat=True)
        } & names_here
        open_rows = invitations.open_invitations().values_list("username", flat=True)
        self._used_names |= {name.lower() for name in open_rows}
        self._casinos = {each.code: each for each in Casino.objects.all()}
        self._roles = {each.casefold(): each for each in ROLES}
        self._roles |= {ROLE_NAMES[each].casefold(): each for each in ROLES}

    def line_of(self, number: int, cells: Mapping[str, str]) -> Line:
        try:
            guest = self._guest_of(cells)
        except BadSetUp as fault:
            return Line(number, cells, None, str(fault))
        self._used_names.add(guest.username.lower())
        return Line(number, cells, guest)

    def _guest_of(self, cells: Mapping[str, str]) -> Guest:
        role = self._roles.get(cells["role"].casefold())
        if role is None:
            names = ", ".join(ROLE_NAMES[each] for each in ROLES)
            raise BadSetUp(_("There is no such role: write one of %(names)s.") % {"names": names})
        casino = self._casino_of(cells.get("casino", ""))
        until = _until_of(cells.get("until", ""), casino)
        email = cells.get("email", "")
        if email:
            require_email(email)
        names_of = ("username", "first_name", "last_name")
        texts = {name: cells.get(name, "") for name in names_of}
        if any(len(text) > _LONGEST_NAME for text in texts.values()):
            raise BadSetUp(_("A name has at most 150 characters."))
        guest = Guest(**texts, email=email, role=role, casino=casino, until=until)
        invitations.require_good(guest)
        if guest.username.lower() in self._used_names:
            raise BadSetUp(_("This log-in name is taken, or stands above: choose another one."))
        return guest

    def _casino_of(self, code: str) -> Casino | None:
        """None: every casino."""
        if not code:
            return None
        if code not in self._casinos:
            raise BadSetUp(
                _("There is no casino %(code)s: write its code, or leave it empty for every one.")
                % {"code": code}
            )
        return self._casinos[code]


def _until_of(text: str, casino: Casino | None) -> dt.datetime | None:
    if not text:
        return None
    try:
        day = dt.date.fromisoformat(text)
    except ValueError as error:
        raise BadSetUp(_("Write the last day as 2027-03-31.")) from error
    if day.year > LAST_YEAR:
        raise BadSetUp(_("Enter a day before the year 3000."))
    return end_of(day, casino)


def require_email(email: str) -> None:
    """BadSetUp where it is no mail address."""
    try:
        validate_email(email)
    except ValidationError as error:
        raise BadSetUp(" ".join(error.messages)) from error
    if len(email) > _LONGEST_EMAIL:
        raise BadSetUp(_("This mail address is too long."))
