"""Alarm, metric, rule and runbook belong together: a new alarm cannot be forgotten."""

import ast
import importlib
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import REGISTRY

import jackpot.metrics
import jackpot.web.web_metrics
import settlement.metrics
import tables.metrics
import tables.telemetry.span_export
from jackpot.writer.batches import _FLAG_ALARMS
from settlement.closing import closes
from settlement.core.words.labels import ALARMS
from tables.process.disks import DiskMetrics
from tables.telemetry.health_metrics import HealthMetrics
from tables.telemetry.row_metrics import UNREAD
from tables.telemetry.standby_metrics import StandbyMetrics

PROJECT = Path(__file__).resolve().parent.parent
MONITORING = PROJECT / "deploy" / "monitoring"
RUNBOOKS = PROJECT / "docs" / "runbooks"
FLOORS = ("tables", "jackpot", "settlement")
# Calls whose kind is a variable, and what it may be.
VARIABLE = {
    "tables/intake/quarantine.py": {"quarantine", "quarantine_limit", "identity_conflict"},
    "jackpot/writer/batches.py": set(_FLAG_ALARMS),
    "settlement/tasks.py": set(closes.ALARMS),
}
_INSERTED = re.compile(r"INSERT INTO tables_alarm[^;]*?\b(?:SELECT|VALUES \()\s*'(\w+)'", re.DOTALL)
_METRIC = re.compile(r"\b(?:jackpot_\w+|up)\b")
ROWS = [*tables.metrics.ROWS, *jackpot.metrics.ROWS, *settlement.metrics.ROWS]


def kinds_raised() -> Iterator[tuple[str, set[str]]]:
    """Each file that raises alarms, and their kinds."""
    for floor in FLOORS:
        for path in sorted((PROJECT / floor).rglob("*.py")):
            name = str(path.relative_to(PROJECT))
            if "/migrations/" in name or name == "tables/alarms.py":
                continue
            for call in ast.walk(ast.parse(path.read_text())):
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "raise_alarm":
                    yield name, _kinds(name, call.args[0])
        for path in (PROJECT / floor / "sql").glob("*.sql"):
            if "INSERT INTO tables_alarm " in (text := path.read_text()):
                yield str(path.relative_to(PROJECT)), set(_INSERTED.findall(text))


def _kinds(name: str, kind: ast.expr) -> set[str]:
    if isinstance(kind, ast.Constant):
        return {str(kind.value)}
    module = importlib.import_module(name.removesuffix(".py").replace("/", "."))
    try:
        return {eval(ast.unparse(kind), vars(module))}  # noqa: S307 - a name of ours
    except NameError:
        return VARIABLE[name]


@cache
def rules() -> list[dict[str, Any]]:
    groups = yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


def expressions() -> Iterator[str]:
    """Of rules and of the dashboard."""
    yield from (rule["expr"] for rule in rules())
    for panel in json.loads((MONITORING / "dashboard.json").read_text())["panels"]:
        yield from (target["expr"] for target in panel.get("targets", ()))


def metrics() -> set[str]:
    """The names of what the registries have, as a Prometheus stores them."""
    assert jackpot.web.web_metrics
    collectors = HealthMetrics(lambda: True, dict), DiskMetrics(), StandbyMetrics()
    families = [*REGISTRY.collect(), *(each for one in collectors for each in one.describe())]
    assert tables.telemetry.span_export  # whose metric is there only where traces are on
    names = {UNREAD, "up", *(gauge.name for gauge in ROWS)}
    for family in families:
        suffixes = {"counter": ["_total"], "histogram": ["_bucket", "_count", "_sum"]}
        names |= {family.name + suffix for suffix in suffixes.get(family.type, [""])}
    return names


def test_every_alarm_that_is_raised_has_words_and_every_word_an_alarm() -> None:
    raised: set[str] = set()
    for name, kinds in kinds_raised():
        assert kinds, f"{name}: which kind is it?"
        raised |= kinds
    assert len(raised) > 40
    assert raised == set(ALARMS.keys()), "settlement/core/words/labels.py: ALARMS"


@pytest.mark.parametrize("kind", sorted(ALARMS.keys()))
def test_every_alarm_has_a_rule(kind: str) -> None:
    """Named after it."""
    name = "".join(part.capitalize() for part in kind.split("_"))
    (rule,) = [rule for rule in rules() if rule["alert"] == name]
    assert rule["expr"] == f'max(jackpot_alarms_open{{kind="{kind}"}}) > 0'


def test_no_rule_is_about_an_alarm_that_is_none() -> None:
    kinds = set(re.findall(r'kind="(\w+)"', " ".join(rule["expr"] for rule in rules())))
    assert kinds == set(ALARMS.keys())


def test_every_rule_is_whole() -> None:
    names = [rule["alert"] for rule in rules()]
    assert len(names) == len(set(names))
    for rule in rules():
        assert set(rule) <= {"alert", "expr", "for", "labels", "annotations"}, rule["alert"]
        assert rule["labels"]["severity"] in {"critical", "warning", "info"}
        assert rule["annotations"].keys() == {"summary", "runbook"}
        assert rule["expr"].count("(") == rule["expr"].count(")")
        assert re.fullmatch(r"\d+[mh]", rule.get("for", "0m"))


def test_every_rule_has_a_section_of_the_runbooks_and_each_section_a_rule() -> None:
    sections = {}
    for page in RUNBOOKS.glob("*.md"):
        if page.name != "README.md":
            for section in page.read_text().split("\n## ")[1:]:
                title, _, body = section.partition("\n")
                sections[f"docs/runbooks/{page.name}#{title.lower()}"] = title, body
    assert {rule["annotations"]["runbook"] for rule in rules()} == set(sections)
    for rule in rules():
        title, body = sections[rule["annotations"]["runbook"]]
        assert title == rule["alert"]
        for point in ("Means", "On the floor", "Do", "Call"):
            assert f"- **{point}:** " in body, title


def test_the_index_of_the_runbooks_names_every_alert_with_its_severity() -> None:
    rows = re.findall(
        r"^\| \[(\w+)\]\([^)]+\) \| (\w+) \|", (RUNBOOKS / "README.md").read_text(), re.MULTILINE
    )
    assert rows == [(rule["alert"], rule["labels"]["severity"]) for rule in rules()]


def test_what_rules_and_dashboard_ask_for_exists() -> None:
    metric_names = metrics()
    for expression in expressions():
        assert set(_METRIC.findall(expression)) <= metric_names, expression


def test_every_metric_of_ours_is_watched_and_drawn() -> None:
    ours = {re.sub(r"_(bucket|count|sum)$", "", name) for name in metrics() if "jackpot" in name}
    for text in (
        " ".join(rule["expr"] for rule in rules()),
        (MONITORING / "dashboard.json").read_text(),
    ):
        used = {re.sub(r"_(bucket|count|sum)$", "", name) for name in _METRIC.findall(text)}
        assert ours - used <= {"jackpot_commands_waiting"}, "neither in a rule nor on the dashboard"


def test_every_metric_has_a_name_of_a_kind() -> None:
    for gauge in ROWS:
        assert re.fullmatch(r"jackpot_[a-z_]+", gauge.name)
        assert gauge.meaning.endswith(".")
        assert set(gauge.labels) <= {"system", "kind", "state"}, "a label names nobody"


def test_every_process_of_compose_has_a_health_check_and_a_job() -> None:
    config = yaml.safe_load((MONITORING / "prometheus.yml").read_text())
    compose = yaml.safe_load((PROJECT / "docker-compose.yml").read_text())["services"]
    assert config["rule_files"] == ["alerts.yml"]
    # Commands of the owner end.
    processes = {
        name for name, each in compose.items() if "build" in each and "on-failure" not in str(each)
    }
    assert len(processes) > 5
    jobs = {each["job_name"].removeprefix("jackpot-") for each in config["scrape_configs"]}
    assert jobs == processes
    unchecked = {
        name for name in processes if "/health/ready" not in str(compose[name].get("healthcheck"))
    }
    assert unchecked == set()


@pytest.mark.prometheus
@pytest.mark.skipif(
    shutil.which("promtool") is None,
    reason="RULES OF ALERTS NOT TESTED: promtool is not here (apt install prometheus)",
)
@pytest.mark.parametrize(("what", "name"), [("rules", "alerts.yml"), ("config", "prometheus.yml")])
def test_prometheus_takes_the_rules_and_the_example(what: str, name: str) -> None:
    subprocess.run(["promtool", "check", what, MONITORING / name], check=True)
