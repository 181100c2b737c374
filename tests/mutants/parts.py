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


_DOMAIN = ("tests/jackpot/domain", "tests/jackpot/terms")
PARTS = {
    "rules": Part("rules", ("tests/rules", "rules")),
    "fold": Part("jackpot/domain", _DOMAIN),
    # Whoever plays an evening has the verifier look at it.
    "verifier": Part(
        "verifier",
        (
            "tests/verifier",
            *_DOMAIN,
            "tests/jackpot/transparency",
            *(
                f"tests/settlement/{room}"
                for room in ("archives", "bundles", "closing", "drop", "exclusions", "floor")
            ),
            # Files of reports, which the verifier opens again.
            "tests/settlement/reports/test_exports.py",
            "tests/settlement/reports/test_signed_log.py",
            "tests/stories",
        ),
    ),
}


def module_of(path: Path) -> str:
    """The name under which this file is imported."""
    below = path.relative_to(PROJECT) if path.is_relative_to(PROJECT) else Path(path.name)
    return ".".join(below.with_suffix("").parts).removesuffix(".__init__")
