"""A private MQTT broker for the demo and the tests.

Two kinds: Mosquitto, where the machine has one, and amqtt, which comes as a Python package.
Neither is the memory of the console: what they lose is sent again by the tables. They listen
on the loopback interface only, take anybody, and stop with the process that started them.
"""

import os
import shlex
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Literal, get_args

from demo.servers.account import Account, home_for, service_account
from demo.servers.child import Child
from demo.servers.ports import LOOPBACK, answers, free_port, is_free
from demo.servers.server import PrivateServer
from demo.servers.vendor_access import VendorDoor

Kind = Literal["mosquitto", "amqtt"]
SETTING = "JACKPOT_BROKER"
_PROJECT = Path(__file__).resolve().parents[2]
_READY_SECONDS = 60.0
_POLL_SECONDS = 0.01
_OTHER_PORTS = 5  # tried where somebody took the one that was free a moment ago
_PORT_TAKEN = "ddress already in use"


class BrokerError(RuntimeError):
    """The private broker cannot be used; the message says why and what to do."""


class PrivateBroker(PrivateServer):
    """An MQTT broker of our own; a context manager, or start() and stop().

    `directory` takes its configuration, its log and, with `persistent=True` (Mosquitto only),
    what it keeps across restarts. `kind` is `mosquitto`, `amqtt` or `auto`: what
    JACKPOT_BROKER names, else Mosquitto where the machine has it, else amqtt.
    """

    def __init__(
        self,
        directory: Path | str,
        port: int | None = None,
        *,
        kind: str = "auto",
        persistent: bool = False,
        queued_at_most: int = 10_000_000,
        door: VendorDoor | None = None,
    ) -> None:
        """Nothing is started yet. `port` None takes a free one at the first start.

        `door` is open to clients that log in.
        `queued_at_most` messages wait for one client; Mosquitto drops what is beyond.
        """
        super().__init__()
        self._directory = Path(directory)
        self._fixed_port = port
        self._port: int | None = None
        self._other_ports = 0
        self._persistent = persistent
        self.queued_at_most = queued_at_most
        self._door = door
        self.kind: Kind = _kind(kind)

    @property
    def port(self) -> int:
        """The TCP port; it stays the same when this broker is started again."""
        if self._port is None:
            raise BrokerError("This broker has not been started.")
        return self._port

    @property
    def url(self) -> str:
        """`mqtt://host:port`, as the settings take it."""
        return f"mqtt://{LOOPBACK}:{self.port}"

    @property
    def _ports(self) -> list[int]:
        return [self.port, *([self._door.port] if self._door is not None else [])]

    @property
    def accounts_dir(self) -> Path:
        """Where the console writes who may log in at the door; the broker's account reads it."""
        return home_for(self._directory, service_account()) / "accounts"

    @property
    def reload_command(self) -> str:
        """What lets it read them again; empty: it looks by itself."""
        if self.kind != "mosquitto":
            return ""
        program = f"import os, signal; os.kill({self.pid}, signal.SIGHUP)"
        return shlex.join([sys.executable, "-c", program])

    def start(self) -> None:
        """Start it and wait until it accepts connections. Raises BrokerError when it doesn't."""
        self.launch()
        self.wait_until_ready()

    def launch(self) -> None:
        """Start it without waiting: something else may start meanwhile."""
        if self.is_running:
            raise BrokerError("This broker is already running.")
        port = self._fixed_port or self._port
        self._other_ports = 0 if port else _OTHER_PORTS
        self._port = port or free_port()
        # Asked first: later it would be hard to tell whose broker answers there.
        if not is_free(self._port):
            raise BrokerError(f"Something else listens on port {self._port} already.")
        self._child = self._begin()

    def wait_until_ready(self) -> None:
        """Wait until it accepts connections. Raises BrokerError when it ends instead."""
        deadline = time.monotonic() + _READY_SECONDS
        while not all(map(answers, self._ports)):
            if not self.is_running:
                self._try_another_port()
            if time.monotonic() > deadline:
                raise BrokerError(
                    f"The broker ({self.kind}) did not accept connections within"
                    f" {_READY_SECONDS:.0f} s. {self._last_words()}"
                )
            time.sleep(_POLL_SECONDS)

    def stop(self) -> None:
        """Stop it in order: clients see an end of file, retained messages are kept if any are."""
        if self._child is not None and self._is_ours:
            self._child.stop([(signal.SIGTERM, 5.0)])
        self._child = None

    def kill(self) -> None:
        """End it as a crash would: for tests of what survives that."""
        if self._child is not None:
            self._child.kill()
        self._child = None

    def forget(self) -> None:
        """Lose what the ended broker kept across restarts: sessions, queues, retained messages."""
        if self.is_running:
            raise BrokerError("Stop this broker before it can forget.")
        shutil.rmtree(self._storage)

    def _last_words(self) -> str:
        return f"Its log ends:\n{self._child.last_words()}" if self._child else ""

    def _try_another_port(self) -> None:
        """Begin again where only its port was taken; BrokerError where there is no help."""
        words = self._last_words()
        if not self._other_ports or _PORT_TAKEN not in words:
            raise BrokerError(f"The broker ({self.kind}) did not start. {words}")
        self._other_ports -= 1
        self._port = free_port()
        self._child = self._begin()

    def _begin(self) -> Child:
        return self._mosquitto() if self.kind == "mosquitto" else self._amqtt()

    def _mosquitto(self) -> Child:
        program = mosquitto_program()
        if program is None:
            raise BrokerError("No mosquitto on this machine: install it, or use kind='amqtt'.")
        account = service_account()
        home = home_for(self._directory, account)
        storage = self._storage
        storage.mkdir(mode=0o700, exist_ok=True)
        if account is not None:
            os.chown(storage, account.uid, account.gid)
        configuration = home / "mosquitto.conf"
        text = _mosquitto_configuration(self.port, storage, self._persistent, self.queued_at_most)
        if self._door is not None:
            self._make_accounts(self._door, account)
            text += _mosquitto_door(self._door, home, account)
        configuration.write_text(text)
        configuration.chmod(0o644)
        return Child([program, "-c", configuration], home / "broker.log", cwd=home, account=account)

    def _make_accounts(self, door: VendorDoor, account: Account | None) -> None:
        """The folder, and at the first start the log-in that is there from then on."""
        folder = self.accounts_dir
        folder.mkdir(mode=0o750, exist_ok=True)
        for name, text in door.first_accounts().items():
            if not (folder / name).exists():
                (folder / name).touch(0o640)
                (folder / name).write_text(text)
        if account is not None:
            for path in (folder, *folder.iterdir()):
                os.chown(path, -1, account.gid)

    @property
    def _storage(self) -> Path:
        return home_for(self._directory, service_account()) / "kept"

    def _amqtt(self) -> Child:
        self._directory.mkdir(parents=True, exist_ok=True)
        door: list[str] = []
        if self._door is not None:
            door = [self._door.host, str(self._door.port)]
            self._make_accounts(self._door, service_account())
            door += [str(self._door.certificate), str(self._door.key), str(self.accounts_dir)]
        return Child(
            [sys.executable, "-m", "demo.servers.embedded_broker", str(self.port), *door],
            self._directory.resolve() / "broker.log",
            cwd=_PROJECT,
        )


def mosquitto_program() -> Path | None:
    """Mosquitto on this machine; Debian puts it where an ordinary PATH does not look."""
    path = os.pathsep.join([*os.get_exec_path(), "/usr/sbin", "/usr/local/sbin"])
    program = shutil.which("mosquitto", path=path)
    return Path(program) if program else None


def _kind(choice: str) -> Kind:
    if choice == "auto":
        choice = os.environ.get(SETTING) or ("mosquitto" if mosquitto_program() else "amqtt")
    for kind in get_args(Kind):
        if choice == kind:
            return kind  # type: ignore[no-any-return]
    raise BrokerError(f"No broker of the kind '{choice}': take mosquitto, amqtt or auto.")


def _mosquitto_configuration(
    port: int, storage: Path, persistent: bool, queued_at_most: int
) -> str:
    """As in production (deploy/mosquitto.conf), less passwords and TLS."""
    return f"""\
# Written at every start by demo/servers/broker.py.
per_listener_settings true
listener {port} {LOOPBACK}
allow_anonymous true
log_dest stderr
log_type error
log_type warning
log_type notice
connection_messages false
# The defaults (20 and 1000) hold back and then drop messages of QoS 1; 0 has faults of its own.
set_tcp_nodelay true
max_inflight_messages 4000
max_queued_messages {queued_at_most}
max_queued_bytes 268435456
persistence {"true" if persistent else "false"}
persistence_location {storage}/
autosave_on_changes false
autosave_interval 1
"""


def _mosquitto_door(door: VendorDoor, home: Path, account: Account | None) -> str:
    """The second listener; its files where the broker's account reads them."""
    files = {
        "door.crt": door.certificate.read_text(),
        "door.key": door.key.read_text(),
    }
    for name, text in files.items():
        file = home / name
        file.unlink(missing_ok=True)
        file.touch(0o600)
        file.write_text(text)
        if account is not None:
            os.chown(file, account.uid, account.gid)
    return f"""\
listener {door.port} {door.host}
allow_anonymous false
password_file {home}/accounts/passwords
acl_file {home}/accounts/acl
certfile {home}/door.crt
keyfile {home}/door.key
tls_version tlsv1.2
"""
