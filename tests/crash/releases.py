"""Two versions of the console side by side, as an update brings them: each a tree of its own."""

import re
import shutil
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path

from demo.servers.installation import PROJECT

# What runs, and what the dealers, the people and the seed need.
PARTS = (
    *("config", "conformance", "demo", "jackpot", "locale", "rules", "settlement", "simulation"),
    *("tables", "templates", "tests", "verifier", "manage.py"),
)
RELEASE = re.compile(r"v\d+\.\d+\.\d+")


@dataclass(frozen=True)
class Update:
    """From which tree to which."""

    before: Path
    after: Path
    what: str


def make_update(directory: Path, project: Path = PROJECT) -> Update:
    """From the last release to this tree. Before the first one: from this tree to the same with a
    next version planted, so that there is something that the version before does not know.
    """
    before = directory / "before"
    if tag := last_release(project):
        _unpack(project, tag, before)
        # The dealers of today at the units of that release.
        shutil.rmtree(before / "tests", ignore_errors=True)
        shutil.copytree(project / "tests", before / "tests", ignore=_left_out)
        return Update(before, project, f"from {tag} to the working tree")
    _copy(project, before)
    after = directory / "after"
    _copy(project, after)
    plant_next_version(after)
    return Update(before, after, "from the working tree to a planted next version")


def last_release(project: Path) -> str | None:
    """The tag of the newest release that this tree comes after; None before the first."""
    if not (project / ".git").exists():
        return None
    process = subprocess.run(
        ["git", "tag", "--list", "v*", "--merged", "HEAD", "--sort=-version:refname"],
        cwd=project,
        check=True,
        capture_output=True,
        text=True,
    )
    return next((tag for tag in process.stdout.split() if RELEASE.fullmatch(tag)), None)


def _unpack(project: Path, tag: str, into: Path) -> None:
    archive = into.with_suffix(".tar")
    subprocess.run(["git", "archive", "--output", str(archive), tag], cwd=project, check=True)
    with tarfile.open(archive) as file:
        file.extractall(into, filter="data")


def _copy(project: Path, into: Path) -> None:
    for part in PARTS:
        source = project / part
        if source.is_dir():
            shutil.copytree(source, into / part, ignore=_left_out)
        else:
            shutil.copy2(source, into / part)


_left_out = shutil.ignore_patterns("node_modules", ".*", "*.png")

# The first step of what an update may do: a column that may be empty in tables that all write all
# the time, and a table of its own with rights.
CHANGED = (
    *("tables_tableevent", "tables_stream", "tables_unitpresence", "tables_outboxmessage"),
    *("jackpot_head", "jackpot_writer", "jackpot_entry", "jackpot_transfer", "jackpot_block"),
    *("jackpot_account", "jackpot_hit", "jackpot_displaymessage", "settlement_claim"),
)
NEXT_MIGRATIONS = [
    *(f"ALTER TABLE {name} ADD COLUMN of_next_version text NULL" for name in CHANGED),
    "CREATE TABLE settlement_nextversion (id bigint PRIMARY KEY)",
]
_MIGRATION = """from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [(app, "0099_guards") for app in ("tables", "jackpot")]
    dependencies.append(("settlement", "{after}"))
    operations = [migrations.RunSQL("{statement}", "")]
"""


def plant_next_version(tree: Path) -> None:
    """Make a tree the next version of itself."""
    version = tree / "config" / "version.py"
    text = version.read_text()
    major, minor, _ = re.findall(r"\d+", text)[-3:]
    later = f"{major}.{int(minor) + 1}.0"
    version.write_text(re.sub(r'VERSION = ".*"', f'VERSION = "{later}"', text))
    migrations = tree / "settlement" / "migrations"
    after = max(file.stem for file in migrations.glob("[0-9]*.py"))
    for number, statement in enumerate(NEXT_MIGRATIONS, 9000):
        name = f"{number}_next_version"
        (migrations / f"{name}.py").write_text(_MIGRATION.format(after=after, statement=statement))
        after = name
    grants = tree / "settlement" / "database_roles" / "grants.py"
    head = "WRITES: dict[str, dict[str, str]] = {\n"
    text = grants.read_text()
    assert head in text
    grants.write_text(
        text.replace(head, f'{head}    "settlement_nextversion": {{"web": "INSERT"}},\n')
    )
