"""A casino for measurements: systems with tables, each round funding three tiers.

python -m benchmarks.seed_data SYSTEMS TABLES [KEY]     (in the environment of the console)
"""

import io
import sys
from typing import Any

from jackpot.terms.money import MICROS

TIERS = {"royal": 300_000, "straight-flush": 200_000, "aces-full": 100_000}  # micros a round
PEOPLE = ("anna", "ben")
GAMES = ["holdem", "omaha"]
_WEAKEST: dict[str, tuple[str, list[str]]] = {
    "royal": ("royal_flush", []),
    "straight-flush": ("straight_flush", []),
    "aces-full": ("full_house", ["A", "T"]),
}


def terms() -> dict[str, Any]:
    """Operator money for three tiers at the commencement of each round (19.3)."""
    return {
        "code": "bench",
        "name": "Benchmark Jackpot",
        "funding": "operator",
        "games": GAMES,
        "evidence": {},
        "tiers": [
            {
                "code": code,
                "name": code.title(),
                "rank": rank,
                "reset": 1_000 * MICROS,
                "payable_unit": MICROS,
                "increments": [{"source": "per_round", "amount": amount}],
                "qualifying": {
                    "weakest": {"category": _WEAKEST[code][0], "ranks": _WEAKEST[code][1]},
                    "hole_cards_playing": 2,
                    "games": GAMES,
                },
            }
            for rank, (code, amount) in enumerate(TIERS.items(), start=1)
        ],
    }


def system_codes(systems: int) -> list[str]:
    return ["main", *(f"s{number}" for number in range(2, systems + 1))]


def create_seed_data(systems: int, tables: int, key: str = "") -> None:
    """Make them and queue their terms; Django must be set up."""
    from django.contrib.auth.models import User

    from jackpot.writer import commands
    from tables import keys
    from tables.models import Casino, GamingTable, JackpotSystem

    for name in PEOPLE:
        User.objects.create(username=name)
    casino = Casino.objects.create(code="bench", name="Benchmark", currency="NZD")
    first, second = PEOPLE
    for code in system_codes(systems):
        system = JackpotSystem.objects.create(casino=casino, code=code, name=code.title())
        gaming_tables = GamingTable.objects.bulk_create(
            GamingTable(system=system, code=f"t{number}", name=f"Table {number}")
            for number in range(1, tables + 1)
        )
        if key:
            for table in gaming_tables:
                keys.give(table, key)
        commands.queue(system, "put_terms", {"terms": terms()}, first=first, second=second)


def main() -> None:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    call_command("grant_roles", stdout=io.StringIO())
    create_seed_data(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])


if __name__ == "__main__":
    import os

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main()
