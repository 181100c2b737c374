"""How large a body may be: refused before it is read, and counted while it comes (413).

An address takes MOST_BYTES, unless its view says otherwise with `takes_large`; and more than that
only from whoever its `may` lets in, who is looked up before the rest is received. Django would keep
a body of any size before it asks who sends it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import Any, TypeVar

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.urls import Resolver404, resolve

from jackpot.web.problems import answer, is_for_program, problem
from jackpot.web.rehearsal_address import outside

# A form that is filled to its brim in any script has less.
MOST_BYTES = 128 * 1024
RECEIVE_S = 120.0  # for all of a body
# After a refusal: how much of what is on its way is thrown away.
_LINGER_BYTES = 16 * 1024 * 1024
_LINGER_S = 5.0

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Large:
    """What an address takes beyond MOST_BYTES: how much, and whose."""

    most_bytes: int
    may: Callable[[HttpRequest], bool]


class Refused(Exception):
    """The answer to a body that is not taken."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__(response.status_code)
        response["Connection"] = "close"
        response["Content-Length"] = str(len(response.content))
        self.response = response


def takes_large(most_bytes: int, may: Callable[[HttpRequest], bool]) -> Callable[[View], View]:
    """The decorator of a view to which files are sent; `may` asks the database."""

    def say(view: View) -> View:
        view.large_body = Large(most_bytes, may)  # type: ignore[attr-defined]
        return view

    return say


def large_body_of(path: str) -> Large | None:
    """What the view at this address takes, if more than the others."""
    try:
        return getattr(resolve(outside(path)).func, "large_body", None)
    except Resolver404:
        return None


class BoundedBody:
    """In place of a connection's `receive`: Refused as soon as the body is known to be too large.

    `admit`: the answer to who may not send a large one; None lets it in.
    """

    def __init__(
        self,
        scope: dict[str, Any],
        receive: Receive,
        admit: Callable[[ASGIRequest, Large], Awaitable[HttpResponse | None]],
    ) -> None:
        self._scope, self._receive, self._admit = scope, receive, admit
        self._headers = dict(scope["headers"])
        self.most_bytes = MOST_BYTES
        self._counted = 0
        self._is_whole = False
        self._until: float | None = None

    async def __call__(self) -> Message:
        if self._is_whole:  # what comes now is that the browser went away
            return await self._receive()
        loop = asyncio.get_running_loop()
        if self._until is None:
            self._until = loop.time() + RECEIVE_S
            declared = self._headers.get(b"content-length", b"")
            await self._judge(int(declared) if declared.isdigit() else 0)
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            raise Refused(too_slow(self._request())) from None
        self._is_whole = not message.get("more_body", False)
        self._counted += len(message.get("body", b""))
        await self._judge(self._counted)
        return message

    @property
    def is_large(self) -> bool:
        """Whether more than every address takes was let in."""
        return self.most_bytes > MOST_BYTES

    def _request(self) -> ASGIRequest:
        # Without its query: that may be none that Django can read.
        return ASGIRequest({**self._scope, "query_string": b""}, BytesIO())

    async def _judge(self, size: int) -> None:
        if size <= self.most_bytes:
            return
        request = self._request()
        large = large_body_of(request.path_info)
        if large is None or size > large.most_bytes:
            raise Refused(too_large(request, large.most_bytes if large else MOST_BYTES))
        refusal = await self._admit(request, large)
        if refusal is not None:
            raise Refused(refusal)
        self.most_bytes = large.most_bytes

    def lingering(self, send: Send) -> Send:
        """A `send` that gives a refusal whole, and ends it once the rest was thrown away.

        A connection that is closed while bytes are on their way loses the answer, too.
        """

        async def say(message: Message) -> None:
            if message["type"] == "http.response.start" or message.get("more_body"):
                await send(message)
                return
            await send({**message, "more_body": True})
            if b"expect" not in self._headers:  # else it waits for our word, and sends nothing
                await self._throw_away()
            await send({"type": "http.response.body"})

        return say

    async def _throw_away(self) -> None:
        thrown = 0
        try:
            async with asyncio.timeout(_LINGER_S):
                while thrown < _LINGER_BYTES and not self._is_whole:
                    message = await self._receive()
                    thrown += len(message.get("body", b""))
                    self._is_whole = not message.get("more_body", False)
        except TimeoutError:
            return


def too_large(request: HttpRequest, most_bytes: int = MOST_BYTES) -> HttpResponse:
    """413: more than the address takes from anybody."""
    return _refusal(
        request,
        413,
        "too_large",
        "This is too large",
        f"At most {_in_words(most_bytes)} are taken at this address, and this is more. Nothing was"
        " kept.",
        "send less: take a photograph smaller, scan in parts, shorten a text.",
    )


def not_from_you(request: HttpRequest) -> HttpResponse:
    """413: as large as that only from people whose role allows it."""
    return _refusal(
        request,
        413,
        "too_large",
        "This is too large",
        f"More than {_in_words(MOST_BYTES)} are taken only from people who are logged in and whose"
        " role allows it here. Nothing was kept.",
        "log in again and send it once more. If that does not help, ask a colleague whose role"
        " allows it.",
    )


def too_slow(request: HttpRequest) -> HttpResponse:
    """408: it did not come whole."""
    return _refusal(
        request,
        408,
        "too_slow",
        "This took too long to arrive",
        f"Not all of it came within {RECEIVE_S:.0f} seconds. Nothing was kept.",
        "send it again; if it fails again, call technical support.",
    )


def _refusal(
    request: HttpRequest, status: int, code: str, title: str, why: str, next_step: str
) -> HttpResponse:
    headers = {"Cache-Control": "no-store"}
    if is_for_program(request):
        detail = f"{why} {next_step.capitalize()}"
        return answer(problem(request, status, code, detail, rule=""), headers)
    context = {"status": status, "title": title, "detail": why, "next_step": next_step}
    page = loader.get_template("413.html").render(context)
    return HttpResponse(page, status=status, headers=headers)


def _in_words(size: int) -> str:
    """
    >>> _in_words(131072), _in_words(10 * 1024 * 1024)
    ('128 KB', '10 MB')
    """
    return f"{size // 1024} KB" if size < 1024 * 1024 else f"{size // 1024 // 1024} MB"
