"""Lines of logs as objects: what is in each, and what never is."""

import json
import logging
from typing import Any

import pytest

from settlement.core.log_filter import WithoutLinks
from tables.telemetry.json_logs import JsonLines, event_identity, request_id


def line_of(message: str, *args: object, **more: Any) -> dict[str, object]:
    record = logging.getLogger("tables.intake").makeRecord(
        "tables.intake", logging.ERROR, "loop.py", 1, message, args, **more
    )
    assert WithoutLinks().filter(record)
    text = JsonLines().format(record)
    assert "\n" not in text
    parsed: dict[str, object] = json.loads(text)
    return parsed


def test_a_line_says_when_who_and_what() -> None:
    line = line_of("%d messages\nwait", 3, exc_info=None)
    assert str(line.pop("time")).endswith("Z")
    assert isinstance(line.pop("pid"), int)
    assert line.pop("process")
    assert line == {"level": "ERROR", "logger": "tables.intake", "message": "3 messages\nwait"}


def test_a_line_about_an_event_has_its_identity() -> None:
    extra = event_identity("main", "t3", 4, 17)
    assert line_of("quarantined", exc_info=None, extra=extra).items() >= extra.items()


def test_a_line_within_a_request_has_its_id() -> None:
    token = request_id.set("0123456789")
    try:
        assert line_of("no", exc_info=None)["request_id"] == "0123456789"
    finally:
        request_id.reset(token)
    assert "request_id" not in line_of("no", exc_info=None)


def test_neither_rows_nor_links_stand_in_a_line() -> None:
    words = "duplicate key\nDETAIL:  Key (username)=(mere) already exists."
    with pytest.raises(ValueError, match="duplicate key") as caught:
        raise ValueError(words)
    fault = (caught.type, caught.value, caught.tb)
    line = line_of("Not Found: /invitation/s3cret/ %s", caught.value, exc_info=fault)
    text = json.dumps(line)
    assert "duplicate key" in text
    assert "mere" not in text
    assert "s3cret" not in text
    assert "ValueError" in str(line["exc_info"])
