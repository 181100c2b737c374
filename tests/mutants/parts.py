"""What is mutated, and which tests are to notice it."""

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


PARTS = {
    "rules": Part("rules", ("tests/rules", "rules")),
    "fold": Part("jackpot/domain", ("tests/jackpot/domain", "tests/jackpot/terms")),
    "verifier": Part("verifier", ("tests/verifier",)),
}
