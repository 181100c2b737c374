"""The history that measurements load is one that the console itself accepts."""

from benchmarks.history import load
from benchmarks.seed_data import create_seed_data
from jackpot.writer.poster import Poster
from settlement.audit.reconciliation import reconcile
from tables.models import JackpotSystem
from tests.support.suite.databases import FreshDatabase
from verifier import verify


def test_a_loaded_history_passes_reconciliation(fresh_database: FreshDatabase) -> None:
    create_seed_data(systems=1, tables=3)
    assert load(fresh_database.url, rounds=1_200) == 1_500  # whole blocks
    system = JackpotSystem.objects.get(code="main")
    report = reconcile(system)
    assert not report.differences
    assert report.entries == 1 + 2 * 3 + 1_500
    verdict = verify(fresh_database.url)
    assert verdict.ok, verdict.lines()


def test_the_poster_goes_on_behind_a_loaded_history(fresh_database: FreshDatabase) -> None:
    create_seed_data(systems=1, tables=2)
    load(fresh_database.url, rounds=500)
    load(fresh_database.url, rounds=500)  # once more, behind the first
    poster = Poster("after")
    while poster.step():
        pass
    system = JackpotSystem.objects.get(code="main")
    assert not reconcile(system).differences
