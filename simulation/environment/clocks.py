"""Time in the simulated world: one true time, and what each machine's clock makes of it."""

import datetime as dt
from collections import defaultdict

DAWN = dt.datetime(2026, 3, 1, 9, 0, tzinfo=dt.UTC)


class Clocks:
    """True seconds since the world began; only the scheduler and those who wait move them."""

    def __init__(self) -> None:
        self.true_s = 0.0
        self.machine = ""  # whose clock is read now
        self.wrong_s: defaultdict[str, float] = defaultdict(float)  # by machine
        self.jumped: set[str] = set()  # machines whose clock was ever set, wrong or right

    def set(self, machine: str, wrong_s: float) -> None:
        """The clock of this machine jumps."""
        self.wrong_s[machine] = wrong_s
        self.jumped.add(machine)

    def now(self) -> dt.datetime:
        """What the clock of the present machine says."""
        return self.at(self.machine)

    def at(self, machine: str) -> dt.datetime:
        """What the clock of this machine says."""
        return DAWN + dt.timedelta(seconds=self.true_s + self.wrong_s[machine])


class TimeModule:
    """Stands in the place of Python's `time`; what is not here, the product does not use."""

    def __init__(self, clocks: Clocks) -> None:
        self._clocks = clocks

    def monotonic(self) -> float:
        return 1000.0 + self._clocks.true_s

    def perf_counter(self) -> float:
        return self.monotonic()

    def thread_time(self) -> float:
        return self.monotonic()

    def time(self) -> float:
        return self._clocks.now().timestamp()

    def sleep(self, seconds: float) -> None:
        self._clocks.true_s += seconds
