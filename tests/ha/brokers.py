"""Brokers that stand in for each other: two Mosquittos, or a cluster of RabbitMQ with MQTT."""

import contextlib
import os
import subprocess
from pathlib import Path
from typing import Any

from demo.servers.broker import PrivateBroker
from tests.crash.house import SECOND_INTAKE, SYSTEMS, CrashHouse
from tests.ha.machines import BROKER_KINDS, MACHINES, PAIR, Machines
from tests.ha.services import Service, program
from tests.support.suite.waiting import wait_until

START_S = 90.0
BEFORE, AFTER = 500, 2000  # entries
ACCOUNT = "guest:guest"  # RabbitMQ's own, of the loopback interface alone


class Brokers:
    """To the crash house it is what a private broker is, reached through the HAProxy of `c`."""

    pid = None  # of one process; `pids` has all

    def __init__(self, directory: Path) -> None:
        self.machines = Machines(directory, BROKER_KINDS)

    @property
    def url(self) -> str:
        return self.url_by("c")

    def url_by(self, machine: str) -> str:
        return f"mqtt://{ACCOUNT}@127.0.0.1:{self.machines.mqtt_ports[machine]}"

    @property
    def pids(self) -> set[int]:
        return self.machines.pids

    def node(self, machine: str) -> Service:
        return self.machines.services[f"rabbitmq-{machine}"]

    @property
    def tasks_url(self) -> str:
        """Where Celery finds it."""
        return f"amqp://{ACCOUNT}@127.0.0.1:{self.machines.local_ports['c']['CELERY_PORT']}//"

    def home_of(self, queue: str) -> str:
        """The machine with the queue's leader, or with all of a queue that only one node has;
        nothing while there is no such queue."""
        lines = self._ctl("--silent", "list_queues", "name", "pid").splitlines()
        nodes = dict(line.split("\t") for line in lines)  # jackpot-a@localhost and numbers
        return nodes.get(queue, "").removeprefix("<jackpot-").partition("@")[0]

    def _ctl(self, *arguments: str) -> str:
        """What one that runs answers to its administrator."""
        node = next(node for node in map(self.node, MACHINES) if node.is_running)
        return subprocess.run(
            [program("rabbitmqctl") or "", *arguments],
            check=True,
            capture_output=True,
            text=True,
            env={"PATH": os.defpath, "LANG": "C.UTF-8", **node.env},
            cwd="/",
            user=node.account.uid if node.account else None,
            group=node.account.gid if node.account else None,
            extra_groups=[] if node.account else None,
        ).stdout

    def start(self) -> None:
        self.machines.services["epmd-c"].start()
        for machine in MACHINES:
            self.node(machine).start()
            self.machines.services[f"haproxy-{machine}"].start()
        for machine in MACHINES:
            self.wait(machine)

    def wait(self, machine: str) -> None:
        """Until the node is one of the cluster and takes clients."""
        try:
            wait_until(lambda: self._is_joined(machine), START_S, f"RabbitMQ {machine}")
        except AssertionError as fault:
            fault.add_note(self.machines.last_words())
            raise

    def stop(self) -> None:
        self.machines.stop()

    def _is_joined(self, machine: str) -> bool:
        log = self.node(machine).log
        with contextlib.suppress(FileNotFoundError):
            started = " completed with "  # so many plugins
            return log.read_text(errors="replace").count(started) >= self.node(machine).starts
        return False


class BrokerPair:
    """A Mosquitto on each of the two machines, of which all use one at a time."""

    pid = None

    def __init__(self, machines: Machines, directory: Path) -> None:
        self._machines = machines
        self.of_machine = {
            machine: PrivateBroker(
                directory / f"broker-{machine}",
                int(machines.ports[f"MQTT_PORT_{machine.upper()}"]),
                kind="mosquitto",
                persistent=True,
            )
            for machine in PAIR
        }

    @property
    def url(self) -> str:
        return self._machines.mqtt_url_by("c")

    @property
    def pids(self) -> set[int]:
        return {broker.pid for broker in self.of_machine.values() if broker.pid is not None}

    def start(self) -> None:
        for broker in self.of_machine.values():
            broker.start()

    def stop(self) -> None:
        for broker in self.of_machine.values():
            broker.stop()


class BrokerHouse(CrashHouse):
    """A casino whose broker is the cluster; its database is one server. Two intakes."""

    broker: Any

    def __init__(self, *, seed: str, rate: float = 600) -> None:
        super().__init__(seed=seed, rate=rate)
        self.broker = Brokers(self.directory)

    def _open(self) -> None:
        super()._open()
        self.start(SECOND_INTAKE)

    @property
    def pids(self) -> set[int]:
        return super().pids | self.broker.pids

    def lose_node(self, machine: str) -> float:
        """Kill a node, and bring it back once the casino goes on; for how long nobody wrote."""
        before = {system: self.blocks(system) for system in SYSTEMS}
        self.progress(BEFORE)
        self.broker.node(machine).kill()
        self.progress(AFTER)
        pause_s = max(self.longest_pause_s(before[system], system) for system in SYSTEMS)
        self.broker.node(machine).start()
        self.broker.wait(machine)
        return pause_s
