"""One round of one table, as the books know it."""

from __future__ import annotations

from dataclasses import dataclass

from jackpot.terms.contributions import Figures


@dataclass(slots=True)
class Round:
    """One round of one table; `terms`, game, deck and stakes are those at its first entry."""

    terms: int
    game: str | None = None
    deck: int | None = None
    dealt: int | None = None
    started: int | None = None
    completed: int | None = None
    void: int | None = None
    pot: int | None = None  # micros
    hit: int | None = None
    cancelled: int | None = None
    priced: int | None = None  # a missed round: by how many players its start was priced
    uncalled: int | None = None
    commission: int | None = None
    taken: int | None = None  # the drop
    awaits: bool = False  # its figures feed a prize: until it is completed something is missing
    differs: int | None = None  # the entry by which its unit contradicted a supervisor
    # Pressed as that many-th within a minute, where some terms allow fewer
    # (`jackpot.terms.press_rate`);
    pace: int | None = None
    accepted: int | None = None  # and the entry by which a supervisor accepted it all the same
    stakes: str | None = None  # at its first entry
    flop: bool | None = None  # whether one was dealt, where its completion says so
    counted: int | None = None  # players dealt in, as known when its first figures came

    @property
    def is_held(self) -> bool:
        """Whether jackpots that it is too fast for wait for a supervisor."""
        return self.pace is not None and self.accepted is None and self.cancelled is None

    @property
    def figures_are_held(self) -> bool:
        """Whether that is so of its figures, too: those from before the press were credited."""
        came_before = (self.completed or 0) < (self.started or 0) and self.completed is not None
        return self.is_held and not came_before

    @property
    def figures(self) -> Figures:
        """The figures that were credited, of the completion or given by a supervisor."""
        return Figures(self.pot, self.uncalled, self.commission, self.taken, flop=self.flop)

    def keep(self, figures: Figures) -> None:
        """These are its figures from now on."""
        self.pot, self.uncalled = figures.pot, figures.uncalled
        self.commission, self.taken = figures.commission, figures.drop
        self.flop = figures.flop
        if self.counted is None:
            self.counted = self.dealt
