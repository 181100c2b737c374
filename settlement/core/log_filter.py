"""Links that open something stand in no log: their secret is taken out of each line."""

from __future__ import annotations

import logging
import re

_LINK = re.compile(r"(/(?:invitation|password/new)/)[^/\s\"]+")


class WithoutLinks(logging.Filter):
    """Of what writes lines: loggers of requests, of CSRF and of errors name the path."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = _LINK.sub(r"\1…", record.getMessage()), ()
        return True
