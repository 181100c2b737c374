"""Keys of the environment that seal secrets in the database.

A setting NAME, or the file that NAME_FILE names, has keys of 64 hexadecimal digits, one a line or
with blanks between: the first seals, each of them opens.
"""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings

_KEY = re.compile(r"[0-9a-fA-F]{64}")


class SealingKeyFault(Exception):
    """A key that seals secrets is missing or cannot be read; the message says what to do."""


def sealing_keys(setting: str) -> list[bytes]:
    """The keys of 32 bytes, none where the setting is empty. SealingKeyFault for what is no key."""
    text, file = str(getattr(settings, setting)), str(getattr(settings, f"{setting}_FILE"))
    if not text and file:
        try:
            text = Path(file).read_text()
        except (OSError, ValueError) as error:
            raise SealingKeyFault(
                f"The key of secrets cannot be read: let technical support look at {setting}_FILE."
            ) from error
    keys = text.split()
    if (file and not keys) or not all(map(_KEY.fullmatch, keys)):
        raise SealingKeyFault(
            "The key of secrets is not 64 hexadecimal digits: let technical support set"
            f" {setting}_FILE."
        )
    return [bytes.fromhex(key) for key in keys]
