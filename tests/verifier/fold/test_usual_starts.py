"""Starts of rounds that are counted together are judged as if each were folded by itself."""

import json
from collections.abc import Callable, Generator, Iterator
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoDbBlocker

from benchmarks.history import load
from benchmarks.seed_data import create_seed_data
from jackpot.writer.poster import Poster
from tests.support.proof.evening_hands import Hands
from tests.support.proof.forger import rehash
from tests.support.suite.databases import FreshDatabase, clone, used_by_django
from verifier import Report
from verifier.database.rows import read_event
from verifier.fold.books.usual_starts import UsualStarts, wording_of

ROUND = "(SELECT max(seq) - 700 FROM jackpot_entry)"  # one among many
ITS_EVENT = f"(SELECT event_id FROM jackpot_entry WHERE seq = {ROUND})"
ITS_TRANSFER = f"(SELECT max(number) FROM jackpot_transfer WHERE entry_seq = {ROUND})"


@pytest.fixture(scope="module")
def past(
    template_database: str, django_db_blocker: DjangoDbBlocker
) -> Generator[psycopg.Connection[tuple[Any, ...]]]:
    """A thousand starts of rounds at three tables."""
    with clone(template_database) as database:
        with used_by_django(database, django_db_blocker):
            create_seed_data(systems=1, tables=3)
            load(database.url, rounds=1_000)
        with psycopg.connect(database.url) as connection:
            yield connection


@pytest.fixture
def rounds(past: psycopg.Connection[tuple[Any, ...]]) -> Iterator[Hands]:
    """The same, in the hands of somebody who tampers with it; nothing of it stays."""
    yield Hands(past, None)  # type: ignore[arg-type]
    past.rollback()


def said_by(report: Report) -> tuple[Any, ...]:
    return sorted(report.findings), report.counts_by_kind, report.counts, report.remarks


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Entries that were counted together."""
    entries: list[int] = []
    take = UsualStarts.take

    def counting(self: UsualStarts, entry: Any, transfers: Any) -> bool:
        is_usual = take(self, entry, transfers)
        entries.extend([entry.seq] * is_usual)
        return is_usual

    monkeypatch.setattr(UsualStarts, "take", counting)
    return entries


def each_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(UsualStarts, "take", lambda *_: False)


def test_nearly_all_are_counted(rounds: Hands, counted: list[int]) -> None:
    report = rounds.look(with_actions=False)
    assert report.ok, report.lines()
    assert len(counted) == 1_000 + 3


TAMPERED = {
    "nothing": [],
    "an amount": [f"UPDATE jackpot_transfer SET amount = amount + 1 WHERE number = {ITS_TRANSFER}"],
    "a reason": [f"UPDATE jackpot_transfer SET reason = 'prize' WHERE number = {ITS_TRANSFER}"],
    "a transfer less": [f"DELETE FROM jackpot_transfer WHERE number = {ITS_TRANSFER}"],
    "a transfer of another entry": [
        f"UPDATE jackpot_transfer SET entry_seq = entry_seq + 1 WHERE number = {ITS_TRANSFER}"
    ],
    "another pool": [
        "UPDATE jackpot_transfer SET credit_id ="
        " (SELECT id FROM jackpot_account WHERE code = 'royal:pool')"
        f" WHERE number = {ITS_TRANSFER}"
    ],
    "a flag": [
        f"""UPDATE jackpot_entry SET outcome = '{{"flags": ["void"]}}' WHERE seq = {ROUND}"""
    ],
    "a hit": [f"UPDATE jackpot_entry SET hit = 1 WHERE seq = {ROUND}"],
    "the round of a column": [f"UPDATE jackpot_entry SET round = round + 1 WHERE seq = {ROUND}"],
    "the round twice": [
        "UPDATE tables_tableevent SET body ="
        " convert_to(regexp_replace(convert_from(body, 'UTF8'), '\"round\":\\d+',"
        f" '\"round\":10000002'), 'UTF8') WHERE id = {ITS_EVENT}",
        f"UPDATE jackpot_entry SET round = 10000002 WHERE seq = {ROUND}",
    ],
    "the table of the event": [
        "UPDATE tables_tableevent SET body ="
        " convert_to(replace(convert_from(body, 'UTF8'), '\"table\":\"t', '\"table\":\"u'), 'UTF8')"
        f" WHERE id = {ITS_EVENT}"
    ],
    "fewer players": [
        "UPDATE tables_tableevent SET body = convert_to(regexp_replace("
        "convert_from(body, 'UTF8'), '\"seats_dealt\":\\[[^]]*\\]', '\"seats_dealt\":[]'), 'UTF8')"
        f" WHERE id = {ITS_EVENT}"
    ],
    "a test": [
        "UPDATE tables_tableevent SET body ="
        " convert_to(replace(convert_from(body, 'UTF8'), '{', '{\"test\":true,'), 'UTF8')"
        f" WHERE id = {ITS_EVENT}"
    ],
    "no JSON": [f"UPDATE tables_tableevent SET body = body || '}}' WHERE id = {ITS_EVENT}"],
    "an event that is gone": [f"DELETE FROM tables_tableevent WHERE id = {ITS_EVENT}"],
    "an entry that is gone": [f"DELETE FROM jackpot_entry WHERE seq = {ROUND}"],
    "the session before": [
        "UPDATE tables_tableevent SET body ="
        " convert_to(replace(convert_from(body, 'UTF8'), 'holdem', 'chess'), 'UTF8')"
        " WHERE type = 'session_opened'"
    ],
}


@pytest.mark.parametrize("name", TAMPERED)
def test_findings_are_those_of_rounds_that_are_folded_alone(
    rounds: Hands, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    rounds.tamper(*TAMPERED[name])
    together = rounds.look(with_actions=False)
    assert together.ok == (name == "nothing"), together.lines()
    each_by_itself(monkeypatch)
    assert said_by(rounds.look(with_actions=False)) == said_by(together)


def test_who_forges_every_hash_is_found_as_well(rounds: Hands) -> None:
    """One contribution goes to another pool, with all balances and hashes made again."""
    rounds.tamper(*TAMPERED["another pool"])
    rounds.connection.execute(_BALANCES)
    rehash(rounds)
    report = rounds.look(with_actions=False)
    assert set(report.counts_by_kind) == {"fold"}, report.lines()


# Every running balance and every account, from the transfers as they stand.
_BALANCES = """
    WITH legs AS (
        SELECT number, debit_id AS account, -amount AS change FROM jackpot_transfer
        UNION ALL SELECT number, credit_id, amount FROM jackpot_transfer
    ), sums AS (
        SELECT number, account, sum(change) OVER (PARTITION BY account ORDER BY number) AS after
        FROM legs
    ), written AS (
        UPDATE jackpot_transfer t SET debit_after = d.after, credit_after = c.after
        FROM sums d, sums c WHERE (d.number, d.account) = (t.number, t.debit_id)
          AND (c.number, c.account) = (t.number, t.credit_id)
    )
    UPDATE jackpot_account a SET balance =
        (SELECT after FROM sums WHERE account = a.id ORDER BY number DESC LIMIT 1)
    WHERE id IN (SELECT account FROM sums)
"""


def test_an_evening_reads_alike(
    hands: Hands, counted: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    together = hands.look()
    assert together.ok, together.lines()
    assert counted
    each_by_itself(monkeypatch)
    assert said_by(hands.look()) == said_by(together)


def test_what_was_counted_is_in_the_books_when_terms_change(
    fresh_database: FreshDatabase, counted: list[int]
) -> None:
    """Other terms between two runs of rounds: the second adds by the new ones."""
    from benchmarks.seed_data import terms
    from jackpot.writer import commands
    from tables.models import JackpotSystem

    create_seed_data(systems=1, tables=2)
    load(fresh_database.url, rounds=500)
    document = terms()
    document["tiers"][0]["increments"][0]["amount"] *= 2
    system = JackpotSystem.objects.get(code="main")
    commands.queue(system, "put_terms", {"terms": document}, first="anna", second="ben")
    poster = Poster("terms")
    while poster.step():
        pass
    poster.give_up()
    _press(system.code, rounds=30)
    with psycopg.connect(fresh_database.url) as connection:
        report = Hands(connection, None).look(with_actions=False)  # type: ignore[arg-type]
    assert report.ok, report.lines()
    assert report.counts["transfers"] > 3 * 500 + 3 * 60
    assert len(counted) > 500 + 50


def _press(system: str, rounds: int) -> None:
    """So many rounds at each of two tables, received and posted as usual."""
    from django.utils import timezone

    from benchmarks.load.unit import ROUNDS_OF_A_BOOT, Unit
    from tables.intake.reception import receive
    from tables.models import Stream
    from tables.protocol import topics
    from tables.protocol.inbound_message import InboundMessage

    at = timezone.now()
    for code in ("t1", "t2"):
        held = Stream.objects.get(table__code=code, boot=1).committed_seq
        unit = Unit(system, code)
        instant = at.isoformat(timespec="milliseconds").encode()
        bodies = [
            unit.body(held + n, ROUNDS_OF_A_BOOT + held + n - 1, instant)
            for n in range(1, rounds + 1)
        ]
        topic = topics.events(system, code)
        receive([InboundMessage.of(topic, body) for body in bodies], at)
    poster = Poster("rounds")
    while poster.step():
        pass


_TEXT = st.text("t1:,{}[] ", max_size=4)
_EVENT = st.fixed_dictionaries(
    {
        "type": st.just("round_started"),
        "table": _TEXT,
        "boot": st.integers(0, 3),
        "seq": st.integers(1, 200),
        "recorded_at": st.sampled_from(["2026-11-25T21:02:46Z", "2026-11-25T21:02:46.125+01:00"]),
        "round": st.integers(1, 200),
    },
    optional={
        "seats_dealt": st.lists(st.integers(1, 9), max_size=4),
        "note": st.sampled_from(['"round":5', "seq", "1", '"']),
        "more": st.fixed_dictionaries({}, optional={"seq": st.integers(1, 9)}),
    },
)


@given(
    event=_EVENT.flatmap(lambda event: st.permutations([*event.items()])).map(dict),
    other=_EVENT.flatmap(lambda event: st.permutations([*event.items()])).map(dict),
    turn=st.sampled_from([dict, lambda event: {**event, "recorded_at": "2026-01-01T00:00:00Z"}]),
    seq=st.integers(1, 200),
    number=st.integers(1, 200),
)
def test_an_event_of_the_same_wording_says_the_same(
    event: dict[str, Any],
    other: dict[str, Any],
    turn: Callable[[dict[str, Any]], dict[str, Any]],
    seq: int,
    number: int,
) -> None:
    """Whatever is taken for the same wording reads as the same event with that seq and round."""
    body = json.dumps(event, separators=(",", ":")).encode()
    wording = wording_of(event, body)
    for candidate in (other, turn({**event, "seq": seq, "round": number})):
        text = json.dumps(candidate, separators=(",", ":")).encode()
        if wording is not None and wording.is_of(text, event["boot"], seq, number):
            read = read_event(text)
            time = read["recorded_at"]
            assert read == {**event, "seq": seq, "round": number, "recorded_at": time}
    names = [name for name in event if name in ("seq", "recorded_at", "round")]
    if names == ["seq", "recorded_at", "round"] and not event.keys() & {"note", "more"}:
        assert wording is not None
        assert wording.is_of(body, event["boot"], event["seq"], event["round"])
