"""All that a screen reads besides the stream of values: what it shows, slides, winners, the look.

Slides come with the spans in which they are shown in the next two days, so that a screen that is
offline keeps to them; it asks again each few minutes.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import BinaryField, F, Func, IntegerField, QuerySet, Value
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, override

from jackpot.display import values as display
from jackpot.display.names import names_of
from jackpot.labels.figures import marks, with_code
from jackpot.models import HouseLook, Screen, Slide
from jackpot.screens import wins
from jackpot.screens.layouts import ACCENT, BACKGROUND, HOUSE_FONT, OF_PERIODS, TEXT, WINNERS
from jackpot.screens.schedule import Schedule
from jackpot.screens.screen_words import screen_words
from jackpot.web.byte_ranges import File
from tables.models import Casino, JackpotSystem

Address = Callable[[str], str]
AHEAD = dt.timedelta(days=2)


def systems_of(screen: Screen) -> list[JackpotSystem]:
    """The systems whose values it shows."""
    rows = JackpotSystem.objects.for_money().filter(casino=screen.casino_id)
    rows = rows.select_related("casino")
    if screen.systems is not None:
        rows = rows.filter(pk__in=screen.systems)
    return list(rows.order_by("code"))


def content_of(
    screen: Screen, layouts: Sequence[str] | None = None, picture: Address | None = None
) -> dict[str, Any]:
    """As JSON; amounts in minor units, instants as texts. `others`: the same in a second language,
    which the screen shows in turn.

    `layouts` in place of the screen's own; `picture` gives the address of one by its digest.
    """
    layouts, systems = layouts or screen.layouts, systems_of(screen)
    boards = []
    if not OF_PERIODS.isdisjoint(layouts):
        boards = [board for each in systems for board in wins.boards(each)]
    source = _Source(screen, layouts, picture or picture_address, systems, boards)
    with in_language_of(screen):
        content = _content(source)
    others = []
    if screen.second_language:
        with override(screen.second_language):
            others.append(_content(source))
    return {**content, "others": others}


def in_language_of(screen: Screen) -> override:
    """The first one of a screen; else that of the request, which is its browser's."""
    return override(screen.language or get_language())


@dataclass(frozen=True, slots=True)
class _Source:
    """What is the same in every language."""

    screen: Screen
    layouts: Sequence[str]
    picture: Address
    systems: Sequence[JackpotSystem]
    boards: Sequence[wins.Board]


def _content(source: _Source) -> dict[str, Any]:
    now, screen, systems = timezone.now(), source.screen, source.systems
    layouts, picture, casino = source.layouts, source.picture, screen.casino
    current = {each.pk: display.current(each.pk) for each in systems}
    slides = slides_of(casino, now, picture)
    names = names_of(casino.pk)
    decimal, thousand = marks()
    return {
        "language": get_language(),
        "clock": casino.clock,
        "decimal": decimal,
        "thousand": thousand,
        "is_code_first": with_code("C", "1").startswith("C"),
        "words": screen_words(),
        "names": names,
        "version": screen.version,
        "now": display.as_instant(now),
        "name": screen.name,
        "casino": casino.name,
        "currency": casino.currency,
        "digits": casino.minor_digits,
        "zone": casino.timezone,
        "layouts": list(layouts),
        "seconds": screen.seconds,
        "turn": screen.turn,
        "sound": screen.sound,
        "look": look_of(casino, picture),
        "systems": [
            {
                "code": each.code,
                "name": names.get(each.code, each.name),
                "display": current[each.pk],
                "news": wins.news(each, current[each.pk], names),
            }
            for each in systems
        ],
        "winners": wins.winners(systems, names) if WINNERS in layouts else [],
        "boards": [wins.board_words(each, names) for each in source.boards],
        "slides": [each for each in slides if not each["is_line"]],
        "lines": [each for each in slides if each["is_line"]],
    }


def slides_of(casino: Casino, now: dt.datetime, picture: Address) -> list[dict[str, Any]]:
    """Slides and lines that are shown within the next two days, and when."""
    rows = Slide.objects.filter(casino=casino, ended_at=None).defer("picture").order_by("pk")
    zone = ZoneInfo(casino.timezone)
    pairs = [(each, schedule_of(each).windows(zone, now, now + AHEAD)) for each in rows]
    return [
        {
            "id": slide.pk,
            "is_line": slide.is_line,
            **_texts(slide),
            "picture": "" if slide.is_film else picture(slide.picture_digest),
            "film": picture(slide.picture_digest) if slide.is_film else "",
            "seconds": slide.seconds,
            "windows": [[display.as_instant(each) for each in window] for window in windows],
        }
        for slide, windows in pairs
        if windows
    ]


def _texts(slide: Slide) -> dict[str, str]:
    """Title and text in the language of now; each as the house wrote it where it has no other."""
    other = (slide.others or {}).get(get_language() or "en", {})
    return {name: other.get(name) or getattr(slide, name) for name in ("title", "text")}


def schedule_of(slide: Slide) -> Schedule:
    """When a slide is shown."""
    return Schedule(slide.days, slide.starts, slide.ends, slide.first_day, slide.last_day)


def look_of(casino: Casino, picture: Address) -> dict[str, str]:
    """Colours, font and the addresses of its file and of the logo; empty where there is none."""
    look = HouseLook.objects.filter(casino=casino).defer("picture", "font_file").first()
    if look is None:
        return {
            "background": BACKGROUND,
            "text": TEXT,
            "accent": ACCENT,
            "font": "sans",
            "font_file": "",
            "logo": "",
        }
    return {
        "background": look.background,
        "text": look.text,
        "accent": look.accent,
        "font": look.font,
        "font_file": picture(look.font_digest) if look.font == HOUSE_FONT else "",
        "logo": picture(look.picture_digest),
    }


def picture_address(digest: str) -> str:
    """Where a screen reads a picture; empty where there is none."""
    return reverse("screen-picture", args=[digest]) if digest else ""


def picture_of(casinos: Sequence[int], digest: str) -> File | None:
    """A picture, film or font of these casinos; what was taken down is none."""
    slides = Slide.objects.filter(casino__in=casinos, ended_at=None, picture_digest=digest)
    fonts = HouseLook.objects.filter(casino__in=casinos, font_digest=digest)
    return (
        _file(slides, "picture", F("picture_type"))
        or logo_of(casinos, digest)
        or _file(fonts, "font_file", Value("font/woff2"))
    )


def logo_of(casinos: Sequence[int], digest: str) -> File | None:
    """The same of logos alone."""
    rows = HouseLook.objects.filter(casino__in=casinos, picture_digest=digest)
    return _file(rows, "picture", F("picture_type"))


def _file(rows: QuerySet[Any], column: str, media: F | Value) -> File | None:
    """The first of them that has a file in this column, of which each part is read by itself."""
    size = Func(F(column), function="octet_length", output_field=IntegerField())
    rows = rows.exclude(**{column: None})
    row = rows.annotate(media=media).values_list("pk", "media", size).first()
    if row is None:
        return None
    number, media_type, length = row
    return File(media_type, length, partial(_part, rows.filter(pk=number), column))


def _part(row: QuerySet[Any], column: str, first: int, size: int) -> bytes:
    """So many bytes from this one on; ObjectDoesNotExist where the file is gone by now."""
    part = Func(
        *(F(column), Value(first + 1), Value(size)),
        function="substring",
        output_field=BinaryField(),
    )
    return bytes(row.values_list(part, flat=True).get())
