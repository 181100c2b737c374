"""Decoding: each fault has its reason, and no bytes whatever raise."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tables.intake.quarantine import plain
from tables.protocol.decode import (
    Decoded,
    Refused,
    decode_event,
    decode_presence,
    decode_reading,
    readable,
)
from tables.protocol.inbound_message import InboundMessage
from tables.protocol.signature import signed
from tables.protocol.table_ref import TableRef
from tests.support.units.table_units import KEY, event

PLAIN = TableRef(1, "main", 1, 1, "t-1", "")
KEYED = TableRef(1, "main", 1, 2, "t-2", KEY)


def decode(payload: bytes, table_ref: TableRef = PLAIN) -> Decoded | Refused:
    return decode_event(InboundMessage.of("topic", payload), table_ref)


def refused(payload: bytes, table_ref: TableRef = PLAIN) -> Refused:
    result = decode(payload, table_ref)
    assert isinstance(result, Refused)
    return result


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (b"", "undecodable"),
        (b"\xff\xfe", "undecodable"),
        (b"{", "undecodable"),
        (b"[" * 8000, "bad_schema"),
        (b"\x00" * 100, "undecodable"),
        (b"[]", "bad_schema"),
        (b"1e999999999", "bad_schema"),
        (event(PLAIN, 1, v=2), "unknown_version"),
        (event(PLAIN, 1, type="jackpot_please"), "bad_schema"),
        (event(PLAIN, 1, round="1"), "bad_schema"),
        (event(PLAIN, 1, round=1.5), "bad_schema"),
        (event(PLAIN, 1, round=2**63), "bad_schema"),
        (event(PLAIN, 1, surprise=1), "unknown_field"),
        (event(PLAIN, 1, recorded_at="2026-11-21T12:00:00"), "bad_schema"),
        (event(PLAIN, 1, recorded_at="0001-01-01T00:00:00+23:59"), "bad_schema"),
        (event(PLAIN, 1, recorded_at="9999-12-31T23:59:59-23:59"), "bad_schema"),
        (event(PLAIN, 1, type="rounds_missed", count=1, note="a\x00b"), "bad_schema"),
        (event(PLAIN, 1, type="rounds_missed", count=1, note="x" * 9000), "oversize"),
        (event(PLAIN, 1, system="other"), "wrong_topic"),
        (event(PLAIN, 1, table="t-2"), "wrong_topic"),
    ],
)
def test_each_fault_has_its_reason(payload: bytes, reason: str) -> None:
    assert refused(payload).reason == reason


def test_a_lone_surrogate_is_refused() -> None:
    body = event(PLAIN, 1, type="rounds_missed", count=1, note="?").replace(b"?", rb"\ud800")
    assert refused(body).reason == "undecodable"


def test_the_explanation_names_the_field() -> None:
    assert refused(event(PLAIN, 1, round="1")).explanation == "Expected int, got str, in round."


def test_counters_are_read_however_broken_the_rest() -> None:
    broken = refused(event(PLAIN, 41, boot=7, round="x", more=[{}]))
    assert (broken.boot, broken.seq) == (7, 41)


@pytest.mark.parametrize("counters", [{"seq": True}, {"seq": 0}, {"seq": "1"}, {"boot": 2**53}])
def test_counters_that_are_none_are_not_read(counters: dict[str, object]) -> None:
    body = json.dumps({"boot": 1, "seq": 1, **counters}).encode()
    assert readable(InboundMessage.of("topic", body)) == (None, None)


def test_a_mac_is_demanded_where_the_table_has_a_key() -> None:
    body = event(KEYED, 1)
    assert isinstance(result := decode(signed(body, KEY), KEYED), Decoded)
    assert result.body == body
    assert refused(body, KEYED).reason == "wrong_mac"
    assert refused(signed(body, "ff" * 16), KEYED).reason == "wrong_mac"
    forged = signed(body, KEY).replace(b'"round":1', b'"round":2')
    assert (refused(forged, KEYED).reason, refused(forged, KEYED).seq) == ("wrong_mac", 1)


def test_a_mac_is_no_part_of_the_body_at_a_table_without_key() -> None:
    body = event(PLAIN, 1)
    assert isinstance(result := decode(signed(body, KEY)), Decoded)
    assert result.body == body


def test_the_longest_event_may_carry_its_mac() -> None:
    filler = event(KEYED, 1, type="rounds_missed", count=1).ljust(8 * 1024)
    assert isinstance(decode(signed(filler, KEY), KEYED), Decoded)
    assert refused(signed(filler + b" ", KEY), KEYED).reason == "oversize"


def test_a_giant_is_cut_on_arrival() -> None:
    giant = InboundMessage.of("topic", b"x" * 10_000_000)
    assert (len(giant.body), giant.size) == (64 * 1024, 10_000_000)
    assert refused(b"x" * 10_000_000).reason == "oversize"


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
_almost = st.fixed_dictionaries(
    {},
    optional={
        name: _json | st.just(good)
        for name, good in json.loads(event(PLAIN, 1, type="session_opened")).items()
    },
).map(lambda fields: json.dumps(fields).encode())


@given(st.binary(max_size=200) | _almost | _json.map(lambda value: json.dumps(value).encode()))
@example(b'{"type":' * 2000)
@example(b'{"a":' * 2000 + b"1" + b"}" * 2000)
@example(b"\n" + b"0" * 64)
def test_no_bytes_raise(payload: bytes) -> None:
    message = InboundMessage.of("topic", payload)
    for table_ref in (PLAIN, KEYED):
        for result in (
            decode_event(message, table_ref),
            decode_presence(message, table_ref),
            decode_reading(message, table_ref),
        ):
            if isinstance(result, Refused):
                assert result.reason
                assert "\x00" not in plain(result.explanation, 500)


def test_a_presence_names_no_more_than_version_1_does() -> None:
    fields = {"v": 1, "state": "online", "boot": 7, "connection": 31}
    bodies = [json.dumps(fields | more).encode() for more in ({}, {"software": "x-7 2.1"})]
    results = [decode_presence(InboundMessage.of("topic", each), PLAIN) for each in bodies]
    assert [isinstance(each, Refused) for each in results] == [False, True]
