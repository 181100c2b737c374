"""Links that open something stand in no log: their secret is taken out of each line."""

from __future__ import annotations

import logging
import re

_LINK = re.compile(r"(/(?:invitation|password/new)/)[^/\s\"]+")


class WithoutLinks(logging.Filter):
    """Of the logger of requests, which names the path of what was refused."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = _LINK.sub(r"\1…", record.getMessage()), ()
        return True
