"""Reports as files. An export is whole or it is an error: never a file that ends half way."""

from __future__ import annotations

import asyncio
import codecs
import tempfile
from collections.abc import AsyncIterator
from typing import Any

from django.http import FileResponse, HttpRequest

from settlement.core.report_query import Report
from settlement.people.shared.security_log import What, note

IN_MEMORY = 1024 * 1024  # above this the file is on disk until it is sent
CHUNK = 64 * 1024


class Export(FileResponse):
    """A file that is sent in pieces under ASGI too, where Django would read all of it at once."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        file: Any = self.file_to_stream
        while chunk := await asyncio.to_thread(file.read, CHUNK):
            yield chunk


def as_csv(request: HttpRequest, report: Report) -> Export:
    """The report as CSV; who took it stands in the security log.

    COPY fills a file of our own first: a slow browser holds no connection and no snapshot of
    the database, and a fault on the way is an error page. The byte order mark tells
    spreadsheets that it is UTF-8.
    """
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the response closes it
    try:
        file.write(codecs.BOM_UTF8)
        for chunk in report.csv():
            file.write(chunk)
        file.seek(0)
    except BaseException:
        file.close()
        raise
    note(request, What.EXPORTED, request.user.get_username(), report.name)
    return Export(
        file,
        as_attachment=True,
        filename=f"{report.name}.csv",
        content_type="text/csv; charset=utf-8",
    )
