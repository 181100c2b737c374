"""How long every page of the console takes with a long past, and what it weighs.

python -m benchmarks.pages [--rounds N] [--visits N] [--directory DIR]

One system of 200 tables and 5 jackpots with so many rounds in ninety gaming days, all but the last
closed; ten thousand claims, thirty of them open, the others paid to players who were identified, by
rules that ask for forms; 500 people. Somebody with every role opens each
page of the address list that the data leads to, in turns with a bare Django page of as many rows.
Without a network: the time is what the web process and PostgreSQL take. The weight is what a
browser asks for that has been nowhere else: the page and its styles and scripts, compressed. A page
above a limit ends it with exit code 1, and so does one that was not opened without a reason.
"""

import argparse
import gzip
import json
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.installation import PROJECT, Stage
from benchmarks.page_addresses import walk
from benchmarks.unmeasured_pages import FORM_ALONE, unlisted

LIMIT_MS, LIMIT_KB = 150, 150
VISITS = 20
TABLES, JACKPOTS, OPEN_CLAIMS = 200, 5, 30
READER = "pages-reader"
RULES = "bench=new_zealand"
_PART = re.compile(r'<(?:link[^>]*?rel="stylesheet"[^>]*?href|script[^>]*?src)="(/static/[^"]*)"')
# Rows of a bare page: the newest transfers, with the accounts that they name.
BARE = """<!DOCTYPE html><title>Transfers</title><table>{% for row in rows %}
<tr><td>{{ row.number }}<td>{{ row.entry_seq }}<td>{{ row.debit.code }}<td>{{ row.credit.code }}
<td>{{ row.amount }}<td>{{ row.reason }}</tr>{% endfor %}</table>"""


@dataclass(frozen=True)
class Visits:
    """What the visits to one page took; milliseconds and bytes."""

    path: str
    times: list[float]
    bare: list[float]  # a plain Django page of as many rows
    rows: int
    page: int  # bytes as sent
    compressed: int  # with styles and scripts, compressed

    @property
    def p95(self) -> float:
        return statistics.quantiles(self.times, n=20, method="inclusive")[-1]

    @property
    def ratio(self) -> float:
        return statistics.median(self.times) / statistics.median(self.bare)

    @property
    def kilobytes(self) -> float:
        return self.compressed / 1_000


def prepared(stage: Stage, rounds: int) -> str:
    """A database with all of that; one that the stage kept is used again."""
    name = f"pages_{rounds}"
    if stage.has(name):
        stage.migrate(name)
    else:
        stage.create_seed_data(f"{name}_unfinished", 1, TABLES)
        environment = stage.environment(stage.url_of(f"{name}_unfinished"))
        _within(environment, "--prepare", str(rounds))
        stage.administer("ALTER DATABASE {} RENAME TO {}", f"{name}_unfinished", name)
    return name


def _within(environment: Mapping[str, str], *what: str) -> Any:
    environment = {**environment, "DJANGO_SETTINGS_MODULE": "config.settings", "DEMO": "1"}
    environment |= {"LOG_LEVEL": "CRITICAL", "JURISDICTIONS": RULES}
    run = [sys.executable, "-m", "benchmarks.pages", *what]
    process = subprocess.run(
        run, env=environment, cwd=PROJECT, check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(process.stdout.splitlines()[-1])


def prepare(rounds: int) -> dict[str, int]:
    """In the environment of the console: jackpots, claims, play, closed days, people."""
    from django.db import connection

    from benchmarks import identified_past, reports, search
    from jackpot.writer import commands
    from settlement.closing import table_days
    from settlement.models import Claim
    from settlement.people.rights.roles import install_roles
    from tables.models import JackpotSystem

    install_roles()
    system = JackpotSystem.objects.get(code="main")
    for number in range(2, JACKPOTS + 1):
        body = {"terms": _other_jackpot(number)}
        commands.queue(system, "put_terms", body, first="anna", second="ben")
    open_claims(system, OPEN_CLAIMS)
    reports.play(rounds)
    days = reports.close_days()
    with connection.cursor() as cursor:
        cursor.execute(search.more(first=OPEN_CLAIMS + 1, are_spread=True))
        cursor.execute(identified_past.identified(first=OPEN_CLAIMS + 1))
    while table_days.keep_table_days(system):  # as the worker does each minute
        pass
    return {"days": days, "claims": Claim.objects.count()}


def _other_jackpot(number: int) -> dict[str, Any]:
    """One that plays at Omaha alone, so that the rounds of the past feed the first."""
    from benchmarks.seed_data import terms

    other = terms()
    other |= {"code": f"bench-{number}", "name": f"Benchmark {number}", "games": ["omaha"]}
    for tier in other["tiers"]:
        tier["code"] += f"-{number}"
        tier["qualifying"]["games"] = ["omaha"]
    return other


def open_claims(system: Any, count: int) -> None:
    """A royal flush at so many tables: posted, and its claim open."""
    from django.utils import timezone

    from benchmarks.history import open_tables
    from benchmarks.load.unit import ROUNDS_OF_A_BOOT
    from jackpot.writer.poster import Poster
    from settlement.tasks import open_claims as open_all
    from tables.intake.reception import receive
    from tables.protocol import messages, topics
    from tables.protocol.inbound_message import InboundMessage

    hand = messages.ReportedHand(
        seat=3,
        hole=["As", "Ks"],
        exposed="yes",
        folded=False,
        participating=True,
        won_pot=True,
    )
    round_number = ROUNDS_OF_A_BOOT + 1
    inbound = []
    for seat in open_tables(system)[:count]:
        common = {
            "v": 1,
            "system": system.code,
            "table": seat.code,
            "boot": 1,
            "recorded_at": timezone.now(),
            "round": round_number,
        }
        events = [
            messages.HandCalled(seq=seat.seq + 1, tier="royal", seats=[3], **common),
            messages.HandReported(
                seq=seat.seq + 2,
                boards=[["Qs", "Js", "Ts", "2d", "3c"]],
                hands=[hand],
                called_seq=seat.seq + 1,
                **common,
            ),
        ]
        topic = topics.events(system.code, seat.code)
        inbound += [InboundMessage.of(topic, messages.encoder.encode(event)) for event in events]
    receive(inbound, timezone.now())
    poster = Poster("hits")
    while poster.step():
        pass
    poster.give_up()
    open_all(system.pk)


def measure(visits: int) -> dict[str, Any]:
    """In the environment of the console: find every page, then open them in turns."""
    import django

    django.setup()
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.test import Client

    from settlement.people.rights.roles import ROLES, grant, install_roles
    from tables.process.gc_tuning import keep_what_is_learnt, search_rarely

    install_roles()
    search_rarely()  # as the web process does
    keep_what_is_learnt()
    reader, _ = User.objects.get_or_create(username=READER)
    for role in ROLES:
        grant(reader, role)
    settings.ROOT_URLCONF = "benchmarks.pages"  # the console's, and the bare page
    client = Client(headers={"host": "localhost"}, raise_request_exception=False)
    client.force_login(reader, backend="settlement.people.passwords.Backend")
    pages, unseen = walk(client)
    rows = {name: _visit(client, path)[1].count(b"<tr") for name, path in pages.items()}
    times: dict[str, list[float]] = {name: [] for name in pages}
    bare: dict[str, list[float]] = {name: [] for name in pages}
    contents = {}
    for _ in range(visits):
        for name, path in pages.items():
            bare[name].append(_visit(client, f"/bare/{max(1, rows[name])}/")[0])
            ms, contents[name] = _visit(client, path)
            times[name].append(ms)
    figures = {
        name: asdict(
            Visits(
                path,
                times[name],
                bare[name],
                rows[name],
                len(contents[name]),
                weight(contents[name]),
            )
        )
        for name, path in pages.items()
    }
    return {"pages": figures, "unseen": unseen}


def _visit(client: Any, path: str) -> tuple[float, bytes]:
    start = time.perf_counter()
    answer = client.get(path, secure=True)
    content = answer.content
    ms = 1_000 * (time.perf_counter() - start)
    if answer.status_code != 200:
        raise SystemExit(f"{path} answered {answer.status_code}.")
    return ms, content


def weight(content: bytes) -> int:
    """Bytes of a page with its styles and scripts, each compressed by itself."""
    from django.contrib.staticfiles import finders

    names = _PART.findall(content.decode())
    files = [finders.find(name.removeprefix("/static/")) for name in names]
    parts = [content, *(Path(file).read_bytes() for file in files if file)]
    return sum(len(gzip.compress(part, 6)) for part in parts)


def bare_page(_request: Any, rows: int) -> Any:
    """The newest transfers, as a plain Django page lists them."""
    from django.http import HttpResponse
    from django.template import Context, Template

    from jackpot.models import Transfer

    by_key = Transfer.objects.select_related("debit", "credit").order_by("-system", "-number")
    newest = by_key[:rows]
    return HttpResponse(Template(BARE).render(Context({"rows": newest})))


def __getattr__(name: str) -> Any:
    """The addresses of the console and the bare page, where Django asks this module for them."""
    if name != "urlpatterns":
        raise AttributeError(name)
    from django.urls import include, path

    return [path("bare/<int:rows>/", bare_page), path("", include("config.urls"))]


def render(pages: Mapping[str, Visits]) -> str:
    """A line for each page, the slowest first."""
    lines = [
        "| page | to a bare page of as many rows | p50 | p95 | p95 / limit | rows | page as sent"
        " | compressed, with styles and scripts |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, each in sorted(pages.items(), key=lambda item: -item[1].p95):
        lines.append(
            f"| {name} | {each.ratio:.1f} times | {statistics.median(each.times):.0f} ms"
            f" | {each.p95:.0f} ms | {each.p95 / LIMIT_MS:.0%} | {each.rows}"
            f" | {each.page / 1_000:.0f} KB | {each.kilobytes:.0f} KB |"
        )
    return "\n".join(lines)


def misses(pages: Mapping[str, Visits]) -> list[str]:
    """Which pages are slower or heavier than they may be, in words."""
    slow = [
        f"{name}: p95 {each.p95:.0f} ms, limit {LIMIT_MS} ms"
        for name, each in pages.items()
        if each.p95 > LIMIT_MS
    ]
    heavy = [
        f"{name}: {each.kilobytes:.0f} KB, limit {LIMIT_KB} KB"
        for name, each in pages.items()
        if each.kilobytes > LIMIT_KB
    ]
    return slow + heavy


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--rounds", type=int, default=10_000_000)
    options.add_argument("--visits", type=int, default=VISITS)
    options.add_argument("--directory", type=Path, help="keep the servers' files here")
    options.add_argument("--prepare", type=int, help=argparse.SUPPRESS)
    options.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    arguments = options.parse_args()
    if arguments.prepare:
        import django

        django.setup()
        print(json.dumps(prepare(arguments.prepare)))
        return
    if arguments.measure:
        print(json.dumps(measure(arguments.visits)))
        return
    with Stage(arguments.directory) as stage:
        database = prepared(stage, arguments.rounds)
        # With an intake and its broker, which the check-up asks, as in a casino.
        with stage.console(stage.url_of(database), "intake") as console:
            environment = console.environment
            figures = _within(environment, "--measure", "--visits", str(arguments.visits))
    pages = {name: Visits(**each) for name, each in figures["pages"].items()}
    print(f"{arguments.rounds:,} rounds, {TABLES} tables, {JACKPOTS} jackpots; {len(pages)} pages")
    print(render(pages))
    others = {name: what for name, what in figures["unseen"].items() if what != FORM_ALONE}
    if others:
        words = ", ".join(f"{name} ({what})" for name, what in sorted(others.items()))
        print(f"\n{len(others)} are not measured, for reasons in unmeasured_pages.py: {words}.")
    if missed := misses(pages) + unlisted(others):
        sys.exit("Missed: " + "; ".join(missed))


if __name__ == "__main__":
    main()
