"""Slides and lines of a house, and how its screens look, as somebody puts them up."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from jackpot.display.values import tiers_in_effect
from jackpot.models import Head, HouseLook, Slide
from jackpot.models.screens import FILM, LONGEST_NAME, LONGEST_TEXT
from jackpot.screens.layouts import ACCENT, BACKGROUND, FONTS, HOUSE_FONT, TEXT
from jackpot.screens.schedule import Schedule
from settlement.core.errors import BadSetUp, WrongState
from settlement.core.input import clean_text
from settlement.people.rights.permissions import require
from settlement.people.shared.database_calls import ask
from settlement.screens.colours import LEAST_OF_ACCENT, LEAST_OF_TEXT, contrast, is_colour
from settlement.screens.fonts import Font
from settlement.screens.pictures import Picture
from settlement.screens.screens import MAY
from tables.models import Casino, JackpotSystem

LEAST_SECONDS, MOST_SECONDS = 3, 120
MOST_UP = 50  # of a casino,
MOST_FILMS = 5  # of which so many move: each screen keeps them all
_PRIZE = re.compile(r"\{([^{}]*)\}")


ALWAYS = Schedule()


@dataclass(frozen=True, slots=True, kw_only=True)
class SlideContent:
    """A slide, or a line below what all screens show. A text names a prize as {system/tier}.

    `others`: title and text in other languages, by their codes.
    """

    text: str
    title: str = ""
    others: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    is_line: bool = False
    seconds: int = 10
    schedule: Schedule = ALWAYS


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How screens of a casino look; colours such as #07090c."""

    background: str = BACKGROUND
    text: str = TEXT
    accent: str = ACCENT
    font: str = "sans"


def slides() -> QuerySet[Slide]:
    """What is up in the casinos that are seen, without pictures."""
    rows = Slide.objects.filter(ended_at=None).select_related("casino")
    return rows.defer("picture").order_by("casino", "is_line", "pk")


@transaction.atomic
def put_up(
    by: Any,
    casino: Casino,
    slide: SlideContent,
    picture: Picture | None = None,
    was: Slide | None = None,
) -> Slide:
    """On screens within seconds. `was` comes down for it, and leaves its picture if none is sent.

    BadSetUp: what does not fit; WrongState: too much is up, or `was` is down already.
    """
    require(by, MAY)
    row = _row(casino, slide, has_picture=bool(picture or (was and was.picture_digest)))
    _wait_for_others(casino)
    if was is None and slides().filter(casino=casino).count() >= MOST_UP:
        raise WrongState(_("At most %(most)s can be shown in a casino.") % {"most": MOST_UP})
    if picture and picture.is_film and _films_beside(casino, was) >= MOST_FILMS:
        raise WrongState(
            _("At most %(most)s videos can be shown in a casino.") % {"most": MOST_FILMS}
        )
    row |= {"keep_picture": True, "picture_type": picture.media if picture else ""}
    content = picture.content if picture else None
    number = ask("put_slide", by.pk, casino.pk, json.dumps(row), content, was.pk if was else None)
    if number is None:
        raise WrongState(_("Somebody has unpublished or changed it: reload the page."))
    return slides().get(pk=number)


def _wait_for_others(casino: Casino) -> None:
    """One slide of a casino at a time, to the end of the transaction: so its limits hold."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('slides'), %s::integer)", [casino.pk])


def _films_beside(casino: Casino, was: Slide | None) -> int:
    rows = slides().filter(casino=casino, picture_type__startswith=FILM)
    return (rows.exclude(pk=was.pk) if was else rows).count()


def take_down(by: Any, slide: Slide) -> None:
    """It is shown nowhere any more; WrongState where it is down already."""
    require(by, MAY)
    if not ask("end_slide", by.pk, slide.pk):
        raise WrongState(_("Somebody has unpublished or changed it: reload the page."))


def put_look(by: Any, casino: Casino, look: Look, logo: Picture | None, *, keep: bool) -> None:
    """Screens take it over within seconds. `keep`: the logo of before stays where none is sent."""
    require(by, MAY)
    for colour in (look.background, look.text, look.accent):
        if not is_colour(colour):
            raise BadSetUp(_("Choose three colours."))
    has_font = look.font == HOUSE_FONT and bool(getattr(look_of(casino), "font_digest", ""))
    if look.font not in FONTS and not has_font:
        raise BadSetUp(_("Choose a font."))
    if contrast(look.text, look.background) < LEAST_OF_TEXT:
        raise BadSetUp(_("Text on the background cannot be read well: take a clearer contrast."))
    if contrast(look.accent, look.background) < LEAST_OF_ACCENT:
        raise BadSetUp(_("Values on the background cannot be read well: take another accent."))
    row = {
        "background": look.background,
        "text": look.text,
        "accent": look.accent,
        "font": look.font,
        "names": getattr(look_of(casino), "names", None),
        "keep_picture": keep,
        "picture_type": logo.media if logo else "",
    }
    ask("put_house_look", by.pk, casino.pk, json.dumps(row), logo.content if logo else None)


def put_font(by: Any, casino: Casino, font: Font | None) -> None:
    """Screens take it over within seconds; None: it is removed, and they are in the plain one."""
    require(by, MAY)
    plain = Look()
    colours = {name: getattr(plain, name) for name in ("background", "text", "accent")}
    name, content = (font.name, font.content) if font is not None else ("", None)
    ask("put_house_font", by.pk, casino.pk, name, json.dumps(colours), content)


def put_names(by: Any, casino: Casino, names: Mapping[str, Mapping[str, str]]) -> None:
    """What players read of systems and prizes in other languages: by language, and by system or
    system/tier. An empty name is as it was written. The names of posted terms stay what they are.
    """
    require(by, MAY)
    codes, by_language = named_in(casino).keys(), {}
    for language, each in names.items():
        texts = {key: text for key, typed in each.items() if (text := clean_text(typed))}
        if language not in dict(settings.LANGUAGES) or not texts.keys() <= codes:
            raise BadSetUp(_("Choose a language from the list."))
        if any(len(text) > LONGEST_NAME for text in texts.values()):
            raise BadSetUp(_("The text is too long."))
        if texts:
            by_language[language] = texts
    look = look_of(casino)
    plain = Look()
    row = {name: getattr(look or plain, name) for name in ("background", "text", "accent", "font")}
    row |= {"names": by_language or None, "keep_picture": True, "picture_type": ""}
    ask("put_house_look", by.pk, casino.pk, json.dumps(row), None)


def named_in(casino: Casino) -> dict[str, str]:
    """Systems by code and prizes by system/tier, as they were named."""
    systems = JackpotSystem.objects.for_money().filter(casino=casino).order_by("code")
    return {each.code: each.name for each in systems} | prizes_of(casino)


def look_of(casino: Casino) -> HouseLook | None:
    """What was chosen, without the content of logo and font."""
    return HouseLook.objects.filter(casino=casino).defer("picture", "font_file").first()


def _row(casino: Casino, content: SlideContent, *, has_picture: bool) -> dict[str, Any]:
    title, text = _short(content.title, content.text)
    others = {
        language: {"title": "" if content.is_line else short[0], "text": short[1]}
        for language, each in content.others.items()
        if any(short := _short(each.get("title", ""), each.get("text", "")))
    }
    if not others.keys() <= dict(settings.LANGUAGES).keys():
        raise BadSetUp(_("Choose a language from the list."))
    if not text and (content.is_line or not (title or has_picture)):
        raise BadSetUp(_("Enter a text or add a picture."))
    if not LEAST_SECONDS <= content.seconds <= MOST_SECONDS:
        raise BadSetUp(_("It is shown for 3 to 120 seconds at a time."))
    schedule = content.schedule
    if not schedule.days or not set(schedule.days) <= set(range(1, 8)):
        raise BadSetUp(_("Choose the days of the week."))
    if schedule.first_day and schedule.last_day and schedule.last_day < schedule.first_day:
        raise BadSetUp(_("The last day is before the first."))
    every = [title, text, *(words for each in others.values() for words in each.values())]
    _require_prizes(casino, " ".join(every))
    return {
        "is_line": content.is_line,
        "title": "" if content.is_line else title,
        "text": text,
        "others": others or None,
        "seconds": content.seconds,
        "days": sorted(set(schedule.days)),
        **{name: _iso_text(getattr(schedule, name)) for name in _LIMITS},
    }


def _short(title: str, text: str) -> tuple[str, str]:
    title, text = clean_text(title), clean_text(text)
    if len(title) > LONGEST_NAME or len(text) > LONGEST_TEXT:
        raise BadSetUp(_("The text is too long."))
    return title, text


_LIMITS = ("starts", "ends", "first_day", "last_day")


def _iso_text(value: dt.time | dt.date | None) -> str | None:
    return value.isoformat() if value is not None else None


def prizes_of(casino: Casino) -> dict[str, str]:
    """What a text may name: system/tier, and the name of the prize."""
    systems = JackpotSystem.objects.for_money().filter(casino=casino)
    heads = Head.objects.filter(system__in=systems).select_related("system")
    return {
        f"{head.system.code}/{tier.code}": tier.name
        for head in heads.order_by("system__code")
        for tier in tiers_in_effect(head.system_id, head.terms_number)
    }


def _require_prizes(casino: Casino, text: str) -> None:
    names = set(_PRIZE.findall(text))
    unknown = sorted(names - prizes_of(casino).keys()) if names else []
    if unknown:
        raise BadSetUp(
            _("No prize of this casino is called “%(name)s”.") % {"name": unknown[0][:60]}
        )
