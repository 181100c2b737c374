"""A release: what must hold before it, and what it leaves behind."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from config.version import VERSION
from release import __main__ as command
from release import artifacts, audit, checks

PROJECT = Path(__file__).resolve().parents[2]
ENTRY = "## [1.0.0] - 2026-12-01\n\n### Added\n\n- Everything.\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A clean tree that is ready for 1.0.0."""
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "version.py").write_text('VERSION = "1.0.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## [Unreleased]\n\n{ENTRY}")
    (tmp_path / "requirements.txt").write_text((PROJECT / "requirements.txt").read_text())
    (tmp_path / "release").mkdir()
    (tmp_path / "release" / "migrations.txt").touch()
    (tmp_path / ".gitignore").write_text("build/\n")
    for arguments in (
        ("init", "--quiet"),
        ("config", "user.name", "Mere"),
        ("config", "user.email", "mere@example.com"),
        ("add", "."),
        ("commit", "--quiet", "--message", "Begin"),
    ):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True, capture_output=True)
    return tmp_path


def test_a_clean_tree_with_its_entry_is_ready(project: Path) -> None:
    assert list(checks.faults(project, "1.0.0")) == []
    assert checks.notes(project, "1.0.0") == "### Added\n\n- Everything."


def test_each_thing_that_is_missing_is_named(project: Path) -> None:
    assert "is no version" in "".join(checks.faults(project, "one"))
    faults = " ".join(checks.faults(project, "1.0.1"))
    assert "names another version" in faults
    assert "has no entry" in faults
    (project / "tables" / "migrations").mkdir(parents=True)
    (project / "tables" / "migrations" / "0001_tables.py").touch()
    checks.git(project, "tag", "v1.0.0")
    faults = " ".join(checks.faults(project, "1.0.0"))
    assert "has changes" in faults
    assert "has not the migrations" in faults
    assert "exists" in faults


def test_a_release_is_tagged_with_its_bill_of_materials(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(audit, "ask", lambda: ([{"name": "django", "vulns": []}], ""))
    monkeypatch.setattr("shutil.which", lambda _: None)
    # Five seconds: whether the library writes what its own schema says is its affair.
    monkeypatch.setattr(artifacts, "BILL", [*artifacts.BILL, "--no-validate"])
    assert command.main(["1.0.0"], project) == 0, capsys.readouterr().err
    assert checks.git(project, "tag", "--list") == "v1.0.0"
    bill = json.loads((project / "build" / "jackpot-console-1.0.0.cdx.json").read_text())
    assert (bill["bomFormat"], bill["metadata"]["component"]["version"]) == ("CycloneDX", "1.0.0")
    django = next(each for each in bill["components"] if each["name"] == "django")
    assert django["version"]
    assert django["purl"].startswith("pkg:pypi/django@")
    assert (project / "build" / "image").read_text() == "jackpot-console:1.0.0\n"
    assert "VERSION=1.0.0" in artifacts.build_command(project, "1.0.0")
    assert command.main(["1.0.0"], project) == 1  # once


def test_nothing_is_tagged_where_something_is_missing(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fault = {"id": "PYSEC-1", "fix_versions": ["6.0"]}
    packages = [{"name": "django", "version": "5.2", "vulns": [fault]}]
    monkeypatch.setattr(audit, "ask", lambda: (packages, ""))
    assert command.main(["1.0.0"], project) == 1
    assert "django 5.2: PYSEC-1, fixed in 6.0" in capsys.readouterr().out
    assert command.main([]) == 1
    assert checks.git(project, "tag", "--list") == ""


@pytest.mark.parametrize(("may_be_offline", "code"), [(True, 0), (False, 1)])
def test_an_audit_without_a_network_says_so(
    may_be_offline: bool, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audit.report(None, "no route to host", may_be_offline=may_be_offline) == code
    assert "NOT AUDITED" in capsys.readouterr().err


def test_an_audit_that_knows_faults_fails_in_ci_too() -> None:
    packages: list[dict[str, Any]] = [
        {"name": "a", "version": "1", "vulns": [{"id": "X", "fix_versions": []}]}
    ]
    assert audit.report(packages, "", may_be_offline=True) == 1
    assert audit.report([{"name": "a", "version": "1", "vulns": []}], "", may_be_offline=True) == 0


def test_the_version_has_one_home() -> None:
    """Image, compose and project read it, or are given it."""
    assert checks.SHAPE.fullmatch(VERSION)
    assert "config.version.VERSION" in (PROJECT / "pyproject.toml").read_text()
    dockerfile = (PROJECT / "Dockerfile").read_text()
    assert 'org.opencontainers.image.version="$VERSION"' in dockerfile
    images = {
        service["image"]
        for service in yaml.safe_load((PROJECT / "docker-compose.yml").read_text())[
            "services"
        ].values()
        if "build" in service
    }
    assert images == {f"jackpot-{each}:${{VERSION:-latest}}" for each in ("console", "backup")}


def test_the_changelog_begins_with_what_is_not_released() -> None:
    text = (PROJECT / "CHANGELOG.md").read_text()
    assert text.index("## [Unreleased]") > 0
    assert "[Keep a Changelog]" in text
