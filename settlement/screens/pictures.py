"""Pictures for screens: decoded and written anew, so that nothing but pixels is kept of a file."""

from __future__ import annotations

import io
from dataclasses import dataclass

from django.utils.translation import gettext as _
from PIL import Image, ImageOps, UnidentifiedImageError

from settlement.core.errors import BadFile

MOST_BYTES = 4 * 1024 * 1024
MOST_PIXELS = 40_000_000
LONGEST_SIDE = {"slide": 3840, "logo": 800}
_FORMATS = ("PNG", "JPEG", "WEBP")


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as it is kept."""

    content: bytes
    media: str


def read(content: bytes, use: str) -> Picture:
    """Of a file, for a `slide` or a `logo`; BadFile where it is no picture, or too large."""
    if len(content) > MOST_BYTES:
        raise BadFile(_("A picture has 4 MB at most."))
    try:
        with Image.open(io.BytesIO(content), formats=_FORMATS) as image:
            if image.width * image.height > MOST_PIXELS:  # said by its head: nothing is decoded
                raise BadFile(_("A picture has 40 million pixels at most."))
            upright = ImageOps.exif_transpose(image)
            is_opaque = not upright.has_transparency_data
            drawn = upright.convert("RGB" if is_opaque else "RGBA")
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as fault:
        raise BadFile(_("This file is no picture: send a PNG, a JPEG or a WebP.")) from fault
    drawn.thumbnail((LONGEST_SIDE[use], LONGEST_SIDE[use]))
    drawn.info.clear()  # comments and profiles would be written along
    written = io.BytesIO()
    if is_opaque:
        drawn.save(written, "JPEG", quality=86)
        return Picture(written.getvalue(), "image/jpeg")
    drawn.save(written, "PNG")
    return Picture(written.getvalue(), "image/png")
