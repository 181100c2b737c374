"""Reports over a long past from closed days, and exports beside a plain COPY.

python -m benchmarks.reports [--rounds N] [--directory DIR [--load]]

Ninety gaming days, all but the last one closed, and a claim paid each hour. Each report of a month
answers within a second, with what its page asks for; CSV of the ledger takes at most twice what a
COPY of the same rows takes, which need not sort them; writing files of all of it takes less than
200 MB of memory. A limit that is missed ends it with exit code 1. What is loaded into a directory
is used again: `--load` makes that and measures nothing.
"""

import argparse
import datetime as dt
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

from benchmarks.growth import TABLES
from benchmarks.history import BLOCK, load, without_continuity
from benchmarks.installation import PROJECT, Stage
from benchmarks.office_work import UNCLAIMED, do_office_work
from benchmarks.paid_claims import COUNTED_DAYS, PLAYERS, SELDOM, OpenDay, past
from benchmarks.search import more

DAYS = 90
CORRECTED_DAYS = 5  # of which the drop is corrected after they were closed
REPEATS = 3
ROWS = 100  # of a page
# What people did must be there: a report without rows answers at once.
LEAST_ROWS = {
    **dict.fromkeys(("hit-register", "derivation", "payouts", "drop", "prior-period"), ROWS),
    **dict.fromkeys(("adjustments", "significant-events", "terms-changes", "unclaimed"), ROWS),
    "tax-and-cash-reports": PLAYERS,
}
LIMIT_S, LIMIT_TIMES, LIMIT_MB = 1.0, 2.0, 200
LEDGER_ROWS = 1_000_000
EXPORT_ROWS = 5_000_000  # or all there are
# Each display a reading every ten seconds: those of the last minutes one by one, behind them sums.
_READINGS = """
    WITH last AS (SELECT max(at) AS at FROM jackpot_block), summed AS (
        INSERT INTO settlement_displayday (system_id, table_id, display, day, readings, exact,
                                           apart, unknown, largest, slowest_ms)
        SELECT g.system_id, g.id, g.code, day, 8640, 8640, 0, 0, 0, 900
        FROM last, tables_gamingtable g, generate_series(
            last.at - %(days)s * interval '1 day', last.at, interval '1 day') AS day
    ), mark AS (
        INSERT INTO settlement_readingsmark (system_id, through)
        SELECT s.id, last.at - interval '6 minutes' FROM last, tables_jackpotsystem s
    ), sent AS (
        INSERT INTO jackpot_displaymessage (system_id, system_seq, at, payload)
        SELECT s.id, n, last.at, jsonb_build_object('tiers', jsonb_build_array(
            jsonb_build_object('tier', 'royal', 'value', n)))
        FROM last, tables_jackpotsystem s, generate_series(1, %(messages)s) AS n
    )
    INSERT INTO tables_displayreading
        (table_id, display, said_at, received_at, system_seq, terms, shown)
    SELECT g.id, g.code, last.at - each.ago, last.at - each.ago, each.n, 1,
           jsonb_build_object('royal', each.n)
    FROM last, tables_gamingtable g,
         (SELECT n, n * interval '10 seconds' AS ago FROM generate_series(1, 36) AS n) AS each
"""
MESSAGES = 1_000_000


def prepared(stage: Stage, rounds: int) -> str:
    """A database with these days; one that the stage kept is used again."""
    name = f"reports_{rounds}"
    if stage.has(name):
        stage.migrate(name)
    else:
        stage.create_seed_data(f"{name}_unfinished", 1, TABLES)
        _within(stage, f"{name}_unfinished", "--prepare", str(rounds))
        stage.administer("ALTER DATABASE {} RENAME TO {}", f"{name}_unfinished", name)
    return name


def _within(stage: Stage, database: str, *what: str) -> Any:
    environment = stage.environment(stage.url_of(database))
    environment |= {"DJANGO_SETTINGS_MODULE": "config.settings", "DEMO": "1"}
    environment |= {"LOG_LEVEL": "ERROR"}
    environment |= {"CLAIM_WAIT_S": "0", "JURISDICTIONS": "bench=new_zealand"}
    run = [sys.executable, "-m", "benchmarks.reports", *what]
    process = subprocess.run(
        run, env=environment, cwd=PROJECT, check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(process.stdout.splitlines()[-1])


def prepare(rounds: int) -> dict[str, Any]:
    """In the environment of the console: play that ends now, claims that people settle on the
    open day, a month's drop that they count; before all of it ten thousand claims as rows."""
    from django.db import connection

    play(rounds, past(DAYS))
    open_day = OpenDay()
    today = open_day.day
    days, counted = 0, [today - dt.timedelta(days=n) for n in range(COUNTED_DAYS, 0, -1)]
    for day, apart in zip(counted, cycle(SELDOM), strict=False):
        days += close_days(before=day)
        open_day.count_drop(day, apart)
    days += close_days(before=today)
    for day in counted[-CORRECTED_DAYS:]:
        open_day.count_drop(day, 1)
    claims = open_day.settle_claims()
    do_office_work(open_day)
    open_day.poster.give_up()
    with connection.cursor() as cursor:
        cursor.execute(more(first=claims + UNCLAIMED + 1, days_ago=DAYS + 10))
    return {"days": days, "claims": claims}


def play(rounds: int, when: AbstractContextManager[None] | None = None) -> None:
    """Rounds for ninety days from `when` on."""
    from django.db import connection

    url = os.environ["DATABASE_URL"]
    with when or nullcontext():
        load(url, rounds, _nothing, every=dt.timedelta(days=DAYS) / -(-rounds // BLOCK))
    with connection.cursor() as cursor:
        cursor.execute(_READINGS, {"days": DAYS, "messages": min(rounds, MESSAGES)})
        cursor.execute("ANALYZE")


def _nothing(_line: str) -> None:
    pass


def close_days(before: dt.date | None = None) -> int:
    """Every day but the last one, or every one before that day, as two people and the worker
    would, with the figures of the database's own functions; how many."""
    with without_continuity(os.environ["DATABASE_URL"]):
        return _close_days(before)


def _close_days(before: dt.date | None) -> int:
    from django.db import connection

    from jackpot.models import Block, Command, CommandQueue, Entry, Head
    from settlement.closing import closes, movements
    from settlement.core.gaming_day import DAY, day_of
    from settlement.models import ClosedDay
    from tables.models import JackpotSystem

    system = JackpotSystem.objects.select_related("casino").get(code="main")
    head = Head.objects.get(system=system)
    last = Block.objects.get(system=system, number=head.block_number).at
    closed = ClosedDay.objects.filter(system=system).order_by("day").last()
    day = closed.day + DAY if closed is not None else closes.first_day(system)
    end = before or day_of(last, system.casino)
    queue = CommandQueue.objects.get(system=system)
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
    number, seq, count = queue.last_number, head.seq, 0
    while day is not None and day < end:
        figures = closes.figures(system, day)
        number, seq, count = number + 1, seq + 1, count + 1
        body = {
            "day": f"{day}",
            "through_seq": figures.through_seq,
            "through_transfer": figures.through_transfer,
            "figures": figures.figures,
        }
        people = {"first": "anna", "second": "ben", "issued_at": last}
        Command.objects.create(
            system=system, number=number, kind="close_day", body=body, key=_key(), **people
        )
        Entry.objects.create(
            system=system,
            seq=seq,
            at=last,
            kind="command",
            type="close_day",
            command=number,
            body_hash=b"",
            outcome={"day": f"{day}"},
        )
        day += DAY
    head.seq = seq
    head.save()
    CommandQueue.objects.filter(system=system).update(last_number=number, taken=number)
    movements.keep_closed_days(system)
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = origin")
    return count


def _key() -> Any:
    import uuid

    return uuid.uuid4()


def measure() -> dict[str, Any]:
    """In the environment of the console."""
    import django

    django.setup()
    from jackpot.models import Transfer
    from settlement.closing.closes import first_day
    from settlement.reports.definitions.definition import Filters
    from tables.models import JackpotSystem

    system = JackpotSystem.objects.select_related("casino").get(code="main")
    first = first_day(system)
    assert first is not None
    end = first + dt.timedelta(days=DAYS)
    rows = min(LEDGER_ROWS, Transfer.objects.filter(system=system).count())
    return {
        **_monthly(Filters(system.casino, end - dt.timedelta(days=30), end)),
        "times": _beside_copy(Filters(system.casino, first, end), system.pk, rows),
        "ledger_rows": rows,
    }


def _monthly(month: Any) -> dict[str, Any]:
    """Of each report the first rows, and totals where its page has them unasked: how long that
    takes, and how many of these rows there are."""
    from settlement.reports.catalogue import reports

    seconds, rows = dict[str, float](), dict[str, int]()
    for code, definition in reports().items():

        def ask(definition: Any = definition) -> None:
            filters = replace(month)  # nothing that was read for the time before
            report = definition.report(filters)
            rows[definition.code] = len(definition.rows(filters, ROWS, report=report))
            if not definition.is_long:
                definition.totals(report)

        seconds[code] = _median(ask)
    return {"seconds": seconds, "rows": rows}


def _beside_copy(whole: Any, system: int, rows: int) -> float:
    """How many times a plain COPY of the same rows, in any order, an export takes."""
    from django.db import connection
    from psycopg import sql

    from settlement.reports.catalogue import reports

    statement = sql.SQL(
        "COPY (SELECT * FROM jackpot_transfer WHERE system_id = {} AND number <= {})"
        " TO STDOUT (FORMAT csv)"
    ).format(system, rows)

    def plain() -> None:
        with connection.cursor() as cursor, cursor.copy(statement) as chunks:
            for _ in chunks:
                pass

    one = _part_of(reports()["ledger"].report(whole), rows)
    ratios = []
    for _ in range(REPEATS):
        plain_s = _seconds(plain)
        ratios.append(_seconds(lambda: [None for _ in one.csv()]) / plain_s)
    return statistics.median(ratios)


def _part_of(report: Any, rows: int) -> Any:
    from dataclasses import replace

    from settlement.core.report_query import bind

    part = bind(
        "SELECT * FROM ({whole}) AS r WHERE number <= {rows}", whole=report.query, rows=rows
    )
    return replace(report, query=part, parts=(part,))


def export() -> dict[str, Any]:
    """The whole ledger as CSV and XLSX, by the worker's own function; megabytes at most."""
    import django

    django.setup()
    from django.conf import settings
    from django.contrib.auth.models import User

    from jackpot.models import Transfer
    from settlement.closing.closes import first_day
    from settlement.models import ReportExport
    from settlement.people.rights.roles import grant, install_roles
    from settlement.reports.definitions.definition import Filters
    from settlement.reports.exports import run_next
    from tables.models import JackpotSystem

    system = JackpotSystem.objects.select_related("casino").get(code="main")
    first = first_day(system)
    assert first is not None
    share = min(1.0, EXPORT_ROWS / Transfer.objects.filter(system=system).count())
    filters = Filters(system.casino, first, first + dt.timedelta(days=int(DAYS * share)))
    anna = User.objects.get(username="anna")
    install_roles()
    grant(anna, "Compliance")  # the worker asks whether whoever wants it still may
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        settings.EXPORT_DIR = folder
        row = ReportExport.objects.create(
            casino=system.casino,
            report="ledger",
            filters=filters.as_json(),
            formats=["csv", "xlsx"],
            person=anna,
            key=_key(),
        )
        seconds = _seconds(run_next)
        row.refresh_from_db()
    if row.state != "done":
        raise SystemExit(f"The export failed: {row.fault}")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"megabytes": most, "written": row.rows_total, "export_s": seconds}


def _median(act: Callable[[], Any]) -> float:
    return statistics.median(_seconds(act) for _ in range(REPEATS))


def _seconds(act: Callable[[], Any]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def render(figures: dict[str, Any]) -> list[str]:
    """The figures, a line each."""
    return [
        *(
            f"  {code}, a month: {seconds:.3f} s, {seconds / LIMIT_S:.0%} of the limit,"
            f" {figures['rows'][code]} rows on its first page"
            for code, seconds in figures["seconds"].items()
        ),
        f"  CSV of {figures['ledger_rows']:,} ledger rows: {figures['times']:.2f} times a plain"
        f" COPY, limit {LIMIT_TIMES}",
        f"  {figures['written']:,} rows into CSV and XLSX: {figures['export_s']:.0f} s,"
        f" at most {figures['megabytes']:.0f} MB, limit {LIMIT_MB}",
    ]


def misses(figures: dict[str, Any]) -> list[str]:
    """Which limits are missed, in words."""
    missed = [
        f"{code} of a month: {seconds:.2f} s, limit {LIMIT_S}"
        for code, seconds in figures["seconds"].items()
        if seconds > LIMIT_S
    ]
    missed += [
        f"{code} of a month: {figures['rows'][code]} rows, {least} are wanted"
        for code, least in LEAST_ROWS.items()
        if figures["rows"][code] < least
    ]
    if figures["times"] > LIMIT_TIMES:
        missed.append(f"CSV takes {figures['times']:.2f} times a plain COPY, limit {LIMIT_TIMES}")
    if figures["megabytes"] >= LIMIT_MB:
        missed.append(f"an export takes {figures['megabytes']:.0f} MB, limit {LIMIT_MB}")
    return missed


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--rounds", type=int, default=1_000_000)
    options.add_argument("--directory", type=Path, help="keep the servers' files here")
    options.add_argument("--load", action="store_true", help="only make the data, in DIR")
    options.add_argument("--prepare", type=int, help=argparse.SUPPRESS)
    options.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    options.add_argument("--export", action="store_true", help=argparse.SUPPRESS)
    arguments = options.parse_args()
    if arguments.prepare:
        import django

        django.setup()
        print(json.dumps(prepare(arguments.prepare)))
        return
    if arguments.measure or arguments.export:
        print(json.dumps(measure() if arguments.measure else export()))
        return
    if arguments.load and not arguments.directory:
        options.error("--load is for a --directory that is kept")
    with Stage(arguments.directory) as stage:
        database = prepared(stage, arguments.rounds)
        if arguments.load:
            return
        figures = _within(stage, database, "--measure")
        figures |= _within(stage, database, "--export")
    print(f"{arguments.rounds:,} rounds in {DAYS} gaming days, the last of them open")
    print("\n".join(render(figures)))
    if missed := misses(figures):
        sys.exit("Missed: " + "; ".join(missed))


if __name__ == "__main__":
    main()
