"""Short films for slides: told by their content, bounded by their heads, kept as they came.

No program here decodes one: the browser of the screen does, which plays it without sound.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from settlement.core.errors import BadFile
from settlement.screens.pictures import Picture

MOST_BYTES = 16 * 1024 * 1024
MOST_SECONDS = 120  # as long as a slide is up
LONGEST_SIDE = 3840
_MP4_CODECS = (b"avc1", b"avc3", b"av01", b"vp09")
_WEBM_CODECS = (b"V_VP8", b"V_VP9", b"V_AV1")
_EBML = b"\x1a\x45\xdf\xa3"
_PARENTS = (b"moov", b"trak", b"mdia", b"minf", b"stbl")
# Elements of WebM by their ids
_DOC_TYPE, _SEGMENT, _INFO, _CLUSTER = 0x4282, 0x18538067, 0x1549A966, 0x1F43B675
_SCALE, _DURATION, _TRACKS, _TRACK = 0x2AD7B1, 0x4489, 0x1654AE6B, 0xAE
_TYPE, _CODEC, _VIDEO, _WIDTH, _HEIGHT = 0x83, 0x86, 0xE0, 0xB0, 0xBA
_VIDEO_TRACK = 1
_MOST_PARTS = 10_000  # a head has some dozens
_Span = tuple[int, int]  # where something begins and ends


@dataclass(slots=True)
class _Head:
    """What the head of a file says."""

    width: int = 0
    height: int = 0
    seconds: float = 0.0
    is_played: bool = False  # its pictures are in a codec that browsers have


def is_film(content: bytes) -> bool:
    """Whether it begins as MP4 or WebM do."""
    return content[:4] == _EBML or content[4:8] == b"ftyp"


def read(content: bytes) -> Picture:
    """BadFile where screens could not play it, or it is too large, too long, or of no length."""
    if len(content) > MOST_BYTES:
        raise BadFile(_("A video has 16 MB at most."))
    is_webm = content[:4] == _EBML
    try:
        head = _webm(content) if is_webm else _mp4(content)
    except (struct.error, LookupError, ValueError, OverflowError, RecursionError):
        head = _Head()
    if not (head.is_played and head.width and head.height):
        raise BadFile(
            _("Screens cannot play this file: choose an MP4 with H.264 or AV1, or a WebM.")
        )
    if max(head.width, head.height) > LONGEST_SIDE:
        raise BadFile(_("A video is 3840 pixels wide and high at most."))
    if not head.seconds > 0:  # nor is that what is no number
        raise BadFile(
            _("This file does not say how long the video is: export it again as MP4 or WebM.")
        )
    if head.seconds > MOST_SECONDS:
        raise BadFile(_("A video is two minutes long at most."))
    return Picture(content, "video/webm" if is_webm else "video/mp4")


# --- WebM -----------------------------------------------------------------------------------


def _webm(content: bytes) -> _Head:
    top = _parts(content, (0, len(content)))
    whole = _parts(content, top[_SEGMENT])
    info = _parts(content, whole[_INFO]) if _INFO in whole else {}
    head = _Head()
    if _DURATION in info:
        start, end = info[_DURATION]
        (length,) = struct.unpack(">d" if end - start == 8 else ">f", content[start:end])
        scale = _number(content, info[_SCALE]) if _SCALE in info else 1_000_000
        head.seconds = length * scale / 1e9
    for element, start, end in _elements(content, *whole[_TRACKS]):
        if element == _TRACK:
            _webm_track(content, (start, end), head)
    doc_type = _text(content, _parts(content, top[int.from_bytes(_EBML)])[_DOC_TYPE])
    head.is_played = head.is_played and doc_type == b"webm"
    return head


def _webm_track(content: bytes, where: _Span, head: _Head) -> None:
    parts = _parts(content, where)
    if _number(content, parts[_TYPE]) == _VIDEO_TRACK:
        head.is_played = _text(content, parts[_CODEC]) in _WEBM_CODECS
        sides = _parts(content, parts[_VIDEO])
        head.width, head.height = (_number(content, sides[each]) for each in (_WIDTH, _HEIGHT))


def _number(content: bytes, where: _Span) -> int:
    return int.from_bytes(content[slice(*where)])


def _text(content: bytes, where: _Span) -> bytes:
    return content[slice(*where)].rstrip(b"\0")


def _parts(content: bytes, where: _Span) -> dict[int, _Span]:
    """What stands before the pictures, each where it is last."""
    parts: dict[int, _Span] = {}
    for element, start, end in _elements(content, *where):
        if element == _CLUSTER:
            break
        parts[element] = (start, end)
    return parts


def _elements(content: bytes, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Each element of a parent: its id, and where what it holds begins and ends."""
    for _part in range(_MOST_PARTS):
        if start >= end:
            return
        id_bytes = 9 - content[start].bit_length()
        if id_bytes > 4:
            raise ValueError("no id")
        element = int.from_bytes(content[start : start + id_bytes])
        start += id_bytes
        size_bytes = 9 - content[start].bit_length()
        if size_bytes > 8:
            raise ValueError("no size")
        mask = (1 << 7 * size_bytes) - 1
        size = int.from_bytes(content[start : start + size_bytes]) & mask
        start += size_bytes
        # Of unknown size, as in a film that was recorded as it went: up to its parent's end.
        last = end if size == mask else start + size
        if last > end:
            raise ValueError("cut")
        yield element, start, last
        start = last
    raise ValueError("too many parts")


# --- MP4 ------------------------------------------------------------------------------------


def _mp4(content: bytes) -> _Head:
    head = _Head()
    _mp4_boxes(content, 0, len(content), head, [_MOST_PARTS])
    return head


def _mp4_boxes(content: bytes, start: int, end: int, head: _Head, left: list[int]) -> None:
    """Of boxes within a box; `left`: how many more are read."""
    while start < end:
        left[0] -= 1
        if left[0] < 0:
            raise ValueError("too many parts")
        size, kind = struct.unpack_from(">I4s", content, start)
        first = start + 8
        if size == 1:
            (size,) = struct.unpack_from(">Q", content, first)
            first += 8
        last = start + size if size else end
        if not first <= last <= end:
            raise ValueError("cut")
        if kind in _PARENTS:
            _mp4_boxes(content, first, last, head, left)
        elif kind == b"mvhd":
            _mp4_length(content, first, head)
        elif kind == b"stsd":
            _mp4_track(content, first, head)
        start = last


def _mp4_length(content: bytes, first: int, head: _Head) -> None:
    is_long = content[first] == 1
    places, at = (">IQ", 20) if is_long else (">II", 12)
    scale, length = struct.unpack_from(places, content, first + at)
    head.seconds = length / scale if scale else 0.0


def _mp4_track(content: bytes, first: int, head: _Head) -> None:
    """The first way in which the samples of a track are written; one of sound says no size."""
    (codec,) = struct.unpack_from(">4s", content, first + 12)
    if codec in _MP4_CODECS:
        head.is_played = True
        head.width, head.height = struct.unpack_from(">HH", content, first + 40)
