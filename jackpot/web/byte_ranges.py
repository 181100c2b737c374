"""Parts of a file by their bytes (RFC 9110, section 14): Safari plays no video without them.

Neither Django nor WhiteNoise gives them for content that comes from the database.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse

# No file here has a size of more digits; what is longer is no range.
_SINGLE = re.compile(
    r"\s*bytes\s*=\s*([0-9]{0,18})\s*-\s*([0-9]{0,18})\s*", re.ASCII | re.IGNORECASE
)


class File(NamedTuple):
    """A file of so many bytes; `part(first, size)` reads some of them."""

    media: str
    size: int
    part: Callable[[int, int], bytes]


def file_answer(request: HttpRequest, file: File, headers: dict[str, str]) -> HttpResponse:
    """206 with the one range of bytes that a GET asks for, 416 where the file has none of them;
    else the whole file: where it asks for several, or for what is no range.

    `headers` are those of the file, and not of a refusal. No file has a validator, so that what
    comes with If-Range gets the whole file.
    """
    media, size, part = file
    limits = _limits(request, size)
    if limits is None:
        answer = HttpResponse(part(0, size), content_type=media, headers=headers)
    else:
        first, last = limits
        if first >= size or first > last:
            refusal = HttpResponse(status=416, content_type="text/plain")
            refusal["Content-Range"] = f"bytes */{size}"
            return refusal
        content = part(first, last + 1 - first)
        answer = HttpResponse(content, status=206, content_type=media, headers=headers)
        answer["Content-Range"] = f"bytes {first}-{last}/{size}"
    answer["Accept-Ranges"] = "bytes"
    return answer


def _limits(request: HttpRequest, size: int) -> tuple[int, int] | None:
    """The first byte and the last one that are asked for; None: the whole file."""
    match = _SINGLE.fullmatch(request.headers.get("Range", ""))
    if match is None or request.method != "GET" or "If-Range" in request.headers:
        return None
    first, last = match.groups()
    if not first:  # the last so many bytes
        return (max(size - int(last), 0), size - 1) if last else None
    if last and int(last) < int(first):
        return None
    return int(first), min(int(last or size), size - 1)
