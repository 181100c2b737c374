"""A private RabbitMQ for one test: compose has Celery on one, so Celery is tested on one."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

from demo.servers.account import home_for, service_account
from demo.servers.child import Child
from demo.servers.ports import LOOPBACK, answers, free_port
from tests.support.suite.waiting import wait_until

# Where packages put the program itself; what they put on the PATH starts it under their account.
_PROGRAMS = ("/usr/lib/rabbitmq/bin/rabbitmq-server", "/opt/rabbitmq/sbin/rabbitmq-server")


def rabbitmq_program() -> Path | None:
    """RabbitMQ on this machine, with the part of Erlang that its nodes find each other by."""
    program = next((path for path in _PROGRAMS if Path(path).is_file()), None)
    return Path(program) if program and shutil.which("epmd") else None


class PrivateRabbitMQ:
    """A node on free ports of the loopback interface; a context manager."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._port, self._names_port = free_port(), free_port()
        self._child: Child | None = None
        self._home = directory
        self._starts = 0

    @property
    def url(self) -> str:
        """The address as the settings take it."""
        return f"amqp://guest:guest@{LOOPBACK}:{self._port}//"

    def __enter__(self) -> "PrivateRabbitMQ":
        account = service_account()
        self._home = home_for(self._directory, account) / "rabbitmq"
        self._home.mkdir(mode=0o700)
        if account is not None:
            os.chown(self._home, account.uid, account.gid)
        self.start()
        return self

    def start(self) -> None:
        """Wait until it takes clients; again with what it kept."""
        program = rabbitmq_program()
        assert program is not None
        self._starts += 1
        self._child = Child(
            [program],
            self._directory / "rabbitmq.log",
            env=self._environment(self._home),
            cwd=self._home,
            account=service_account(),
        )
        wait_until(lambda: self._is_ready or not self._is_running, what="RabbitMQ")
        assert self._is_running, self._output()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End the node; again is no matter."""
        assert self._child is not None
        self._child.stop([(signal.SIGTERM, 30.0)])
        # The node started it, and leaves it running.
        names = ["epmd", "-port", str(self._names_port), "-kill"]
        subprocess.run(names, check=False, capture_output=True)

    @property
    def _is_ready(self) -> bool:
        starts = self._output().count("Starting broker... completed")
        return starts == self._starts and answers(self._port)

    @property
    def _is_running(self) -> bool:
        return self._child is not None and self._child.is_running

    def _output(self) -> str:
        return (self._directory / "rabbitmq.log").read_text()

    def _environment(self, home: Path) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "HOME": str(home),
            "ERL_EPMD_PORT": str(self._names_port),
            "RABBITMQ_NODENAME": f"jackpot-test-{os.getpid()}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": LOOPBACK,
            "RABBITMQ_NODE_PORT": str(self._port),
            "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_MNESIA_BASE": str(home / "mnesia"),
            "RABBITMQ_LOG_BASE": str(home / "log"),
            "RABBITMQ_PID_FILE": str(home / "pid"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(home / "no-plugins"),
            "RABBITMQ_CONFIG_FILE": str(home / "no-configuration"),
        }
