"""The demo's casino: complete, and the same after a second run."""

import dataclasses
import json
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection

from demo import start
from demo.casino import seed_data
from demo.servers.installation import Installation, InstallationError
from jackpot.display import values as display
from jackpot.models import Account, Command, Screen, Slide
from jackpot.terms.money import MICROS
from jackpot.writer.poster import Poster
from settlement.models import SecondManagerLimit
from tables.models import Casino, GamingTable, JackpotSystem

pytestmark = pytest.mark.django_db


_MODELS = (Casino, JackpotSystem, GamingTable, User, Command, SecondManagerLimit, Screen, Slide)


def post_everything() -> None:
    poster = Poster("test-furnish")
    while poster.step():
        pass


def state() -> list[object]:
    """Everything that seeding the demo makes."""
    return [list(model.objects.order_by("pk").values()) for model in _MODELS]


def test_two_systems_thirteen_tables_seven_people() -> None:
    lines: list[str] = []
    seed_data.create_seed_data(lines.append)
    assert list(JackpotSystem.objects.values_list("code", flat=True).order_by("code")) == [
        "main",
        "vip",
    ]
    names = set(GamingTable.objects.values_list("name", flat=True))
    assert names == {f"Table {number}" for number in range(1, 14)}
    assert User.objects.count() == len(seed_data.PEOPLE) == 7
    assert len({person.role for person in seed_data.PEOPLE}) == 6
    assert lines[0] == "Harbour Casino: NZD, Pacific/Auckland"


def test_a_second_run_changes_nothing() -> None:
    seed_data.create_seed_data()
    before = state()
    call_command("seed_demo", verbosity=0)
    assert state() == before


def test_people_log_in_with_the_printed_password_and_may_do_their_part() -> None:
    seed_data.create_seed_data()
    may = {
        "mere": "verify_claim",
        "david": "confirm_claim",
        "anna": "confirm_claim",
        "lucia": "pay_claim",
        "sven": "view_claim",
        "priya": "export_reports",
    }
    for username, permission in may.items():
        user = User.objects.get(username=username)
        assert user.check_password(seed_data.PASSWORD)
        assert user.has_perm(f"settlement.{permission}")
    assert not User.objects.get(username="sven").has_perm("settlement.verify_claim")


def test_whoever_changed_the_password_keeps_the_change() -> None:
    seed_data.create_seed_data()
    mere = User.objects.get(username="mere")
    mere.set_password("a-password-of-her-own")
    mere.save()
    seed_data.create_seed_data()
    assert User.objects.get(username="mere").check_password("a-password-of-her-own")


def test_the_poster_puts_the_terms_in_effect_and_the_pools_open_at_their_reset() -> None:
    seed_data.create_seed_data()
    assert not seed_data.are_terms_in_effect()
    post_everything()
    assert seed_data.are_terms_in_effect()
    pools = {
        (account.system.code, account.code): account.balance
        for account in Account.objects.filter(code__endswith=":pool").select_related("system")
    }
    assert pools == {
        ("main", "bad-beat:pool"): 50_000 * MICROS,
        ("main", "royal:pool"): 25_000 * MICROS,
        ("main", "straight-flush:pool"): 5_000 * MICROS,
        ("main", "aces-full:pool"): 1_000 * MICROS,
        ("vip", "royal:pool"): 10_000 * MICROS,
        ("vip", "high-hand:pool"): 250 * MICROS,
    }


def test_only_the_bad_beat_opens_above_the_second_managers_amount() -> None:
    seed_data.create_seed_data()
    limit = SecondManagerLimit.objects.get()
    above = [
        tier["code"]
        for house in seed_data.HOUSES
        for tier in house.terms["tiers"]
        if tier["reset"] > (limit.amount or 0)
    ]
    assert above == ["bad-beat"]


def test_the_notices_name_all_four_sources() -> None:
    seed_data.create_seed_data()
    post_everything()
    notice = " ".join(display.notices(GamingTable.objects.get(code="t1")))
    for words in ("operator adds", "called pot", "commission", "jackpot drop", "NZD 1.00 from"):
        assert words in notice


def test_visitors_tables_are_not_simulated() -> None:
    assert len(seed_data.SIMULATED_TABLES) == 10
    assert not {seed_data.PAGE_TABLE, seed_data.TERMINAL_TABLE} & set(seed_data.SIMULATED_TABLES)


def test_data_of_an_earlier_version_are_named_and_left_alone() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied)"
            " VALUES ('tables', '0002_old', now())"
        )
    with pytest.raises(InstallationError, match="make demo-reset"):
        start._refuse_earlier_data(Installation.here())


def test_data_of_a_migration_that_was_written_again_are_named(tmp_path: Path) -> None:
    installation = dataclasses.replace(Installation.here(), var=tmp_path)
    start._refuse_earlier_data(installation)  # made before anything was noted
    migrations = start._migrations()
    installation.migrations.write_text(json.dumps(migrations))
    start._refuse_earlier_data(installation)
    for name in migrations:
        installation.migrations.write_text(json.dumps(migrations | {name: "another text"}))
        with pytest.raises(InstallationError, match="make demo-reset"):
            start._refuse_earlier_data(installation)
