"""The mutation score of a part: `make mutants ARGS="--part rules --sample 200 --seed 7"`.

Prints every mutant that no test noticed, and the score with its 95 % interval. Fails where less
than nine of ten mutants that were tried are killed, or less than half of the sample was tried.
"""

import argparse
import random
import sys
from pathlib import Path

import pytest

from tests.mutants.parts import PARTS, Part
from tests.mutants.run import Limits, Run
from tests.mutants.score import Score

_LEAST = 0.9
_LEAST_TRIED = 0.5  # of fewer the score says too little of the sample


def main() -> int:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("--part", choices=sorted(PARTS))
    parser.add_argument("--code", help="another folder than that of a part")
    parser.add_argument("--tests", nargs="+", help="tests of --code")
    parser.add_argument("--sample", type=int, default=200, help="how many mutants; 0 for all")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    parser.add_argument("--only", default="", help="a piece of path::function")
    parser.add_argument("--budget", type=float, default=60, help="seconds of tests for a mutant")
    parser.add_argument(
        "--measure", type=float, help="seconds in which tests are measured; the others are not run"
    )
    parser.add_argument("--within", type=float, help="minutes after which no other mutant is tried")
    parser.add_argument("--baseline", type=Path, help="a file that keeps which test reaches what")
    options = parser.parse_args()
    if bool(options.part) == bool(options.code and options.tests):
        parser.error("name a --part, or --code with --tests")
    part = PARTS[options.part] if options.part else Part(options.code, tuple(options.tests))
    run = Run(
        part,
        options.seed,
        options.sample or None,
        options.budget,
        options.only,
        options.baseline,
        Limits(options.measure, options.within and options.within * 60),
    )
    sys.stdout.write(f"--seed {options.seed} draws the same mutants of the same code\n")
    sys.stdout.flush()
    quiet = ["-q", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    ended = pytest.main([*quiet, "-p", "no:cacheprovider", *part.tests], [run])
    if ended not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) or run.unfit:
        sys.stdout.write("\n".join(["tests fail without a mutant:", *run.unfit, ""]))
        return 2
    score = Score(run.killed, run.killed + len(run.survivors))
    sys.stdout.write(
        f"killed {score}; {run.by_time} of them by time\n"
        f"tried: {run.share_tried:.0%} of the sample\nnot counted: {run.equal} listed as equal,"
        f" {run.of_import} in what runs only when a module is imported,"
        f" {run.not_tried} of the sample not tried in time\n"
    )
    return exit_code(score, run.share_tried)


def exit_code(score: Score, share_tried: float) -> int:
    return int(score.share < _LEAST or share_tried < _LEAST_TRIED)


if __name__ == "__main__":
    sys.exit(main())
