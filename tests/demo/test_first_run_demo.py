"""`make demo ARGS=--empty`: the first run, with the data of the ordinary demo left alone."""

import io
import os
import re
import subprocess
import sys
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
from django.contrib.auth.models import User
from rich.console import Console

from demo import first_run
from demo.__main__ import main
from demo.servers.installation import PROJECT, Installation
from demo.servers.ports import LOOPBACK
from demo.servers.postgres import PrivatePostgres
from demo.servers.processes import Program
from demo.servers.vendor_access import VendorDoor
from settlement.set_up.first_run import begin
from tests.support.people.cast import PASSWORD
from tests.support.servers.demo.alive import is_alive
from tests.support.servers.demo.running import OURS, STOP_S, RunningDemo

CODE = re.compile(r"\b(?:[0-9a-f]{6}-){4}[0-9a-f]{6}\b")
SEED = """
import secrets
from tables import keys
from tables.models import Casino, GamingTable, JackpotSystem
casino = Casino.objects.create(code="own", name="Own Casino", currency="NZD")
system = JackpotSystem.objects.create(casino=casino, code="floor", name="Floor")
table = GamingTable.objects.create(system=system, code="t1", name="Table 1")
keys.give(table, secrets.token_hex(32))
"""


def summary_text(installation: Installation, door: VendorDoor | None = None) -> str:
    text = io.StringIO()
    panel = first_run.summary(installation, "http://localhost:8000", 1.0, door)
    Console(file=text, width=200).print(panel)
    return text.getvalue()


def test_its_files_are_beside_those_of_the_demo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JACKPOT_VAR", str(tmp_path / "var"))
    usual, empty = Installation.here(), Installation.here(empty=True)
    assert (usual.var, empty.var) == (tmp_path / "var", tmp_path / "var-empty")
    empty.prepare()
    environment = empty.environment()
    assert environment["JURISDICTIONS"] == ""
    for name in ("JACKPOT_VAR", "JACKPOT_EMPTY"):  # as its processes find it
        monkeypatch.setenv(name, environment[name])
    assert Installation.here() == Installation.here(empty=True) == empty


def test_people_need_a_second_factor_in_the_empty_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the settings of its processes read it; who wants to may still switch it off."""
    monkeypatch.setenv("JACKPOT_VAR", str(tmp_path / "var"))
    monkeypatch.delenv("SECOND_FACTOR_DEMANDED", raising=False)

    def is_demanded(*, empty: bool) -> str:
        installation = Installation.here(empty=empty)
        installation.prepare()
        query = "from config import settings; print(settings.SECOND_FACTOR_DEMANDED)"
        database = {"DATABASE_URL": "postgresql://none@127.0.0.1:1/none"}
        environment = {**os.environ, **installation.environment(), **database}
        return subprocess.run(
            [sys.executable, "-c", query],
            env=environment,
            cwd=PROJECT,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()

    assert (is_demanded(empty=False), is_demanded(empty=True)) == ("False", "True")
    monkeypatch.setenv("SECOND_FACTOR_DEMANDED", "0")
    assert is_demanded(empty=True) == "False"


def test_its_data_are_forgotten_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JACKPOT_VAR", str(tmp_path / "var"))
    for name in ("var", "var-empty"):
        (tmp_path / name).mkdir()
    assert main(["--empty", "reset"]) == 0
    assert [each.name for each in tmp_path.iterdir()] == ["var"]
    assert "make demo ARGS=--empty" in capsys.readouterr().out
    (tmp_path / "var-empty").mkdir()
    assert main(["reset"]) == 0
    assert [each.name for each in tmp_path.iterdir()] == ["var-empty"]


def test_a_command_names_the_start_of_the_empty_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JACKPOT_VAR", str(tmp_path / "var"))
    assert main(["--empty", "unit", "press"]) == 1
    assert "make demo ARGS=--empty" in " ".join(capsys.readouterr().out.split())


@pytest.mark.django_db
def test_a_code_is_printed_until_somebody_has_a_role(tmp_path: Path) -> None:
    page = summary_text(Installation(tmp_path, empty=True))
    code = CODE.search(page)
    assert code, page
    assert "http://localhost:8000/setup/" in page
    begin(code[0], "hana", ("Hana", "Reti"), "", PASSWORD)
    assert User.objects.get().username == "hana"
    page = summary_text(Installation(tmp_path, empty=True))
    assert not CODE.search(page)
    assert "http://localhost:8000/login/" in page


def test_no_program_stands_for_tables() -> None:
    names = ("intake", "poster", "worker", "beat", "web", "tables")
    programs, conditions = first_run.without_tables([Program(name, []) for name in names])
    assert [program.name for program in programs] == list(names[:-1])
    listening = {program.name for program in programs if "HEALTH_LISTEN" in program.env}
    assert listening == set(conditions) == {"intake", "poster", "worker"}


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.broker
def test_from_the_code_to_a_press_and_on_after_a_stop(var: Path) -> None:
    empty = Installation(var.with_name("var-empty"), empty=True)
    try:
        with RunningDemo(var, "--empty") as demo:
            code = CODE.search(demo.output)
            assert code, demo.output
            assert become_administrator(demo, code[0]).endswith("/login/")
            for path in ("/setup/", "/demo/"):
                with pytest.raises(HTTPError, match="404"):
                    demo.page(path)
            command(var, "manage", "shell", "-c", SEED)
            pressed = command(var, "unit", "--table", "t1", "press")
            assert "Round started RECORDED no. 2" in " ".join(pressed.split()), pressed
        assert demo.process.returncode == 0, demo.output
        assert not [pid for pid in demo.descendants if is_alive(pid)]
        assert not var.exists()
        with RunningDemo(var, "--empty") as again:
            assert not CODE.search(again.output)
            assert f":{again.port}/login/" in again.output
    finally:
        if empty.postgres.exists():
            PrivatePostgres(empty.postgres).remove()


def become_administrator(demo: RunningDemo, code: str) -> str:
    """Send the form of the first run; the address of the page that follows."""
    browser = build_opener(HTTPCookieProcessor(CookieJar()))
    address = f"http://{LOOPBACK}:{demo.port}/setup/"
    page = browser.open(address, timeout=60).read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert token, page
    fields = {"code": code, "username": "hana", "last_name": "Reti"}
    fields |= {"new": PASSWORD, "again": PASSWORD, "csrfmiddlewaretoken": token[1]}
    answer = browser.open(address, urlencode(fields).encode(), timeout=60)
    return str(answer.geturl())


def command(var: Path, *words: str) -> str:
    """`python -m demo --empty` with these words, in the running one."""
    environment = {name: value for name, value in os.environ.items() if not OURS.match(name)}
    process = subprocess.run(
        [sys.executable, "-m", "demo", "--empty", *words],
        cwd=PROJECT,
        env={**environment, "JACKPOT_VAR": str(var)},
        capture_output=True,
        text=True,
        check=False,
        timeout=STOP_S,
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def test_only_the_first_log_in_of_the_demo_is_known(tmp_path: Path) -> None:
    """An empty console issues every log-in itself."""
    door = VendorDoor(tmp_path, LOOPBACK, 8883)
    assert "main/t13" in door.first_accounts()["passwords"]
    issued_alone = VendorDoor(tmp_path, LOOPBACK, 8883, has_first_log_in=False)
    assert issued_alone.first_accounts() == {"acl": "", "passwords": ""}
