"""Shared by tests: slips."""

import io

from pypdf import PdfReader


def read(pdf: bytes) -> str:
    pages = PdfReader(io.BytesIO(pdf)).pages
    return " ".join(" ".join(page.extract_text().split()) for page in pages)
