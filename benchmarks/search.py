"""How long the search takes with a long past: every way in which people name things.

python -m benchmarks.search [--rounds N] [--directory DIR]

One system of 20 tables with so many rounds; beside them 500 people, 400 more tables, and ten
thousand claims with a payment each. Without a network: the time is what the web process and
PostgreSQL take for what the palette asks. A 95th percentile above the limit ends it with exit
code 1.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.growth import load_history
from benchmarks.installation import PROJECT, Stage

LIMIT_MS = 150
REPEATS = 40
CLAIMS, PEOPLE, TABLES = 10_000, 500, 400
READER = "search-reader"
# What is typed, with a number that moves; `round` and `claim` are there.
TYPED = {
    "a claim": "main {claim}",
    "a number alone": "{claim}",
    "a slip": "main-{claim}-1-1",
    "a round": "t3 {round}",
    "an entry": "main entry {claim}",
    "a table": "t1",
    "many tables": "table",
    "a prize": "royal",
    "a person": "person {person}",
    "a page": "drop",
    "a rule": "19.14",
    "nothing": "zzz {claim}",
}
# Rows beside the rounds, without guards: the database is a copy, and gone afterwards.
_MORE = """
    ALTER TABLE tables_gamingtable DISABLE TRIGGER USER;
    ALTER TABLE auth_user DISABLE TRIGGER USER;
    ALTER TABLE jackpot_hit DISABLE TRIGGER USER;
    ALTER TABLE settlement_claim DISABLE TRIGGER USER;
    ALTER TABLE settlement_payout DISABLE TRIGGER USER;
    INSERT INTO tables_gamingtable (system_id, code, name, in_service, display_key)
    SELECT s.id, 'x' || n, 'Table ' || 1000 + n, true, 'bench-' || n
    FROM tables_jackpotsystem s, generate_series(1, {tables}) AS n;
    INSERT INTO auth_user (username, first_name, last_name, email, password, is_active, is_staff,
                           is_superuser, date_joined)
    SELECT 'staff' || n, 'Person', 'Number ' || n, '', '!', true, false, false, now()
    FROM generate_series(1, {people}) AS n;
    INSERT INTO jackpot_hit (system_id, number, place, acts_at, at, table_id, round, terms,
                             tier_id, state, held, confirmed, fed, values, shown, called_seats,
                             payees, stops)
    SELECT s.id, n, {place}, 1,
           now() - {days_ago} * interval '1 day' - (n + 12) * interval '1 hour',
           g.id, n, 1, t.id, 'paid', 1000000, 1000000, '{{}}', '{{}}', '{{}}', '[3]', '[]', '[]'
    FROM tables_jackpotsystem s JOIN tables_gamingtable g ON g.system_id = s.id AND g.code = 't3'
    JOIN jackpot_tier t ON t.system_id = s.id AND t.code = 'straight-flush'
    JOIN jackpot_head h ON h.system_id = s.id,
         generate_series({first}, {first} + {claims} - 1) AS n;
    INSERT INTO settlement_claim (system_id, number, opened_at)
    SELECT system_id, number, at FROM jackpot_hit WHERE number >= {first};
    INSERT INTO settlement_payout (claim_id, line, part, seat, entry_seq, at, cashier, amount,
                                   chips, cash, equivalent, tax, residence)
    SELECT id, 1, 1, 3, number, opened_at, 'anna', 1000000, 0, 1000000, 0, 0, ''
    FROM settlement_claim WHERE number >= {first};
    ANALYZE;
"""


def more(first: int = 1, tables: int = 0, days_ago: int = 0, *, are_spread: bool = False) -> str:
    """The statements that add people, claims from number `first` on, one an hour until so many
    days ago, and so many tables. `are_spread`: their places go through the whole order, else all
    stand at its beginning."""
    place = f"1 + (n - {first}) * (h.seq / {CLAIMS})" if are_spread else "1"
    numbers = {"first": first, "tables": tables, "days_ago": days_ago, "place": place}
    return _MORE.format(people=PEOPLE, claims=CLAIMS, **numbers)


def measure(stage: Stage, rounds: int) -> dict[str, list[float]]:
    """Milliseconds of each request, by what was typed."""
    name = load_history(stage, rounds)
    run = [sys.executable, "-m", "benchmarks.search", "--within"]
    with stage.database(name) as url:
        environment = stage.environment(url)
        environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
        environment |= {"DEMO": "1", "LOG_LEVEL": "ERROR"}  # static files as they are
        process = subprocess.run(
            run, env=environment, cwd=PROJECT, check=True, stdout=subprocess.PIPE, text=True
        )
    times: dict[str, list[float]] = json.loads(process.stdout.splitlines()[-1])
    return times


def within() -> dict[str, list[float]]:
    """In the environment of the console: each once to warm up, then timed in turns."""
    import django

    django.setup()
    import psycopg
    from django.contrib.auth.models import User
    from django.test import Client

    from jackpot.models import RoundState
    from settlement.people.rights.roles import grant, install_roles

    with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
        connection.execute(more(tables=TABLES).encode())
    install_roles()
    reader, _ = User.objects.get_or_create(username=READER)
    grant(reader, "Compliance")
    client = Client(headers={"host": "localhost", "X-Console-Palette": "1"})
    client.force_login(reader, backend="settlement.people.passwords.Backend")
    last: Any = RoundState.objects.filter(table__code="t3").latest("round")
    times: dict[str, list[float]] = {name: [] for name in TYPED}
    for turn in range(REPEATS + 1):
        numbers = {
            "claim": 1 + turn * CLAIMS // (REPEATS + 1),
            "round": last.round - turn,
            "person": 1 + turn,
        }
        for name, text in TYPED.items():
            start = time.perf_counter()
            answer = client.get("/search/", {"q": text.format(**numbers)}, secure=True)
            ms = 1_000 * (time.perf_counter() - start)
            if answer.status_code != 200:
                raise SystemExit(f"{text} answered {answer.status_code}.")
            count = answer.content.decode().count('role="option"')
            if (count == 0) != (name == "nothing"):
                raise SystemExit(f"{text} with {numbers} shows {count} results.")
            if turn:
                times[name].append(ms)
    return times


def p95(times: list[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(times, n=20)[-1]


def render(times: dict[str, list[float]]) -> str:
    lines = ["| what is typed | p50 | p95 | p95 / limit |", "|---|---|---|---|"]
    everything = [ms for each in times.values() for ms in each]
    for name, each in {**times, "all of them": everything}.items():
        lines.append(
            f"| {name} | {statistics.median(each):.0f} ms | {p95(each):.0f} ms"
            f" | {p95(each) / LIMIT_MS:.0%} |"
        )
    return "\n".join(lines)


def misses(times: dict[str, list[float]]) -> list[str]:
    """What is slower than the limit, in words."""
    return [
        f"{name}: p95 {p95(each):.0f} ms, limit {LIMIT_MS} ms"
        for name, each in times.items()
        if p95(each) > LIMIT_MS
    ]


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--rounds", type=int, default=10_000_000)
    options.add_argument("--directory", type=Path, help="keep the servers' files here")
    options.add_argument("--within", action="store_true", help=argparse.SUPPRESS)
    arguments = options.parse_args()
    if arguments.within:
        print(json.dumps(within()))
        return
    with Stage(arguments.directory) as stage:
        times = measure(stage, arguments.rounds)
    print(f"{arguments.rounds:,} rounds, {CLAIMS:,} claims, {TABLES + 20} tables, {PEOPLE} people")
    print(render(times))
    if missed := misses(times):
        sys.exit("Missed: " + "; ".join(missed))


if __name__ == "__main__":
    main()
