"""Small JPEG, PNG and PDF files to attach to claims, and a time for footage."""

import datetime as dt
import struct
from typing import Any


def jpeg(width: int, height: int, *before: bytes) -> bytes:
    """As much of one as is read; `before`: segments before its frame."""
    frame = b"\xff\xc2\x00\x0b\x08" + struct.pack(">HH", height, width) + b"\x01\x01\x11\x00"
    head = b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(10) + b"".join(before)
    return head + frame + b"\xff\xda" + bytes(64) + b"\xff\xd9"


def png(width: int, height: int) -> bytes:
    size = struct.pack(">II", width, height)
    return b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + size + bytes(24) + b"IEND\xae\x42\x60\x82"


JPEG, PNG = jpeg(640, 480), png(640, 480)


PDF = b"%PDF-1.7\n" + bytes(64) + b"\n%%EOF\n"


SINCE = dt.datetime(2026, 11, 21, 10, 10, tzinfo=dt.UTC)


REVIEW: dict[str, Any] = {
    "reviewer": "Tane Rua",
    "camera": "12",
    "since": SINCE,
    "until": SINCE + dt.timedelta(minutes=8),
    "reference": "DVR-4411",
    "finding": "Hand tabled, pot not pushed",
}
