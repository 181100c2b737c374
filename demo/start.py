"""`make demo`: a whole casino on this machine, from its database to its simulated tables."""

import hashlib
import inspect
import json
import logging
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from rich.console import Console, RenderableType

from demo.servers.account import AccountError
from demo.servers.broker import BrokerError, PrivateBroker
from demo.servers.installation import PROJECT, Installation, InstallationError
from demo.servers.ports import LOOPBACK, answers, free_port, is_free
from demo.servers.postgres import PostgresError, PrivatePostgres
from demo.servers.postgres_binaries import BinariesError
from demo.servers.processes import Supervisor
from demo.servers.vendor_access import VendorDoor
from demo.steps import Steps
from demo.stopping import Stopping
from demo.witness import DemoWitness

FAULTS = (AccountError, BinariesError, BrokerError, InstallationError, PostgresError)
_FIRST_PORT, _LAST_PORT = 8000, 8099
_READY_SECONDS = 120.0
_LOOK_SECONDS = 0.05
_PACKAGES = ("config", "demo", "jackpot", "rules", "settlement", "tables", "verifier")


@dataclass(frozen=True)
class Wishes:
    """What was asked for on the command line."""

    host: str = LOOPBACK
    port: int | None = None
    speed: float = 2.0
    hands: float | None = None  # None: as `simulate_tables` has it
    empty: bool = False  # nobody in it yet: the first run

    @property
    def is_open_to_all(self) -> bool:
        """Whether other devices may look at the demo."""
        return self.host == "0.0.0.0"  # noqa: S104 - only because somebody asked for it

    @property
    def here(self) -> str:
        """Where a browser on this machine finds it."""
        return LOOPBACK if self.is_open_to_all else self.host

    @property
    def public_host(self) -> str:
        """The same by a name, where it has one: browsers take no passkey for a bare address."""
        return "localhost" if self.here == LOOPBACK else self.here


@dataclass
class Services:
    """The servers of this run, and what tells whether they are still there."""

    environment: dict[str, str] = field(default_factory=dict)
    postgres: PrivatePostgres | None = None  # None: the environment names a database
    door: VendorDoor | None = None  # for a client of a visitor's own, at the private broker
    needed: dict[str, Callable[[], bool]] = field(default_factory=dict)


@dataclass(frozen=True)
class _Run:
    """What must stay well while the programs come up."""

    installation: Installation
    supervisor: Supervisor
    services: Services
    stopping: Stopping

    def look_after(self, waiting: list[str], deadline: float) -> None:
        """One look at what runs while others are still waited for."""
        time.sleep(_LOOK_SECONDS)
        self.stopping.check()
        self.supervisor.look_after()
        for name, is_there in self.services.needed.items():
            if not is_there():
                raise InstallationError(f"{name} has ended; see {self.installation.var}.")
        if waiting and time.monotonic() > deadline:
            logs = ", ".join(str(self.installation.logs / f"{name}.log") for name in waiting)
            raise InstallationError(f"Not up after {_READY_SECONDS:.0f} s: see {logs}.")


def start(wishes: Wishes, console: Console) -> int:
    """Start everything, say where it is, watch it until SIGINT or SIGTERM, stop it in order.

    Returns the exit code. Raises one of FAULTS when something cannot be started, StopAsked when
    somebody asks to stop before it is up.
    """
    start_s = time.monotonic()
    installation = Installation.here(empty=wishes.empty)
    installation.prepare()
    with ExitStack() as stack:
        stack.enter_context(installation.claimed())
        stopping = Stopping()
        port = _choose_port(wishes)
        with Steps(console) as steps:
            _compile_modules(steps)
            door = VendorDoor.choose(installation.own_client, wishes.host)
            services = _start_services(installation, stack, steps, door)
            stopping.check()
            # An empty console has no systems yet, and a witness is notified of them when it starts.
            witness = None if wishes.empty else DemoWitness.of(installation)
            services.environment |= _web_environment(wishes, port)
            services.environment |= witness.environment() if witness is not None else {}
            os.environ.update(services.environment)
            _prepare_database(services, steps, installation)
            if not wishes.empty:
                _seed(steps)
            stopping.check()
            supervisor = stack.enter_context(
                Supervisor(installation.logs, lambda line: console.print(line, style="yellow"))
            )
            stopping.tell(supervisor.request_stop)
            run = _Run(installation, supervisor, services, stopping)
            _start_programs(run, steps, wishes, port, witness)
        address = f"http://{wishes.public_host}:{port}"
        console.print(_summary(installation, address, time.monotonic() - start_s, services.door))
        installation.tell_running(address, services.environment)
        with _stand_ins(wishes):
            _let_go_of_database()
            code = supervisor.run(services.needed)
            stopping.begin()
        console.print("Stopping ...")
    again, forgotten = installation.command("demo"), installation.command("demo-reset")
    console.print(f"Stopped. {again} goes on where it was; {forgotten} forgets it all.")
    return code


def _summary(
    installation: Installation, address: str, seconds: float, door: VendorDoor | None
) -> RenderableType:
    from demo import first_run, summary

    if installation.empty:
        return first_run.summary(installation, address, seconds, door)
    return summary.summary(installation, address, seconds, summary.own_client(door))


def _stand_ins(wishes: Wishes) -> AbstractContextManager[object]:
    from demo.casino.visitor_units import StandIns

    return nullcontext() if wishes.empty else StandIns()


def _compile_modules(steps: Steps) -> None:
    """Once for all: on the first start each of seven processes would do it for itself."""
    if not sys.dont_write_bytecode:
        with steps.step("Modules") as step:
            compiler = [sys.executable, "-m", "compileall", "-q", "-j", "0", *_PACKAGES]
            subprocess.run(compiler, cwd=PROJECT, check=True)
            step.note("compiled")


def _start_services(
    installation: Installation, stack: ExitStack, steps: Steps, door: VendorDoor | None
) -> Services:
    """PostgreSQL and broker: those that the environment names, else private ones.

    Private ones are the embedded ones, so that the demo is the same on every machine;
    JACKPOT_PG_BIN and JACKPOT_BROKER choose what is installed here.
    """
    services = Services(environment=installation.environment())
    database_url, mqtt_url = os.environ.get("DATABASE_URL"), os.environ.get("MQTT_URL")
    if not database_url:
        with steps.step("PostgreSQL") as step:
            step.note("a private one; the first time its files are made")
            postgres = stack.enter_context(
                PrivatePostgres(
                    installation.postgres, binaries=os.environ.get("JACKPOT_PG_BIN", "embedded")
                )
            )
            database_url = postgres.url
            step.note(f"private, {LOOPBACK}:{database_url.rpartition(':')[2].split('/')[0]}")
        services.postgres = postgres
        services.needed["PostgreSQL"] = lambda: postgres.is_running
    if not mqtt_url:
        with steps.step("MQTT broker") as step:
            kind = os.environ.get("JACKPOT_BROKER", "amqtt")
            if door is not None:
                door.prepare()
            if installation.empty and door is not None:
                door = replace(door, has_first_log_in=False)
            broker = stack.enter_context(PrivateBroker(installation.broker, kind=kind, door=door))
            mqtt_url = broker.url
            step.note(f"private, {broker.kind} at {mqtt_url}")
            services.door = door
            if door is not None:
                services.environment |= {
                    "BROKER_ACCOUNTS_DIR": str(broker.accounts_dir),
                    "BROKER_RELOAD_COMMAND": broker.reload_command,
                    "UNIT_BROKER_URL": f"mqtts://localhost:{door.port}",
                    "UNIT_BROKER_CA": str(door.certificate),
                }
        services.needed["The MQTT broker"] = lambda: broker.is_running
    services.environment |= {"DATABASE_URL": database_url, "MQTT_URL": mqtt_url}
    return services


def _prepare_database(services: Services, steps: Steps, installation: Installation) -> None:
    """From here on Django reads its settings from the environment."""
    import django

    with steps.step("Database") as step:
        step.note("the console is loaded")
        django.setup()
        logging.getLogger().setLevel(logging.CRITICAL)  # this process speaks by its steps
        from django.core.management import call_command
        from django.db.utils import OperationalError, ProgrammingError

        from settlement.audit import file_keys
        from settlement.database_roles import grants

        step.note("tables are made")
        try:
            _refuse_earlier_data(installation)
            call_command("migrate", verbosity=0, interactive=False)
            installation.migrations.write_text(json.dumps(_migrations()))
            if services.postgres is not None:
                grants.apply(_by_role(services.postgres.password_of))
            file_keys.begin_first()
        except OperationalError as fault:
            raise InstallationError(f"The database cannot be used: {fault}") from fault
        except ProgrammingError as fault:  # it has other tables than today's
            raise _earlier_data(installation) from fault
        step.note("up to date")


def _seed(steps: Steps) -> None:
    """The demo's own casinos, where they are missing."""
    from demo.casino.past import create_past
    from demo.casino.seed_data import create_seed_data

    with steps.step("Past") as step:
        create_past(step.note)
        step.note("Sierra Card Room: three evenings, two of them closed")
    with steps.step("Casino") as step:
        create_seed_data(step.note)
        step.note("Harbour Casino: two systems, thirteen tables, seven people")


def _refuse_earlier_data(installation: Installation) -> None:
    """Migrations of a version that was never released may have other names today, or say else."""
    from django.db import connection
    from django.db.migrations.loader import MigrationLoader

    loader = MigrationLoader(connection)
    path, today = installation.migrations, _migrations()
    then = json.loads(path.read_text()) if path.exists() else {}
    applied = set(loader.applied_migrations or ())
    changed = any(
        then.get(name, text) != text
        for name, text in today.items()
        if (*name.split("."),) in applied
    )
    if changed or applied - set(loader.disk_migrations or ()):
        raise _earlier_data(installation)


def _earlier_data(installation: Installation) -> InstallationError:
    return InstallationError(
        "The demo's data is of an earlier version:"
        f" {installation.command('demo-reset')}, then start again."
    )


def _migrations() -> dict[str, str]:
    """The console's own by name, each with the hash of its file."""
    from django.db.migrations.loader import MigrationLoader

    loader = MigrationLoader(None)
    return {
        f"{app}.{name}": hashlib.sha256(Path(inspect.getfile(type(each))).read_bytes()).hexdigest()
        for (app, name), each in (loader.disk_migrations or {}).items()
        if app in ("tables", "jackpot", "settlement")
    }


def _by_role(make: Callable[[str], str]) -> dict[str, str]:
    """Something for each of the database's lesser roles, made of the role's full name."""
    from settlement.database_roles import grants

    return {role: make(grants.PREFIX + role) for role in grants.ROLES}


def _start_programs(
    run: "_Run", steps: Steps, wishes: Wishes, port: int, witness: DemoWitness | None
) -> None:
    """Start all programs at once and wait until each does what it is there for."""
    from django.urls import reverse
    from django.utils import timezone

    from demo import first_run, health
    from demo.programs import programs

    since = timezone.now()
    alive = run.installation.beat_alive
    login = reverse("login")
    with health.Subscriber(f"jackpot-demo-{os.getpid()}") as subscriber:
        conditions: dict[str, tuple[str, Callable[[], bool]]] = {
            "intake": ("listens to all tables", subscriber.hears_intake),
            "poster": ("posts both systems", health.is_posting),
            "worker": ("displays get values", subscriber.hears_displays),
            "beat": ("sends tasks", lambda: health.is_touched(alive, since)),
            "web": (
                f"http://{wishes.public_host}:{port}",
                lambda: health.is_served(wishes.here, port, login),
            ),
            "tables": ("all online", lambda: health.are_tables_online(since)),
        }
        waiting = {}
        postgres = run.services.postgres
        databases = _by_role(postgres.url_as) if postgres is not None else {}
        to_play = (wishes.host, port, wishes.speed, databases)
        to_start = programs(run.installation, *to_play, hands=wishes.hands)
        if wishes.empty:
            to_start, ready = first_run.without_tables(to_start)
            conditions |= ready
        if witness is not None:
            to_start.insert(0, witness.program())
            conditions["witness"] = (
                f"cosigns at {witness.address}",
                partial(answers, witness.port),
            )
        for program in to_start:
            waiting[program.name] = steps.begin(program.name.capitalize())
            run.supervisor.start(program)
        deadline = time.monotonic() + _READY_SECONDS
        while waiting:
            for name in list(waiting):
                note, holds = conditions[name]
                if holds():
                    waiting[name].note(note)
                    waiting.pop(name).finish()
            run.look_after(list(waiting), deadline)


def _choose_port(wishes: Wishes) -> int:
    """The port that was asked for, else the first free one from 8000 on."""
    if wishes.port is not None:
        if not is_free(wishes.port):
            raise InstallationError(
                f"Something else listens on port {wishes.port}. Name another one, or none."
            )
        return wishes.port
    usual = (port for port in range(_FIRST_PORT, _LAST_PORT + 1) if is_free(port))
    return next(usual, None) or free_port()


def _web_environment(wishes: Wishes, port: int) -> dict[str, str]:
    """The names under which browsers may ask for the console, and where the public does."""
    names, public = {"localhost", LOOPBACK, wishes.here}, wishes.public_host
    if wishes.is_open_to_all:
        name = socket.gethostname()
        addresses = socket.gethostbyname_ex(name)[2]
        names |= {name, *addresses}
        # A phone reads the code on a display: the loopback of this machine says nothing to it.
        public = next((each for each in addresses if not each.startswith("127.")), name)
    allowed_hosts = os.environ.get("ALLOWED_HOSTS")
    return {
        "ALLOWED_HOSTS": allowed_hosts or ",".join(sorted(names)),
        "PUBLIC_ORIGIN": os.environ.get("PUBLIC_ORIGIN") or f"http://{public}:{port}",
    }


def _let_go_of_database() -> None:
    from django.db import connections

    connections.close_all()
