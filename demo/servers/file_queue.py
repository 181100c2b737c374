"""Celery messages as files in a directory, for a demo without a message broker.

kombu's own file transport writes a message under its final name, so a worker may read half of
it and end; and it takes messages by way of /tmp. Here a message appears whole, by a rename
within its directory, and so it is taken. What exchanges know is read and written under a lock.
"""

import contextlib
import fcntl
import logging
import os
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import filesystem
from kombu.utils.json import dumps, loads

log = logging.getLogger(__name__)


class Channel(filesystem.Channel):
    """The folders are those of kombu's options `data_folder_in` and `control_folder`."""

    # kombu's own classes do not agree about the names of these parameters.
    def _put(self, queue: str, message: Any, **_: Any) -> None:  # type: ignore[override]
        folder = Path(self.data_folder_out)
        name = f"{time.time_ns():020}_{uuid.uuid4().hex}.{queue}.msg"
        file = folder / f".{name}"
        file.write_text(dumps(message))
        file.rename(folder / name)

    def _get(self, queue: str, **_: Any) -> Any:  # type: ignore[override]
        folder = Path(self.data_folder_in)
        for name in sorted(os.listdir(folder)):
            if name.startswith(".") or name.partition(".")[2] != f"{queue}.msg":
                continue
            own_file = folder / f".taken-{name}"
            try:
                (folder / name).rename(own_file)
            except FileNotFoundError:
                continue  # another worker was quicker
            text = own_file.read_text()
            own_file.unlink()
            try:
                return loads(text)
            except ValueError:
                log.warning("A message that cannot be read is thrown away: %s", name)
        raise Empty

    def _size(self, queue: str) -> int:
        waiting = os.listdir(self.data_folder_in)
        return sum(name.partition(".")[2] == f"{queue}.msg" for name in waiting)

    def get_table(self, exchange: str) -> Any:
        with self._alone():
            return super().get_table(exchange)

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        with self._alone():
            super()._queue_bind(exchange, routing_key, pattern, queue)

    def _delete(self, queue: str, *arguments: Any, **options: Any) -> None:
        with self._alone():
            super()._delete(queue, *arguments, **options)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """No other process or thread is at the exchanges' files meanwhile."""
        with (self.control_folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


class Transport(filesystem.Transport):
    """Named in the settings as CELERY_BROKER_TRANSPORT."""

    Channel = Channel

    @property
    def default_connection_params(self) -> dict[str, Any]:
        """Files have no host: without this kombu would miss one, and say so each time."""
        return {}
