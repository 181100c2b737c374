"""How much a sample says."""

import math
from dataclasses import dataclass

_Z = 1.96  # 95 %


@dataclass(frozen=True)
class Score:
    """So many of so many mutants were killed."""

    killed: int
    mutants: int

    @property
    def share(self) -> float:
        """0 to 1; of no mutants 1."""
        return self.killed / self.mutants if self.mutants else 1.0

    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share among all mutants that the sample was drawn from, after
        Wilson: Probable Inference, JASA 22 (1927)."""
        n = self.mutants
        if not n:
            return 0.0, 1.0
        middle = (self.share + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        spread = self.share * (1 - self.share) / n + _Z**2 / (4 * n**2)
        half = _Z / (1 + _Z**2 / n) * math.sqrt(spread)
        return max(0.0, middle - half), min(1.0, middle + half)

    def __str__(self) -> str:
        low, high = self.interval()
        return f"{self.killed} of {self.mutants}: {self.share:.1%} ({low:.1%} to {high:.1%})"
