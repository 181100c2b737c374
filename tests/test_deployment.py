"""The production shape: what compose starts exists, and the broker's access list holds."""

import itertools
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml
from paho.mqtt import client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from pytest_django import Settings

from config import log_ins
from demo.servers.account import service_account
from demo.servers.broker import mosquitto_program
from demo.servers.child import Child
from demo.servers.ports import LOOPBACK, answers, free_port
from settlement.database_roles import grants
from settlement.database_roles import limits as role_limits
from tests.support.servers.secure_broker import account_files
from tests.support.suite.waiting import wait_until

PROJECT = Path(__file__).resolve().parent.parent
COMPOSE = (PROJECT / "docker-compose.yml").read_text()
REFUSED = (psycopg.errors.InsufficientPrivilege, psycopg.errors.ReadOnlySqlTransaction)
_numbers = itertools.count(1)
CONSOLE, UNIT, DISPLAY = "console", "north/t07", "north/t07/readings"


def services() -> dict[str, Any]:
    parsed: dict[str, Any] = yaml.safe_load(COMPOSE)["services"]
    return parsed


def test_parquet_is_an_extra_of_the_image() -> None:
    """By an argument of its build, with the version that the tests read files with."""
    image = (PROJECT / "Dockerfile").read_text()
    assert "${PARQUET:+-r requirements-parquet.txt}" in image
    builds = [each["build"] for each in services().values() if "build" in each]
    assert any("PARQUET" in build["args"] for build in builds)
    pins = [
        re.findall(r"^pyarrow==\S+", (PROJECT / f"requirements-{name}.txt").read_text(), re.M)
        for name in ("parquet", "dev")
    ]
    assert pins[0] == pins[1]
    assert len(pins[0]) == 1


def test_the_script_of_the_roles_finds_its_sql_in_the_databases_container() -> None:
    """The same file as `grant_roles` reads, beside the script as in the project."""
    sql = "settlement/database_roles/password_marks.sql"
    assert f"/../{sql}" in (PROJECT / "deploy" / "roles.sh").read_text()
    mounted = [volume.split(":")[:2] for volume in services()["postgres"]["volumes"]]
    (script,) = [there for here, there in mounted if here == "./deploy/roles.sh"]
    assert [f"./{sql}", str(Path(script).parent.parent / sql)] in mounted


@pytest.mark.parametrize("name", ["intake", "poster", "migrate", "roles"])
def test_commands_that_compose_starts_exist(name: str) -> None:
    from django.core.management import get_commands

    _, script, command, *_ = services()[name]["command"]
    assert (PROJECT / script).exists()
    assert command in get_commands()


def test_every_service_comes_back_by_itself() -> None:
    assert {name: service["restart"] for name, service in services().items()} == {
        **dict.fromkeys(services(), "unless-stopped"),
        "migrate": "on-failure",
        "roles": "on-failure",
    }


def test_what_compose_wants_from_the_environment_is_in_the_example() -> None:
    variables = set(re.findall(r"\$\{(\w+)", COMPOSE))
    example = (PROJECT / "deploy" / "env.example").read_text()
    assert variables == set(re.findall(r"^(\w+)=", example, re.MULTILINE))


def test_compose_passes_what_is_said_of_the_log_in_provider() -> None:
    names = [name for name in log_ins.__all__ if name.startswith(("OIDC_", "PASSWORD_LOG_IN"))]
    worker = yaml.safe_load(COMPOSE)["services"]["worker"]["environment"]
    assert [name for name in names if name not in worker] == []


def test_the_private_key_of_push_is_the_workers_and_browsers_get_the_public_one() -> None:
    """Both tell people of what waits, and read the rules of the place; so does who checks them."""
    having: dict[str, set[str]] = {}
    for name, service in services().items():
        for variable in service.get("environment", {}):
            having.setdefault(variable, set()).add(name)
    workers = {
        name
        for name, each in services().items()
        if "jackpot_worker:" in each.get("environment", {}).get("DATABASE_URL", "")
    }
    assert "worker" in workers
    assert having["PUSH_PRIVATE_KEY"] == workers
    for variable in ("PUSH_PUBLIC_KEY", "DEFAULT_FROM_EMAIL", "ESCALATION", "CONSOLE_ORIGIN"):
        assert having[variable] == {"web", *workers}, variable
    assert having["JURISDICTION_DIR"] == {"web", *workers, "migrate", "roles"}
    for name in ("web", "worker", "migrate"):
        assert any(":/rules:" in volume for volume in services()[name]["volumes"]), name


def test_each_process_has_its_own_role_of_the_database() -> None:
    users = {
        name: service["environment"]["DATABASE_URL"].split("://")[1].split(":")[0]
        for name, service in services().items()
        if "DATABASE_URL" in service.get("environment", {})
    }
    console = {name for name, service in services().items() if "build" in service}
    assert users.keys() == console
    owner = {name for name, user in users.items() if user == "jackpot_owner"}
    assert owner == {"migrate", "roles"}
    lesser = {user for name, user in users.items() if name not in owner}
    assert lesser < {grants.PREFIX + role for role in grants.ROLES}


def test_who_seals_and_opens_secrets_has_their_key() -> None:
    """The worker signs webhooks with what the web process sealed, and opens no second factor; it
    and the poster open no key of a unit."""
    sealing = {"FACTOR_KEY", "WEBHOOK_KEY", "UNIT_KEYS_KEY"}
    keys = {
        name: sealing & service.get("environment", {}).keys()
        for name, service in services().items()
    }
    assert keys["web"] == sealing
    assert keys["worker"] == {"WEBHOOK_KEY"}
    assert {name for name, having in keys.items() if "FACTOR_KEY" in having} == {"web"}
    unit_keys = {name for name, having in keys.items() if "UNIT_KEYS_KEY" in having}
    assert unit_keys == {"web", "intake", "migrate", "roles"}


def test_no_role_takes_the_connections_of_another() -> None:
    """Whoever exhausts the web's finds those of intake and poster untouched."""
    assert role_limits.LIMITS.keys() == set(grants.ROLES)
    together = sum(limits.connections for limits in role_limits.LIMITS.values())
    least = together + role_limits.LEFT_FOR_OWNERS
    assert least <= role_limits.SERVER_CONNECTIONS
    command = services()["postgres"]["command"]
    (set_here,) = [int(each.split("=")[1]) for each in command if "max_connections=" in each]
    assert set_here >= role_limits.SERVER_CONNECTIONS


def test_the_web_processes_of_compose_fit_into_their_role(settings: Settings) -> None:
    processes = int(services()["web"]["environment"]["WEB_CONCURRENCY"])
    assert processes >= 2
    # A pool and a watch each, and while one is replaced its successor's.
    pool = settings.WEB_REQUESTS_AT_ONCE + 2
    assert (processes + 1) * pool <= role_limits.LIMITS["web"].connections


def test_the_web_of_compose_is_healthy_when_it_is_ready(console_url: str) -> None:
    *_, program = services()["web"]["healthcheck"]["test"]
    assert "http://127.0.0.1:8000/health/ready" in program
    program_here = program.replace("http://127.0.0.1:8000", console_url)
    healthy = subprocess.run([sys.executable, "-c", program_here], check=False, capture_output=True)
    assert healthy.returncode == 0
    elsewhere = program_here.replace("/ready", "/elsewhere")
    ill = subprocess.run([sys.executable, "-c", elsewhere], check=False, capture_output=True)
    assert ill.returncode != 0


@pytest.mark.parametrize("name", ["intake", "poster", "worker", "beat"])
def test_every_other_process_of_compose_is_healthy_when_it_is_ready(name: str) -> None:
    service = services()[name]
    *_, program = service["healthcheck"]["test"]
    assert service["environment"]["HEALTH_LISTEN"] == "${HEALTH_LISTEN:-127.0.0.1:9100}"
    assert "http://127.0.0.1:9100/health/ready" in program


def test_nobody_cuts_the_work_of_intake_and_poster_short() -> None:
    assert not role_limits.LIMITS["intake"].settings
    assert not role_limits.LIMITS["poster"].settings


def test_files_that_compose_mounts_exist() -> None:
    mounted = re.findall(r"\./(deploy/[\w./]+):", COMPOSE)
    assert mounted
    assert all(
        (PROJECT / path).exists() for path in mounted if not path.startswith("deploy/secrets")
    )


def test_the_image_takes_every_floor_and_not_the_demo() -> None:
    copied = set(
        re.findall(r"^COPY (\w+) \w+$", (PROJECT / "Dockerfile").read_text(), re.MULTILINE)
    )
    assert copied == {
        *("rules", "config", "tables", "jackpot", "settlement", "templates", "locale")
    }


@pytest.fixture(scope="module")
def guarded_port() -> Iterator[int]:
    """A Mosquitto with the configuration of production, less TLS, and accounts as the console
    writes them."""
    mosquitto = mosquitto_program()
    if mosquitto is None:
        pytest.skip("ACCESS LIST NOT TESTED: mosquitto is not installed")
    account = service_account()
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="jackpot-tests-") as path:
        directory = Path(path)
        directory.chmod(0o711)
        for name, text in account_files([UNIT, DISPLAY]).items():
            (directory / name).write_bytes(text)
            (directory / name).chmod(0o644)
        configuration = directory / "mosquitto.conf"
        configuration.write_text(_without_tls(directory, port))
        broker = Child(
            [mosquitto, "-c", configuration], directory / "log", cwd=directory, account=account
        )
        try:
            wait_until(lambda: answers(port) or not broker.is_running, what="Mosquitto")
            assert broker.is_running, broker.last_words()
            yield port
        finally:
            broker.kill()


def _without_tls(directory: Path, port: int) -> str:
    """deploy/mosquitto.conf for this machine: no certificates, nothing kept."""
    text = (PROJECT / "deploy" / "mosquitto.conf").read_text()
    text = re.sub(r"^(cafile|certfile|keyfile|tls_version) .*\n", "", text, flags=re.MULTILINE)
    text = text.replace("listener 8883", f"listener {port} {LOOPBACK}")
    text = text.replace("/mosquitto/accounts/passwords", str(directory / "passwords"))
    text = text.replace("/mosquitto/accounts/acl", str(directory / "acl"))
    text = re.sub(r"^include_dir .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^persistence true", "persistence false", text, flags=re.MULTILINE)
    return text.replace("log_dest stdout", "log_dest stderr")


class Person:
    """A client under a user name, for one test."""

    def __init__(self, port: int, user: str, password: str = "secret") -> None:
        self.heard: list[str] = []
        self.refused = False
        # Protocol 5: there the broker says when it drops what is not allowed.
        self.client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self.client.username_pw_set(user, password)
        self.client.on_message = lambda _c, _u, message: self.heard.append(message.topic)
        self.client.on_connect = self._on_connect
        self.client.on_publish = self._on_publish
        self.client.on_subscribe = lambda _c, _u, mid, *_: self._subscribed.add(mid)
        self._connected = False
        self._answers: dict[int, bool] = {}
        self._subscribed: set[int] = set()
        self.client.connect(LOOPBACK, port)
        self.client.loop_start()
        wait_until(lambda: self._connected or self.refused, what="the broker's answer")

    def may_write(self, topics: Iterable[str]) -> set[str]:
        """Those of the topics on which the broker takes our messages.

        All are sent at once: Mosquitto keeps a refused sender waiting for a second.
        """
        mids = {topic: self.client.publish(topic, b"x", qos=1).mid for topic in topics}
        wait_until(lambda: self._answers.keys() >= set(mids.values()), what="acknowledgements")
        return {topic for topic, mid in mids.items() if self._answers[mid]}

    def hears(self, writer: "Person", topic: str, sure: "Person | None" = None) -> bool:
        """Whether a message on this topic reaches us, before one that surely does.

        The sure one comes from the writer too, unless it may not write it.
        """
        sure_topic = f"jackpot/v1/north/console/sure-{next(_numbers)}"
        _, mid = self.client.subscribe([(topic, 1), (sure_topic, 1)])
        wait_until(lambda: mid in self._subscribed, what="the subscription")
        assert writer.may_write([topic])
        assert (sure or writer).may_write([sure_topic])
        wait_until(lambda: sure_topic in self.heard, what="the message that surely arrives")
        return topic in self.heard

    def leave(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()

    def _on_connect(self, _c: Any, _u: Any, _f: Any, reason: Any, _p: Any) -> None:
        self.refused = reason.is_failure
        self._connected = not reason.is_failure

    def _on_publish(self, _c: Any, _u: Any, mid: int, reason: Any, _p: Any) -> None:
        self._answers[mid] = not reason.is_failure


NORTH = "jackpot/v1/north"
# What somebody might like to write, and each one's own.
TOPICS = {
    *(f"{NORTH}/t07/{kind}" for kind in ("events", "presence", "readings", "receipts")),
    *(f"{NORTH}/t08/{kind}" for kind in ("events", "presence", "readings", "receipts")),
    *("jackpot/v1/south/t07/events", "jackpot/v1/south/t07/readings"),
    *(f"{NORTH}/display", f"{NORTH}/console/intake-1", "elsewhere"),
}
MAY_WRITE = {
    UNIT: {f"{NORTH}/t07/events", f"{NORTH}/t07/presence"},
    DISPLAY: {f"{NORTH}/t07/readings"},
    CONSOLE: {
        *(f"{NORTH}/t07/receipts", f"{NORTH}/t08/receipts"),
        *(f"{NORTH}/display", f"{NORTH}/console/intake-1"),
    },
}


@pytest.fixture(scope="module")
def people(guarded_port: int) -> Iterator[dict[str, Person]]:
    """A connected client of every user name."""
    people = {user: Person(guarded_port, user) for user in (CONSOLE, UNIT, DISPLAY)}
    yield people
    for person in people.values():
        person.leave()


@pytest.mark.broker
@pytest.mark.parametrize("user", [UNIT, DISPLAY, CONSOLE])
def test_who_may_write_what(people: dict[str, Person], user: str) -> None:
    assert people[user].may_write(TOPICS) == MAY_WRITE[user]


HEARS = [
    (UNIT, CONSOLE, "jackpot/v1/north/t07/receipts", True),
    (UNIT, CONSOLE, "jackpot/v1/north/t08/receipts", False),
    (UNIT, CONSOLE, "jackpot/v1/north/display", True),
    (DISPLAY, CONSOLE, "jackpot/v1/north/display", True),
    (DISPLAY, CONSOLE, "jackpot/v1/north/t07/receipts", False),
]


@pytest.mark.broker
@pytest.mark.parametrize(("reader", "writer", "topic", "allowed"), HEARS)
def test_who_may_read_what(
    people: dict[str, Person], reader: str, writer: str, topic: str, allowed: bool
) -> None:
    assert people[reader].hears(people[writer], topic) is allowed


@pytest.mark.broker
def test_nobody_hears_another_tables_events(people: dict[str, Person]) -> None:
    listening = people[DISPLAY]
    listening.client.subscribe("jackpot/v1/#", qos=1)
    assert listening.hears(people[CONSOLE], "jackpot/v1/north/display")
    assert not listening.hears(people[UNIT], "jackpot/v1/north/t07/events", sure=people[CONSOLE])


@pytest.mark.broker
@pytest.mark.parametrize(("user", "password"), [(UNIT, "guess"), ("north/t99", "secret")])
def test_strangers_are_refused(guarded_port: int, user: str, password: str) -> None:
    person = Person(guarded_port, user, password)
    assert person.refused
    person.leave()
