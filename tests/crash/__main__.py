"""The longer crash test: `make crash ARGS="--rounds 20 --seed 7"`.

Seeded dice choose who dies, at which moment, for how long, and whether somebody else dies with
it; every round ends with everything in its place and a word of the checker. Real processes
take their own time: the seed repeats the choices, not the run.
"""

import argparse
import os
import random
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.crash.house import CrashHouse

ROUNDS_OF_A_HOUSE = 5  # the verifier reads the whole order in every round
ALONE = ("intake", "poster", "worker", "broker", "postgres", "dealers-main", "dealers-vip")
# The programs' command lines are written down beside code that wants Django's settings.
NOWHERE = {"DATABASE_URL": "postgresql://none@127.0.0.1:1/none", "SECRET_KEY": "none", "DEMO": "1"}


def main() -> int:
    parser = argparse.ArgumentParser(prog="make crash", description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    parser.add_argument("--rate", type=float, default=1200, help="events a second")
    parser.add_argument("--broker", choices=["mosquitto", "amqtt"], default="mosquitto")
    options = parser.parse_args()
    _say(f"--seed {options.seed} repeats these choices")
    os.environ.update({**NOWHERE, "DJANGO_SETTINGS_MODULE": "config.settings"})
    import django

    django.setup()
    from tests.crash.house import CrashHouse

    dice = random.Random(options.seed)
    left = options.rounds
    while left:
        with CrashHouse(
            seed=str(dice.getrandbits(32)), rate=options.rate, broker=options.broker
        ) as house:
            for _ in range(min(left, ROUNDS_OF_A_HOUSE)):
                _say(f"{left} to go")
                left -= 1
                if not _round(house, dice):
                    return 1
    return 0


def _round(house: "CrashHouse", dice: random.Random) -> bool:
    """One crash; whether every promise is kept."""
    from tests.crash.outcome import findings, unrest

    victims = dice.sample(ALONE, dice.choice((1, 1, 2, 3)))
    how = {"immediate_stop": dice.random() < 0.5, "forgets": dice.random() < 0.5}
    moment, away = dice.randrange(1, 4000), dice.choice((0, 0, 300, 3000))
    _say(f"{' and '.join(victims)} after {moment} entries, for {away} events, {how}")
    house.play()
    house.progress(moment)
    block = house.blocks()
    house.crash(*victims, away=away, **how)
    house.progress(1000)
    pause_s = house.longest_pause_s(block)
    began = time.monotonic()
    house.settle()
    settled_s = time.monotonic() - began
    if findings_of_round := [*unrest(house), *findings(house)]:
        _say("\n".join(findings_of_round))
        return False
    _say(
        f"    nobody wrote for {pause_s:.1f} s, {settled_s:.1f} s until all had its place;"
        f" {house.entries()} entries, nothing is missing or wrong"
    )
    for load in house.loads():
        _say(f"    {load}")
    return True


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
