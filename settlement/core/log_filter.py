"""What stands in no log: the secret of links that open something, and rows of the database.

An error of the database shows the row that it is about, which may be of a person.
"""

from __future__ import annotations

import logging
import re

from tables.telemetry.json_logs import without_rows

_LINK = re.compile(r"(/(?:invitation|password/new|mail/confirm)/)[^/\s\"]+")
_plain = logging.Formatter()


class WithoutLinks(logging.Filter):
    """Of what writes lines: loggers of requests, of CSRF and of errors name the path."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = _LINK.sub(r"\1…", record.getMessage())
        record.msg, record.args = without_rows(message), ()
        if record.exc_info and not record.exc_text:
            record.exc_text = without_rows(_plain.formatException(record.exc_info))
        return True
