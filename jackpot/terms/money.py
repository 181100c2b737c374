"""Money as integers in micros: millionths of the currency unit. Never floats.

Basis points of cents are exact in micros, so nothing is rounded until somebody is paid.
"""

from rules.phrases import Figure

MICROS = 1_000_000
BASIS_POINTS = 10_000


def minor_to_micros(amount: int, digits: int) -> int:
    """Micros of an amount in minor units of a currency with `digits` decimals (0 to 2).

    >>> minor_to_micros(1000037, 2)
    10000370000
    """
    return amount * (MICROS // _power(digits))


def micros_to_minor(micros: int, digits: int) -> int:
    """Whole minor units in an amount, rounded down: a display never shows more than there is."""
    return micros // (MICROS // _power(digits))


def _power(digits: int) -> int:
    power: int = 10**digits
    return power


def share_of(micros: int, basis_points: int) -> int:
    """That many hundredths of a percent of an amount, rounded down to the micro."""
    return micros * basis_points // BASIS_POINTS


def round_up(micros: int, unit: int) -> int:
    """The nearest payable amount at or above (19.14(a)); `unit` in micros.

    >>> round_up(10_000_370_000, 1_000_000)
    10001000000
    """
    return -(-micros // unit) * unit


def format_micros(micros: int, digits: int) -> Figure:
    """An amount for people, rounded towards zero to the currency's decimals.

    >>> format_micros(10_000_370_000, 2), format_micros(-630_000, 2), format_micros(5_000_000, 0)
    ('10,000.37', '-0.63', '5')
    """
    sign = "-" if micros < 0 else ""
    minor = micros_to_minor(abs(micros), digits)
    units, rest = divmod(minor, 10**digits)
    return Figure(f"{sign}{units:,}" + (f".{rest:0{digits}d}" if digits else ""))


def format_exact(micros: int, digits: int) -> Figure:
    """An amount for people with every micro that is there, at least `digits` decimals.

    >>> format_exact(1_234_567, 2), format_exact(10_000_370_000, 2)
    ('1.234567', '10,000.37')
    """
    sign = "-" if micros < 0 else ""
    units, rest = divmod(abs(micros), MICROS)
    decimals = f"{rest:06d}".rstrip("0").ljust(digits, "0")
    return Figure(f"{sign}{units:,}" + (f".{decimals}" if decimals else ""))
