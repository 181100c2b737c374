"""What an examination is made of: subjects, their checks, and what each of them says.

A subject looks once, at a server or a folder, and its checks judge what it saw. A further check is
one function with `@SUBJECT.check(...)`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, TypeVar

from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, InterfaceError, OperationalError
from django.utils.translation import gettext as _
from psycopg.errors import LockNotAvailable, QueryCanceled

from settlement.core.errors import RuleBroken

log = logging.getLogger(__name__)
Facts = TypeVar("Facts")


class State(StrEnum):
    """How a point is."""

    GOOD = "good"
    ATTENTION = "attention"
    WRONG = "wrong"
    UNSEEN = "unseen"


@dataclass(frozen=True, slots=True)
class Point:
    """What one check says, in the language of now: what is so, and what to do about it."""

    state: State
    finding: str
    advice: str = ""


def good(finding: str) -> Point:
    return Point(State.GOOD, finding)


def attention(finding: str, advice: str) -> Point:
    return Point(State.ATTENTION, finding, advice)


def wrong(finding: str, advice: str) -> Point:
    return Point(State.WRONG, finding, advice)


def unseen(finding: str, advice: str = "") -> Point:
    return Point(State.UNSEEN, finding, advice)


@dataclass(frozen=True, slots=True)
class Check(Generic[Facts]):
    """A point that is examined. `by_command`: never in a request of the pages, because it takes
    long, asks much, or needs the owner of the database (`by_owner`)."""

    code: str
    title: str  # English, marked for translators
    judge: Callable[[Facts], Point]
    by_command: bool
    by_owner: bool


@dataclass(frozen=True)
class Subject(Generic[Facts]):
    """Checks that belong together, over what is looked at once. Those that stand on the database
    are not examined while it is away; others are, as they may say why."""

    code: str
    title: str  # English, marked for translators
    look: Callable[[], Facts]
    asks_database: bool = True
    checks: list[Check[Facts]] = field(default_factory=list)

    def check(
        self, title: str, *, by_command: bool = False, by_owner: bool = False
    ) -> Callable[[Callable[[Facts], Point]], Callable[[Facts], Point]]:
        """Make a function a check of this subject; its name is the code."""

        def register(judge: Callable[[Facts], Point]) -> Callable[[Facts], Point]:
            name = f"{self.code}.{judge.__name__}"
            self.checks.append(Check(name, title, judge, by_command or by_owner, by_owner))
            return judge

        return register


@dataclass(frozen=True, slots=True)
class Result:
    """A point with where it belongs, in words of the language of now."""

    subject: str
    code: str
    title: str
    point: Point

    @property
    def state(self) -> State:
        return self.point.state


@dataclass(frozen=True, slots=True)
class Examiner:
    """Who looks: the command, as the owner of the database or not, or a page."""

    is_owner: bool
    on_page: bool = False

    def leaves_out(self, check: Check[Facts]) -> Point | None:
        """Why this check is not for this examiner; None: it is."""
        if check.by_owner and not self.is_owner:
            return unseen(_("By the command, as the owner: manage.py doctor"))
        if check.by_command and self.on_page:
            return unseen(_("By the command: manage.py doctor"))
        return None


_FAULTS = (DatabaseError, InterfaceError, OSError, RuleBroken, ImproperlyConfigured, ValueError)


def examine(subjects: Iterable[Subject], examiner: Examiner) -> list[Result]:
    """Every check of these subjects, in their order; what fails is itself a result."""
    results: list[Result] = []
    is_away = False  # the database: said once
    for subject in subjects:
        look = _Look(subject)
        for check in subject.checks:
            point = examiner.leaves_out(check)
            if point is None and not (is_away and subject.asks_database):
                point = look.judged_by(check)
            if point is None or (is_away and look.is_without_database):
                point = unseen(_("The database does not answer."))
            is_away = is_away or look.is_without_database
            results.append(Result(_(subject.title), check.code, _(check.title), point))
    return results


class _Look(Generic[Facts]):
    """What a subject saw: it looks when its first check wants it."""

    def __init__(self, subject: Subject[Facts]) -> None:
        self._subject = subject
        self._facts: list[Facts] = []
        self._fault: Point | None = None
        self.is_without_database = False

    def judged_by(self, check: Check[Facts]) -> Point:
        if self._fault is not None:
            return self._fault
        is_looking = not self._facts
        try:
            if is_looking:
                self._facts.append(self._subject.look())
                is_looking = False
            return check.judge(self._facts[0])
        except _FAULTS as error:
            log.debug("%s", check.code, exc_info=True)
            self.is_without_database = _is_of_no_database(error)
            point = _fault(error, self.is_without_database)
            if is_looking or self.is_without_database:
                self._fault = point
            return point


def _is_of_no_database(error: Exception) -> bool:
    """Whether nobody answered; a statement that took too long had an answer."""
    is_cut_off = isinstance(error, OperationalError | InterfaceError)
    return is_cut_off and not isinstance(error.__cause__, QueryCanceled | LockNotAvailable)


def _fault(error: Exception, is_without_database: bool) -> Point:
    words = " ".join(str(error).split())
    if is_without_database:
        return wrong(
            _("The database does not answer: %(fault)s") % {"fault": words},
            _("Check that PostgreSQL runs and that DATABASE_URL names it."),
        )
    return wrong(
        _("This could not be examined: %(fault)s") % {"fault": words},
        _("Correct what the fault names, and examine again."),
    )


def series(names: Collection[str], most: int = 8) -> str:
    """Names with commas between, and how many more there are."""
    first = sorted(names)[:most]
    rest = len(names) - len(first)
    return ", ".join([*first, _("%(count)d more") % {"count": rest}] if rest else first)
