"""High hands worked out plainly, beside the fold: every period again from what it was made of."""

import math
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from tests.support.play.high_hands import HANDS, Evening


def timelines(most_rounds: int) -> st.SearchStrategy[list[Any]]:
    """Rounds, hands at a table, ends of a period and rejections, in any order."""
    return st.lists(
        st.one_of(
            st.integers(1, most_rounds),
            st.sampled_from(["t3", "t7"]).flatmap(
                lambda table: st.tuples(st.just(table), st.integers(0, 2))
            ),
            st.just("end"),
            st.tuples(st.just("reject"), st.integers(0, 7)),
        ),
        max_size=30,
    )


@dataclass
class Reference:
    """The same evening. Amounts in units of the currency; `prize` None: the whole pool."""

    reset: float
    by_round: float
    prize: float | None = None
    is_added: bool = False  # a prize that nobody wins is added to the next one
    periods: list[tuple[int, list[tuple[int, int]]]] = field(
        default_factory=lambda: [(0, [])]  # rounds, (hit, rank)
    )
    rejected: set[int] = field(default_factory=set)

    def follow(self, evening: Evening, act: Any) -> None:
        """One step of a timeline, in the fold and here."""
        rounds, hands = self.periods[-1]
        match act:
            case int():
                evening.play(act)
                self.periods[-1] = (rounds + act, hands)
            case "end":
                evening.end()
                self.periods.append((0, []))
            case ("reject", int() as which):
                still = [h.number for h in evening.books.hits.values() if h.state == "held"]
                if still:
                    evening.reject(still[which % len(still)])
                    self.rejected.add(still[which % len(still)])
            case (str() as table, int() as rank):
                hit = evening.show(table, HANDS[rank])
                self.periods[-1] = (rounds + 1, [*hands, (hit, rank)])

    def comes_to(self, hits: int) -> tuple[list[float], float, float | None]:
        """What each hit holds, the pool, and what the present period is for."""
        held, pool, prize = dict.fromkeys(range(1, hits + 1), 0.0), self.reset, self.prize
        for rounds, hands in self.periods[:-1]:
            pool += self.by_round * rounds
            standing = [(hit, rank) for hit, rank in hands if hit not in self.rejected]
            top = max((rank for _, rank in standing), default=None)
            best = [hit for hit, rank in standing if rank == top]
            whole = math.ceil(pool) if prize is None else prize
            for place, hit in enumerate(best):
                held[hit] = whole // len(best) + (place < whole % len(best))
            if best:
                pool, prize = max(self.reset, pool - min(pool, whole)), self.prize
            elif self.is_added and prize is not None and self.prize is not None:
                prize += self.prize
        return list(held.values()), pool + self.by_round * self.periods[-1][0], prize
