"""Fills the configuration of one machine in: `python3 render.py machine.env /etc/jackpot`.

Needs Python alone. Each `${NAME}` of the templates beside this file is a value of machine.env, or
a port that is the same on every machine unless machine.env says otherwise.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from string import Template

HERE = Path(__file__).resolve().parent
TEMPLATES = (
    *("etcd.yml", "patroni.yml", "haproxy.cfg", "pgbouncer.ini", "rabbitmq.conf"),
    *(
        f"systemd/{name}.conf"
        for name in ("etcd", "patroni", "haproxy", "pgbouncer", "jackpot-web")
    ),
)
MACHINES = "ABC"
# By name: of this machine, and with _A, _B and _C of each.
PORTS = {
    "ETCD_PORT": "2379",
    "ETCD_PEER_PORT": "2380",
    "POSTGRES_PORT": "5432",
    "PATRONI_PORT": "8008",
    "WEB_PORT": "8000",
    "MQTT_PORT": "8885",
    "AMQP_PORT": "5672",
}
# Of this machine alone, on its loopback interface.
LOCAL_PORTS = {
    "DATABASE_PORT": "5000",
    "READ_PORT": "5001",
    "PGBOUNCER_PORT": "6432",
    "CELERY_PORT": "5673",
}


def read(path: Path) -> dict[str, str]:
    """The values of a file with NAME=value a line."""
    lines = (line.strip() for line in path.read_text().splitlines())
    pairs = (line.partition("=") for line in lines if line and not line.startswith("#"))
    return {name.strip(): value.strip() for name, _, value in pairs}


def completed(values: Mapping[str, str], folder: Path) -> dict[str, str]:
    """These values with the usual ports, as the templates want them."""
    ports = {
        f"{name}_{machine}": values.get(f"{name}_{machine}", usual)
        for name, usual in PORTS.items()
        for machine in MACHINES
    }
    here = {name: ports[f"{name}_{values['MACHINE'].upper()}"] for name in PORTS}
    return {"CONFIG_DIR": str(folder), **LOCAL_PORTS, **ports, **here, **values}


def render(values: Mapping[str, str], folder: Path) -> list[Path]:
    """Write every file of this machine into `folder`; KeyError names a value that is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    complete = completed(values, folder)
    return [_write(name, complete, folder) for name in TEMPLATES]


def _write(name: str, values: Mapping[str, str], folder: Path) -> Path:
    text = Template((HERE / name).read_text()).substitute(values)
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o640)  # has passwords
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
    return path


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    for written in render(read(Path(sys.argv[1])), Path(sys.argv[2])):
        sys.stdout.write(f"{written}\n")
