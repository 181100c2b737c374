"""Spans to the collector, from a thread of its own: nobody waits for it.

Imported once there is a collector, as it imports the library. The library's batch processor is not
used: it does not count what it drops, and holds up a process that ends while the collector is away.
"""

from __future__ import annotations

import atexit
import logging
import os
import queue
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress

from django.conf import settings
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.id_generator import IdGenerator, RandomIdGenerator
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import (
    NonRecordingSpan,
    SpanContext,
    SpanKind,
    TraceFlags,
    set_span_in_context,
)
from prometheus_client import Counter

from tables.telemetry.json_logs import process_name
from tables.telemetry.spans import PARENTS, Span, span_id, trace_id

log = logging.getLogger(__name__)

MOST = 8192  # spans that wait for the collector; a message has no more
GATHER_S = 0.5  # how long spans are gathered for a message
TIMEOUT_S = 5.0  # of a message, with all attempts
LEAVE_S = 1.0  # how long a process that ends waits for the collector

SPANS = Counter(
    "jackpot_trace_spans",
    "Spans by what became of them: sent, failed (not taken), dropped (too many waited).",
    ["outcome"],
)
_FLAGS = TraceFlags(TraceFlags.SAMPLED)


class _Ids(IdGenerator):
    """The ids of the span that is begun next."""

    def __init__(self) -> None:
        self.trace, self.span = 0, 0

    def generate_trace_id(self) -> int:
        return self.trace or RandomIdGenerator().generate_trace_id()

    def generate_span_id(self) -> int:
        return self.span or RandomIdGenerator().generate_span_id()


class _Ended(SpanProcessor):
    """The spans that ended, for one message."""

    def __init__(self) -> None:
        self.spans: list[ReadableSpan] = []

    def on_end(self, span: ReadableSpan) -> None:
        self.spans.append(span)


class Spans:
    """What waits for the collector, and the thread that sends it; begun by the first span."""

    def __init__(self) -> None:
        self._waiting: queue.Queue[Span | None] = queue.Queue(MOST)
        self._thread: threading.Thread | None = None
        self._beginning = threading.Lock()
        self._leaving = threading.Event()
        self._is_failing = False

    def put(self, span: Span) -> None:
        """Waits for nobody: what finds no room is dropped and counted."""
        if self._thread is None:
            self._begin()
        try:
            self._waiting.put_nowait(span)
        except queue.Full:
            SPANS.labels("dropped").inc()

    def _begin(self) -> None:
        with self._beginning:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="spans", daemon=True)
                self._thread.start()
                atexit.register(self._leave)

    def _leave(self) -> None:
        """Send what is there; a collector that does not answer keeps nobody."""
        self._leaving.set()
        with suppress(queue.Full):
            self._waiting.put_nowait(None)
        if self._thread is not None:
            self._thread.join(LEAVE_S)

    def _work(self) -> None:
        ids, ended = _Ids(), _Ended()
        resource = Resource.create(
            {"service.name": f"jackpot-{process_name(sys.argv)}", "process.pid": os.getpid()}
        )
        provider = TracerProvider(ALWAYS_ON, resource, shutdown_on_exit=False, id_generator=ids)
        provider.add_span_processor(ended)
        tracer = provider.get_tracer("jackpot")
        exporter = OTLPSpanExporter(settings.TRACES_URL, timeout=TIMEOUT_S)
        while not self._leaving.is_set() or not self._waiting.empty():
            for span in self._gathered():
                ids.trace, ids.span, parent = _identity(span)
                kind = SpanKind.INTERNAL if span.event else SpanKind.SERVER
                open_span = tracer.start_span(
                    span.name, parent, kind, _attributes(span), start_time=_ns(span.began_s)
                )
                open_span.end(_ns(max(span.began_s, span.ended_s)))
            self._export(exporter, ended.spans)
            ended.spans = []

    def _gathered(self) -> list[Span]:
        spans = [self._waiting.get()]
        self._leaving.wait(GATHER_S)
        with suppress(queue.Empty):
            while len(spans) < MOST:
                spans.append(self._waiting.get_nowait())
        return [span for span in spans if span is not None]

    def _export(self, exporter: SpanExporter, spans: Sequence[ReadableSpan]) -> None:
        if not spans:
            return
        try:
            is_sent = exporter.export(spans) is SpanExportResult.SUCCESS
        except Exception:
            is_sent = False
            log.exception("the collector of traces met a fault")
        SPANS.labels("sent" if is_sent else "failed").inc(len(spans))
        if not is_sent and not self._is_failing:
            log.warning("the collector of traces takes no spans; they are lost meanwhile")
        elif is_sent and self._is_failing:
            log.info("the collector of traces takes spans again")
        self._is_failing = not is_sent


def _identity(span: Span) -> tuple[int, int, Context]:
    """Ids of trace and span, and the context that names its parent; 0: made up."""
    event = span.event
    if event is None:
        return 0, 0, Context()
    trace, parent = trace_id(event), PARENTS[span.name]
    context = Context()
    if parent is not None:
        above = SpanContext(trace, span_id(event, parent), is_remote=True, trace_flags=_FLAGS)
        context = set_span_in_context(NonRecordingSpan(above), context)
    return trace, span_id(event, span.name), context


def _attributes(span: Span) -> dict[str, str | int]:
    event = span.event._asdict() if span.event else {}
    return {**span.attributes, **{f"jackpot.{name}": value for name, value in event.items()}}


def _ns(seconds: float) -> int:
    return round(seconds * 1e9)


def _begin_anew() -> None:
    """In a forked process: the thread is that of its parent, and so is what waits."""
    global spans
    spans = Spans()


spans = Spans()
os.register_at_fork(after_in_child=_begin_anew)
