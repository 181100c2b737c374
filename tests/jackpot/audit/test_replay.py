"""Replay: the recorded order in an empty database, the same to the last hash."""

import uuid
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from django.core.management import CommandError
from django.db import connection
from django.db.models import F
from django.test import override_settings

from jackpot.domain import fold, versions
from jackpot.domain.state.books import Books
from jackpot.domain.state.entries import AnyEntry, Outcome
from jackpot.models import Block, Entry, Gap, Hit
from jackpot.terms.money import MICROS
from jackpot.writer.poster import Poster
from tables.models import Casino, GamingTable, JackpotSystem
from tables.protocol import messages
from tests.support.cases.terms.seasons import season
from tests.support.play.books import royal_terms
from tests.support.play.house import House
from tests.support.play.replay import replayed
from tests.support.suite.databases import FreshDatabase, administer, url_of
from verifier.check import verify

SOURCES = [
    {"source": "per_round", "amount": MICROS // 2},
    {"source": "pot", "basis_points": 100, "cap": 2 * MICROS},
    {"source": "commission", "basis_points": 500},
    {"source": "drop", "basis_points": 10_000},
]
STEPS = [{"pot_from": 20 * MICROS, "take": MICROS}]
BOARD, HOLE = "Qs Js Ts 2d 3c", "As Ks"


def filler() -> None:
    """Rows of another casino first: no id of the evening is the same in the replay."""
    other = Casino.objects.create(code="other", name="Other", currency="NZD")
    system = JackpotSystem.objects.create(casino=other, code="other", name="Other")
    for number in range(5):
        GamingTable.objects.create(system=system, code=f"x{number}", name="x")


def report(house: House, table: str, board: str = BOARD) -> None:
    hand = messages.ReportedHand(
        seat=3, hole=HOLE.split(), exposed="yes", folded=False, participating=True, won_pot=True
    )
    house.say(
        table,
        messages.HandReported,
        round=house.rounds[table],
        boards=[board.split()],
        hands=[hand],
    )


def corrections(house: House, terms: dict[str, Any]) -> None:
    """A limit that is reached, a safe amount and its supplement, parts, both ways of adjusting,
    a reversal, a forfeit."""

    def decide(kind: str, **body: Any) -> None:
        answer = house.decide(kind, **body)
        assert not answer.refused, answer.refused

    (tier,) = terms["tiers"]
    limit = house.balance("royal:pool") + MICROS
    decide("put_terms", terms={**terms, "tiers": [{**tier, "limit": limit}]})
    for table in ("t3", "t7"):
        for _ in range(3):
            house.press(table)
    house.post()
    assert house.balance("royal:overflow") > 0
    for table in ("t3", "t7"):
        report(house, table)
    house.post()
    outcomes = Entry.objects.filter(type="hand_reported").order_by("-seq")
    first, second = sorted(entry.outcome["hit"] for entry in outcomes[:2])
    safe = house.hit(second).held
    decide("confirm_claim", hit=second, amount=safe, payees=[{"seat": 3, "amount": safe}])
    decide("pay", hit=second, line=1, parts={"cash": safe // 2})
    decide("pay", hit=second, line=1, parts={"chips": safe - safe // 2})
    decide("reject_claim", hit=first, reason="R04", evidence="cctv", affected=True)
    more = house.hit(second).held - safe
    assert more > 0
    decide("confirm_claim", hit=second, amount=more, payees=[{"seat": 3, "amount": more}])
    decide("unclaimed", hit=second, line=2)
    decide("forfeit", hit=second, line=2, reason="after a year")
    adjust: dict[str, Any] = {"tier": "royal", "reason": "A04", "evidence": "drop box 3"}
    decide("adjust_pool", **adjust, amount=3 * MICROS, source="pot", into="reserve")
    decide("adjust_pool", **adjust, amount=-900 * MICROS, source="drop", below_reset="it ends")
    undone = {"reason": "R13", "evidence": "camera 4", "recovered": {"cash": MICROS}}
    decide("reverse_claim", hit=second, **undone)
    decide("put_terms", terms=terms)


def an_evening() -> House:
    """All four sources, hands, rejection, amendment, payment, terms, gaps, late, ahead."""
    filler()
    terms = {**royal_terms(increments=SOURCES), "funding": "players", "drop_steps": STEPS}
    house = House(terms)
    for table in ("t3", "t7"):
        house.open(table)
    for table in ("t3", "t7", "t3"):
        house.press(table)
        house.say(
            table,
            messages.RoundCompleted,
            round=house.rounds[table],
            pot=4000,
            commission=200,
            jackpot_drop=100,
        )
    house.post()
    house.press("t3")
    house.call("t3")
    report(house, "t3")
    house.press("t7")
    house.call("t7")
    report(house, "t7", "Qs Js 9s 2d 3c")
    house.post()
    house.decide("reject_claim", hit=1, reason="R04", evidence="cctv", affected=True)
    hand = {"seat": 3, "hole": HOLE.split(), "exposed": "yes", "folded": False}
    hand |= {"participating": True, "won_pot": True}
    amended = {"boards": [BOARD.split()], "hands": [hand]}
    assert not house.decide("amend_hand", second=None, hit=2, report=amended).refused
    held = house.hit(2).held
    payees = [{"seat": 3, "amount": held}]
    assert not house.decide("confirm_claim", hit=2, amount=held, payees=payees).refused
    paid = house.decide("pay", first="lucia", second=None, hit=2, line=1, parts={"cash": held})
    assert not paid.refused
    corrections(house, terms)
    season(house, terms)
    assert not house.decide("put_terms", terms={**terms, "name": "House Jackpot II"}).refused
    lost = house.event("t3", messages.RoundStarted, round=90)  # on its way
    house.rounds["t3"] = 91
    house.press("t3")
    house.call("t3")  # ahead of the gap
    house.post()
    with override_settings(GAP_WAIT_S=0.0):
        house.post()
    house.record("t3", lost)  # late
    house.press("t7")
    house.post()
    return house


@pytest.fixture
def missing(fresh_database: FreshDatabase) -> Generator[str]:
    """The address of a database that does not exist yet."""
    name = f"replay_{uuid.uuid4().hex}"
    yield url_of(name)
    administer("DROP DATABASE IF EXISTS {}", name)


@pytest.fixture
def target(missing: str, template_database: str) -> str:
    """The address of a database with all migrations and no rows."""
    name = urlsplit(missing).path.removeprefix("/")
    administer("CREATE DATABASE {} TEMPLATE {}", name, template_database)
    return missing


@contextmanager
def owner_without_guards(table: str) -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        yield
        cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")


def tamper(table: str, statement: str, *values: str | int | None) -> None:
    with owner_without_guards(table), connection.cursor() as cursor:
        cursor.execute(statement, values)
        assert cursor.rowcount == 1


def test_an_evening_is_replayed_to_the_same_hashes(missing: str) -> None:
    house = an_evening()
    flags = {flag for e in Entry.objects.all() for flag in e.outcome.get("flags", [])}
    assert {"late", "ahead_of_gap"} <= flags
    assert Gap.objects.get().arrived == 1
    head = house.head
    output = replayed("--into", missing)
    assert f"main: replayed, the same hashes and rows: {head.seq} entries" in output
    assert house.head.block_hash == head.block_hash  # the recorded one is as it was
    with psycopg.connect(missing) as copy:
        row = copy.execute("SELECT seq, block_number, block_hash FROM jackpot_head").fetchone()
        assert row == (head.seq, head.block_number, bytes(head.block_hash))
        guards = "SELECT DISTINCT tgenabled FROM pg_trigger WHERE NOT tgisinternal"
        assert copy.execute(guards).fetchall() == [("A",)]
        # Other ids throughout: nothing of the hashes rests on them.
        there = {
            name: set(copy.execute(f"SELECT id FROM {name}").fetchall())
            for name in ("tables_jackpotsystem", "tables_gamingtable")
        }
    assert (house.system.pk,) not in there["tables_jackpotsystem"]
    assert {(table.pk,) for table in house.system.tables.all()}.isdisjoint(
        there["tables_gamingtable"]
    )
    assert "main: folds to what is recorded" in replayed("--check-only")
    here = str(connection.settings_dict["NAME"])
    for used in (missing, url_of(here)):
        with pytest.raises(CommandError, match="is not empty: name a database"):
            replayed("--into", used)


def test_what_cannot_be_asked_for(fresh_database: FreshDatabase) -> None:
    with pytest.raises(CommandError, match="There is no system main"):
        replayed("--check-only")
    House()
    with pytest.raises(CommandError, match="either --into"):
        replayed()
    with pytest.raises(CommandError, match="Name a database as postgresql"):
        replayed("--into", "sqlite:///x.db")


def test_a_tampered_event_time_and_outcome_are_named(target: str) -> None:
    an_evening()
    entry = Entry.objects.filter(type="round_started").order_by("seq").first()
    assert entry is not None
    block = Block.objects.get(first_seq__lte=entry.seq, last_seq__gte=entry.seq)
    prefix = f"main: block {block.number}, entry {entry.seq}: "
    outcome = "UPDATE jackpot_entry SET outcome = %s WHERE seq = %s"
    tamper("jackpot_entry", outcome, '{"flags": ["repeat"]}', entry.seq)
    with pytest.raises(CommandError, match=prefix + "its outcome is .*repeat"):
        replayed("--into", target)
    tamper("jackpot_entry", outcome, "{}", entry.seq)
    later = "UPDATE jackpot_entry SET at = at + %s * interval '1 second' WHERE seq = %s"
    tamper("jackpot_entry", later, 3600, entry.seq)
    assert prefix + "its time is" in checked()
    tamper("jackpot_entry", later, -3600, entry.seq)
    tamper(
        "tables_tableevent",
        "UPDATE tables_tableevent SET body = replace(convert_from(body, 'UTF8'),"
        " '\"round\":1', '\"round\":9')::bytea WHERE id = %s",
        entry.event_id,
    )
    assert prefix + "its event was changed since" in checked()


def checked() -> str:
    """What the check in memory says of a difference."""
    with pytest.raises(CommandError) as error:
        replayed("--check-only")
    return str(error.value)


def test_a_changed_row_behind_the_order_is_named(target: str) -> None:
    house = an_evening()
    Hit.objects.filter(system=house.system, number=2).update(held=F("held") + 1)
    with pytest.raises(CommandError, match=r"main: hits: recorded .* replayed"):
        replayed("--into", target)


def noting(books: Books, entry: AnyEntry) -> Outcome:
    """The fold of a later version: from it on, every entry says that it was noted."""
    return {**fold.apply(books, entry), "noted": True}


def test_a_later_version_comes_in_mid_order(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each block names its version and is folded by it; whoever lacks one says which."""
    before = versions.PRESENT
    later = before[0] + 1, before[1]
    house = House(royal_terms())
    house.open("t3")
    house.press("t3")
    house.post()
    with monkeypatch.context() as update:
        update.setitem(versions.FOLDS, later, noting)
        update.setattr(versions, "PRESENT", later)
        house.poster.give_up()  # a poster of the later version takes over
        house.poster = Poster("later")
        house.press("t3")
        house.call("t3")
        report(house, "t3")
        house.post()
        noted = [entry.seq for entry in Entry.objects.order_by("seq") if "noted" in entry.outcome]
        last = house.head.seq
        assert noted == list(range(last - 2, last + 1))
        pairs = Block.objects.order_by("number").values_list("fold_version", "rules_version")
        assert list(pairs) == sorted(pairs)
        assert set(pairs) == {before, later}
        assert "main: folds to what is recorded" in replayed("--check-only")
        assert "the same hashes and rows" in replayed("--into", target)
    first = Block.objects.filter(fold_version=later[0]).order_by("number")[0]
    sentence = f"block {first.number} was folded by version {later[0]} under rules {later[1]}"
    assert f"{sentence}, which this program does not have" in checked()
    # The verifier hashes the version of each block, and both move money as it does.
    here = url_of(str(connection.settings_dict["NAME"]))
    assert verify(here, with_actions=False).ok
    tamper(
        "jackpot_block",
        "UPDATE jackpot_block SET fold_version = %s WHERE number = %s",
        before[0],
        first.number,
    )
    assert "hash chain" in verify(here, with_actions=False).counts_by_kind


def ruled(house: House) -> None:
    """Void, cancelled and missed rounds, what comes of them later, and a table that leaves."""

    def decide(kind: str, second: str | None = None, **body: Any) -> None:
        answer = house.decide(kind, second=second, **body)
        assert not answer.refused, answer.refused

    def complete(table: str, round_: int, pot: int = 4000) -> None:
        house.say(table, messages.RoundCompleted, round=round_, pot=pot, commission=200)
        house.post()

    fields: dict[str, Any] = {"reason": "wrong_count", "note": "seen"}
    twice: dict[str, Any] = {"reason": "double_press", "note": "seen"}
    for table in ("t3", "t7"):
        house.open(table)
        house.press(table)
    complete("t3", 1)
    decide("void_round", table="t3", round=1, **fields)
    decide("void_round", table="t7", round=1, **fields)
    complete("t7", 1)  # nothing is due any more
    house.press("t3")
    house.press("t7")
    house.post()
    decide("cancel_round", table="t3", round=2, **twice)
    decide("cancel_round", table="t7", round=2, **twice)
    complete("t7", 2)  # it was dealt all the same
    decide("missed_rounds", table="t3", count=2, rounds=[3, 4], players=4, evidence="camera")
    decide("missed_rounds", table="t3", count=1, rounds=[5], pot=60 * MICROS, evidence="camera")
    complete("t3", 5, pot=8000)  # the difference
    house.say("t3", messages.RoundStarted, round=4)
    house.say("t7", messages.SessionClosed)
    house.post()
    there = {"to_system": "high", "to_table": "h1", "receipted": [[1, 6]]}
    decide("move_table", second="david", table="t7", reason="full", **there)
    house.press("t7")  # sent before its unit heard of it
    house.post()
    flags = [flag for e in Entry.objects.all() for flag in e.outcome.get("flags", [])]
    assert {"void", "cancelled", "adjusted_before", "moved"} <= {*flags}


def test_void_cancelled_and_missed_rounds_and_a_table_that_left(target: str) -> None:
    house = House({**royal_terms(increments=SOURCES[:3]), "funding": "players"})
    ruled(house)
    assert house.balance("pot") + house.balance("commission") < 0
    assert "main: folds to what is recorded" in replayed("--check-only")
    output = replayed("--into", target)
    assert f"main: replayed, the same hashes and rows: {house.head.seq} entries" in output
