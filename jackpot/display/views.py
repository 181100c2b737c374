"""The jackpot display of a table, and the streams that keep displays and console current."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from typing import Any

from asgiref.sync import sync_to_async
from django.core.exceptions import ValidationError
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    StreamingHttpResponse,
)
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import get_language, override
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from jackpot.display import values as display
from jackpot.display.display_words import display_words
from jackpot.display.events import age_s, display_event, event, release_event
from jackpot.display.live import HEARTBEAT_S, Message, feed
from jackpot.display.message_words import in_language
from jackpot.display.names import Names, names_of, own_names
from jackpot.display.public_codes import public_codes
from jackpot.display.report_amounts import with_amounts
from jackpot.labels.figures import in_words, write_amount
from jackpot.terms.money import minor_to_micros
from jackpot.web.server import let_go
from jackpot.web.unavailable import unavailable
from tables.intake import readings
from tables.models import GamingTable, code_validator
from tables.protocol import topics
from tables.protocol.decode import Refused, decode_reading
from tables.protocol.inbound_message import InboundMessage
from tables.protocol.table_ref import table_ref_of
from tables.visibility.scope import visible_systems

LONGEST_STREAM_S = 600.0  # then the browser comes again, and its session is looked at again


@require_safe
@never_cache
def board(request: HttpRequest, display_key: str) -> HttpResponse:
    """The display page of one table: values, messages and posted terms (19.4, 19.7(a))."""
    table = get_object_or_404(
        GamingTable.objects.select_related("system__casino"), display_key=display_key
    )
    casino = table.system.casino
    # As the house speaks; the browser of a television says nothing of its players.
    with override(casino.language or get_language()):
        return _board(request, table)


def _board(request: HttpRequest, table: GamingTable) -> HttpResponse:
    system, casino = table.system.code, table.system.casino
    names = names_of(casino.pk)
    current = display.current(table.system_id)
    if current is not None:
        current = with_amounts(table.system_id, current)
    tiers = current["tiers"] if current else []
    own = own_names(system, names)

    def amount_text(minor: int) -> str:
        return write_amount(minor_to_micros(minor, casino.minor_digits), casino.minor_digits)

    context = {
        "table": table,
        "casino": casino,
        "current": in_language(current, own) if current else None,
        "age_s": age_s(current) if current else None,
        "tiers": [
            {
                **tier,
                "name": own.get(tier["tier"], tier["name"]),
                "written": amount_text(tier["value"]),
            }
            for tier in tiers
        ],
        "notices": [in_words(line) for line in display.notices(table, names)],
        "words": {**display_words(), "names": own},
        "codes": public_codes(table),
        "is_test": display.is_test(current, table.code),
        "is_out_of_play": display.is_suspended(table) or display.is_out_of_play(current, table),
        "screen": _screen(request),
    }
    return render(request, "display/board.html", context)


def _screen(request: HttpRequest) -> str:
    """The name under which the page is the table's display; empty: somebody is only looking."""
    name = request.GET.get("screen", "")
    try:
        code_validator(name)
    except ValidationError:
        return ""
    return name


@csrf_exempt  # no session speaks here: who has the key of the address is the display
@require_POST
def board_reading(request: HttpRequest, display_key: str) -> HttpResponse:
    """What a screen at the table shows, read back as a hardware display does (19.8).

    The body is a reading of the wire protocol. Kept beside those that come by MQTT, under the same
    limit a minute.
    """
    table = get_object_or_404(
        GamingTable.objects.select_related("system"), display_key=display_key, moved_to=None
    )
    table_ref = table_ref_of(table)
    inbound = InboundMessage.of(topics.readings(table_ref.system, table_ref.table), request.body)
    read = decode_reading(inbound, table_ref, is_proven=True)
    if isinstance(read, Refused):
        return HttpResponseBadRequest(read.explanation, content_type="text/plain")
    readings.record([(table_ref, read)], timezone.now())
    return HttpResponse(status=204)


@require_safe
async def board_stream(request: HttpRequest, display_key: str) -> HttpResponseBase:
    """The values and messages of one table's system, as server-sent events."""
    source = await sync_to_async(_shown_at)(display_key)
    if source is None:
        raise Http404
    return _stream(request, [source.system], source.language, source.names)


@require_safe
async def console_stream(request: HttpRequest) -> HttpResponseBase:
    """The same of all systems that are seen. The floor that knows roles says whom it is for."""
    return _stream(request, visible_systems(), get_language() or "en", {})


@dataclass(frozen=True, slots=True)
class BoardSource:
    """The system whose values a display shows, in which language, and its names of prizes."""

    system: int
    language: str
    names: Names


def _shown_at(display_key: str) -> BoardSource | None:
    tables = GamingTable.objects.filter(display_key=display_key)
    try:
        table = tables.select_related("system__casino").first()
        if table is None:
            return None
        language = table.system.casino.language or get_language() or "en"
        with override(language):
            names = own_names(table.system.code, names_of(table.system.casino_id))
        return BoardSource(table.system_id, language, names)
    finally:
        let_go()


def _stream(
    request: HttpRequest, systems: Iterable[int] | None, language: str, names: Names
) -> HttpResponseBase:
    if feed.is_full:
        return unavailable(request, "busy")
    return StreamingHttpResponse(
        _events(systems, language, names),
        content_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _events(
    systems: Iterable[int] | None, language: str, names: Names
) -> AsyncIterator[bytes]:
    def say(message: Message) -> dict[str, Any]:
        with override(language):
            return in_language(message, names)

    words = language, tuple(sorted(names.items()))
    loop = asyncio.get_running_loop()
    until = loop.time() + LONGEST_STREAM_S
    yield release_event()
    async with feed.listen(systems) as listener:
        while loop.time() < until:
            messages = await listener.next_messages(HEARTBEAT_S + 1)
            for message in messages:
                yield display_event(message, words, say)
            if not messages:  # the line is good, but nobody vouches for the values
                yield event("idle", {})
