"""What a file is, by its content. Its name says nothing, and is not kept."""

from __future__ import annotations

from dataclasses import dataclass

_TAIL = 1024  # a PDF may carry some bytes behind its end


@dataclass(frozen=True, slots=True)
class FileType:
    """A kind of file that is taken, and how it is given back."""

    code: str
    media: str
    words: str
    drawn: bool  # a browser shows it in the page


TYPES = {
    found.code: found
    for found in (
        FileType("jpeg", "image/jpeg", "Photograph", drawn=True),
        FileType("png", "image/png", "Picture", drawn=True),
        FileType("pdf", "application/pdf", "PDF", drawn=False),
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
