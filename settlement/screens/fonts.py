"""A font of the house for its screens: a WOFF2 file, judged by its head and its table of contents.

What is compressed in it is not opened here; browsers judge the rest of a font themselves.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from django.utils.translation import gettext as _

from settlement.core.errors import BadFile

MOST_BYTES = 500 * 1024
MOST_UNPACKED = 16 * 1024 * 1024
_HEAD = struct.Struct(">4sIIHHII")  # signature, flavour, length, tables, reserved, unpacked, packed
_HEAD_BYTES = 48
_FLAVOURS = (0x00010000, 0x4F54544F)  # TrueType, OpenType; no collection
# https://www.w3.org/TR/WOFF2/#table_dir_format: the number of a tag; 63 says that it is spelled.
_TAGS = (
    *("cmap", "head", "hhea", "hmtx", "maxp", "name", "OS/2", "post", "cvt ", "fpgm", "glyf"),
    *("loca", "prep", "CFF ", "VORG", "EBDT", "EBLC", "gasp", "hdmx", "kern", "LTSH", "PCLT"),
    *("VDMX", "vhea", "vmtx", "BASE", "GDEF", "GPOS", "GSUB", "EBSC", "JSTF", "MATH", "CBDT"),
    *("CBLC", "COLR", "CPAL", "SVG ", "sbix", "acnt", "avar", "bdat", "bloc", "bsln", "cvar"),
    *("fdsc", "feat", "fmtx", "fvar", "gvar", "hsty", "just", "lcar", "mort", "morx", "opbd"),
    *("prop", "trak", "Zapf", "Silf", "Glat", "Gloc", "Feat", "Sill"),
)
_SPELLED = 63
_OUTLINES = ({"glyf", "loca"}, {"CFF "}, {"CFF2"})
_NEEDED = {"cmap", "head", "hhea", "hmtx", "maxp"}


@dataclass(frozen=True, slots=True)
class Font:
    """A font as it is kept."""

    name: str
    content: bytes


def read(name: str, content: bytes) -> Font:
    """Of a file of that name; BadFile where it is no WOFF2 font, or too large."""
    if len(content) > MOST_BYTES:
        raise BadFile(_("A font has 500 KB at most."))
    try:
        is_font = _is_font(content)
    except (struct.error, IndexError):
        is_font = False
    if not is_font:
        raise BadFile(_("This file is not a font: choose a WOFF2."))
    return Font(name[:60], content)


def _is_font(content: bytes) -> bool:
    signature, flavour, length, tables, reserved, unpacked, packed = _HEAD.unpack_from(content)
    if signature != b"wOF2" or flavour not in _FLAVOURS or length != len(content):
        return False
    if reserved or not tables or not 0 < unpacked <= MOST_UNPACKED:
        return False
    tags, place = _tags(content, tables)
    has_outlines = any(each <= tags for each in _OUTLINES)
    return tags >= _NEEDED and has_outlines and 0 < packed <= len(content) - place


def _tags(content: bytes, tables: int) -> tuple[set[str], int]:
    """The tags of the table of contents, and where it ends."""
    tags, place = set(), _HEAD_BYTES
    for _number in range(tables):
        flags = content[place]
        place += 1
        code, version = flags & _SPELLED, flags >> 6
        if code == _SPELLED:
            tag = content[place : place + 4].decode("latin-1")
            place += 4
        else:
            tag = _TAGS[code]
        tags.add(tag)
        place = _behind_number(content, place)
        is_outline = tag in ("glyf", "loca")
        if version != 3 if is_outline else version != 0:
            place = _behind_number(content, place)
    return tags, place


def _behind_number(content: bytes, place: int) -> int:
    """Behind a UIntBase128: up to five bytes, of which the last has no high bit."""
    for at in range(place, place + 5):
        if content[at] < 0x80:
            return at + 1
    raise IndexError
