"""Metrics of web processes: requests, and the time until answers begin. No address, no name."""

from prometheus_client import Counter, Histogram

REQUESTS = Counter(
    "jackpot_web_requests", "Requests of pages, API and streams, by the answer's class.", ["status"]
)
SECONDS = Histogram(
    "jackpot_web_request_seconds",
    "From a request to the beginning of its answer.",
    buckets=(0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0),
)


def observe(status: int, seconds: float) -> None:
    """An answer has begun."""
    REQUESTS.labels(f"{status // 100}xx").inc()
    SECONDS.observe(seconds)
