"""The reading pages of the floor: tables, quarantine, reconciliation and alarms."""

import datetime as dt
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import override_settings
from django.utils import timezone
from kombu.exceptions import OperationalError

from jackpot.models import Head
from settlement import tasks
from settlement.core.errors import WrongState
from settlement.floor.table_events import events
from settlement.models import Reconciliation
from settlement.pages.audit import reconciliation
from settlement.pages.audit.quarantine import dump, readable
from tables.alarms import raise_alarm
from tables.intake.reception import receive
from tables.models import (
    Alarm,
    ClosedGap,
    DisplayReading,
    GamingTable,
    Quarantine,
    UnitPresence,
)
from tables.protocol import messages, topics
from tables.protocol.inbound_message import InboundMessage
from tests.support.pages.page_staff import logged_in, page_of, post, reply, words
from tests.support.people.cast import ClaimHouse
from tests.support.people.roles import owner_without_guards
from tests.support.suite.kept_house import kept_house

pytestmark = pytest.mark.django_db


def build_house() -> ClaimHouse:
    house = ClaimHouse()
    house.open("t3")
    for _ in range(3):
        house.press("t3")
    house.post()
    return house


house = kept_house(build_house)


def table(code: str) -> GamingTable:
    return GamingTable.objects.get(code=code)


def heard(code: str, online: bool = True, seconds_ago: float = 1, last_seq: int = 4) -> None:
    at = timezone.now() - dt.timedelta(seconds=seconds_ago)
    UnitPresence.objects.create(
        table=table(code), online=online, boot=1, connection=1, last_seq=last_seq, heard_at=at
    )


def read_back(code: str, seq: int, minutes_ago: float = 0, **values: int) -> None:
    at = timezone.now() - dt.timedelta(minutes=minutes_ago)
    DisplayReading.objects.create(
        table=table(code),
        display="left",
        said_at=at,
        received_at=at,
        system_seq=seq,
        terms=1,
        shown=values,
    )


class TestTables:
    def test_a_unit_whose_clock_is_wrong_is_named(self, house: ClaimHouse) -> None:
        heard("t3")
        assert "Unit clocks Within two minutes" in page_of("tane", "/")
        UnitPresence.objects.update(said_at=timezone.now() - dt.timedelta(days=56 * 365.25))
        page = page_of("tane", "/")
        assert "Unit clocks 1 wrong : Table 3 56 years slow. Set these clocks." in page

    def test_a_unit_is_online_silent_offline_or_was_never_heard(self, house: ClaimHouse) -> None:
        assert "Never connected" in page_of("tane", "/tables/")
        heard("t3")
        heard("t7", seconds_ago=95)
        page = page_of("tane", "/tables/")
        assert "Units online 1 of 2" in page
        assert "Silent for 1 min" in page
        UnitPresence.objects.update(online=False)
        assert "Offline for 1 min" in page_of("tane", "/tables/")

    def test_a_display_of_an_open_table_that_reads_nothing_back_is_dark(
        self, house: ClaimHouse
    ) -> None:
        """19.7: a table needs its display; the console names it, a person suspends the table."""
        assert "Dark displays None" in page_of("tane", "/")  # it has opened a moment ago
        with override_settings(DISPLAY_DARK_AFTER_S=-1.0):  # a table that never had a display
            assert "Dark displays 1 : Table 3 for" in page_of("tane", "/")
            assert "Dark" in page_of("tane", "/tables/main/t3/")
        read_back("t3", 1, minutes_ago=6, royal=100_000)
        page = page_of("tane", "/")
        assert "Dark displays 1 : Table 3 for 6 min. A table needs its display (19.7)" in page
        assert "Dark" in page_of("tane", "/tables/")
        assert "Dark" in page_of("tane", "/tables/main/t3/")
        read_back("t3", 2, royal=100_000)  # it shows again
        assert "Dark displays None" in page_of("tane", "/")
        assert "Dark" not in page_of("tane", "/tables/")

    @override_settings(DISPLAY_DARK_AFTER_S=-1.0)
    def test_the_display_of_a_closed_table_may_be_dark(self, house: ClaimHouse) -> None:
        read_back("t3", 1, royal=100_000)
        assert "Dark displays 1" in page_of("tane", "/")
        house.say("t3", messages.SessionClosed)
        house.post()
        assert "Dark displays None" in page_of("tane", "/")

    def test_session_round_and_what_is_held(self, house: ClaimHouse) -> None:
        page = page_of("tane", "/tables/")
        assert "to 4 boot 1 Hold-em 4 seats, dealer d 3 started" in page

    @override_settings(GAP_WAIT_S=0.0)
    def test_a_gap_is_seen_from_when_it_opens_until_it_is_filled(self, house: ClaimHouse) -> None:
        lost = house.event("t3", messages.RoundStarted, round=4)
        house.rounds["t3"] = 4
        house.press("t3")
        assert "Gap after 4 boot 1, last 6" in page_of("tane", "/tables/")
        assert "waits" in page_of("tane", "/tables/main/t3/")
        house.post()
        page = page_of("tane", "/tables/main/t3/")
        assert "1 5 Missing no longer waited for since entry 6" in page
        house.record("t3", lost)
        house.post()
        page = page_of("tane", "/tables/main/t3/")
        assert "All received late" in page
        assert "came late" in page.partition("Table events")[2]
        assert "Gap after" not in page_of("tane", "/tables/")

    def test_only_what_is_missing_is_named_not_what_is_held_behind_it(
        self, house: ClaimHouse
    ) -> None:
        for seq in (6, 7, 10):
            house.record("t3", house.event("t3", messages.RoundStarted, seq=seq, round=seq))
        page = page_of("tane", "/tables/main/t3/").partition("Missing events")[2]
        assert "1 5 Missing asked for again 1 8 to 9 Missing asked for again" in page
        assert "Close the gap" not in page

    def test_a_manager_closes_a_gap_with_a_note(self, house: ClaimHouse) -> None:
        User.objects.filter(username="mere").update(first_name="Mere", last_name="Tane")
        house.record("t3", house.event("t3", messages.RoundStarted, seq=8, round=8))
        address, close = "/tables/main/t3/", "/tables/main/t3/gap/"
        form = {"boot": "1", "to_seq": "7"}
        assert "Events lost: boot 1, 5 to 7" in page_of("mere", address)
        assert "Enter why the events will never arrive" in reply("mere", close, **form, note=" ")
        assert post("sione", close, **form, note="Unit burnt").status_code == 403
        assert post("mere", close, boot="1", to_seq="x", note="Unit burnt").status_code == 400
        assert not ClosedGap.objects.exists()
        page = reply("mere", close, **form, note="Unit burnt")
        assert "Gap closed" in page
        assert "1 5 to 7 Closed given up by Mere Tane: Unit burnt" in page
        assert "No event is missing there" in reply("mere", close, **form, note="Unit burnt")

    def test_a_display_is_compared_with_the_ledger_of_its_moment(self, house: ClaimHouse) -> None:
        read_back("t3", 4, royal=1001_00)  # entry 4: the second round
        read_back("t7", 4, royal=1001_50)  # what only entry 5 made true
        page = page_of("tane", "/tables/")
        assert "Displays that differ 1" in page
        page = page_of("tane", "/tables/main/t7/")
        assert "Differs" in page
        assert "Royal Flush 1,001.50 1,001.00" in page
        assert "Agrees with the ledger" in page_of("tane", "/tables/main/t3/")

    def test_prizes_stand_as_they_are_posted(self, house: ClaimHouse) -> None:
        read_back("t3", 4, royal=1001_00, **{"a-prize-of-no-terms": 5_00})
        page = page_of("tane", "/tables/main/t3/")
        assert "Royal Flush 1,001.00 1,001.00 a-prize-of-no-terms 5.00" in page
        readings = page.partition("Readings of its displays")[2]
        assert "Sequence no. Royal Flush a-prize-of-no-terms" in readings
        assert readings.count("left 4 1,001.00 5.00") == 1

    def test_how_far_a_unit_s_clock_is_off_is_said_in_words(self, house: ClaimHouse) -> None:
        (event, *_), _ = events(table("t3"), 1)
        received = event.row["received_at"]
        for seconds, in_words in ((0.04, "agrees"), (-0.04, "agrees"), (1.26, "1.3 s ahead")):
            event.row["recorded_at"] = received + dt.timedelta(seconds=seconds)
            assert event.clock == in_words
        event.row["recorded_at"] = received - dt.timedelta(hours=1)
        assert event.clock == "3,600.0 s behind"

    def test_the_address_of_a_display_is_not_for_everybody(self, house: ClaimHouse) -> None:
        key = table("t3").display_key
        for address in ("/tables/", "/tables/main/t3/"):
            who = [
                name
                for name in ("sione", "mere", "ines", "aroha", "tane")
                if key in logged_in(name).get(address).content.decode()
            ]
            assert who == ["sione", "mere"]

    def test_what_a_table_said_is_read_page_by_page(
        self, house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("settlement.pages.floor.tables.ROWS", 3)
        client = logged_in("tane")
        first = client.get("/tables/main/t3/")
        assert [event.row["seq"] for event in first.context["events"]] == [4, 3, 2]
        second = client.get(f"/tables/main/t3/{first.context['older']}")
        assert [event.row["seq"] for event in second.context["events"]] == [1]
        assert not second.context["older"]
        assert "Table opened" in words(second)


def bad(*bodies: bytes, code: str = "t3") -> None:
    receive(
        [InboundMessage.of(topics.events("main", code), body) for body in bodies], timezone.now()
    )


class TestQuarantine:
    def test_all_is_well(self, house: ClaimHouse) -> None:
        assert "No issues" in page_of("tane", "/quarantine/")

    def test_the_bytes_are_shown_and_do_no_harm(self, house: ClaimHouse) -> None:
        bad(b'{"v":1}<script>alert(1)</script>\x00')
        row = Quarantine.objects.get()
        page = logged_in("tane").get(f"/quarantine/{row.pk}/").content.decode()
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;\\x00" in page
        assert "7b 22 76 22 3a 31 7d 3c 73 63 72 69 70 74 3e 61" in page
        assert bytes(row.sha256).hex() in page
        assert "Bytes" in page

    def test_a_long_message_is_shown_in_part_until_all_is_asked_for(
        self, house: ClaimHouse
    ) -> None:
        bad(b"x" * 70_000)
        row = Quarantine.objects.get()
        client = logged_in("tane")
        part = client.get(f"/quarantine/{row.pk}/")
        assert "70,000 bytes, of which the first 65,536 are kept" in words(part)
        assert "63,488 more bytes are not shown" in words(part)
        whole = client.get(f"/quarantine/{row.pk}/?all=1")
        assert len(whole.context["lines"]) == 65_536 // 16

    def test_it_is_narrowed_by_table_reason_and_day(self, house: ClaimHouse) -> None:
        bad(b"no json")
        bad(b'{"v":1}', code="t7")
        bad(b"unknown", code="t99")
        client = logged_in("tane")

        def reasons(query: str) -> list[str]:
            rows = client.get(f"/quarantine/?{query}").context["rows"]
            return [row.reason for row, _ in rows]

        assert reasons("") == ["unknown_table", "bad_schema", "undecodable"]
        assert reasons("table=main/t7") == ["bad_schema"]
        assert reasons("table=unknown") == ["unknown_table"]
        assert reasons("reason=undecodable") == ["undecodable"]
        assert reasons("to=2020-01-01") == []
        assert reasons("table=main/t1000&reason=x") == reasons("")

    def test_older_ones_are_read_page_by_page(
        self, house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("settlement.pages.audit.quarantine.ROWS", 2)
        bad(*(b"no json %d" % number for number in range(5)))
        client, query, met = logged_in("tane"), "", []
        for _ in range(3):
            page = client.get(f"/quarantine/{query}")
            met += [row.pk for row, _ in page.context["rows"]]
            query = page.context["older"]
        assert met == list(Quarantine.objects.order_by("-pk").values_list("pk", flat=True))
        assert query == ""

    def test_what_a_day_keeps_no_more_of_is_said(
        self, house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tables.intake.quarantine_quota.BYTES_A_DAY", 8)
        monkeypatch.setattr("tables.intake.quarantine_quota.ROWS_A_DAY", 2)
        bad(*(b"no json %d" % number for number in range(5)))
        row = Quarantine.objects.latest("id")
        page = words(logged_in("tane").get(f"/quarantine/{row.pk}/"))
        assert "had used up its allowance for the day" in page
        assert bytes(row.sha256).hex() in page
        assert "3 messages counted, not kept" in page_of("tane", "/quarantine/")

    def test_lines_of_a_dump(self) -> None:
        lines = list(dump(bytes(range(0x3A, 0x4C))))
        assert [line.offset for line in lines] == ["0000", "0010"]
        assert lines[1].ascii == "JK"

    @pytest.mark.parametrize(
        ("body", "text"),
        [(b"a\nb\x07", "a\nb\\x07"), ("é\u202e".encode(), "é\\u202e"), (b"\xff", "")],
    )
    def test_text_that_could_deceive_is_spelled_out(self, body: bytes, text: str) -> None:
        assert readable(body) == text


class TestReconciliation:
    def test_now(self, house: ClaimHouse) -> None:
        assert "Not reconciled yet" in page_of("ines", "/reconciliation/")
        client = logged_in("ines")
        assert client.post("/reconciliation/main/").status_code == 302
        page = words(client.get("/reconciliation/"))
        assert "Main floor reconciles: 5 entries and 4 transfers recomputed" in page
        assert "In balance" in page

    def test_differences_are_shown_in_full(self, house: ClaimHouse) -> None:
        with owner_without_guards("jackpot_account"):
            house.system.accounts.filter(code="royal:pool").update(balance=1)
        client = logged_in("mere")
        client.post("/reconciliation/main/")
        page = words(client.get("/reconciliation/"))
        assert "Main floor does not reconcile" in page
        for difference in Reconciliation.objects.get().differences:
            assert difference in page
        assert "Open alarms 1" in page

    def test_a_long_order_is_left_to_a_worker(
        self, house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        queued: list[Any] = []
        monkeypatch.setattr(tasks.reconcile_one, "delay", queued.append)
        with owner_without_guards("jackpot_head"):
            Head.objects.update(seq=reconciliation.AT_ONCE + 1)
        client = logged_in("ines")
        page = words(client.post("/reconciliation/main/", follow=True))
        assert "a worker recomputes them now" in page
        assert queued == [house.system.pk]
        assert not Reconciliation.objects.exists()

    def test_a_run_that_is_under_way_is_waited_for(
        self, house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def busy(_system: Any) -> Reconciliation:
            raise WrongState("Main floor is being reconciled already: wait for that result.")

        monkeypatch.setattr(reconciliation, "reconcile", busy)
        page = words(logged_in("ines").post("/reconciliation/main/", follow=True))
        assert "wait for that result" in page

    def test_workers_that_do_not_answer_are_no_fault_of_the_page(
        self, house: ClaimHouse, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def away(_system: int) -> None:
            raise OperationalError

        monkeypatch.setattr(tasks.reconcile_one, "delay", away)
        with owner_without_guards("jackpot_head"):
            Head.objects.update(seq=reconciliation.AT_ONCE + 1)
        page = words(logged_in("ines").post("/reconciliation/main/", follow=True))
        assert "could not be queued" in page

    def test_the_workers_task_reconciles_one_system(self, house: ClaimHouse) -> None:
        tasks.reconcile_one(house.system.pk)
        assert Reconciliation.objects.get().differences == []

    @pytest.mark.parametrize("name", ["sione", "aroha", "tane"])
    def test_who_may_neither_reconcile_nor_clear(self, house: ClaimHouse, name: str) -> None:
        raise_alarm("system_halt", "main", "stopped", house.system)
        page = page_of(name, "/reconciliation/")
        assert "stopped" in page
        assert "Reconcile now" not in page
        assert "Action taken" not in page
        assert logged_in(name).post("/reconciliation/main/").status_code == 403
        alarm = Alarm.objects.get()
        answer = logged_in(name).post(f"/alarms/{alarm.pk}/clear/", {"note": "x"})
        assert answer.status_code == 403

    def test_an_alarm_is_cleared_with_a_note(self, house: ClaimHouse) -> None:
        raise_alarm("system_halt", "main", "stopped", house.system)
        alarm = Alarm.objects.get()
        client = logged_in("mere")
        page = words(client.post(f"/alarms/{alarm.pk}/clear/", {"note": " "}, follow=True))
        assert "an alarm is cleared with a note" in page
        note = {"note": "Resumed after the fix."}
        page = words(client.post(f"/alarms/{alarm.pk}/clear/", note, follow=True))
        assert "No alarm is open" in page
        assert "System halted main mere Resumed after the fix." in page
        page = words(logged_in("david").post(f"/alarms/{alarm.pk}/clear/", note, follow=True))
        assert "mere has cleared this alarm already" in page

    def test_compliance_reads_alarms_and_changes_nothing(self, house: ClaimHouse) -> None:
        raise_alarm("system_halt", "main", "stopped", house.system)
        assert "Action taken" not in page_of("ines", "/reconciliation/")
        answer = post("ines", f"/alarms/{Alarm.objects.get().pk}/clear/", note="Seen")
        assert answer.status_code == 403
        assert Alarm.objects.get().cleared_at is None

    def test_an_alarm_of_bad_input_leads_to_its_messages(self, house: ClaimHouse) -> None:
        bad(b"no json")
        page = logged_in("tane").get("/reconciliation/").content.decode()
        assert 'href="/quarantine/?table=main/t3"' in page
