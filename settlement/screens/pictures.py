"""Pictures for screens: decoded and encoded again, so that nothing but pixels is kept of a file."""

from __future__ import annotations

import io
import threading
from dataclasses import dataclass

from django.utils.translation import gettext as _
from PIL import Image, ImageOps, UnidentifiedImageError

from jackpot.models.screens import FILM
from settlement.core.errors import BadFile

MOST_BYTES = 4 * 1024 * 1024
MOST_PIXELS = 40_000_000
LONGEST_SIDE = {"slide": 3840, "logo": 800}
_FORMATS = ("PNG", "JPEG", "WEBP")
_one_at_a_time = threading.Lock()  # decoded, one takes up to 160 MB


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as it is kept."""

    content: bytes
    media: str

    @property
    def is_film(self) -> bool:
        """Whether it moves: see settlement.screens.films."""
        return self.media.startswith(FILM)


def read(content: bytes, use: str) -> Picture:
    """Of a file, for a `slide` or a `logo`; BadFile where it is no picture, or too large."""
    if len(content) > MOST_BYTES:
        raise BadFile(_("A picture has 4 MB at most."))
    try:
        with _one_at_a_time, Image.open(io.BytesIO(content), formats=_FORMATS) as image:
            if image.width * image.height > MOST_PIXELS:  # said by its head: nothing is decoded
                raise BadFile(_("A picture has 40 million pixels at most."))
            image.thumbnail((LONGEST_SIDE[use], LONGEST_SIDE[use]))
            ImageOps.exif_transpose(image, in_place=True)
            is_opaque = not image.has_transparency_data
            picture = image.convert("RGB" if is_opaque else "RGBA")
    except Image.DecompressionBombError as fault:
        raise BadFile(_("A picture has 40 million pixels at most.")) from fault
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as fault:
        raise BadFile(_("This file is not a picture: choose a PNG, a JPEG or a WebP.")) from fault
    picture.info.clear()  # comments and profiles would be written along
    buffer = io.BytesIO()
    if is_opaque:
        picture.save(buffer, "JPEG", quality=86)
        return Picture(buffer.getvalue(), "image/jpeg")
    picture.save(buffer, "PNG")
    return Picture(buffer.getvalue(), "image/png")
