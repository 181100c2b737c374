"""The demo's message files: whole, each taken once, and never the end of a worker."""

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection

from demo.servers.file_queue import Transport
from tests.support.suite.waiting import wait_until

PRODUCERS, CONSUMERS, EACH = 4, 3, 150


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, str]:
    names = {"data_folder_in": "messages", "data_folder_out": "messages"}
    options = {option: str(tmp_path / name) for option, name in names.items()}
    options["control_folder"] = str(tmp_path / "control")
    for folder in options.values():
        Path(folder).mkdir(exist_ok=True)
    return options


# kombu remembers bindings for a whole process: each test has a queue of its own name.
def connect(options: dict[str, str]) -> Connection:
    return Connection(transport=Transport, transport_options={**options, "polling_interval": 0.01})


def test_many_writers_and_takers_lose_and_double_nothing(folders: dict[str, str]) -> None:
    numbers: list[int] = []
    stop = threading.Event()

    def produce(number: int) -> None:
        with connect(folders) as connection, connection.SimpleQueue("work") as queue:
            for each in range(EACH):
                queue.put({"number": number * EACH + each, "padding": "x" * 5000})

    def consume() -> None:
        with connect(folders) as connection, connection.SimpleQueue("work") as queue:
            while not stop.is_set():
                with contextlib.suppress(Empty):
                    message = queue.get(timeout=0.05)
                    numbers.append(message.payload["number"])
                    message.ack()

    # kombu notes a binding before it writes it: of two threads the second would send nowhere.
    with connect(folders) as connection:
        connection.SimpleQueue("work").close()
    with ThreadPoolExecutor(PRODUCERS + CONSUMERS) as threads:
        consumers = [threads.submit(consume) for _ in range(CONSUMERS)]
        producers = [threads.submit(produce, number) for number in range(PRODUCERS)]
        try:
            wait_until(
                lambda: len(numbers) >= PRODUCERS * EACH or any(each.done() for each in consumers),
                60,
                what="all messages",
            )
        finally:
            stop.set()
    assert [each.result() for each in [*producers, *consumers]]  # no fault in any of them
    assert sorted(numbers) == list(range(PRODUCERS * EACH))
    assert not list(Path(folders["data_folder_in"]).iterdir())


def test_a_message_that_cannot_be_read_is_thrown_away(folders: dict[str, str]) -> None:
    (Path(folders["data_folder_in"]) / "0_broken.torn.msg").write_text("")
    with connect(folders) as connection, connection.SimpleQueue("torn") as queue:
        queue.put("whole")
        assert queue.get(timeout=60).payload == "whole"


def test_messages_are_taken_in_their_order(folders: dict[str, str]) -> None:
    with connect(folders) as connection, connection.SimpleQueue("order") as queue:
        for each in range(20):
            queue.put(each)
        assert queue.qsize() == 20
        assert [queue.get(timeout=60).payload for _ in range(20)] == list(range(20))
