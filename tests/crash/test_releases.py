"""Which two versions the rolling restart is between."""

import subprocess
from pathlib import Path

from release import baseline
from tables.schema.lint import faults
from tests.crash.releases import NEXT_MIGRATIONS, last_release, make_update


def git(project: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=Mere", "-c", "user.email=mere@example.com")
    subprocess.run(["git", *identity, *arguments], cwd=project, check=True, capture_output=True)


def project_with(directory: Path, *tags: str) -> Path:
    """A project of one file, with a commit for each release and one behind them."""
    project = directory / "project"
    (project / "tests").mkdir(parents=True)
    git(directory, "init", str(project))
    for number, tag in enumerate((*tags, "")):
        (project / "manage.py").write_text(f"# {number}\n")
        (project / "tests" / "dealers.py").write_text(f"# {number}\n")
        git(project, "add", ".")
        git(project, "commit", "-m", f"No. {number}")
        if tag:
            git(project, "tag", tag)
    return project


def test_the_last_release_is_the_newest_tag_before_this_tree(tmp_path: Path) -> None:
    project = project_with(tmp_path, "v1.2.0", "v1.10.0", "v1.10.1-rc.1")
    assert last_release(project) == "v1.10.0"
    update = make_update(tmp_path, project)
    assert (update.before / "manage.py").read_text() == "# 1\n"
    assert (update.before / "tests" / "dealers.py").read_text() == "# 3\n"  # of today
    assert update.after == project


def test_before_the_first_release_a_next_version_is_planted(tmp_path: Path) -> None:
    assert last_release(tmp_path) is None
    assert last_release(project_with(tmp_path)) is None
    assert [faults([statement]) for statement in NEXT_MIGRATIONS] == [[]] * len(NEXT_MIGRATIONS)


def test_a_planted_version_has_a_number_and_migrations_of_its_own(tmp_path: Path) -> None:
    update = make_update(tmp_path)
    if update.after == Path(__file__).parents[2]:
        return  # there is a release
    before, after = (tree / "config" / "version.py" for tree in (update.before, update.after))
    assert before.read_text() != after.read_text()
    new = set(baseline.present(update.after)) - set(baseline.present(update.before))
    assert len(new) == len(NEXT_MIGRATIONS)
