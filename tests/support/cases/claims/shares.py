"""Who is paid how much of a hit, by seat and role."""

from tests.support.units.cardroom import CardRoom, money


def lines(room: CardRoom, number: int = 1) -> list[tuple[int, str, float]]:
    return [
        (line["seat"], line["role"], line["amount"] / money(1)) for line in room.hit(number).payees
    ]
