"""Where a webhook may call: public addresses, and networks that the house names."""

import socket
import threading
from ipaddress import ip_address, ip_network
from typing import Any

import pytest
from pytest_django import Settings

from settlement.webhooks import addresses
from settlement.webhooks.addresses import Line, is_never_called

EVERYTHING = [ip_network("0.0.0.0/0"), ip_network("::/0")]
PRIVATE = (
    *("127.0.0.1", "10.0.0.7", "::1", "::ffff:10.0.0.7", "64:ff9b::a00:7", "64:ff9b:1::a00:7"),
    *("2002:a00:7::", "::7f00:1", "fd00::1", "100.64.0.1"),
)
NEVER = (
    *("169.254.169.254", "fe80::1", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe"),
    *("2002:a9fe:a9fe::", "224.0.0.1", "ff02::1", "fec0::1", "::"),
)


def _connects(monkeypatch: pytest.MonkeyPatch, *numbers: str, is_encrypted: bool = True) -> Any:
    """What is called where a name has these addresses, and the fault in the end."""
    called: list[str] = []

    def refuse(address: tuple[str, int], **_more: Any) -> None:
        called.append(address[0])
        raise ConnectionRefusedError("nobody there")

    rows = [(None, None, None, "", (number, 443)) for number in numbers]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_a, **_k: rows)
    monkeypatch.setattr(socket, "create_connection", refuse)
    with pytest.raises(OSError, match=r".") as raised:
        Line(is_encrypted=is_encrypted).connect("receiver.example", 443, 1.0)
    return called, str(raised.value)


def test_private_addresses_are_called_where_the_house_names_them(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in PRIVATE:
        settings.WEBHOOK_NETWORKS = []
        called, fault = _connects(monkeypatch, number)
        assert (called, "private" in fault) == ([], True), number
        settings.WEBHOOK_NETWORKS = EVERYTHING
        assert _connects(monkeypatch, number, is_encrypted=False)[0] == [number]


def test_some_addresses_are_never_called(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEBHOOK_NETWORKS = EVERYTHING
    for number in NEVER:
        called, fault = _connects(monkeypatch, number)
        assert (called, "never" in fault) == ([], True), number
    assert not is_never_called(ip_address("1.1.1.1"))


def test_public_addresses_are_called_over_https_alone(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEBHOOK_NETWORKS = [ip_network("10.0.0.0/8")]
    for number in ("1.1.1.1", "2606:4700::1111", "64:ff9b::101:101"):
        assert _connects(monkeypatch, number)[0] == [number]
        called, fault = _connects(monkeypatch, number, is_encrypted=False)
        assert (called, "HTTPS alone" in fault) == ([], True)


def test_a_name_of_many_addresses_is_tried_three_times(monkeypatch: pytest.MonkeyPatch) -> None:
    called, _ = _connects(monkeypatch, *(f"1.1.1.{each}" for each in range(1, 9)))
    assert called == ["1.1.1.1", "1.1.1.2", "1.1.1.3"]


def test_a_look_up_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_a, **_k: answers.wait(30) and [])
    try:
        with pytest.raises(TimeoutError, match="looked up"):
            Line(is_encrypted=True).connect("receiver.example", 443, 0.05)
    finally:
        answers.set()


def test_a_name_that_cannot_be_one_is_a_fault_like_others() -> None:
    with pytest.raises(OSError, match=r"label|name|encod|idna"):
        Line(is_encrypted=True).connect("a" * 70 + ".example", 443, 5.0)
    assert addresses.MOST == 3
