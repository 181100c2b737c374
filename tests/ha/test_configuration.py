"""What deploy/ha ships is whole, and the programs that are here understand it."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from demo.servers.installation import PROJECT
from deploy.ha import render
from tests.ha.services import program

HA = PROJECT / "deploy" / "ha"
ANALYZE = shutil.which("systemd-analyze")
OF_THE_OWNER = {"migrate", "roles"}
# What a process would else write below /opt/jackpot, where it may not.
FOLDERS = {"beat": {"BEAT_ALIVE_FILE"}, "worker": {"EXPORT_DIR"}, "web": {"EXPORT_DIR"}}
UNITS = sorted((HA / "systemd").glob("*.service"))


class _Loader(yaml.SafeLoader):
    """Knows compose's word for "not what the other file says"."""


_Loader.add_constructor("!reset", lambda *_: None)


def environment_of(unit: Path) -> dict[str, str]:
    """What the unit itself says."""
    lines = re.findall(r"^Environment=(.*)$", unit.read_text(), re.MULTILINE)
    return dict(pair.split("=", 1) for line in lines for pair in line.split())


def services_of_compose() -> dict[str, Any]:
    return dict(yaml.safe_load((PROJECT / "docker-compose.yml").read_text())["services"])


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
    # Nor does a read at the standby keep it from the lead.
    for name in ("max_standby_streaming_delay", "max_standby_archive_delay"):
        assert dcs["postgresql"]["parameters"][name] == "5s"
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
    service = services_of_compose()[name]
    (command,) = re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)
    for word in service.get("command", ["config.asgi:application"])[1:]:
        assert word in command
    assert "Restart=always" in text
    assert "StartLimitIntervalSec=0" in text.partition("[Service]")[0]  # never failed for good
    assert f"EnvironmentFile=/etc/jackpot/{name}.env" in text
    environment = environment_of(unit)
    assert environment.get("WEB_DRAIN_S") == service["environment"].get("WEB_DRAIN_S")
    # Those whose processes add their metrics up; beat is one.
    adds_up = "PROMETHEUS_MULTIPROC_DIR" in service["environment"] and name != "beat"
    assert ("PROMETHEUS_MULTIPROC_DIR" in environment) == adds_up


def test_each_process_of_compose_has_a_unit_and_an_address_for_its_health() -> None:
    processes = {name for name, each in services_of_compose().items() if "build" in each}
    assert {unit.stem.removeprefix("jackpot-") for unit in UNITS} == processes - OF_THE_OWNER
    addresses = [environment_of(unit)["HEALTH_LISTEN"] for unit in UNITS]
    assert len(set(addresses)) == len(addresses)
    readme = (HA / "README.md").read_text()
    assert not [address for address in addresses if f"`{address}`" not in readme]


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_writes_only_where_systemd_lets_it(unit: Path) -> None:
    """systemd makes the folders, or does without: with one that is not there no unit starts."""
    text, environment = unit.read_text(), environment_of(unit)
    assert not re.search(r"^ReadWritePaths=[^-]", text, re.MULTILINE)
    folders = re.findall(r"^ReadWritePaths=-(.*)$", text, re.MULTILINE)
    for kind, root in (("State", "/var/lib"), ("Runtime", "/run")):
        names = re.findall(rf"^{kind}Directory=(.*)$", text, re.MULTILINE)
        folders += [f"{root}/{name}" for name in names]
    assert FOLDERS.get(unit.stem.removeprefix("jackpot-"), set()) <= environment.keys()
    for setting, value in environment.items():
        if value.startswith("/"):
            assert any(value.startswith(folder) for folder in folders), setting


def test_somebody_makes_the_account_and_the_folders_that_units_name() -> None:
    sysusers = (HA / "systemd/sysusers.conf").read_text()
    accounts = set(re.findall(r"^u (\w+) ", sysusers, re.MULTILINE))
    text = "\n".join(unit.read_text() for unit in UNITS)
    # postgres is its package's.
    assert set(re.findall(r"^User=(.*)$", text, re.MULTILINE)) == accounts | {"postgres"}
    tmpfiles = (HA / "systemd/tmpfiles.conf").read_text()
    for path in re.findall(r"^ReadWritePaths=-(.*)$", text, re.MULTILINE):
        assert f"\nd {path} " in tmpfiles
    readme = (HA / "README.md").read_text()
    for name in ("sysusers.conf", "tmpfiles.conf", "jackpot-web.conf", "jackpot-*.service"):
        assert name in readme, name


def test_the_web_believes_both_haproxies_whose_request_it_is(rendered: Path) -> None:
    """Else all browsers have the addresses of these two, and a lock of log-ins is everybody's."""
    values = render.read(HA / "machine.env.example")
    drop_in = (rendered / "systemd/jackpot-web.conf").read_text()
    (addresses,) = re.findall(r"^Environment=FORWARDED_ALLOW_IPS=(.*)$", drop_in, re.MULTILINE)
    assert set(addresses.split(",")) == {"127.0.0.1", values["HOST_A"], values["HOST_B"]}
    text = (HA / "compose.yml").read_text()
    web = yaml.load(text, _Loader)["services"]["web"]  # noqa: S506 - a safe one
    assert ":?" in web["environment"]["FORWARDED_ALLOW_IPS"]  # nobody forgets them


@pytest.mark.systemd
@pytest.mark.skipif(
    ANALYZE is None, reason="UNITS NOT TESTED: systemd-analyze is not here (apt install systemd)"
)
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_systemd_takes_the_units(unit: Path, tmp_path: Path) -> None:
    """All but their programs, which are not at /opt/jackpot here."""
    copy = tmp_path / unit.name
    text = re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", unit.read_text(), flags=re.MULTILINE)
    copy.write_text(text)
    argv = [str(ANALYZE), "verify", "--man=no", str(copy)]
    verified = subprocess.run(argv, check=False, capture_output=True, text=True, timeout=60)
    of_this_one = [line for line in verified.stderr.splitlines() if unit.name in line]
    assert (verified.returncode, of_this_one) == (0, []), verified.stderr


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
        if name in ("worker", "web"):  # the same role, at the standby
            ports = [render.LOCAL_PORTS[each] for each in ("DATABASE_PORT", "READ_PORT")]
            read_url = services[name]["environment"]["READ_DATABASE_URL"]
            assert read_url == url.replace(*(f":{port}/" for port in ports))
