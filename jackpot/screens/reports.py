"""What a screen says that it draws: it is drawn from this, small, on the page of the screen."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Any

import msgspec
from django.utils import timezone

from jackpot.models import Screen, ScreenReport
from jackpot.screens.layouts import LAYOUTS

MOST_BYTES = 16 * 1024

# No NUL: the database keeps none.
_Text = Annotated[str, msgspec.Meta(max_length=200, pattern=r"\A[^\x00]*\Z")]
_Instant = Annotated[dt.datetime, msgspec.Meta(tz=True)]
_Number = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]
_Side = Annotated[int, msgspec.Meta(ge=0, le=20_000)]


class DrawnTier(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One value on the screen, in minor units."""

    system: _Text
    tier: _Text
    value: _Number


class Report(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`layout`: one of LAYOUTS; empty: nothing yet. `stale`: since when nothing was heard, with its
    zone; empty: nothing ever; None: it is current. `win`: system and hit that fill the screen."""

    version: _Number
    layout: _Text
    width: _Side
    height: _Side
    stale: _Text | None
    slide: _Number | None
    win: Annotated[list[_Text], msgspec.Meta(max_length=2)]
    shown: Annotated[list[DrawnTier], msgspec.Meta(max_length=64)]
    release: _Text = ""  # of its page


def record(screen: Screen, body: bytes) -> None:
    """Keep the newest report; msgspec.ValidationError for anything else."""
    report = msgspec.json.decode(body, type=Report)
    if report.layout not in ("", *LAYOUTS):
        raise msgspec.ValidationError("no such layout")
    if report.stale:
        msgspec.convert(report.stale, _Instant)
    values: dict[str, Any] = {"at": timezone.now(), "body": msgspec.to_builtins(report)}
    ScreenReport.objects.update_or_create(screen=screen, defaults=values)
