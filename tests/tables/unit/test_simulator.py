"""Simulated tables play as a floor does, and go on where they were."""

import random
import threading
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from rules.bad_beat import BadBeat
from rules.hands import Category
from rules.terms import Weakest
from rules.verdict import judge
from tables.intake import outbox
from tables.models import DisplayReading, GamingTable, Quarantine, Stream, TableEvent
from tables.protocol import topics
from tables.unit import play, simulator
from tables.unit.play import HouseTerms
from tables.unit.simulator import Simulator
from tests.support.play.rules.rules_floor import report, seat
from tests.support.suite.databases import FreshDatabase
from tests.support.suite.waiting import wait_until
from tests.support.units.running_intake import RunningIntake
from tests.support.units.table_units import KEY, make_system, make_table


class Playing:
    """A simulator in a thread, until the block is left."""

    def __init__(self, journals: Path) -> None:
        tables = list(GamingTable.objects.select_related("system"))
        self._simulator = Simulator(tables, journals=journals, seed=7, speed=400, hands=0.2)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> "Playing":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            self._simulator.run(self._stop)
        finally:
            connection.close()


def played(kind: str, count: int) -> bool:
    return TableEvent.objects.filter(type=kind).count() >= count


def every_table_played(tables: int) -> bool:
    """Each table plays at its own pace, from when it is connected."""
    rounds = TableEvent.objects.filter(type="round_completed")
    return rounds.values("table_id").distinct().count() == tables


def test_tables_play_and_go_on_after_a_restart(
    intake: RunningIntake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No table closes while another one is late.
    monkeypatch.setattr(simulator, "ROUNDS_OF_A_SESSION", (10_000, 10_000))
    system = make_system()
    for number in range(3):
        make_table(f"t-{number}", key=KEY, system=system)
    with Playing(tmp_path):
        wait_until(lambda: every_table_played(3))
        wait_until(lambda: played("round_completed", 20) and played("hand_reported", 2))
    before = {(s.table_id, s.boot): s.committed_seq for s in Stream.objects.all()}
    assert len(before) == 3
    with Playing(tmp_path):
        wait_until(lambda: played("round_completed", 40))
    assert set(Stream.objects.values_list("table_id", "boot")) == set(before)
    # At one moment: the intake still takes in.
    starts = list(TableEvent.objects.filter(type="round_started").values_list("table_id", "round"))
    assert len(set(starts)) == len(starts)
    assert TableEvent.objects.filter(type="session_opened").count() == 3
    assert not Quarantine.objects.exists()


def test_displays_are_read_back(intake: RunningIntake, tmp_path: Path) -> None:
    table_ref = make_table()
    message = (
        b'{"v":1,"system_seq":5,"terms":2,"tiers":[{"tier":"royal","value":1000037}],'
        b'"state":"live"}'
    )
    outbox.put(table_ref.system, topics.display(table_ref.system), message, retain=True)
    with Playing(tmp_path):
        wait_until(DisplayReading.objects.exists)
    reading = DisplayReading.objects.earliest("id")
    assert (reading.shown, reading.system_seq, reading.terms) == ({"royal": 1000037}, 5, 2)
    assert reading.display == "d-t-1"


def test_figures_are_plausible() -> None:
    dice = random.Random(1)
    terms = HouseTerms(drop_steps={20_00: 1_00, 50_00: 2_00})
    for _ in range(500):
        figures = play.figures(dice, terms)
        called = figures["pot"] - figures["uncalled"]
        assert called > 0
        assert 0 <= figures["commission"] <= 10_00
        assert figures["jackpot_drop"] == (
            2_00 if called >= 50_00 else 1_00 if called >= 20_00 else 0
        )


def test_strong_hands_are_of_one_deck() -> None:
    dice = random.Random(1)
    for game, hole in (("holdem", 2), ("omaha", 4)):
        for _ in range(100):
            board, hands = play.reported(dice, [1, 4], game)
            cards = board + [card for hand in hands for card in hand["hole"]]
            assert {len(hand["hole"]) for hand in hands} == {hole}
            assert len({hand["seat"] for hand in hands}) == len(hands)
            assert len(set(cards)) == len(cards) == 5 + hole * len(hands)


@pytest.mark.parametrize("game", ["holdem", "omaha"])
def test_now_and_then_aces_full_are_beaten(game: str) -> None:
    dice, beaten = random.Random(2), 0
    terms = BadBeat(Weakest(Category.FULL_HOUSE, ("A", "J")), Weakest(Category.FOUR_OF_A_KIND))
    for _ in range(200):
        board, hands = play.reported(dice, [1, 4, 6], game)
        if len(hands) == 2:
            beaten += 1
            seats = [
                seat(hand["seat"], " ".join(hand["hole"]), won_pot=hand["won_pot"])
                for hand in hands
            ]
            verdict = judge(report(*seats, board=" ".join(board), game=game), {"beat": terms})
            assert [each.seat for each in verdict.qualifying("beat")] == [hands[0]["seat"]]
            assert [each.seat for each in verdict.seats if each.beats] == [hands[1]["seat"]]
    assert 20 < beaten < 60


def test_without_tables_the_command_says_what_to_do(fresh_database: FreshDatabase) -> None:
    with pytest.raises(CommandError, match="No table in service"):
        call_command("simulate_tables")
