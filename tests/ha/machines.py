"""Three machines on one: etcd on each, PostgreSQL under Patroni on two, HAProxy and PgBouncer.

Their configuration is that of deploy/ha, filled in with free ports of the loopback interface.
"""

import hmac
import json
import os
import random
import secrets
import shutil
import signal
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from demo.servers import postgres_binaries
from demo.servers.account import service_account
from demo.servers.ports import LOOPBACK, free_port
from demo.servers.postgres import DATABASE, USER
from deploy.ha import render
from tests.ha.power import Disk, compiler
from tests.ha.services import Service, program, send
from tests.support.suite.waiting import wait_until

MACHINES = ("a", "b", "c")
PAIR = ("a", "b")  # those with PostgreSQL
START_S = 60.0
DATABASE_KINDS = ("etcd", "patroni", "haproxy", "pgbouncer")
BROKER_KINDS = ("epmd", "rabbitmq", "haproxy")


class Machines:
    """The servers of all three; `start` makes the cluster and waits until both disks have it.

    To the crash house it is what a private PostgreSQL is, reached through the HAProxy of `c`,
    where nobody is killed.
    """

    def __init__(self, directory: Path, kinds: Sequence[str] = DATABASE_KINDS) -> None:
        self.directory, self._kinds = directory, kinds
        self._account = service_account()
        self._owner_password = secrets.token_urlsafe(24)
        self._secrets = {
            name: secrets.token_urlsafe(18)
            for name in ("POSTGRES_PASSWORD", "REPLICATION_PASSWORD", "PATRONI_PASSWORD")
        }
        self.ports = {
            f"{name}_{machine.upper()}": str(free_port())
            for name in render.PORTS
            for machine in MACHINES
        }
        self.local_ports = {
            machine: {name: str(free_port()) for name in render.LOCAL_PORTS} for machine in MACHINES
        }
        self.web_ports = {machine: free_port() for machine in MACHINES}
        self.mqtt_ports = {machine: free_port() for machine in MACHINES}
        self._names_port = free_port()  # by which Erlang's nodes find each other
        # Without a compiler no power is cut.
        self.disks = {
            machine: Disk(self._state(machine) / "postgres", self._state(machine) / "unsynced.log")
            for machine in (PAIR if compiler() else ())
        }
        self.services: dict[str, Service] = {
            service.name: service for machine in MACHINES for service in self._services(machine)
        }

    # --- addresses ----------------------------------------------------------------------------

    @property
    def url(self) -> str:
        """As the owner, by the HAProxy that stays."""
        return self.url_by("c", USER)

    def url_as(self, role: str) -> str:
        return self.url_by("c", role)

    @property
    def probe_url(self) -> str:
        """A database beside the casino's, at the primary."""
        return f"{self.url.rpartition('/')[0]}/postgres"

    def url_by(self, machine: str, role: str, *, pooled: bool = False) -> str:
        """The primary as this machine's processes reach it; `pooled`: through PgBouncer."""
        port = self.local_ports[machine]["PGBOUNCER_PORT" if pooled else "DATABASE_PORT"]
        return f"postgresql://{role}:{self.password_of(role)}@{LOOPBACK}:{port}/{DATABASE}"

    @property
    def read_url(self) -> str:
        """The standby, as the owner, by the HAProxy that stays."""
        port = self.local_ports["c"]["READ_PORT"]
        return f"postgresql://{USER}:{self.password_of(USER)}@{LOOPBACK}:{port}/{DATABASE}"

    def mqtt_url_by(self, machine: str) -> str:
        """The broker as this machine's processes reach it."""
        return f"mqtt://{LOOPBACK}:{self.mqtt_ports[machine]}"

    def url_of(self, machine: str, database: str = DATABASE) -> str:
        """PostgreSQL of one machine itself, primary or not, as its administrator."""
        password, port = self._secrets["POSTGRES_PASSWORD"], self._port("POSTGRES_PORT", machine)
        return f"postgresql://postgres:{password}@{LOOPBACK}:{port}/{database}"

    def password_of(self, role: str) -> str:
        if role == USER:
            return self._owner_password
        return hmac.new(self._owner_password.encode(), role.encode(), "sha256").hexdigest()

    # --- beginnings and ends --------------------------------------------------------------------

    @property
    def pids(self) -> set[int]:
        return {pid for service in self.services.values() for pid in service.pids}

    def start(self) -> None:
        """The first start: AssertionError with the last words of what did not come."""
        for kind in ("etcd", "patroni", "haproxy"):
            for service in self._of_kind(kind):
                service.start()
        self._wait(lambda: self.leader() is not None, "a primary")
        self._wait(self.is_synchronous, "a synchronous standby")
        self._make_database()

    def start_pools(self, roles: list[str]) -> None:
        """PgBouncer takes its clients' passwords as the server has them."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            rows = connection.execute(
                "SELECT rolname, rolpassword FROM pg_authid WHERE rolname = ANY(%s)", [roles]
            ).fetchall()
        lines = "".join(f'"{name}" "{password}"\n' for name, password in rows)
        for machine in MACHINES:
            path = self._configuration(machine) / "userlist.txt"
            path.write_text(lines)
            self._give(path)
            self.services[f"pgbouncer-{machine}"].start()

    def stop(self) -> None:
        """End all of it at once: nobody reads its files any more."""
        for service in self.services.values():
            service.kill()

    def kill(self, number: signal.Signals = signal.SIGKILL) -> None:
        """PostgreSQL and Patroni of the primary, all processes at once."""
        self.patroni(self.leader() or "").signal(number)

    def kill_server(self, machine: str) -> None:
        """PostgreSQL alone, all processes at once; Patroni lives."""
        send(signal.SIGKILL, self.patroni(machine).left_behind())

    def cut_power(self, *machines: str, dice: random.Random | None = None) -> int:
        """PostgreSQL and Patroni are gone at once, with all that their disks were not told to keep;
        how many pages that is.
        """
        for machine in machines:
            self.patroni(machine).signal(signal.SIGSTOP)
        for machine in machines:
            self.patroni(machine).kill()
        return sum(self.disks[machine].cut(dice) for machine in machines)

    def patroni(self, machine: str) -> Service:
        return self.services[f"patroni-{machine}"]

    def of_machine(self, machine: str) -> list[Service]:
        return [self.services[name] for name in self.services if name.endswith(f"-{machine}")]

    # --- what Patroni says ----------------------------------------------------------------------

    def leader(self) -> str | None:
        """The machine that says it is the primary."""
        return next(filter(self.leads, PAIR), None)

    def leads(self, machine: str) -> bool:
        return self._says(machine, "/primary")

    def is_synchronous(self) -> bool:
        """Whether the other one has all that is answered from here on, by Patroni's word and by
        that of the server that leads."""
        leader = self.leader()
        if leader is None or not any(self._says(each, "/synchronous") for each in PAIR):
            return False
        query = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
        with (
            suppress(psycopg.OperationalError),
            psycopg.connect(self.url_of(leader, "postgres"), connect_timeout=5) as connection,
        ):
            return connection.execute(query).fetchone() is not None
        return False

    def _says(self, machine: str, path: str) -> bool:
        address = f"http://{LOOPBACK}:{self._port('PATRONI_PORT', machine)}{path}"
        try:
            with urllib.request.urlopen(address, timeout=2) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def has_number(self, number: int) -> bool:
        """Whether a probe's commit is there (`tests.ha.probes`)."""
        leader = self.leader()
        assert leader is not None
        query = "SELECT 1 FROM acknowledged WHERE number = %s"
        with psycopg.connect(self.url_of(leader, "postgres")) as connection:
            return connection.execute(query, [number]).fetchone() is not None

    def cluster(self) -> dict[str, Any]:
        """What Patroni knows of both, for messages."""
        for machine in PAIR:
            address = f"http://{LOOPBACK}:{self._port('PATRONI_PORT', machine)}/cluster"
            with suppress(OSError), urllib.request.urlopen(address, timeout=2) as answer:
                return dict(json.load(answer))
        return {}

    # --- making them ------------------------------------------------------------------------------

    def _services(self, machine: str) -> Iterator[Service]:
        configuration, state = self._configuration(machine), self._state(machine)
        values = {
            **self._secrets,
            **self.ports,
            **self.local_ports[machine],
            "MACHINE": machine,
            "HOST": LOOPBACK,
            **{f"HOST_{each.upper()}": LOOPBACK for each in MACHINES},
            "WEB_BIND": f"{LOOPBACK}:{self.web_ports[machine]}",
            "MQTT_BIND": f"{LOOPBACK}:{self.mqtt_ports[machine]}",
            "MQTT_OTHERS": "" if "rabbitmq" in self._kinds else "backup",
            **{f"NODE_{each.upper()}": f"jackpot-{each}@localhost" for each in MACHINES},
            "STATE_DIR": str(state),
            "POSTGRES_BIN": str(postgres_binaries.find().bin),
        }
        for path in render.render(values, configuration):
            self._give(path)
        argv: dict[str, list[str | Path]] = {
            "etcd": ["--config-file", configuration / "etcd.yml"],
            "patroni": [configuration / "patroni.yml"],
            "haproxy": ["-db", "-f", configuration / "haproxy.cfg"],
            "pgbouncer": [configuration / "pgbouncer.ini"],
            "epmd": ["-port", str(self._names_port), "-address", LOOPBACK],
            "rabbitmq": [],
        }
        env: dict[str, dict[str, str]] = {
            "patroni": self._disk(machine),
            "rabbitmq": self._rabbitmq(machine),
        }
        for kind in self._kinds:
            if (kind == "patroni" and machine not in PAIR) or (kind == "epmd" and machine != "c"):
                continue
            executable = program(kind)
            assert executable is not None, kind
            yield Service(
                f"{kind}-{machine}",
                [executable, *argv[kind]],
                self.directory / f"{kind}-{machine}.log",
                account=self._account,
                pid_file=state / "postgres/data/postmaster.pid" if kind == "patroni" else None,
                unit=configuration / "systemd/patroni.conf" if kind == "patroni" else None,
                env={"HOME": str(state), **env.get(kind, {})},
            )

    def _rabbitmq(self, machine: str) -> dict[str, str]:
        configuration, state = self._configuration(machine), self._state(machine)
        plugins = configuration / "enabled_plugins"
        shutil.copy(render.HERE / "enabled_plugins", plugins)
        cookie = state / ".erlang.cookie"
        if not cookie.exists():
            cookie.write_text(self._secrets["PATRONI_PASSWORD"])
            cookie.chmod(0o400)
        for path in (plugins, cookie):
            self._give(path)
        return {
            "ERL_EPMD_PORT": str(self._names_port),
            "RABBITMQ_NODENAME": f"jackpot-{machine}@localhost",
            "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_MNESIA_BASE": str(self._folder(state / "rabbitmq")),
            "RABBITMQ_LOG_BASE": str(self._folder(state / "rabbitmq-log")),
            "RABBITMQ_PID_FILE": str(state / "rabbitmq.pid"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(plugins),
            "RABBITMQ_CONFIG_FILE": str(configuration / "rabbitmq.conf"),
            # Three nodes share this machine's processors.
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 1:1 +sbwt none",
        }

    def _disk(self, machine: str) -> dict[str, str]:
        return self.disks[machine].prepare() if machine in self.disks else {}

    def _configuration(self, machine: str) -> Path:
        return self._folder(self.directory / f"machine-{machine}" / "configuration")

    def _state(self, machine: str) -> Path:
        state = self._folder(self.directory / f"machine-{machine}" / "state")
        for name in ("etcd", "postgres"):
            self._folder(state / name)
        return state

    def _folder(self, path: Path) -> Path:
        if not path.exists():
            path.mkdir(parents=True)
            path.parent.chmod(0o711)
            path.chmod(0o700)
            self._give(path)
        return path

    def _give(self, path: Path) -> None:
        if self._account is not None:
            os.chown(path, self._account.uid, self._account.gid)

    def _port(self, name: str, machine: str) -> str:
        return self.ports[f"{name}_{machine.upper()}"]

    def _of_kind(self, kind: str) -> list[Service]:
        return [each for name, each in self.services.items() if name.startswith(f"{kind}-")]

    def _make_database(self) -> None:
        leader = self.leader()
        assert leader is not None
        with psycopg.connect(self.url_of(leader, "postgres"), autocommit=True) as connection:
            connection.execute(
                sql.SQL("CREATE ROLE {} SUPERUSER LOGIN PASSWORD {}").format(
                    sql.Identifier(USER), sql.Literal(self._owner_password)
                )
            )
            connection.execute(
                sql.SQL("CREATE DATABASE {} OWNER {}").format(
                    sql.Identifier(DATABASE), sql.Identifier(USER)
                )
            )

    def _wait(self, condition: Callable[[], object], what: str) -> None:
        try:
            wait_until(condition, START_S, what)
        except AssertionError as fault:
            fault.add_note(self.last_words())
            raise

    def last_words(self) -> str:
        """The ends of all logs."""
        return "\n".join(f"--- {each.name}\n{each.last_words()}" for each in self.services.values())
