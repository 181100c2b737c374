"""What people type, as it is stored: notes, reasons and what shows them."""

from settlement.core.errors import BadReason

LONGEST_TEXT = 500  # as long as the columns of most notes and reasons


def clean_text(text: str, longest: int = LONGEST_TEXT) -> str:
    """Without what the database cannot hold, without blanks around it, and as long as it may be."""
    return text.replace("\x00", "").strip()[:longest]


def required_text(text: str, missing: str, longest: int = LONGEST_TEXT) -> str:
    """The same; BadReason with `missing` where nothing is left."""
    cleaned = clean_text(text, longest)
    if not cleaned:
        raise BadReason(missing)
    return cleaned
