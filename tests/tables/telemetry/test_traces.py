"""Traces: the same event is traced everywhere or nowhere, and nobody waits for the collector."""

import logging
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings
from django.utils import timezone
from pytest_django import Settings

from tables.models import TraceRequest
from tables.telemetry import traces
from tables.telemetry.span_export import MOST, SPANS, Spans
from tables.telemetry.spans import PARENTS, EventRef, Span, span_id, trace_id
from tests.support.people.roles import acting_as
from tests.support.units.table_units import make_system, make_table

EVENT = EventRef("main", "t7", 3, 1711)


def test_ids_follow_from_the_event_where_others_belong_to_a_span() -> None:
    ids = {span_id(EVENT, name) for name in PARENTS.values() if name}
    assert ids == {span_id(EVENT, name) for name in PARENTS.values() if name}
    assert len(ids) == 4
    assert span_id(EVENT, "value") != span_id(EVENT, "value")  # sent again it is another one
    assert 0 < trace_id(EVENT) < 2**128
    assert trace_id(EVENT) != trace_id(EVENT._replace(seq=1712))


@pytest.mark.parametrize("share", [0.0, 0.01, 0.2, 1.0])
def test_a_share_of_the_events_of_every_stream_is_traced(share: float) -> None:
    with override_settings(TRACES_SHARE=share):
        for boot in (1, 2):
            number = sum(traces.choice()("main", "t7", boot, seq) for seq in range(1, 10_001))
            assert number == pytest.approx(share * 10_000, abs=2)


def test_what_finds_no_room_is_dropped_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """And nobody waits, though nothing is taken away."""
    spans = Spans()
    monkeypatch.setattr(spans, "_work", lambda: None)
    before = SPANS.labels("dropped")._value.get()
    for _ in range(MOST + 3):
        spans.put(Span("press", EVENT, 0.0, 1.0))
    assert SPANS.labels("dropped")._value.get() == before + 3


def test_a_fault_in_tracing_is_logged_once_and_goes_no_further(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    @traces.harmless
    def observe() -> None:
        raise RuntimeError("of a test")

    monkeypatch.setattr(traces._Faults, "log_at", 0.0)
    with caplog.at_level(logging.ERROR, traces.__name__):
        observe()
        observe()
    assert [each.message for each in caplog.records] == ["spans of a trace could not be made"]


@pytest.mark.django_db
@pytest.mark.parametrize("role", ["intake", "poster", "worker", "web"])
def test_every_process_traces_a_table_on_request(
    role: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a share of nothing; until its time is over, or the owner ends it."""
    settings.TRACES_URL, settings.TRACES_SHARE = "http://127.0.0.1:1/v1/traces", 0.0
    system = make_system()
    make_table("t3", system=system)
    make_table("t7", system=system)

    def traced_tables() -> list[str]:
        monkeypatch.setattr(traces, "_requests", traces._Requests())
        with acting_as(role):
            traces.look_for_requests()
        return [table for table in ("t3", "t7") if traces.choice()(system.code, table, 1, 1)]

    assert traced_tables() == []
    call_command("trace", f"{system.code}/t7", minutes=5)
    assert traced_tables() == ["t7"]
    TraceRequest.objects.update(until=timezone.now())
    assert traced_tables() == []
    call_command("trace", f"{system.code}/t7", minutes=5)
    call_command("trace", f"{system.code}/t7", minutes=0)
    assert traced_tables() == []


@pytest.mark.django_db
def test_the_command_says_an_events_trace_and_what_it_cannot_do(settings: Settings) -> None:
    settings.TRACES_URL, settings.TRACES_SHARE = "", 1.0
    system, words = make_system(), StringIO()
    make_table("t3", system=system)
    call_command("trace", f"{system.code}/t3/2/14", stdout=words)
    assert int(words.getvalue(), 16) == trace_id(EventRef(system.code, "t3", 2, 14))
    for what in (f"{system.code}/t9", f"{system.code}/t3/2", "t3", f"{system.code}/t3"):
        with pytest.raises(CommandError):
            call_command("trace", what)
