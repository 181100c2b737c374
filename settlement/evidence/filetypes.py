"""What a file is, by its content. Its name says nothing, and is not kept."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from django.utils.translation import gettext_noop

# A browser takes four bytes for each pixel, however few the file has: 256 MB.
MOST_PIXELS = 64_000_000
MOST_SIDE = 20_000
# Markers of a JPEG's frame, which says how large it is; C4, C8 and CC are other things.
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_ENDS = (0xDA, 0xD9)  # a scan, or the picture's end
_MOST_SEGMENTS = 10_000
_TAIL = 1024  # a PDF may carry some bytes behind its end


@dataclass(frozen=True, slots=True)
class FileType:
    """A kind of file that is taken, and how it is given back."""

    code: str
    media: str
    words: str
    is_inline: bool  # a browser shows it in the page


TYPES = {
    file_type.code: file_type
    for file_type in (
        FileType("jpeg", "image/jpeg", gettext_noop("Photograph"), is_inline=True),
        FileType("png", "image/png", gettext_noop("Picture"), is_inline=True),
        FileType("pdf", "application/pdf", "PDF", is_inline=False),
    )
}


def type_of(content: bytes) -> FileType | None:
    """The type, by how a file of it begins and ends; None for anything else.

    >>> type_of(b"%PDF-1.7 ... %%EOF").code
    'pdf'
    >>> type_of(b"<html>") is None
    True
    """
    if content.startswith(b"\xff\xd8\xff") and b"\xff\xd9" in content[-_TAIL:]:
        return TYPES["jpeg"]
    if content.startswith(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR") and b"IEND" in content[-16:]:
        return TYPES["png"]
    if content.startswith(b"%PDF-") and b"%%EOF" in content[-_TAIL:]:
        return TYPES["pdf"]
    return None


def size_of(kind: FileType, content: bytes) -> tuple[int, int] | None:
    """Width and height of a picture in pixels, as its header says; nothing is decoded.

    None where no header says so: that is no whole picture.
    """
    if kind.code == "png":  # `type_of` saw the head of its first chunk
        width, height = struct.unpack_from(">II", content.ljust(24, b"\0"), 16)
    else:
        height, width = _jpeg_frame(content)
    return (width, height) if width and height else None


def is_drawable(kind: FileType, content: bytes) -> bool:
    """Whether a browser can draw the picture without taking a machine's memory."""
    size = size_of(kind, content)
    return size is not None and max(size) <= MOST_SIDE and size[0] * size[1] <= MOST_PIXELS


def _jpeg_frame(content: bytes) -> tuple[int, int]:
    """Height and width by the frame before the first scan; of several the one with most pixels."""
    frames = [(0, 0)]
    at = 2
    for _ in range(_MOST_SEGMENTS):
        marker, length = content[at : at + 2], int.from_bytes(content[at + 2 : at + 4])
        if marker == b"\xff\xff":  # fills
            at += 1
            continue
        if len(marker) < 2 or marker[0] != 0xFF or marker[1] in _ENDS or length < 2:
            break
        if marker[1] in _FRAMES and at + 9 <= len(content):
            frames.append(struct.unpack_from(">HH", content, at + 5))
        at += 2 + length
    return max(frames, key=lambda frame: frame[0] * frame[1])
