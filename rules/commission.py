"""What the house takes for hosting a game (rules 8.1 to 8.8), in integers of any unit of money."""

from dataclasses import dataclass, replace

from rules.phrases import PhrasedError

BASIS_POINTS = 10_000
LEAST_PERCENTAGE = 500
MOST_PERCENTAGE = 1_000
"""The range of a percentage commission in basis points: 5% to 10% (8.2(a))."""


class CommissionError(PhrasedError):
    """A commission that the rules do not allow; the message says what to correct.

    >>> Percentage(2000)
    Traceback (most recent call last):
    rules.commission.CommissionError: A percentage commission of the pot is 5% to 10% (8.2(a)).
    """


@dataclass(frozen=True, slots=True)
class RoundMoney:
    """The money of one round, as 8.5 to 8.8 ask of it. Raises CommissionError for impossible.

    >>> RoundMoney(pot=5000, uncalled=1200).called_pot
    3800
    """

    pot: int
    """All that was bet, with what was not called."""
    uncalled: int = 0
    blinds_only: bool = False
    """The only bets were blinds (8.6)."""
    tied_alone: bool = False
    """All who put money into the pot stayed to the showdown and their hands are equal (8.8)."""

    def __post_init__(self) -> None:
        """Refuse figures that cannot be."""
        if not 0 <= self.uncalled <= self.pot:
            raise CommissionError("The uncalled part must be from zero to the whole pot (8.5).")

    @property
    def called_pot(self) -> int:
        """The pot less the wager that nobody called (8.5)."""
        return self.pot - self.uncalled


@dataclass(frozen=True, slots=True)
class Percentage:
    """A percentage of the called pot up to a cap (8.2(a)). Raises CommissionError."""

    basis_points: int
    cap: int | None = None
    """The posted cap (8.1, 8.7); None where none is posted."""
    of_blinds_only: bool = False
    """Posted: taken although only blinds were bet (8.6)."""

    def __post_init__(self) -> None:
        """Refuse what 8.2(a) does not allow."""
        if not LEAST_PERCENTAGE <= self.basis_points <= MOST_PERCENTAGE:
            raise CommissionError("A percentage commission of the pot is 5% to 10% (8.2(a)).")
        if self.cap is not None and self.cap < 0:
            raise CommissionError("A cap cannot be below zero (8.7).")

    def due(self, money: RoundMoney) -> int:
        """What is taken from the pot, rounded down.

        >>> Percentage(500, cap=1000).due(RoundMoney(pot=12_345, uncalled=345))
        600
        >>> Percentage(500, cap=1000).due(RoundMoney(pot=30_000))
        1000
        """
        if money.tied_alone or (money.blinds_only and not self.of_blinds_only):
            return 0
        share = money.called_pot * self.basis_points // BASIS_POINTS
        return share if self.cap is None else min(share, self.cap)


@dataclass(frozen=True, slots=True)
class PerHand:
    """A set amount for each hand dealt (8.2(b)): neither 8.6 nor 8.8 touches it.

    >>> PerHand(300).due(RoundMoney(pot=5000, tied_alone=True))
    300
    """

    amount: int

    def __post_init__(self) -> None:
        """Refuse a fee below zero."""
        _require_amount(self.amount)

    def due(self, money: RoundMoney) -> int:
        """What is taken from the pot: never more than there is."""
        return min(self.amount, money.called_pot)


@dataclass(frozen=True, slots=True)
class PerTime:
    """An hourly amount of each player, paid in advance (8.2(c)): the pot is left alone.

    >>> PerTime(1200).due(RoundMoney(pot=5000))
    0
    """

    amount_per_hour: int

    def __post_init__(self) -> None:
        """Refuse a fee below zero."""
        _require_amount(self.amount_per_hour)

    def due(self, money: RoundMoney) -> int:  # noqa: ARG002 - as the other forms have it
        """Nothing is taken of a round, so no round can feed a jackpot from it."""
        return 0


@dataclass(frozen=True, slots=True)
class NoCommission:
    """Nothing is taken: 8.1 lets the operator, it does not oblige him.

    >>> NoCommission().due(RoundMoney(pot=5000))
    0
    """

    def due(self, money: RoundMoney) -> int:  # noqa: ARG002 - as the other forms have it
        """Nothing."""
        return 0


Commission = Percentage | PerHand | PerTime | NoCommission
"""The posted form (8.2). Of another form (8.2(d)) only the operator's notice knows the amount."""


def most_taken(posted: Commission, called_pot: int | None) -> int | None:
    """The most that may have been taken of a round; None where nobody can say.

    ``called_pot``: None where it is not known; the cap bounds a percentage all the same (8.7).
    What 8.6 and 8.8 leave out besides is not asked here.

    >>> most_taken(Percentage(500, cap=1000), 30_000), most_taken(Percentage(500), None)
    (1000, None)
    """
    if isinstance(posted, Percentage):
        if called_pot is None:
            return posted.cap
        return replace(posted, of_blinds_only=True).due(RoundMoney(called_pot))
    if isinstance(posted, PerHand) and called_pot is None:
        return posted.amount
    return posted.due(RoundMoney(called_pot or 0))


@dataclass(frozen=True, slots=True)
class DropSteps:
    """Chips taken for the jackpot by posted steps of the called pot (19.2): (from, take).

    The highest step that the pot reaches says what is taken, also where a lower one takes more;
    never more than the pot holds.
    """

    steps: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        """Refuse steps out of order."""
        starts = [start for start, _ in self.steps]
        if starts != sorted(set(starts)):
            raise CommissionError("Name the steps from the smallest pot up, each once (19.2).")
        if any(start < 0 or take < 0 for start, take in self.steps):
            raise CommissionError("Steps and amounts cannot be below zero (19.2).")

    def due(self, money: RoundMoney) -> int:
        """What is taken from the pot.

        >>> [DropSteps(((2000, 100), (5000, 200))).due(RoundMoney(p)) for p in (1999, 2000, 9000)]
        [0, 100, 200]
        >>> DropSteps(((20, 2), (50, 1))).due(RoundMoney(60))
        1
        """
        reached = [take for start, take in self.steps if money.called_pot >= start]
        return min(reached[-1], money.called_pot) if reached else 0


def _require_amount(amount: int) -> None:
    """Raise CommissionError for an amount below zero."""
    if amount < 0:
        raise CommissionError("An amount cannot be below zero (8.1).")
