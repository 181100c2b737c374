"""The accounts that the console writes for Mosquitto, as the embedded broker reads them.

`passwords` and `acl` of the folder (`settlement/devices/accounts.py`): PBKDF2 with SHA-512, and the
topics of each user. They are read again whenever they are others.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from pathlib import Path

_Stamp = tuple[int, ...]


class DeviceAccounts:
    """Who may log in at the door, and say and hear what."""

    def __init__(self, folder: Path) -> None:
        self._files = [folder / "passwords", folder / "acl"]
        self._stamp: _Stamp = ()
        self._hashes: dict[str, str] = {}
        self._access: dict[str, list[tuple[str, str]]] = {}

    def is_changed(self) -> bool:
        """Whether the files are others than before; then they are read."""
        stamp = tuple(file.stat().st_mtime_ns if file.exists() else 0 for file in self._files)
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        passwords, access = (file.read_text() if file.exists() else "" for file in self._files)
        self._hashes = dict(line.split(":", 1) for line in passwords.splitlines() if ":" in line)
        self._access = {}
        user = ""
        for line in access.splitlines():
            what, _, rest = line.partition(" ")
            if what == "user":
                user = rest
            elif what == "topic":
                way, _, topic = rest.partition(" ")
                self._access.setdefault(user, []).append((way, topic))
        return True

    def lets_in(self, username: str | None, password: str | None) -> bool:
        """Whether these are a log-in."""
        self.is_changed()
        entry = self._hashes.get(username or "")
        if entry is None:
            return False
        _, _, rounds, salt, digest = entry.split("$")
        secret = (password or "").encode()
        password_hash = hashlib.pbkdf2_hmac("sha512", secret, base64.b64decode(salt), int(rounds))
        return secrets.compare_digest(password_hash, base64.b64decode(digest))

    def allows(self, username: str | None, way: str, topic: str) -> bool:
        """Whether that user may `read` or `write` the topic, or subscribe to such a filter."""
        self.is_changed()
        return any(
            allowed in (way, "readwrite") and covers(pattern, topic)
            for allowed, pattern in self._access.get(username or "", ())
        )


def covers(pattern: str, topic: str) -> bool:
    """Whether all that the topic or filter names is named by the pattern.

    >>> covers("a/+/c", "a/b/c"), covers("a/+", "a/#"), covers("a/b", "a/+")
    (True, False, False)
    """
    levels, parts = pattern.split("/"), topic.split("/")
    return len(levels) == len(parts) and all(
        mine == other or (mine == "+" and other != "#")
        for mine, other in zip(levels, parts, strict=True)
    )
