"""Files that are sent: reports, archives of them, dispute bundles."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from django.http import FileResponse

IN_MEMORY = 1024 * 1024  # above this the file is on disk until it is sent
CHUNK = 64 * 1024


class Export(FileResponse):
    """A file that is sent in pieces under ASGI too, where Django would read all of it at once."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        file: Any = self.file_to_stream
        while chunk := await asyncio.to_thread(file.read, CHUNK):
            yield chunk
