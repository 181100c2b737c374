"""The demo of the first run: servers and console alone; the visitor sets up the casino.

No process stands for a table, a witness or a person here: all comes from the set-up pages, as in a
real installation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from django.urls import reverse
from rich.console import Group
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from demo import health
from demo.servers.installation import PROJECT, Installation
from demo.servers.ports import LOOPBACK, free_port
from demo.servers.processes import Program
from demo.servers.vendor_access import FIRST_PORT, LAST_PORT, VendorDoor
from settlement.set_up.first_run import HOURS, is_first_run, make_code

# What each has done once it is ready. No system need be there, whose values would show it.
_READY = {
    "intake": "listens to all tables",
    "poster": "waits for jackpot systems",
    "worker": "waits for tasks",
}

Condition = tuple[str, Callable[[], bool]]


def without_tables(programs: Sequence[Program]) -> tuple[list[Program], dict[str, Condition]]:
    """The programs but for simulated tables, and how each says at its own address that it is up."""
    to_start: list[Program] = []
    conditions: dict[str, Condition] = {}
    for program in programs:
        if program.name == "tables":
            continue
        if (note := _READY.get(program.name)) is not None:
            port = free_port()
            listen = {"HEALTH_LISTEN": f"{LOOPBACK}:{port}"}
            program = replace(program, env={**program.env, **listen})
            ready = partial(health.is_served, LOOPBACK, port, "/health/ready")
            conditions[program.name] = (note, ready)
        to_start.append(program)
    return to_start, conditions


def summary(
    installation: Installation, address: str, seconds: float, door: VendorDoor | None
) -> Panel:
    """Where the set-up is and its one-time code; once somebody has a role, where they log in."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    if is_first_run():
        grid.add_row("Start here", Text(address + reverse("first-run"), "bold cyan"))
        grid.add_row("One-time code", Text(make_code(), "bold"))
        grid.add_row("", f"It makes the first administrator, within {HOURS} hours.")
    else:
        grid.add_row("Log in", Text(address + reverse("login"), "bold cyan"))
        grid.add_row("", "With the names and passwords that you gave at the set-up.")
    unit = ".venv/bin/python -m demo --empty unit --table CODE"
    ways = Table.grid(padding=(0, 2))
    ways.add_column(style="dim", no_wrap=True)
    ways.add_column(overflow="fold")
    ways.add_row("Unit in a terminal", f"{unit}, at a table that you made")
    if door is not None:
        ways.add_row("Units of your own", f"mqtts://localhost:{door.port}; Devices issues log-ins")
    else:
        ways.add_row("Units of your own", f"no door: {FIRST_PORT} to {LAST_PORT} are taken")
    ways.add_row("Logs", str(installation.logs).removeprefix(f"{PROJECT}/"))
    ways.add_row("Stop", "Ctrl-C; the next start goes on where it was")
    return Panel(
        Group(grid, Padding(ways, (1, 0, 0, 0))),
        title=f"[bold]Jackpot Management Console[/], empty, up in {seconds:.1f} s",
        border_style="yellow",
        padding=(1, 2),
        expand=False,
    )
