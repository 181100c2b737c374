"""The text of a slip, read out of its PDF."""

import io

from pypdf import PdfReader


def read(pdf: bytes) -> str:
    pages = PdfReader(io.BytesIO(pdf)).pages
    return " ".join(" ".join(page.extract_text().split()) for page in pages)
