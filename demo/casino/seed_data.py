"""The demo's casino: two jackpot systems, thirteen tables, seven people. Safe to run again.

Beside it stands a card room with a past and people of its own: `demo/casino/past.py`.

Nothing here writes money: the terms are commands, which the poster takes into the order like
any other, and the pools open with their reset amounts.
"""

import hashlib
import json
import secrets
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from demo.casino.jackpots import DROP_STEPS, HARBOUR, SALON, SECOND_MANAGER_ABOVE
from demo.casino.screens import SCREENS, create_screens
from demo.servers import vendor_access
from demo.units import hand_unit
from jackpot.models import Head
from jackpot.writer import commands
from settlement.devices.credentials import password_hash
from settlement.models import SecondManagerLimit
from settlement.people.rights.roles import grant, install_roles
from tables import keys
from tables.models import Casino, DeviceCredential, GamingTable, JackpotSystem

PASSWORD = "harbour-demo-2026"
# Kept for visitors: simulated tables leave them alone.
PAGE_TABLE = "t8"
TERMINAL_TABLE = "t7"
# For a client of a visitor's own: nobody asks after it while it is silent.
VENDOR_TABLE = vendor_access.TABLE

_TERMS_OF_THE_DEMO = uuid.UUID("6f7c2a34-0f2e-4a7e-9a55-7f9d5f0c2c11")


@dataclass(frozen=True)
class Person:
    """Somebody who can log in."""

    username: str
    first: str
    last: str
    role: str

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"


PEOPLE = (
    Person("mere", "Mere", "Tane", "Game supervisor"),
    Person("david", "David", "Okafor", "Casino manager"),
    Person("anna", "Anna", "Berg", "Casino manager"),
    Person("lucia", "Lucia", "Marin", "Cashier"),
    Person("sven", "Sven", "Lindqvist", "Surveillance"),
    Person("priya", "Priya", "Raman", "Compliance"),
    Person("hana", "Hana", "Reti", "Administrator"),
)


@dataclass(frozen=True)
class House:
    """One jackpot system with its tables and its jackpot."""

    code: str
    name: str
    tables: Sequence[int]
    terms: dict[str, Any]


HOUSES = (
    House("main", "Main floor", (*range(1, 9), 13), HARBOUR),
    House("vip", "Salon privé", range(9, 13), SALON),
)
SIMULATED_TABLES = tuple(
    code
    for house in HOUSES
    for code in (f"t{number}" for number in house.tables)
    if code not in {PAGE_TABLE, TERMINAL_TABLE, VENDOR_TABLE}
)


def create_seed_data(say: Callable[[str], None] = lambda _line: None) -> None:
    """Make what is missing, and tell each step."""
    casino = harbour()
    say(f"{casino.name}: {casino.currency}, {casino.timezone}")
    for house in HOUSES:
        system = _seed_system(casino, house)
        say(f"{house.name}: {len(house.tables)} tables, {house.terms['name']}")
        _post_terms(system, house.terms)
    with transaction.atomic():
        install_roles()
        for person in PEOPLE:
            employ(person)
    create_screens(casino)
    say(f"{len(SCREENS)} promotional screens")
    SecondManagerLimit.objects.get_or_create(
        casino=casino, amount=SECOND_MANAGER_ABOVE, first="david", second="anna"
    )
    say(", ".join(f"{person.name} ({person.role})" for person in PEOPLE))


def harbour() -> Casino:
    """The demo's casino, made where it is missing."""
    casino, _ = Casino.objects.get_or_create(
        code="harbour",
        defaults={
            "name": "Harbour Casino",
            "timezone": "Pacific/Auckland",
            "currency": "NZD",
            "day_starts": "06:00",
        },
    )
    return casino


def are_terms_in_effect() -> bool:
    """Whether the writer has posted the terms of every system."""
    codes = {house.code for house in HOUSES}
    posted = Head.objects.filter(system__code__in=codes, terms_number__gte=1)
    return posted.count() == len(codes)


def _seed_system(casino: Casino, house: House) -> JackpotSystem:
    system, _ = JackpotSystem.objects.get_or_create(
        code=house.code, defaults={"casino": casino, "name": house.name}
    )
    for number in house.tables:
        table, is_new = GamingTable.objects.get_or_create(
            system=system,
            code=f"t{number}",
            defaults={"name": f"Table {number}", "in_service": f"t{number}" != VENDOR_TABLE},
        )
        if is_new:
            keys.give(table, secrets.token_hex(32))
        if table.code == VENDOR_TABLE and not table.credentials.exists():
            _let_vendor_in(table)
        hand_unit.remember_key(table)
    return system


def _let_vendor_in(table: GamingTable) -> None:
    """The log-in that is printed at each start: like one that was issued, with a known password."""
    DeviceCredential.objects.create(
        kind=DeviceCredential.Kind.UNIT,
        table=table,
        number=1,
        username=vendor_access.USERNAME,
        password_hash=password_hash(vendor_access.PASSWORD),
        key_digest=hashlib.sha256(bytes.fromhex(keys.key_of(table))).hexdigest(),
        issued_by="demo",
    )


def _post_terms(system: JackpotSystem, terms: dict[str, Any]) -> None:
    """Queue the terms, once for each wording: the same wording has the same key."""
    key = uuid.uuid5(_TERMS_OF_THE_DEMO, f"{system.code} {json.dumps(terms, sort_keys=True)}")
    commands.queue(system, "put_terms", {"terms": terms}, first="priya", second="david", key=key)


def employ(person: Person, casino: Casino | None = None) -> None:
    """A new person gets the demo's password; whoever changed it keeps the change.

    Their role is that of one casino, or holds everywhere.
    """
    user, is_new = User.objects.get_or_create(
        username=person.username,
        defaults={"first_name": person.first, "last_name": person.last},
    )
    if is_new:
        user.set_password(PASSWORD)
        user.save()
    grant(user, person.role, casino)


def simulated_drop() -> list[str]:
    """The posted drops as `simulate_tables --drop` takes them, in minor units."""
    steps = ",".join(f"{pot * 100}:{take * 100}" for pot, take in DROP_STEPS)
    return [f"main={steps}", "vip=0:0"]
