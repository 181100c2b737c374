"""How exact amounts stand in a table: in which order of prizes, and with how many decimals, so that
figures stand under each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from jackpot.labels.figures import marks, write_count
from jackpot.terms.money import MICROS
from tables.models import Casino

_DECIMALS_OF_A_MICRO = 6


@dataclass(frozen=True, slots=True)
class Precision:
    """The currency's decimals, and those that the finest amount of a table has."""

    digits: int
    decimals: int

    @classmethod
    def of(cls, casino: Casino, amounts: Iterable[int | None]) -> Precision:
        decimals = casino.minor_digits
        for amount in amounts:
            while amount and decimals < _DECIMALS_OF_A_MICRO and amount * 10**decimals % MICROS:
                decimals += 1
        return cls(casino.minor_digits, decimals)

    def parts(self, micros: int) -> tuple[str, str]:
        """The figure as people read it, and the decimals beyond: `("1,234.56", "75")`."""
        sign = "-" if micros < 0 else ""
        units, rest = divmod(abs(micros), MICROS)
        decimals = f"{rest:0{_DECIMALS_OF_A_MICRO}d}"[: self.decimals]
        plain, fine = decimals[: self.digits], decimals[self.digits :]
        point = marks()[0] if decimals else ""
        return f"{sign}{write_count(units)}{point}{plain}", fine


def in_order(values: Mapping[str, int], names: Mapping[str, str]) -> list[tuple[str, int]]:
    """(code, value) as the terms name the tiers, which people read in this order everywhere; codes
    without a name at the end."""
    place = {code: at for at, code in enumerate(names)}
    return sorted(values.items(), key=lambda item: (place.get(item[0], len(place)), item[0]))
