"""Folders that the console writes into, and the room on their disks."""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

log = logging.getLogger(__name__)

# Of a disk: below these parts it is full soon, or too full to go on.
LOW, TOO_LOW = 0.10, 0.03
# Settings that name folders; a process has those that it writes into.
FOLDERS = (
    *("EXPORT_DIR", "DELIVERY_DIR", "CHECKPOINT_DIR", "BROKER_ACCOUNTS_DIR"),
    *("BACKUP_DIR", "BACKUP_WORK_DIR"),
)


@dataclass(frozen=True)
class Room:
    """A folder: whether it is there and can be written to, and the bytes of its disk."""

    path: Path
    is_there: bool
    is_writable: bool
    free: int
    total: int

    @property
    def free_part(self) -> float:
        return self.free / self.total if self.total else 1.0


def room_of(path: str | Path) -> Room:
    """Of a folder, or of the nearest one above it that exists."""
    folder = Path(path).absolute()
    nearest = next(each for each in (folder, *folder.parents) if each.is_dir())
    usage = shutil.disk_usage(nearest)
    is_writable = os.access(nearest, os.W_OK | os.X_OK)
    return Room(folder, folder.is_dir(), is_writable, usage.free, usage.total)


def rooms() -> Iterator[tuple[str, Room]]:
    """Each folder of this process by its setting; a disk that does not answer hides no other."""
    for setting in FOLDERS:
        if path := str(getattr(settings, setting)):
            try:
                yield setting, room_of(path)
            except OSError as fault:
                log.warning("the disk of %s cannot be looked at: %s", setting, fault)


class DiskMetrics(Collector):
    """How much of each disk is free, by the setting that names a folder there."""

    def describe(self) -> Iterable[Metric]:
        """Without a look at a disk."""
        return [_family()]

    def collect(self) -> Iterable[Metric]:
        family = _family()
        for setting, room in rooms():
            family.add_metric([setting], room.free_part)
        yield family


def _family() -> GaugeMetricFamily:
    return GaugeMetricFamily(
        "jackpot_disk_free_part",
        "Which part of the disk is free, by the setting of a folder there.",
        labels=["kind"],
    )
