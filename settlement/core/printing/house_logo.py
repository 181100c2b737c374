"""The logo of a house on what is printed: as it is on that day."""

from __future__ import annotations

import io

from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from jackpot.models import HouseLook


def logo_of(casino: int) -> bytes:
    """The picture; empty where the house has none."""
    pictures = HouseLook.objects.filter(casino=casino).values_list("picture", flat=True)
    return bytes(pictures.first() or b"")


class Logo:
    """Drawn as large as it fits; nothing without a picture."""

    def __init__(self, picture: bytes, width: float, height: float) -> None:
        self._image = ImageReader(io.BytesIO(picture)) if picture else None
        self.width = self.height = 0.0
        if self._image is not None:
            wide, high = self._image.getSize()
            scale = min(width / wide, height / high)
            self.width, self.height = wide * scale, high * scale

    def draw(self, canvas: Canvas, left: float, bottom: float) -> None:
        if self._image is not None:
            canvas.drawImage(self._image, left, bottom, self.width, self.height, mask="auto")
