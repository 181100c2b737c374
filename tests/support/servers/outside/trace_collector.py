"""A collector of traces on this machine, that takes OTLP over HTTP and reads it."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, NamedTuple

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)


class Collected(NamedTuple):
    """A span as it came, with ids in hexadecimal digits and times in seconds since 1970."""

    process: str
    trace: str
    id: str
    parent: str
    name: str
    began_s: float
    ended_s: float
    attributes: dict[str, str | int]


@dataclass
class Collector:
    """`status`: of every answer."""

    url: str = ""
    status: int = 200
    spans: list[Collected] = field(default_factory=list)

    def of(self, trace: str) -> dict[str, Collected]:
        """The spans of a trace by their names, in the order of their beginnings."""
        spans = sorted(
            (each for each in self.spans if each.trace == trace), key=lambda s: s.began_s
        )
        assert len({each.name for each in spans}) == len(spans), spans
        return {each.name: each for each in spans}

    def take(self, body: bytes) -> None:
        request = ExportTraceServiceRequest.FromString(body)
        for resource in request.resource_spans:
            process = _values(resource.resource.attributes)["service.name"]
            for scope in resource.scope_spans:
                self.spans += [
                    Collected(
                        str(process),
                        span.trace_id.hex(),
                        span.span_id.hex(),
                        span.parent_span_id.hex(),
                        span.name,
                        span.start_time_unix_nano / 1e9,
                        span.end_time_unix_nano / 1e9,
                        _values(span.attributes),
                    )
                    for span in scope.spans
                ]


def _values(attributes: Any) -> dict[str, str | int]:
    return {each.key: getattr(each.value, each.value.WhichOneof("value")) for each in attributes}


@contextmanager
def collecting() -> Iterator[Collector]:
    """While it listens, on a free port."""
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            if collector.status == 200:
                collector.take(body)
            answer = ExportTraceServiceResponse().SerializeToString()
            self.send_response(collector.status)
            self.send_header("Content-Type", "application/x-protobuf")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_words: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    collector.url = f"http://127.0.0.1:{server.server_port}/v1/traces"
    try:
        yield collector
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
