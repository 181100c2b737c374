"""Every loss on two machines, one after the other: `make ha`, `make ha ARGS="--only frozen"`.

For each case is printed how long nobody wrote; at the end the verifier looks at all of it.
"""

import argparse
import os
import random
import sys
from typing import TYPE_CHECKING

from tests.crash.__main__ import NOWHERE
from tests.ha.services import BROKER_PACKAGES, PACKAGES, missing

if TYPE_CHECKING:
    from tests.crash.house import CrashHouse
    from tests.ha.brokers import BrokerHouse
    from tests.ha.house import HaHouse

UNDISTURBED = 2000


def main() -> int:
    parser = argparse.ArgumentParser(prog="make ha", description=__doc__)
    parser.add_argument("--seed", default=str(random.SystemRandom().getrandbits(32)))
    parser.add_argument("--rate", type=float, default=600, help="events a second")
    parser.add_argument("--only", default="", help="cases with these words in their name")
    parser.add_argument("--brokers", action="store_true", help="of RabbitMQ as the tables' broker")
    options = parser.parse_args()
    missing_programs = missing(BROKER_PACKAGES if options.brokers else PACKAGES)
    if missing_programs:
        _say(f"These programs are not here: {missing_programs}")
        return 1
    _say(f"--seed {options.seed} repeats the play")
    os.environ.update({**NOWHERE, "DJANGO_SETTINGS_MODULE": "config.settings"})
    import django

    django.setup()
    from tests.ha.brokers import BrokerHouse
    from tests.ha.house import HaHouse

    if options.brokers:
        with BrokerHouse(seed=options.seed, rate=options.rate) as brokers:
            return _lose_nodes(brokers)
    with HaHouse(seed=options.seed, rate=options.rate) as house:
        return _lose_all(house, options.only)


def _lose_all(house: "HaHouse", only: str) -> int:
    """One house for all cases, one after the other on one order; whether a promise is broken."""
    from tests.crash.outcome import findings, unrest
    from tests.ha.cases import CASES, lose_and_restore
    from tests.ha.probes import Acknowledged

    house.play()
    house.progress(UNDISTURBED)
    broken: list[str] = []
    with Acknowledged(house.postgres.probe_url) as acknowledged:
        for name in (name for name in CASES if only in name):
            lose_and_restore(house, name)
            house.settle()
            _say(f"{name}: nobody wrote for {max(house.pauses_of(name)):.1f} s")
            broken += unrest(house)
            house.play()
        broken += [f"acknowledged and lost: {number}" for number in acknowledged.lost()]
    house.settle()
    _say(f"    cuts of power took {house.pages_lost} pages back")
    return _conclude(house, [*broken, *findings(house)])


def _lose_nodes(house: "BrokerHouse") -> int:
    """One node after the other; whether a promise is broken, that of the pause among them."""
    from tests.crash.outcome import findings, unrest
    from tests.ha.cases import ANYTHING_ELSE_S, excess
    from tests.ha.machines import MACHINES

    house.play()
    house.progress(UNDISTURBED)
    broken: list[str] = []
    for machine in MACHINES:
        pause_s = house.lose_node(machine)
        house.settle()
        _say(f"RabbitMQ of machine {machine}: nobody wrote for {pause_s:.1f} s")
        broken += unrest(house)
        broken += excess(pause_s, ANYTHING_ELSE_S, f"RabbitMQ of machine {machine}")
        house.play()
    house.settle()
    return _conclude(house, [*broken, *findings(house)])


def _conclude(house: "CrashHouse", broken: list[str]) -> int:
    for load in house.loads():
        _say(f"    {load}")
    _say("\n".join(broken) or f"{house.entries()} entries, nothing is missing or wrong")
    return 1 if broken else 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
