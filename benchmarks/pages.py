"""How long the console's pages take with a long past, beside the same pages with a short one.

python -m benchmarks.pages [--rounds N] [--directory DIR]

Without a network: the time is what the web process and PostgreSQL take for a page of a person who
may read everything.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.growth import load_history
from benchmarks.installation import PROJECT, Stage

SHORT = 1_000
REPEATS = 5
LIMIT_MS = 300  # what a person at a desk waits for without noticing
READER = "pages-reader"


def measure(stage: Stage, rounds: int) -> dict[int, dict[str, float]]:
    """Milliseconds (medians) by page, for the short and the long past; in turns."""
    pasts = {count: load_history(stage, count) for count in (SHORT, rounds)}
    times: dict[int, dict[str, list[float]]] = {count: {} for count in pasts}
    for _ in range(REPEATS):
        for count, database in pasts.items():
            run = [sys.executable, "-m", "benchmarks.pages", "--within"]
            environment = stage.environment(stage.url_of(database))
            environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
            environment |= {"DEMO": "1", "LOG_LEVEL": "ERROR"}  # static files as they are
            process = subprocess.run(
                run, env=environment, cwd=PROJECT, check=True, stdout=subprocess.PIPE, text=True
            )
            for page, ms in json.loads(process.stdout.splitlines()[-1]).items():
                times[count].setdefault(page, []).append(ms)
    return {
        count: {page: statistics.median(times) for page, times in pages.items()}
        for count, pages in times.items()
    }


def within() -> dict[str, float]:
    """In the environment of the console: every page once to warm up, then timed."""
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.test import Client
    from django.urls import reverse

    from jackpot.models import Tier
    from settlement.people.roles import grant, install_roles
    from tables.models import GamingTable

    install_roles()
    reader, _ = User.objects.get_or_create(username=READER)
    grant(reader, "Compliance")
    client = Client(headers={"host": "localhost"})
    client.force_login(reader, backend="settlement.people.passwords.Backend")
    table = GamingTable.objects.select_related("system").earliest("pk")
    tier = Tier.objects.select_related("system").earliest("pk")
    places: dict[str, list[Any]] = {
        "home": [],
        "claims": [],
        "pools": [],
        "pool": [tier.system.code, tier.code],
        "tables": [],
        "table": [table.system.code, table.code],
        "payouts": [],
        "rollforward": [],
        "reconciliation": [],
        "quarantine": [],
        "irregularities": [],
        "handover": [],
    }
    taken = {}
    for name, where in places.items():
        address = reverse(name, args=where)
        for _ in range(2):
            begun = time.perf_counter()
            answer = client.get(address, secure=True)
            taken[name] = 1_000 * (time.perf_counter() - begun)
        if answer.status_code != 200:
            raise SystemExit(f"{address} answered {answer.status_code}.")
    return taken


def render(times: dict[int, dict[str, float]]) -> str:
    short, long = sorted(times)
    lines = [
        f"| page | {long:,} rounds to {short:,} | {short:,} rounds | {long:,} rounds"
        f" | to the limit of {LIMIT_MS} ms |",
        "|---|---|---|---|---|",
    ]
    for page, ms in times[long].items():
        few = times[short][page]
        lines.append(
            f"| {page} | {ms / few:.1f} times | {few:.0f} ms | {ms:.0f} ms | {ms / LIMIT_MS:.0%} |"
        )
    return "\n".join(lines)


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--rounds", type=int, default=1_000_000)
    options.add_argument("--directory", type=Path, help="keep the servers' files here")
    options.add_argument("--within", action="store_true", help=argparse.SUPPRESS)
    arguments = options.parse_args()
    if arguments.within:
        print(json.dumps(within()))
        return
    with Stage(arguments.directory) as stage:
        times = measure(stage, arguments.rounds)
    print(render(times))
    slow = [page for page, ms in times[max(times)].items() if ms > LIMIT_MS]
    if slow:
        sys.exit(f"Slower than {LIMIT_MS} ms: {', '.join(slow)}.")


if __name__ == "__main__":
    main()
