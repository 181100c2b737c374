"""What is mutated, and which tests are to notice it."""

import re
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Part:
    """Code under one folder, and the tests that are run against its mutants; paths are those from
    the project's root."""

    code: str
    tests: tuple[str, ...]

    def files(self) -> list[Path]:
        """Its Python files, sorted, so that a seed draws the same mutants everywhere."""
        return sorted((PROJECT / self.code).rglob("*.py"))


_DOMAIN = ("tests/jackpot/domain", "tests/jackpot/terms")
_LOOKS = re.compile(r"^(?:from|import) verifier\b|^from tests\.support\.proof\b", re.MULTILINE)


def _looking(folder: str) -> tuple[str, ...]:
    """The tests below a folder that ask the verifier."""
    paths = sorted((PROJECT / folder).rglob("test_*.py"))
    return tuple(
        str(path.relative_to(PROJECT)) for path in paths if _LOOKS.search(path.read_text())
    )


PARTS = {
    "rules": Part("rules", ("tests/rules", "rules")),
    "fold": Part("jackpot/domain", _DOMAIN),
    # Whoever plays a story has the verifier look at it.
    "verifier": Part(
        "verifier",
        (
            "tests/verifier",
            *_DOMAIN,
            "tests/jackpot/transparency",
            *_looking("tests/settlement"),
            "tests/stories",
        ),
    ),
}


def module_of(path: Path) -> str:
    """The name under which this file is imported."""
    below = path.relative_to(PROJECT) if path.is_relative_to(PROJECT) else Path(path.name)
    return ".".join(below.with_suffix("").parts).removesuffix(".__init__")
