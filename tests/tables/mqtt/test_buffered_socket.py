"""A line read and written in pieces gives the same bytes as the socket itself."""

import random
import select
import socket
from collections.abc import Iterator

import pytest

from tables.mqtt import buffered_socket
from tables.mqtt.buffered_socket import BufferedSocket


@pytest.fixture
def ends() -> Iterator[tuple[BufferedSocket, socket.socket]]:
    """A gathered line, and what it is connected to."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        yield BufferedSocket(ours), theirs


def test_what_comes_is_given_out_as_it_is_asked_for(
    ends: tuple[BufferedSocket, socket.socket],
) -> None:
    line, other = ends
    other.sendall(b"abcdefgh")
    assert line.pending() == 0
    assert [line.recv(1), line.recv(3)] == [b"a", b"bcd"]
    assert line.pending() == 4
    assert line.recv(100) == b"efgh"
    assert line.pending() == 0
    with pytest.raises(BlockingIOError):
        line.recv(1)
    other.close()
    assert line.recv(1) == b""


def test_what_is_sent_leaves_in_order_with_the_flush(
    ends: tuple[BufferedSocket, socket.socket],
) -> None:
    line, other = ends
    assert [line.send(b"abc"), line.send(bytearray(b"de"))] == [3, 2]
    assert line.has_more
    assert not select.select([other], [], [], 0)[0]
    line.flush()
    assert not line.has_more
    assert other.recv(100) == b"abcde"


def test_more_than_the_system_takes_waits_and_nothing_is_lost(
    ends: tuple[BufferedSocket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buffered_socket, "FULL", 1000)
    line, other = ends
    content, heard = b"", b""
    piece = random.Random(19).randbytes(60_000)
    while True:
        try:
            line.send(piece)
        except BlockingIOError:
            break
        content += piece
        line.flush()
    assert line.has_more
    while line.has_more:
        heard += other.recv(100_000)
        line.flush()
    while len(heard) < len(content):
        heard += other.recv(100_000)
    assert heard == content


def test_what_was_said_before_the_end_still_leaves(
    ends: tuple[BufferedSocket, socket.socket],
) -> None:
    line, other = ends
    line.send(b"goodbye")
    line.close()
    assert other.recv(100) == b"goodbye"
    assert other.recv(100) == b""


def test_a_cut_leaves_nothing_to_be_read_or_sent(
    ends: tuple[BufferedSocket, socket.socket],
) -> None:
    line, other = ends
    other.sendall(b"ab")
    assert line.recv(1) == b"a"
    line.send(b"x")
    line.shutdown(socket.SHUT_RDWR)
    assert line.pending() == 0
    assert line.recv(1) == b""
    line.flush()
    assert other.recv(100) == b""


def test_a_broken_line_keeps_nothing_and_says_so_at_the_next_reading(
    ends: tuple[BufferedSocket, socket.socket],
) -> None:
    line, other = ends
    other.close()
    line.send(b"x")
    line.flush()
    line.send(b"y")
    line.flush()
    assert not line.has_more
    assert line.recv(1) == b""
