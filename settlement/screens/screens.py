"""Screens as somebody pairs, changes and removes them; how each is."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from jackpot.models import Screen
from jackpot.models.screens import LONGEST_NAME
from jackpot.screens import pairing
from jackpot.screens.layouts import LAYOUTS, TURNS
from jackpot.web.rate_limit import RateLimit
from settlement.core.errors import BadSetUp, WrongState
from settlement.core.input import clean_text
from settlement.people.rights.permissions import require
from settlement.people.shared.database_calls import ask
from tables.models import Casino, JackpotSystem

MAY = "manage_screens"
LEAST_SECONDS, MOST_SECONDS = 5, 600
CODES_PER_MINUTE = 10  # that one person may enter
HEARD_WITHIN = dt.timedelta(seconds=35)  # three reports
_guesses = RateLimit()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenSettings:
    """What a screen is called and shows; `systems` None: all of the casino, later ones too."""

    name: str
    place: str
    layouts: tuple[str, ...]
    systems: tuple[JackpotSystem, ...] | None = None
    seconds: int = 15
    turn: int = 0
    sound: bool = False
    language: str = ""  # as the browser of the screen is set
    second_language: str = ""


def screens() -> QuerySet[Screen]:
    """Those of the casinos that are seen which were not removed, with what each last said."""
    rows = Screen.objects.filter(ended_at=None).select_related("casino", "screen_report")
    return rows.defer("digest").order_by("casino", "name", "pk")


def pair(by: Any, casino: Casino, code: str, values: ScreenSettings) -> Screen:
    """The screen that shows this code is one of the house from now on.

    WrongState: no screen shows it now, or too many codes were entered; BadSetUp: what does not fit.
    """
    require(by, MAY)
    row = _row(values)
    wait_s = _guesses.take(str(by.pk), CODES_PER_MINUTE).wait_s
    if wait_s:
        raise WrongState(
            _("Too many codes were entered: try again in %(wait)s seconds.") % {"wait": wait_s}
        )
    number = ask("pair_screen", by.pk, casino.pk, pairing.read(code), json.dumps(row))
    if number is None:
        raise WrongState(
            _("No screen shows this code now. A code holds for 15 minutes: read it again.")
        )
    return screens().get(pk=number)


def change(by: Any, screen: Screen, values: ScreenSettings) -> None:
    """It shows this within a second or two; WrongState where it was removed."""
    require(by, MAY)
    if not ask("change_screen", by.pk, screen.pk, json.dumps(_row(values))):
        raise WrongState(_("This screen was removed."))


def remove(by: Any, screen: Screen) -> None:
    """It shows nothing of the house any more, at once."""
    require(by, MAY)
    if not ask("remove_screen", by.pk, screen.pk):
        raise WrongState(_("This screen was removed."))


@dataclass(frozen=True, slots=True)
class Health:
    """How a screen is. `report` empty: it said nothing yet."""

    heard_at: dt.datetime | None
    report: dict[str, Any]
    is_newest: bool  # it draws what was set up last

    @property
    def is_heard(self) -> bool:
        return self.heard_at is not None and timezone.now() - self.heard_at <= HEARD_WITHIN

    @property
    def size(self) -> str:
        """In pixels; empty where it has not said."""
        width, height = (self.report.get(each) for each in ("width", "height"))
        return f"{width} × {height}" if width and height else ""

    @property
    def older_release(self) -> str:
        """Of its page, where it is another one than the console's; it loads itself again."""
        release: str = self.report.get("release", "")
        return "" if release == settings.CONSOLE_VERSION else release

    @property
    def state(self) -> str:
        """Of unseen, silent, stale, behind and well."""
        if self.heard_at is None:
            return "unseen"
        if not self.is_heard:
            return "silent"
        if self.report.get("stale") is not None:
            return "stale"
        return "well" if self.is_newest else "behind"


def health_of(screen: Screen) -> Health:
    """By what it last said."""
    report = getattr(screen, "screen_report", None)
    if report is None:
        return Health(None, {}, is_newest=False)
    return Health(report.at, report.body, report.body["version"] == screen.version)


def _row(values: ScreenSettings) -> dict[str, Any]:
    name = clean_text(values.name)
    if not name or len(name) > LONGEST_NAME:
        raise BadSetUp(_("Enter a name of at most %(most)s characters.") % {"most": LONGEST_NAME})
    if not values.layouts or not set(values.layouts) <= set(LAYOUTS):
        raise BadSetUp(_("Choose what the screen shows."))
    if not LEAST_SECONDS <= values.seconds <= MOST_SECONDS or values.turn not in TURNS:
        raise BadSetUp(_("Each layout is shown for 5 to 600 seconds."))
    spoken = [each for each in (values.language, values.second_language) if each]
    if not set(spoken) <= dict(settings.LANGUAGES).keys():
        raise BadSetUp(_("Choose a language from the list."))
    if len(set(spoken)) < len(spoken) or (values.second_language and not values.language):
        raise BadSetUp(_("Choose two languages that differ, or one."))
    systems = sorted(each.pk for each in values.systems) if values.systems is not None else None
    return {
        "name": name,
        "place": clean_text(values.place, LONGEST_NAME),
        "systems": systems,
        "layouts": [each for each in LAYOUTS if each in values.layouts],
        "seconds": values.seconds,
        "turn": values.turn,
        "sound": values.sound,
        "language": values.language,
        "second_language": values.second_language,
    }
