"""The harness finds a mistake that no test notices, and sees one die; its list is current."""

import re
import subprocess
import sys
import textwrap
from functools import cache
from pathlib import Path

import pytest

from tests.mutants.__main__ import exit_code
from tests.mutants.mutant import mutants_of
from tests.mutants.parts import PARTS, PROJECT
from tests.mutants.score import Score
from tests.mutants.survivors import equals

INVENTED = {
    "prize.py": """
        from functools import cache

        LIMIT = 10

        @cache
        def larger(value: int) -> int:
            return value + 1 if value < LIMIT else value

        class Share:
            @property
            def unwatched(self) -> int:
                return 7

        def unreached() -> int:
            return 5

        FIRST = larger(1)  # remembered from the import on
    """,
    "test_prize.py": """
        from prize import Share, larger

        class Unready:
            @property
            def __class__(self) -> type:
                raise LookupError("made when it is first asked, as some objects of Django are")

        UNREADY = Unready()

        def test_it_grows_up_to_the_limit() -> None:
            assert [larger(value) for value in (1, 9, 10)] == [2, 10, 10]

        def test_nothing_is_asserted() -> None:
            assert Share().unwatched
    """,
}


@pytest.fixture
def invented(tmp_path: Path) -> Path:
    for name, text in INVENTED.items():
        (tmp_path / name).write_text(textwrap.dedent(text))
    return tmp_path


def mutants(folder: Path, *options: str) -> tuple[int, str]:
    """Exit code and output of `make mutants` over that folder."""
    process = subprocess.run(
        [sys.executable, "-m", "tests.mutants", "--code", folder, "--tests", folder, *options],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    return process.returncode, process.stdout


def test_a_mutant_that_no_test_notices_survives_and_fails_the_command(invented: Path) -> None:
    code, output = mutants(invented, "--sample", "0", "--only", "::Share.unwatched")
    assert "prize.py::Share.unwatched  7 → 8" in output
    assert (code, "killed 0 of 1" in output) == (1, True), output


def test_a_mutant_that_a_test_notices_is_killed(invented: Path) -> None:
    """Behind a decorator that remembers a result, too."""
    code, output = mutants(invented, "--sample", "0", "--only", "prize.py::larger")
    assert (code, "→" in output) == (0, False), output
    assert "killed 5 of 5: 100.0%" in output


def test_what_no_test_reaches_survives(invented: Path) -> None:
    code, output = mutants(invented, "--sample", "0", "--only", "::unreached")
    assert "5 → 6  (no test reaches it)" in output
    assert code == 1


def test_tests_that_fail_by_themselves_say_nothing(invented: Path) -> None:
    (invented / "test_wrong.py").write_text("def test_wrong(): assert False\n")
    code, output = mutants(invented, "--sample", "0")
    assert (code, "test_wrong.py::test_wrong" in output) == (2, True), output


def test_a_test_that_fails_without_a_mutant_kills_none(invented: Path) -> None:
    """It passes only once, so it fails in every fork."""
    again = """
        from pathlib import Path
        from prize import Share

        def test_there_is_no_note_yet() -> None:
            note = Path(__file__).with_name("note")
            assert not note.exists()
            note.write_text(str(Share().unwatched))
    """
    (invented / "test_once.py").write_text(textwrap.dedent(again))
    code, output = mutants(invented, "--sample", "0", "--only", "::Share.unwatched")
    assert re.search(r"is left out: \S*test_once.py::test_there_is_no_note_yet", output), output
    assert (code, "killed 0 of 1" in output) == (1, True), output


def test_a_test_is_set_up_in_its_own_fork(invented: Path) -> None:
    """Of one whose set-up was tried first, all forks had the folder, and so it was left out."""
    again = """
        from pathlib import Path
        from prize import Share

        def test_it_is_written(tmp_path: Path) -> None:
            (tmp_path / "folder").mkdir()
            assert Share().unwatched == 7
    """
    (invented / "test_folder.py").write_text(textwrap.dedent(again))
    code, output = mutants(invented, "--sample", "0", "--only", "::Share.unwatched")
    assert (code, "is left out" in output) == (0, False), output
    assert "killed 1 of 1" in output


def test_each_fork_builds_its_own_house(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fork took the database of a house away, as it was too old, and so it was gone for the next
    one and for the end of the run, which failed."""
    monkeypatch.setenv("KEPT_HOUSE_S", "0")
    process = subprocess.run(
        [
            *(sys.executable, "-m", "tests.mutants", "--sample", "3", "--seed", "1"),
            *("--code", "verifier/people", "--only", "signatures.py::_House._policy"),
            *("--tests", "tests/verifier/people/test_tampered_signatures.py"),
        ],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert re.search(r"killed \d of 3", process.stdout), process.stdout + process.stderr


def test_a_run_that_must_end_tries_what_it_can(invented: Path) -> None:
    """No test was measured, or no mutant tried, before time was up: it says so, and kills none."""
    only = ("--sample", "0", "--only", "prize.py::larger")
    code, output = mutants(invented, *only, "--measure", "0.000001")
    assert "0 of 2 tests in 0 s" in output
    assert (code, "killed 0 of 5" in output) == (1, True), output
    code, output = mutants(invented, *only, "--within", "0.000001")
    assert (code, "killed 0 of 0" in output) == (1, True), output
    assert "5 of the sample not tried in time" in output
    assert "tried: 0% of the sample" in output
    code, output = mutants(invented, *only, "--measure", "60", "--within", "60")
    assert (code, "killed 5 of 5" in output) == (0, True), output
    assert "0 of the sample not tried in time" in output
    assert "tried: 100% of the sample" in output


def test_a_score_of_less_than_half_of_the_sample_is_none() -> None:
    assert [exit_code(Score(10, 10), share) for share in (0.0, 0.49, 0.5, 1.0)] == [1, 1, 0, 0]
    assert exit_code(Score(8, 10), 1.0) == 1


def test_an_interval_is_wilson_s() -> None:
    assert Score(90, 100).interval() == pytest.approx((0.8256, 0.9448), abs=1e-4)
    assert Score(200, 200).interval() == pytest.approx((0.9812, 1.0), abs=1e-4)


def test_each_part_has_code_and_tests() -> None:
    for part in PARTS.values():
        assert part.files()
        assert all((PROJECT / tests).exists() for tests in part.tests)


def test_what_is_listed_as_equal_is_a_mutant_of_today_with_a_reason() -> None:
    for row in equals():
        path, _, function = row.function.partition("::")
        assert any(path.startswith(part.code) for part in PARTS.values()), row
        assert len(row.reason.split()) > 3, row
        changes = [each.change() for each in _mutants(PROJECT / path) if each.function == function]
        assert changes, f"no such function: {row}"
        assert any(row.covers(row.function, change) for change in changes), f"no mutant: {row}"


_mutants = cache(mutants_of)
