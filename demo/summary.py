"""What the terminal shows once the demo is up: addresses, log-ins, and what to do next."""

from django.urls import reverse
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from demo.casino import past
from demo.casino.seed_data import HOUSES, PAGE_TABLE, PASSWORD, PEOPLE, VENDOR_TABLE
from demo.servers.installation import PROJECT, Installation
from demo.servers.vendor_access import FIRST_PORT, LAST_PORT, USERNAME, VendorDoor
from demo.servers.vendor_access import PASSWORD as VENDOR_PASSWORD
from tables.keys import key_of
from tables.models import GamingTable


def summary(
    installation: Installation, address: str, seconds: float, client: RenderableType
) -> Panel:
    """The panel; `address` is that of the console, without a final slash."""
    return Panel(
        Group(
            _places(address),
            Padding(Text("Log in, all with the password ") + Text(PASSWORD, "bold"), (1, 0, 0, 0)),
            _people(),
            Padding(client, (1, 0, 0, 0)),
            Padding(_ways(installation), (1, 0, 0, 0)),
        ),
        title=f"[bold]Jackpot Management Console[/], up in {seconds:.1f} s",
        border_style="yellow",
        padding=(1, 2),
        expand=False,
    )


def own_client(door: VendorDoor | None) -> RenderableType:
    """How a client of a visitor's own connects; it is written down for programs, too."""
    if door is None:
        return Text(
            f"No door for a client of your own: ports {FIRST_PORT} to {LAST_PORT} are taken, or"
            " the broker is not the demo's."
        )
    key = key_of(GamingTable.objects.get(code=VENDOR_TABLE))
    door.tell(key)
    grid = _grid()
    grid.add_row("Your own client", Text(f"mqtts://localhost:{door.port}", "cyan"))
    if door.busy_ports:
        grid.add_row("", f"Port {FIRST_PORT} is taken: the first free one after it.")
    grid.add_row("Log-in", f"{USERNAME}, password {VENDOR_PASSWORD}")
    grid.add_row("MAC key", key)
    grid.add_row("Certificate", f"{_short(door.certificate)}; docs/demo.md says what to send")
    return grid


def display_address(address: str, table: str) -> str:
    """Where the display of a table is, by the table's code."""
    key = GamingTable.objects.values_list("display_key", flat=True).get(code=table)
    return address + reverse("display", args=[key])


def _grid() -> Table:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    return grid


def _places(address: str) -> Table:
    grid = _grid()
    grid.add_row("Start here", Text(address + reverse("demo-home"), "bold cyan"))
    grid.add_row("Console", Text(address + "/", "cyan"))
    for house in HOUSES:
        table = PAGE_TABLE if house is HOUSES[0] else f"t{house.tables[0]}"
        place = display_address(address, table)
        grid.add_row(f"Display, {house.code}", Text(place, "cyan"))
    grid.add_row("Table unit", Text(address + reverse("demo-unit"), "cyan"))
    return grid


def _people() -> Table:
    grid = Table.grid(padding=(0, 2))
    for style in ("bold", "", "dim"):
        grid.add_column(style=style, no_wrap=True)
    for person in PEOPLE:
        grid.add_row(person.username, person.name, person.role)
    for person in past.PEOPLE:
        grid.add_row(person.username, person.name, f"{person.role}, in Reno")
    return grid


def _ways(installation: Installation) -> Table:
    grid = _grid()
    grid.add_row("Unit in a terminal", ".venv/bin/python -m demo unit")
    grid.add_row("Logs", _short(installation.logs))
    grid.add_row("Stop", "Ctrl-C; the next start goes on where it was")
    return grid


def _short(path: object) -> str:
    return str(path).removeprefix(f"{PROJECT}/")
