"""A port that is free stays so until its server begins: no outgoing connection is given it."""

import socket
from pathlib import Path

import pytest

from demo.servers.ports import LOOPBACK, PORTS, free_port

RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")


@pytest.mark.skipif(not RANGE.exists(), reason="only Linux says which ports it gives")
def test_ports_lie_below_those_of_outgoing_connections() -> None:
    lowest = int(RANGE.read_text().split()[0])
    assert PORTS[-1] < lowest
    assert free_port() in PORTS


def test_a_port_with_a_server_is_not_free(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server((LOOPBACK, 0)) as server:
        busy_port = server.getsockname()[1]
        with socket.create_server((LOOPBACK, 0)) as other:
            left = other.getsockname()[1]
        monkeypatch.setattr("demo.servers.ports.PORTS", [busy_port, left])
        assert {free_port() for _ in range(20)} == {left}
