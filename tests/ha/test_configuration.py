"""What deploy/ha ships is whole, and the programs that are here understand it."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml

from demo.installation import PROJECT
from deploy.ha import render
from tests.ha.services import program

HA = PROJECT / "deploy" / "ha"
UNITS = sorted((HA / "systemd").glob("*.service"))


class _Loader(yaml.SafeLoader):
    """Knows compose's word for "not what the other file says"."""


_Loader.add_constructor("!reset", lambda *_: None)


@pytest.fixture
def rendered(tmp_path: Path) -> Path:
    render.render(render.read(HA / "machine.env.example"), tmp_path)
    return tmp_path


def test_every_value_of_the_templates_is_in_the_example(rendered: Path) -> None:
    files = [path for path in rendered.rglob("*") if path.is_file()]
    assert len(files) == len(render.TEMPLATES)
    assert not [path for path in files if "${" in path.read_text()]


def test_patroni_waits_for_both_disks_and_takes_the_lead_within_the_promise(rendered: Path) -> None:
    document = yaml.safe_load((rendered / "patroni.yml").read_text())
    dcs = document["bootstrap"]["dcs"]
    assert dcs["synchronous_mode"] is True
    assert dcs["postgresql"]["parameters"]["synchronous_commit"] == "on"
    assert dcs["ttl"] >= dcs["loop_wait"] + 2 * dcs["retry_timeout"]
    assert dcs["ttl"] <= 20
    assert "etcd" in document
    assert "etcd3" not in document


def test_a_patroni_that_starts_finds_no_server_running(rendered: Path) -> None:
    drop_in = (rendered / "systemd/patroni.conf").read_text()
    assert re.search(r"^ExecStartPre=-\S+/pg_ctl .* --mode immediate stop$", drop_in, re.MULTILINE)


@pytest.mark.skipif(program("haproxy") is None, reason="HAPROXY NOT TESTED: apt install haproxy")
def test_haproxy_takes_its_configuration(tmp_path: Path) -> None:
    values = {
        **render.read(HA / "machine.env.example"),
        "WEB_BIND": "127.0.0.1:8443",
        "MQTT_BIND": ":8883",
    }
    render.render(values, tmp_path)
    haproxy = program("haproxy")
    assert haproxy is not None
    subprocess.run([haproxy, "-c", "-q", "-f", tmp_path / "haproxy.cfg"], check=True)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_units_start_what_compose_starts(unit: Path) -> None:
    text = unit.read_text()
    name = unit.stem.removeprefix("jackpot-")
    compose = yaml.safe_load((PROJECT / "docker-compose.yml").read_text())["services"]
    assert name in compose
    (command,) = re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)
    for word in compose[name].get("command", ["config.asgi:application"])[1:]:
        assert word in command
    assert "Restart=always" in text
    assert f"EnvironmentFile=/etc/jackpot/{name}.env" in text


def test_the_profile_of_compose_starts_no_server_and_leads_to_the_primary() -> None:
    text = (HA / "compose.yml").read_text()
    services = yaml.load(text, _Loader)["services"]  # noqa: S506 - a safe one
    usual = yaml.safe_load((PROJECT / "docker-compose.yml").read_text())["services"]
    # Of one machine alone, as is said in the roadmap: backups by compose's profile.
    usual = {name: each for name, each in usual.items() if "profiles" not in each}
    assert services.keys() == usual.keys()
    servers = {name for name, each in services.items() if each.get("profiles") == ["one-machine"]}
    assert servers == {name for name, each in usual.items() if "build" not in each}
    for name in services.keys() - servers:
        url = services[name]["environment"]["DATABASE_URL"]
        assert url.endswith(f"@127.0.0.1:{render.LOCAL_PORTS['DATABASE_PORT']}/jackpot")
        assert url.split(":")[1] == usual[name]["environment"]["DATABASE_URL"].split(":")[1]
