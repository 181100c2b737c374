"""What is kept by tier, in the order in which people read prizes everywhere."""

from collections.abc import Mapping


def in_order(values: Mapping[str, int], names: Mapping[str, str]) -> list[tuple[str, int]]:
    """(code, value) as the terms name the tiers; codes without a name at the end."""
    place = {code: at for at, code in enumerate(names)}
    return sorted(values.items(), key=lambda item: (place.get(item[0], len(place)), item[0]))
